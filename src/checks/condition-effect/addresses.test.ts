import { expect, test } from "vitest";
import { areCovered, arePrivate, coveredFamilies, runsOf } from "./addresses.ts";

const runs = (...texts: string[]) => runsOf(texts) ?? [];

test.each([
  [["203.0.113.0/24"], ["203.0.113.0/25", "203.0.113.128/25"], true],
  [["203.0.113.0/24", "198.51.100.7/32"], ["203.0.113.0/24"], false],
  [["2001:db8::/64"], ["2001:db8::/32"], true],
  [["203.0.113.0/24"], ["::/0"], false],
  [["203.0.113.0/24"], ["203.0.113.1/32"], false],
] as const)("%j in %j: %s", (inner, outer, isCovered) => {
  expect(areCovered(runs(...inner), runs(...outer))).toBe(isCovered);
});

test.each([
  [["10.0.0.0/8", "192.168.1.1"], true],
  [["10.0.0.0/8", "203.0.113.0/24"], false],
  [["10.0.0.0/7"], false],
  [[], false],
] as const)("%j are private addresses: %s", (texts, are) => {
  expect(arePrivate(runs(...texts))).toBe(are);
});

test.each([
  [["0.0.0.0/0"], false, ["IPv4"]],
  [["::/0"], false, ["IPv6"]],
  [["::/0", "0.0.0.0/0", "not an address"], false, ["IPv4", "IPv6"]],
  [["0.0.0.0/1", "128.0.0.0/1"], false, ["IPv4"]],
  [["0.0.0.0/1", "128.0.0.0/2"], false, []],
  [["0.0.0.0/1", "not an address"], false, []],
  [
    [
      "0.0.0.0/5",
      "8.0.0.0/7",
      "11.0.0.0/8",
      "12.0.0.0/6",
      "16.0.0.0/4",
      "32.0.0.0/3",
      "64.0.0.0/2",
      "128.0.0.0/1",
    ],
    true,
    ["IPv4"],
  ],
  [
    [
      "0.0.0.0/5",
      "8.0.0.0/7",
      "11.0.0.0/8",
      "12.0.0.0/6",
      "16.0.0.0/4",
      "32.0.0.0/3",
      "64.0.0.0/2",
      "128.0.0.0/1",
    ],
    false,
    [],
  ],
  [[], true, []],
] as const)("%j, public only: %s, cover %j", (texts, publicOnly, families) => {
  expect(coveredFamilies(texts, publicOnly)).toEqual(families);
});

test("a thousand ranges are added up, and no more", () => {
  const texts = Array.from(
    { length: 1000 },
    (_, at) => `203.0.${at % 256}.${Math.floor(at / 256)}/32`,
  );
  expect(runsOf(texts)).toHaveLength(1000);
  expect(runsOf([...texts, "198.51.100.7/32"])).toBeNull();
});
