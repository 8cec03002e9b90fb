import { expect, test } from "vitest";
import { valueDigest } from "./digest.ts";

test("equal values have one digest, and others have another", () => {
  const value = () => ({ a: [1, "2", null], b: { c: true } });
  expect(valueDigest(value())).toBe(valueDigest(value()));
  const others = [{ ...value(), b: {} }, { a: [1, 2, null] }, { a: [[1], "2", null] }, "", null];
  expect(new Set([value(), ...others].map(valueDigest)).size).toBe(6);
});

test("a text of any length is read whole", () => {
  const text = "a".repeat(300_000);
  expect(valueDigest(text)).toBe(valueDigest(`${text}`));
  expect(valueDigest(text)).not.toBe(valueDigest(`${text}b`));
});

test("a value that is too long to be read whole is equal to none", () => {
  const long = (end: string) => [...Array.from({ length: 20_000 }, () => "some text"), end];
  expect(valueDigest(long("a"))).not.toBe(valueDigest(long("b")));
});
