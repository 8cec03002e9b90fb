import { withoutTrailing } from "../ascii.ts";
import { lruCache } from "../lru-cache.ts";

/** Numbers, dates and addresses of the evaluator; see evaluate-text.ts for why they stand alone. */

/** @returns -1, 0 or 1; null when one of the texts is not a decimal number. */
export function compareNumbers(left: string, right: string): number | null {
  const a = decimal(left);
  const b = decimal(right);
  if (!a || !b) return null;
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const size = compareDigits(a, b);
  return a.negative ? -size : size;
}

interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function decimal(text: string): Decimal | null {
  const parts = /^\s*([-+]?)(\d{1,100})(?:\.(\d{1,30}))?(?:[eE]([-+]?\d{1,2}))?\s*$/.exec(text);
  if (!parts) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = point <= 0 ? "" : digits.slice(0, point).padEnd(point, "0");
  const right = point < 0 ? "0".repeat(-point) + digits : digits.slice(Math.max(point, 0));
  const trimmed = { whole: left.replace(/^0+/, ""), fraction: withoutTrailing(right, "0") };
  if (trimmed.fraction.length > 30) return null;
  return { ...trimmed, negative: sign === "-" && trimmed.whole + trimmed.fraction !== "" };
}

function compareDigits(a: Decimal, b: Decimal): number {
  if (a.whole.length !== b.whole.length) return a.whole.length < b.whole.length ? -1 : 1;
  if (a.whole !== b.whole) return a.whole < b.whole ? -1 : 1;
  if (a.fraction === b.fraction) return 0;
  return a.fraction < b.fraction ? -1 : 1;
}

const dateShape =
  /^(\d{4}-\d{2}(?:-\d{2})?)(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[-+]\d{2}(?::?\d{2})?)?)?$/i;

/** @returns -1, 0 or 1; null when one of the texts is not an instant. */
export function compareInstants(left: string, right: string): number | null {
  const a = instant(left.trim());
  const b = instant(right.trim());
  if (!a || !b) return null;
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/**
 * An instant beside a number of seconds since 1970.
 * @returns -1, 0 or 1; null when one of the texts cannot be read.
 */
export function compareSeconds(left: string, number: string): number | null {
  const wanted = number.trim();
  if (!/^[-+]?\d+(?:\.\d+)?$/.test(wanted)) return null;
  // Four digits alone are a year.
  return compareInstants(left, wanted.includes(".") ? wanted : `${wanted}.0`);
}

interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** Of texts that were read lately: each request is compared with the same values. */
const instants = lruCache<{ readonly instant: Instant | null }>(4_096);
/** No instant is longer. */
const longestInstant = 40;

function instant(text: string): Instant | null {
  if (text.length > longestInstant) return null;
  let known = instants.get(text);
  if (!known) {
    known = { instant: readInstant(text) };
    instants.set(text, known);
  }
  return known.instant;
}

function readInstant(text: string): Instant | null {
  if (/^\d{4}$/.test(text))
    return { seconds: Date.parse(`${text}-01-01T00:00:00Z`) / 1000, nanos: 0 };
  const epoch = /^([-+]?\d{1,15})(?:\.(\d{1,9}))?$/.exec(text);
  if (epoch) {
    const nanos = Number((epoch[2] ?? "").padEnd(9, "0"));
    const seconds = Number(epoch[1]);
    if (!text.startsWith("-") || nanos === 0) return { seconds, nanos };
    return { seconds: seconds - 1, nanos: 1_000_000_000 - nanos };
  }
  const parts = dateShape.exec(text);
  if (!parts) return null;
  const [, day = "", hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const midnight = Date.parse(`${day.length === 7 ? `${day}-01` : day}T00:00:00Z`);
  // `Date.parse` takes 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null;
  const offset = zoneSeconds(zone);
  if (offset === null) return null;
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return { seconds: midnight / 1000 + clock - offset, nanos: Number(fraction.padEnd(9, "0")) };
}

function zoneSeconds(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.replace(/\D/g, "").padEnd(4, "0");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** @returns whether the address is inside the block; null when either cannot be read. */
export function isInBlock(address: string, block: string): boolean | null {
  const [base = "", length, ...more] = block.trim().split("/");
  const inner = groups(address.trim().split("/")[0] ?? "");
  const outer = groups(base);
  if (!inner || !outer || more.length > 0) return null;
  const bits = outer.length === 4 ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  if (inner.length !== outer.length) return false;
  const width = bits / outer.length;
  return outer.every((group, index) => {
    const kept = Math.min(Math.max(prefix - index * width, 0), width);
    const shift = width - kept;
    return group >>> shift === (inner[index] ?? 0) >>> shift;
  });
}

/** Four bytes or eight groups; null for anything else. */
function groups(text: string): readonly number[] | null {
  if (!text.includes(":")) return bytes(text);
  let rest = text.toLowerCase();
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(rest);
  if (dotted) {
    const four = bytes(dotted[2] ?? "");
    if (!four) return null;
    const [a = 0, b = 0, c = 0, d = 0] = four;
    rest = `${dotted[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }
  const halves = rest.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const all = [...head, ...new Array<string>(halves.length === 1 ? 0 : missing).fill("0"), ...tail];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return all.map((group) => Number.parseInt(group, 16));
}

function bytes(text: string): readonly number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  const numbers = parts.map((part) => (/^(?:0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  return numbers.every((number) => number < 256) ? numbers : null;
}

/** @returns whether two base64 texts are the same bytes; null when one is not base64. */
export function sameBytes(left: string, right: string): boolean | null {
  const a = decoded(left);
  const b = decoded(right);
  return a === null || b === null ? null : a === b;
}

function decoded(text: string): string | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const digits = withoutTrailing(text, "=");
  const padding = text.length - digits.length;
  if (digits.length % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return null;
  return Buffer.from(digits, "base64").toString("hex");
}
