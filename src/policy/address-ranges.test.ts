import { describe, expect, test } from "vitest";
import { addressRange, privateRanges, publicAddresses, unionOf } from "./address-ranges.ts";

const range = (text: string) => {
  const found = addressRange(text);
  if (!found) throw new Error(`no range: ${text}`);
  return found;
};

describe("a range of addresses", () => {
  test.each([
    ["192.0.2.7", 32, 0xc0000207n, 0xc0000207n],
    ["192.0.2.7/24", 32, 0xc0000200n, 0xc00002ffn],
    ["0.0.0.0/0", 32, 0n, 0xffffffffn],
    ["2001:db8::/126", 128, 0x20010db8n << 96n, (0x20010db8n << 96n) + 3n],
    ["::1", 128, 1n, 1n],
  ] as const)("%s", (text, bits, first, last) => {
    expect(addressRange(text)).toEqual({ bits, first, last });
  });

  test.each(["", "none", "192.0.2.0/33", "*"])("%j is none", (text) => {
    expect(addressRange(text)).toBeNull();
  });

  test("that never reaches AWS is private, loopback or link-local", () => {
    expect(privateRanges).toHaveLength(8);
  });
});

const shown = (texts: readonly string[]) =>
  unionOf(texts.map(range)).map(({ bits, first, last }) => `${bits} ${first}-${last}`);

test.each<[string[], string[]]>([
  [[], []],
  // In order, IPv4 first.
  [
    ["::5", "0.0.0.9", "0.0.0.1", "::1"],
    ["32 1-1", "32 9-9", "128 1-1", "128 5-5"],
  ],
  // What touches or overlaps is one range.
  [["0.0.0.0/30", "0.0.0.4/30"], ["32 0-7"]],
  [["0.0.0.4/30", "0.0.0.0/29", "0.0.0.1"], ["32 0-7"]],
  [
    ["0.0.0.0/30", "0.0.0.5"],
    ["32 0-3", "32 5-5"],
  ],
  [["0.0.0.1", "0.0.0.1"], ["32 1-1"]],
  [
    ["0.0.0.0/31", "::2"],
    ["32 0-1", "128 2-2"],
  ],
])("the union of %j is %j", (texts, union) => {
  expect(shown(texts)).toEqual(union);
});

test.each<[string[], bigint, bigint]>([
  [[], 0n, 0n],
  [["192.0.2.0/24", "192.0.2.0/25"], 256n, 0n],
  [["10.0.0.0/8"], 0n, 0n],
  [["10.0.0.0/7"], 2n ** 24n, 0n],
  [["9.255.255.255", "11.0.0.0"], 2n, 0n],
  [["::/127"], 0n, 1n],
  // The numbers of 10.0.0.0/8, in the other family.
  [["::a00:0/104"], 0n, 2n ** 24n],
  [["2001:db8::/64", "192.0.2.1"], 1n, 2n ** 64n],
])("%j has so many public addresses: %d, %d", (texts, v4, v6) => {
  expect(publicAddresses(texts.map(range))).toEqual({ v4, v6 });
});
