import ipaddr from "ipaddr.js";
import { afterEach, expect, test, vi } from "vitest";
import { readAddresses } from "./addresses.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["11.222.33.0/27", 1],
  ["::192.0.2.211", 1],
  ["2001:db8::/32", 0],
  ["10.0.0", 0],
  ["x", 0],
])("%s is read by the parser of IPv4 only where it has four numbers", (text, times) => {
  // It throws for other texts, which takes ten times as long as reading an address.
  const isValid = vi.spyOn(ipaddr.IPv4, "isValid");
  readAddresses(text);
  expect(isValid).toHaveBeenCalledTimes(times);
});

test("a text is read once for many proofs", () => {
  const parse = vi.spyOn(ipaddr.IPv4, "parse");
  const [first, again] = ["192.0.2.224/29", "192.0.2.224/29"].map(readAddresses);
  expect(again).toBe(first);
  expect(parse).toHaveBeenCalledTimes(1);
});
