import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

/**
 * The caller chooses the external id that it sends.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
export function anyExternalId(entry: ReadableEntry): Effect {
  return {
    kind: "always",
    entry,
    reason: `${quote(entry.operatorText)} on ${quote(entry.key)} accepts every external id${lengthsOf(wildcardsOf(entry))}, and callers choose the one that they send.`,
    suggestion: "Write the external id that you agreed on with the other party.",
    consequence: "This entry keeps no caller out.",
  };
}

/** @returns whether a value of an Allow says nothing of an external id but its length. */
export function isOpenExternalId(entry: ReadableEntry, { allows }: Statement): boolean {
  const { keyLower, operator } = entry;
  if (!allows || keyLower !== "sts:externalid" || operator.base.negated) return false;
  return wildcardsOf(entry) !== null;
}

function wildcardsOf({ values }: ReadableEntry): string | null {
  return values.find(({ text }) => /^[*?]+$/.test(text))?.text ?? null;
}

/**
 * An external id has at least two characters.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
const shortest = 2;

function lengthsOf(pattern: string | null): string {
  const length = pattern?.replaceAll("*", "").length ?? 0;
  if (pattern?.includes("*") !== false) {
    return length <= shortest ? "" : ` of ${length} characters or more`;
  }
  return ` of ${length} ${length === 1 ? "character" : "characters"}`;
}

/** A trust policy that asks for an external id and says nowhere which. */
export function presentExternalId(
  entry: ReadableEntry,
  { allows, conditions }: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, keyLower, values } = entry;
  if (!allows || type !== "TRUST_POLICY" || keyLower !== "sts:externalid") return null;
  if (operator.base.type !== null || values.length === 0) return null;
  if (switchValue(values) !== false) return null;
  if (conditions.some((one) => one !== entry && one.keyLower === keyLower)) return null;
  return anyExternalId(entry);
}

/** A Deny of callers who send the external id that was agreed on, or any. */
export function deniesExternalId(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, keyLower, operatorText, key, values } = entry;
  if (!statement.denies || type !== "TRUST_POLICY" || keyLower !== "sts:externalid") return null;
  if (statement.conditions.length > 1 || values.length === 0) return null;
  if (operator.base.type === null) {
    if (!values.every(({ text }) => text.toLowerCase() === "false")) return null;
    return {
      kind: "inverted",
      entry,
      reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the callers who send an external id, and not those who send none.`,
      suggestion: 'Write `"true"`, and require the external id in the Allow.',
      consequence: "",
      ...fixedBy(() => correctedEntry(statement, entry, { value: "true" }), {
        title: "Deny callers without an external id",
        effect: "changes",
      }),
    };
  }
  if (operator.base.type !== "String" || operator.base.negated) return null;
  const wanted = operatorLike(entry, operator.base.name.replace(/Equals|Like/, "Not$&"));
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the callers who send this external id${
      operator.ifExists
        ? " or none, and not those who send another one"
        : ", and not those who send another one or none"
    }.`,
    suggestion: `Write ${quote(wanted)}, so that it stops the others.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny callers without the external id",
      effect: "changes",
    }),
  };
}
