import type { Statement } from "../../policy/model.ts";
import { epochSeconds, isTimeKey, startOfDay } from "../shared/dates.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

type Bound = "end" | "start";

/** Which end of a period the operator sets; null for other operators. */
export function boundOf({ operator }: ReadableEntry): Bound | null {
  const { name } = operator.base;
  if (/^(?:Date|Numeric)LessThan/.test(name)) return "end";
  return /^(?:Date|Numeric)GreaterThan/.test(name) ? "start" : null;
}

/** The time that decides: of several ends the latest, of several starts the earliest. */
export function decidingTime(entry: ReadableEntry, bound: Bound): number | null {
  const times = entry.values.map(({ text }) => epochSeconds(text));
  if (times.length === 0 || times.includes(null)) return null;
  const known = times.filter((time) => time !== null);
  return known.reduce((one, other) =>
    bound === "end" ? Math.max(one, other) : Math.min(one, other),
  );
}

/** What a date says, given that every request is made after the day of the reference data. */
export function effectOfDate(
  entry: ReadableEntry,
  statement: Statement,
  today: string,
): Effect | null {
  const { keyLower, key, operator, operatorText, values } = entry;
  if (!isTimeKey(keyLower) || operator.setPrefix !== null) return null;
  const isMoment = /^(?:Date|Numeric)Equals$/.test(operator.base.name);
  const bound = isMoment ? "end" : boundOf(entry);
  if (!bound) return null;
  const time = decidingTime(entry, bound);
  if (time === null) return null;
  if (time >= startOfDay(today)) {
    if (isMoment && keyLower !== "aws:tokenissuetime") return moment(entry, statement);
    return null;
  }
  const [first] = values;
  const value = quote(first?.text ?? "");
  const isToken = keyLower === "aws:tokenissuetime";
  if (bound === "end") {
    if (isToken && operator.ifExists) return null;
    const revokes = isToken && statement.denies;
    return {
      kind: "never",
      entry,
      ...(first ? { node: first.node } : {}),
      reason: `${quote(operatorText)} on ${quote(key)} ${isMoment ? "holds" : "ends"} at ${value}, before ${today}, the day of the reference data.`,
      suggestion: "Write an end in the future, or remove the statement.",
      // That is what AWS writes to revoke sessions: it did its work when those sessions ended.
      ...(revokes
        ? {
            severity: "info" as const,
            consequence: "It denied older sessions, and those have expired since.",
          }
        : {}),
    };
  }
  if (!statement.allows || isToken || hasLaterEnd(statement, keyLower, today)) return null;
  return {
    kind: "always",
    entry,
    severity: "info",
    reason: `${quote(operatorText)} on ${quote(key)} begins at ${value}, before ${today}, the day of the reference data, so it holds for every request since.`,
    suggestion: "Add an end where the grant is for a time; else remove the entry.",
    consequence: "It no longer limits anything.",
  };
}

/** A test for one second, where a day or the end of a period is meant. */
function moment(entry: ReadableEntry, { denies }: Statement): Effect {
  const { key, operatorText, values } = entry;
  const [first] = values;
  return {
    kind: "never",
    entry,
    ...(first ? { node: first.node } : {}),
    reason: `${quote(operatorText)} on ${quote(key)} holds in the very second ${quote(first?.text ?? "")} only.`,
    suggestion: "Write an end with `DateLessThan`, and a start with `DateGreaterThan`.",
    consequence: denies
      ? "At every other time this Deny stops no request."
      : "At every other time this Allow grants nothing.",
  };
}

/** An end of any of the time keys: a period that has begun, and will end, is what it should be. */
function hasLaterEnd(statement: Statement, keyLower: string, today: string): boolean {
  return statement.conditions.some((entry) => {
    if (!entry.operator || !isTimeKey(entry.keyLower)) return false;
    const readable = { ...entry, operator: entry.operator };
    if (boundOf(readable) !== "end") return false;
    if (keyLower !== entry.keyLower && entry.keyLower === "aws:tokenissuetime") return false;
    const end = decidingTime(readable, "end");
    return end === null || end >= startOfDay(today);
  });
}
