import { editDistance } from "../../edit-distance.ts";
import type { ConditionType } from "../../policy/condition-operator.ts";
import { isValueOf } from "../../policy/condition-value.ts";
import { arnFault, maxArnLength } from "../shared/arn-rule.ts";

/** A value in the form of its type, and the title of the fix that writes it. */
export interface MeantValue {
  readonly value: string;
  readonly title: string;
}

/** @returns the value that is meant where its form alone is wrong; null where that is not certain. */
export function meantValue(kinds: readonly ConditionType[], text: string): MeantValue | null {
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return null;
  if (text.length > (kind === "ARN" ? maxArnLength : longest)) return null;
  const value = meantOf[kind]?.(text.trim());
  if (value === undefined || value === null || !isValueOf(kind, value)) return null;
  return { value, title: titles[kind] ?? "Write the value in the form of its type" };
}

/** No value of the other types is longer, and the patterns of ranges read white space again from each of its characters. */
const longest = 64;

const titles: Partial<Record<ConditionType, string>> = {
  ARN: "Write the ARN that is meant",
  Bool: "Write the boolean that is meant",
  Date: "Write the date in ISO 8601, in UTC",
  IPAddress: "Write the range in CIDR notation",
  Numeric: "Write the number without separators",
};

const meantOf: Partial<Record<ConditionType, (text: string) => string | null>> = {
  ARN: (text) => arnFault(text, true)?.corrected ?? null,
  Bool: meantBoolean,
  Date: meantDate,
  IPAddress: meantRange,
  Numeric: meantNumber,
};

const grouped = /^\d{1,3}(?:,\d{3})+$/;

/** @returns the number that digits in groups of three mean, such as `1000` for `1,000`; null for other texts. */
export function ungrouped(text: string): string | null {
  return grouped.test(text) ? text.replaceAll(",", "") : null;
}

/** `100,200` may also be two numbers; `1,000` is none, since no number begins with `00`. */
function meantNumber(text: string): string | null {
  return /,0\d/.test(text) ? ungrouped(text) : null;
}

/** Slips for `true` and `false`. */
const slips: Readonly<Record<string, string>> = {
  yes: "true",
  no: "false",
  "1": "true",
  "0": "false",
  on: "true",
  off: "false",
};

/** @returns the boolean that a slip means; null for other texts. */
export function meantBoolean(text: string): string | null {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(slips, word)) return slips[word] ?? null;
  // `else` is as near to `false` as `fasle` is, but begins with another letter.
  return ["true", "false"].find((name) => name[0] === word[0] && isNear(name, word)) ?? null;
}

function isNear(name: string, word: string): boolean {
  const letters = (text: string) => [...text].sort().join("");
  return editDistance(name, word) < 2 || letters(name) === letters(word);
}

function meantDate(text: string): string | null {
  const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?(?:Z|UTC|GMT)?$/i.exec(text);
  if (moment) return `${moment[1]}T${moment[2]}${moment[3] ?? ":00"}${moment[4] ?? ""}Z`;
  const yearFirst = /^(\d{4})[/.](\d\d?)[/.](\d\d?)$/.exec(text);
  if (yearFirst) return day(yearFirst[1], yearFirst[2], yearFirst[3]);
  // 31.12.2026 and 12/31/2026 are certain, 03/04/2026 is not.
  const yearLast = /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})$/.exec(text);
  if (yearLast) {
    const [, one, other, year] = yearLast;
    if (Number(one) > 12) return day(year, other, one);
    return Number(other) > 12 ? day(year, one, other) : null;
  }
  if (!/^(?:[A-Za-z]{3,9}\.? \d\d?,? \d{4}|\d\d?\.? [A-Za-z]{3,9} \d{4})$/.test(text)) return null;
  const at = Date.parse(`${text.replace(/[.,]/g, "")} UTC`);
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

function day(year = "", month = "", date = ""): string {
  return `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
}

const number = "(?:0|[1-9]\\d{0,2})";
const address = new RegExp(`^${number}(?:\\.${number}){3}$`);

/** `203.0.113.*`, `203.0.113/24`, a range from the first to the last address, a mask of four numbers. */
function meantRange(text: string): string | null {
  const tidy = text.replace(/\s*[/\\]\s*/g, "/");
  if (isValueOf("IPAddress", tidy)) return tidy;
  const starred = /^((?:\d{1,3}\.){1,3})\*(?:\.\*){0,2}$/.exec(tidy);
  if (starred) return network((starred[1] ?? "").split(".").slice(0, -1));
  const [first = "", last = "", more] = tidy.split(/\s*[-–/]\s*/);
  if (more !== undefined) return null;
  if (/^\d{1,2}$/.test(last)) {
    const parts = first.split(".");
    const isShort = parts.length < 4 && Number(last) === parts.length * 8;
    return tidy.includes("/") && isShort ? network(parts) : null;
  }
  if (!address.test(first) || !address.test(last)) return null;
  const mask = tidy.includes("/") ? bits(last) : (bits(first) ^ ~bits(last)) >>> 0;
  const length = 32 - Math.log2((~mask >>> 0) + 1);
  if (!Number.isInteger(length)) return null;
  // A range begins at the first address of its network.
  if (!tidy.includes("/") && (bits(first) & ~mask) !== 0) return null;
  return `${first}/${length}`;
}

function network(parts: readonly string[]): string {
  return `${[...parts, "0", "0", "0"].slice(0, 4).join(".")}/${parts.length * 8}`;
}

function bits(text: string): number {
  return text.split(".").reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0);
}
