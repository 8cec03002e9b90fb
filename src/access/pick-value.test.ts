import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAddresses } from "./addresses.ts";
import {
  type Comparison,
  compared,
  complement,
  everyRange,
  includes,
  intersection,
  type Ranges,
  readInstant,
  readNumber,
  union,
} from "./intervals.ts";
import { isWideNetwork, pickValue } from "./pick-value.ts";

const number = (how: Comparison, text: string) => compared(how, readNumber(text) ?? 0n);
const instant = (how: Comparison, text: string) => compared(how, readInstant(text) ?? 0n);
const network = (text: string): Ranges => readAddresses(text) ?? [];
const both = (...ranges: readonly Ranges[]) => ranges.reduce(intersection, everyRange);

describe("a number", () => {
  test.each([
    ["any", everyRange, "1"],
    ["at least 5", number("from", "5"), "10"],
    ["above 10", number("above", "10"), "100"],
    ["above 1 and below 10", both(number("above", "1"), number("below", "10")), "2"],
    ["above 100", number("above", "100"), "101"],
    ["exactly 250", number("equals", "250"), "250"],
    ["exactly -2.5", number("equals", "-2.5"), "-2.5"],
    ["below 0", number("below", "0"), "-1"],
    ["at most -7", number("upTo", "-7"), "-7"],
    ["between 2 and 3", both(number("above", "2"), number("below", "3")), "2.1"],
    ["between 2 and 2.05", both(number("above", "2"), number("below", "2.05")), "2.01"],
    ["between 1.2 and 1.3", both(number("above", "1.2"), number("below", "1.3")), "1.21"],
    [
      "above 2, as little as can be",
      both(number("above", "2"), number("upTo", "2.000000000000000000000000000001")),
      "2.000000000000000000000000000001",
    ],
    ["from 2 to 2.05", both(number("from", "2"), number("upTo", "2.05")), "2"],
    ["none", [], null],
  ] as const)("%s", (_, ranges, expected) => {
    expect(pickValue("number", ranges)).toBe(expected);
  });
});

describe("an instant", () => {
  const end = "2030-01-01T00:00:00Z";
  test.each([
    ["any", everyRange, end],
    ["before 2030", instant("below", "2030"), "2026-01-01T00:00:00Z"],
    ["before 2026", instant("below", "2026"), "2025-12-31T23:00:00Z"],
    ["after 2030", instant("above", end), "2030-01-01T01:00:00Z"],
    ["exactly one", instant("equals", "2024-02-29T12:30:45Z"), "2024-02-29T12:30:45Z"],
    [
      "exactly one with a fraction",
      instant("equals", "2024-02-29T12:30:45.025Z"),
      "2024-02-29T12:30:45.025Z",
    ],
    [
      "before 1970, a whole second",
      instant("upTo", "1969-12-31T23:59:58Z"),
      "1969-12-31T23:59:58Z",
    ],
    [
      "part of a nanosecond",
      both(
        instant("above", "2024-01-01T00:00:00Z"),
        instant("below", "2024-01-01T00:00:00.000000001Z"),
      ),
      null,
    ],
    ["a day that no calendar has", instant("equals", "99999999999999"), "99999999999999"],
    ["before 1970", instant("upTo", "1969-12-31T23:59:58.5Z"), "1969-12-31T23:59:58.5Z"],
    [
      "a minute of one hour",
      both(instant("above", "2024-01-01T00:00:00Z"), instant("below", "2024-01-01T00:01:00Z")),
      "2024-01-01T00:00:01Z",
    ],
    [
      "a part of one second",
      both(instant("above", "2024-01-01T00:00:00Z"), instant("below", "2024-01-01T00:00:00.5Z")),
      "2024-01-01T00:00:00.001Z",
    ],
    [
      "after the last year that ISO writes with four digits",
      instant("above", "253402300800"),
      "253402304400",
    ],
    ["none", [], null],
  ] as const)("%s", (_, ranges, expected) => {
    expect(pickValue("instant", ranges)).toBe(expected);
  });
});

describe("an address", () => {
  test.each([
    ["any", everyRange, "203.0.113.10"],
    ["not in that network", complement(network("203.0.113.0/24")), "198.51.100.10"],
    ["in the third network for examples", network("192.0.2.0/24"), "192.0.2.10"],
    ["of IPv6", network("2001:db8::/32"), "2001:db8::10"],
    ["in a network", network("52.95.0.0/16"), "52.95.0.0"],
    ["a single one", network("10.1.2.3/32"), "10.1.2.3"],
    ["in a private network", network("10.0.0.0/8"), "10.0.0.0"],
    // One of the internet, where there is one.
    ["in several networks", union([network("10.0.0.0/8"), network("52.95.0.0/16")]), "52.95.0.0"],
    ["none", [], null],
  ] as const)("%s", (_, ranges, expected) => {
    expect(pickValue("address", ranges)).toBe(expected);
  });
});

test("a value is inside the ranges, and there is one where they hold whole numbers", () => {
  const comparisons: readonly Comparison[] = ["equals", "below", "upTo", "above", "from"];
  const one = fc
    .tuple(fc.constantFrom(...comparisons), fc.integer({ min: -20, max: 200 }))
    .map(([how, value]) => ({ ranges: number(how, `${value}`), value }));
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 1, maxLength: 4 }),
      fc.array(one, { maxLength: 3 }),
      (some, others) => {
        const excluded = union(others.map(({ ranges }) => ranges));
        const ranges = both(...some.map((each) => each.ranges), complement(excluded));
        const picked = pickValue("number", ranges);
        if (picked !== null) expect(includes(ranges, readNumber(picked) ?? 0n)).toBe(true);
        const near = [...some, ...others].flatMap(({ value }) => [value - 1, value, value + 1]);
        const isThere = near.some((value) => includes(ranges, readNumber(`${value}`) ?? 0n));
        expect(picked !== null || !isThere).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a network is wide that leaves more of the internet than a /8, or a /32 of IPv6", () => {
  const wide = (text: string) => isWideNetwork(network(text));
  expect([wide("0.0.0.0/0"), wide("52.0.0.0/7"), wide("52.0.0.0/8")]).toEqual([true, true, false]);
  expect([wide("::/0"), wide("2600::/31"), wide("2600::/32")]).toEqual([true, true, false]);
  // Networks that are not of the internet do not count.
  expect([wide("10.0.0.0/8"), wide("10.0.0.0/7")]).toEqual([false, false]);
  expect(isWideNetwork(everyRange)).toBe(true);
  expect(isWideNetwork(complement(network("52.0.0.0/8")))).toBe(true);
  expect(isWideNetwork([])).toBe(false);
});
