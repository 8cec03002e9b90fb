import { withoutTrailing } from "../ascii.ts";
/**
 * Sets of numbers, instants (picoseconds) and addresses, as sorted half-open ranges of cuts. The cut
 * before `n` is `2n`, the cut after it `2n + 1`, so open and closed ends need no flags.
 */
export interface Range {
  /** Null: from below everything. */
  readonly from: bigint | null;
  /** Null: to above everything. */
  readonly to: bigint | null;
}

export type Ranges = readonly Range[];

export const everyRange: Ranges = [{ from: null, to: null }];

export type Comparison = "equals" | "below" | "upTo" | "above" | "from";

/** The numbers that a comparison with a value accepts. */
export function compared(how: Comparison, value: bigint): Ranges {
  const before = value * 2n;
  const after = before + 1n;
  if (how === "equals") return [{ from: before, to: after }];
  if (how === "below") return [{ from: null, to: before }];
  if (how === "upTo") return [{ from: null, to: after }];
  if (how === "above") return [{ from: after, to: null }];
  return [{ from: before, to: null }];
}

function laterStart(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b;
  return b === null || a > b ? a : b;
}

function earlierEnd(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b;
  return b === null || a < b ? a : b;
}

function isEmpty({ from, to }: Range): boolean {
  return from !== null && to !== null && from >= to;
}

/** What both have. Sorted ranges in, sorted ranges out. */
export function intersection(left: Ranges, right: Ranges): Ranges {
  const both: Range[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i];
    const b = right[j];
    if (!a || !b) break;
    const range = { from: laterStart(a.from, b.from), to: earlierEnd(a.to, b.to) };
    if (!isEmpty(range)) both.push(range);
    if (a.to !== null && (b.to === null || a.to < b.to)) i++;
    else j++;
  }
  return both;
}

/** What any of the lists has, sorted; ranges that touch become one. */
export function union(lists: readonly Ranges[]): Ranges {
  const sorted = lists
    .flat()
    .filter((range) => !isEmpty(range))
    .sort((a, b) => order(a.from, b.from));
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    const touches =
      last !== undefined && (last.to === null || range.from === null || range.from <= last.to);
    if (!touches || last === undefined) merged.push(range);
    else if (last.to !== null && (range.to === null || range.to > last.to)) {
      merged[merged.length - 1] = { from: last.from, to: range.to };
    }
  }
  return merged;
}

function order(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

/** Everything that the sorted ranges leave out. */
export function complement(ranges: Ranges): Ranges {
  const gaps: Range[] = [];
  let from: bigint | null = null;
  for (const [index, range] of ranges.entries()) {
    if (index > 0 || range.from !== null) gaps.push({ from, to: range.from });
    from = range.to;
    if (from === null) return gaps;
  }
  gaps.push({ from, to: null });
  return gaps;
}

/** @returns Whether a range contains the number. */
export function includes(ranges: Ranges, value: bigint): boolean {
  const before = value * 2n;
  const after = before + 1n;
  return ranges.some(
    ({ from, to }) => (from === null || from <= before) && (to === null || to >= after),
  );
}

/** Decimal places that a number may have. */
const places = 30;

/** @returns the number times 10^30; null for a text that is not a decimal number. */
export function readNumber(text: string): bigint | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^\s*([-+]?)(\d{1,100})(?:\.(\d{1,30}))?(?:[eE]([-+]?\d{1,2}))?\s*$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const shift = places - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n;
  if (digits % divisor !== 0n) return null;
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / divisor;
  return sign === "-" ? -value : value;
}

/** @returns the decimal text of a number times 10^30. */
export function writeNumber(value: bigint): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const fraction = withoutTrailing(digits.slice(-places), "0");
  return `${sign}${digits.slice(0, -places)}${fraction === "" ? "" : `.${fraction}`}`;
}

const isoShape =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[-+]\d{2}(?::?\d{2})?)?)?)?$/i;

/** @returns picoseconds since 1970; null for a text that is not an instant. */
export function readInstant(text: string): bigint | null {
  const trimmed = text.trim();
  const [seconds, whole = "", fraction = ""] =
    /^([-+]?\d{1,15})(?:\.(\d{1,9}))?$/.exec(trimmed) ?? [];
  // Four digits alone are a year in ISO 8601, and so AWS reads them.
  if (seconds !== undefined && !/^\d{4}$/.test(trimmed)) {
    const nanos = BigInt(fraction.padEnd(9, "0"));
    const base = BigInt(whole) * 1_000_000_000n;
    return (whole.startsWith("-") ? base - nanos : base + nanos) * 1_000n;
  }
  if (/^\d{4}$/.test(trimmed)) return BigInt(Date.UTC(Number(trimmed), 0)) * 1_000_000_000n;
  return readIso(trimmed);
}

/** @returns picoseconds since 1970; null for a text that is not a number of seconds. */
export function readEpoch(text: string): bigint | null {
  const [, seconds, fraction = ".0"] = /^\s*([-+]?\d{1,15})(\.\d{1,9})?\s*$/.exec(text) ?? [];
  return seconds === undefined ? null : readInstant(seconds + fraction);
}

function readIso(text: string): bigint | null {
  const [found, year, month, day = "1", hour = "0", minute = "0", second = "0", part = "", zone] =
    isoShape.exec(text) ?? [];
  if (found === undefined) return null;
  const fields = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = fields;
  const utc = new Date(0);
  utc.setUTCFullYear(y, mo - 1, d);
  if (mo < 1 || mo > 12 || utc.getUTCDate() !== d || h > 24 || mi > 59 || s > 60) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  const whole = BigInt(utc.getTime()) + BigInt(((h * 60 + mi - offset) * 60 + s) * 1000);
  return whole * 1_000_000_000n + BigInt(part.padEnd(9, "0")) * 1_000n;
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
