import { withoutTrailing } from "../ascii.ts";
import {
  countAddresses,
  everyAddress,
  internetAddresses,
  readAddresses,
  writeAddress,
} from "./addresses.ts";
import {
  includes,
  intersection,
  type Ranges,
  readInstant,
  readNumber,
  writeNumber,
} from "./intervals.ts";

/** @returns a value inside the ranges; null when they hold none that can be written. */
export function pickValue(family: "number" | "instant" | "address", ranges: Ranges): string | null {
  if (family === "number") return pickNumber(ranges);
  return family === "instant" ? pickInstant(ranges) : pickAddress(ranges);
}

function pickNumber(ranges: Ranges): string | null {
  for (const text of ["1", "10", "100"]) {
    const value = readNumber(text);
    if (value !== null && includes(ranges, value)) return text;
  }
  for (const value of placesIn(ranges, decimals)) return writeNumber(value);
  return null;
}

/** 1, 0.1, 0.01 and so on: a value with few digits is the same wherever it is read. */
const decimals = Array.from({ length: 31 }, (_, digits) => 10n ** BigInt(30 - digits));

/** Values at the ends of the ranges and at those distances from them, that are inside. */
function* placesIn(ranges: Ranges, steps: readonly bigint[]): Generator<bigint> {
  for (const { from, to } of ranges) {
    // A cut after a number is odd, and the number is half of it rounded down; a division would round towards zero.
    const ends = [from, to].filter((cut) => cut !== null).map((cut) => cut >> 1n);
    for (const end of ends) {
      for (const candidate of [end, ...steps.flatMap((step) => [end + step, end - step])]) {
        if (includes(ranges, candidate)) yield candidate;
      }
    }
  }
}

const second = 1_000_000_000_000n;

function pickInstant(ranges: Ranges): string | null {
  for (const text of ["2030-01-01T00:00:00Z", "2026-01-01T00:00:00Z"]) {
    const value = readInstant(text);
    if (value !== null && includes(ranges, value)) return text;
  }
  for (const value of placesIn(ranges, [second * 3600n, second, 1_000_000_000n, 1000n])) {
    const text = writeInstant(value);
    const read = readInstant(text);
    if (read !== null && includes(ranges, read)) return text;
  }
  return null;
}

/** ISO 8601 in UTC, with as many digits after the second as it takes. */
function writeInstant(value: bigint): string {
  const floor = value >= 0n ? value / second : -((-value + second - 1n) / second);
  const date = new Date(Number(floor) * 1000);
  if (Number.isNaN(date.getTime())) return `${floor}`;
  const rest = (value - floor * second) / 1000n;
  const whole = date.toISOString().replace(".000Z", "");
  if (!/^\d{4}-/.test(whole)) return `${floor}`;
  return rest === 0n
    ? `${whole}Z`
    : `${whole}.${withoutTrailing(rest.toString().padStart(9, "0"), "0")}Z`;
}

const examples = ["203.0.113.10", "198.51.100.10", "192.0.2.10", "2001:db8::10"];

function pickAddress(ranges: Ranges): string | null {
  const inside = intersection(ranges, everyAddress);
  for (const text of examples) {
    const [block] = readAddresses(text) ?? [];
    if (block?.from != null && includes(inside, block.from / 2n)) return text;
  }
  const open = intersection(ranges, internetAddresses);
  for (const { from } of [...open, ...inside]) if (from !== null) return writeAddress(from / 2n);
  return null;
}

/** Whether more of the internet is left than a limit would leave: a /8 of IPv4, a /32 of IPv6. */
export function isWideNetwork(ranges: Ranges): boolean {
  const { v4, v6 } = countAddresses(intersection(ranges, internetAddresses));
  return v4 > 1n << 24n || v6 > 1n << 96n;
}
