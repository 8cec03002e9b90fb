import { describe, expect, test } from "vitest";
import { countAddresses, readAddresses, writeAddress } from "./addresses.ts";
import { compareInstants, compareNumbers, isInBlock, sameBytes } from "./evaluate-values.ts";
import { intersection, type Ranges, readInstant, readNumber, writeNumber } from "./intervals.ts";

/** Search and evaluator read values apart; each row is tried on both. */

function order(left: bigint | null, right: bigint | null): number | null {
  if (left === null || right === null) return null;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

describe("numbers", () => {
  test.each([
    ["10", "10.0", 0],
    ["010", "10", 0],
    ["+10", "10", 0],
    [" 10 ", "10", 0],
    ["1e1", "10", 0],
    ["1E+1", "10", 0],
    ["12.5e1", "125", 0],
    ["12.5e-1", "1.25", 0],
    ["5e-3", "0.005", 0],
    ["125e-2", "1.25", 0],
    ["0", "-0.0", 0],
    ["0.0", "0", 0],
    ["00010", "10", 0],
    ["1.500", "1.5", 0],
    ["1e10", "10000000000", 0],
    ["5e-10", "0.0000000005", 0],
    ["0.5e1", "5", 0],
    ["12e-2", "0.12", 0],
    ["12", "12 ", 0],
    ["2", "1", 1],
    ["1.5", "1.25", 1],
    ["9", "10", -1],
    ["10", "9", 1],
    ["1.25", "1.3", -1],
    ["1.3", "1.25", 1],
    ["-5", "-4.5", -1],
    ["-4.5", "-5", 1],
    ["-1", "1", -1],
    ["1", "-1", 1],
    ["100000000000000000001", "100000000000000000002", -1],
    [`0.${"0".repeat(29)}1`, "0", 1],
    ["", "0", null],
    ["ten", "10", null],
    ["1.", "1", null],
    [".5", "0.5", null],
    ["1 0", "10", null],
    ["x10", "10", null],
    ["10x", "10", null],
    ["0x10", "16", null],
    ["1e", "1", null],
    ["1e100", "1", null],
    [`0.${"0".repeat(30)}1`, "0", null],
    [`0.${"0".repeat(29)}1e-1`, "0", null],
    ["1".repeat(101), "1", null],
  ])("%j beside %j: %s", (left, right, wanted) => {
    expect(order(readNumber(left), readNumber(right))).toBe(wanted);
    expect(compareNumbers(left, right)).toBe(wanted);
  });

  test.each(["0", "10", "-4.5", "0.005", "-0.1", "123456789012345678901234567890.5"])(
    "%s is written as it was read",
    (text) => expect(writeNumber(readNumber(text) ?? -1n)).toBe(text),
  );
});

describe("instants", () => {
  test.each([
    ["2026-01-01T00:00:00Z", "1767225600", 0],
    ["2026-01-01t00:00:00z", "1767225600", 0],
    ["2026-01-01", "1767225600", 0],
    ["2026-01", "1767225600", 0],
    ["2026", "1767225600", 0],
    [" 2026 ", "1767225600", 0],
    ["2026-01-01T00", "1767225600", 0],
    ["2026-01-01T00:00", "1767225600", 0],
    ["2026-01-01T01:30:00+01:30", "1767225600", 0],
    ["2026-01-01T01:30:00+0130", "1767225600", 0],
    ["2026-01-01T02:00:00+02", "1767225600", 0],
    ["2025-12-31T22:30:00-01:30", "1767225600", 0],
    ["2026-01-01T23:59:00+23:59", "1767225600", 0],
    ["2025-12-31T24:00:00Z", "1767225600", 0],
    ["2025-12-31T23:59:60Z", "1767225600", 0],
    ["2026-01-01T01:02:03Z", "1767229323", 0],
    ["2026-01-01T00:00:00.5Z", "1767225600.5", 0],
    ["2026-01-01T00:00:00,500000001Z", "1767225600.500000001", 0],
    ["2024-02-29", "1709164800", 0],
    ["2026-12-31", "1798675200", 0],
    ["1969-12-31T23:59:59Z", "-1", 0],
    ["1969-12-31T23:59:58.5Z", "-1.5", 0],
    ["0001-01-01", "-62135596800", 0],
    ["1999-01-01", "99", 1],
    ["2026-01-01", " 1767225600 ", 0],
    ["1767225600.000000002", "1767225600.000000001", 1],
    ["1767225600.000000001", "1767225600.000000002", -1],
    ["2026-01-01T01:00:00+01", "1767225600", 0],
    ["2026-01-01T00:01:00Z", "1767225660", 0],
    ["2026-06-15T12:30:45.25-07:00", "1781551845.25", 0],
    ["-1.5", "-1", -1],
    ["-1.25", "-1.5", 1],
    ["2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.02Z", 1],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", -1],
    ["2026-01-02", "2026-01-01", 1],
    ["2026-00-01", "0", null],
    ["2026-13-01", "0", null],
    ["2026-02-30", "0", null],
    ["2025-02-29", "0", null],
    ["2026-01-32", "0", null],
    ["2026-01-00", "0", null],
    ["2026-1-1", "0", null],
    ["2026-01-01T25:00:00Z", "0", null],
    ["2026-01-01T00:60:00Z", "0", null],
    ["2026-01-01T00:00:61Z", "0", null],
    ["2026-01-01T00:00:00+24:00", "0", null],
    ["2026-01-01T00:00:00+00:60", "0", null],
    ["2026-01-01 00:00:00Z", "0", null],
    ["x2026-01-01", "0", null],
    ["2026-01-01x", "0", null],
    ["1767225600x", "0", null],
    ["x1767225600", "0", null],
    ["tomorrow", "0", null],
    ["", "0", null],
  ])("%j beside %j: %s", (left, right, wanted) => {
    expect(order(readInstant(left), readInstant(right))).toBe(wanted);
    expect(compareInstants(left, right)).toBe(wanted);
  });
});

describe("addresses", () => {
  const isAround = (outer: Ranges, inner: Ranges) => {
    const both = intersection(outer, inner);
    return both.length === inner.length && both.every(({ to }, at) => to === inner[at]?.to);
  };

  test.each([
    ["203.0.113.7", "203.0.113.7", true],
    ["203.0.113.7", "203.0.113.7/32", true],
    ["203.0.113.8", "203.0.113.7/32", false],
    ["203.0.113.7", "203.0.113.200/24", true],
    ["203.0.114.7", "203.0.113.0/24", false],
    ["203.0.113.129", "203.0.113.128/25", true],
    ["203.0.113.127", "203.0.113.128/25", false],
    ["203.0.112.1", "203.0.113.0/23", true],
    ["8.8.8.8", "0.0.0.0/0", true],
    ["2001:db8::1", "0.0.0.0/0", false],
    ["8.8.8.8", "::/0", false],
    ["2001:db8::1", "2001:DB8:0:0::/32", true],
    ["2001:db9::1", "2001:db8::/32", false],
    ["2001:db8:ffff::", "2001:db8::/33", false],
    ["2001:db8:7fff::", "2001:db8::/33", true],
    ["::1", "0:0:0:0:0:0:0:1", true],
    [" ::1 ", " ::1/128 ", true],
    ["1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7::", true],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", true],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:9", false],
    ["::ffff:10.20.30.40", "::ffff:a14:1e28", true],
    ["::10.20.30.40", "::a14:1e28", true],
    ["1::", "1:0:0:0:0:0:0:0", true],
    ["::ffff:203.0.113.7", "::ffff:cb00:7107", true],
    ["::ffff:203.0.113.7", "203.0.113.7", false],
  ])("%s in %s: %s", (address, block, wanted) => {
    expect(isInBlock(address, block)).toBe(wanted);
    expect(isAround(readAddresses(block) ?? [], readAddresses(address) ?? [])).toBe(wanted);
  });

  test.each([
    "",
    "203.0.113",
    "203.0.113.7.1",
    "203.0.113.256",
    "203.0.113.07",
    "203.0.113.0/33",
    "203.0.113.0/x",
    "203.0.113.0/",
    "203.0.113.0/24/24",
    "203.0.113.0/1234",
    "203.0.113.0/24x",
    "203.0.113.0/x24",
    "::ffff:203.0.113.256",
    "::ffff:203.0.113",
    "::ffff:203.0.113.7:1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8::",
    "2001:db8::/129",
    "2001:db8",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "12345::",
    "g::",
    "example.com",
    "*",
  ])("%j is not an address", (text) => {
    expect(isInBlock("203.0.113.7", text)).toBeNull();
    expect(readAddresses(text)).toBeNull();
  });

  test.each(["203.0.113.7", "0.0.0.0", "255.255.255.255", "2001:db8::1", "::"])(
    "%s is written as it was read",
    (text) => {
      const [range] = readAddresses(text) ?? [];
      expect(writeAddress((range?.from ?? 0n) / 2n)).toBe(text);
    },
  );

  test("each family is counted apart", () => {
    const ranges = ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"].flatMap(
      (text) => readAddresses(text) ?? [],
    );
    expect(countAddresses(ranges)).toEqual({ v4: 2n ** 24n + 1n, v6: 2n ** 96n });
    const [first] = readAddresses("::") ?? [];
    expect(countAddresses(first ? [first] : [])).toEqual({ v4: 0n, v6: 1n });
    for (const open of [
      { from: null, to: null },
      { from: null, to: 10n },
      { from: 10n, to: null },
    ]) {
      expect(countAddresses([open])).toEqual({ v4: 0n, v6: 0n });
    }
  });
});

describe("bytes", () => {
  test.each([
    ["AQI=", "AQI", true],
    ["AQI=", "AQM=", false],
    ["", "", true],
    ["AQID", "AQID", true],
    ["A", "A", null],
    ["AQI==", "AQI=", null],
    ["AQ I", "AQI=", null],
    ["AQI=x", "AQI=", null],
    ["-QI=", "AQI=", null],
  ])("%j and %j: %s", (left, right, wanted) => {
    expect(sameBytes(left, right)).toBe(wanted);
    expect(sameBytes(right, left)).toBe(wanted);
  });
});
