import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalText } from "./decimal.ts";

test.each([
  [0, "0"],
  [-5, "-5"],
  [0.25, "0.25"],
  [1e21, "1000000000000000000000"],
  [-1.5e22, "-15000000000000000000000"],
  [1e-7, "0.0000001"],
  [-0, "0"],
  [1.5, "1.5"],
  [-1e-7, "-0.0000001"],
  [1e-6, "0.000001"],
  [1.5e-7, "0.00000015"],
  [123456789012345680000, "123456789012345680000"],
  [1.2345e22, "12345000000000000000000"],
  [1e100, `1${"0".repeat(100)}`],
  [-1.25e-9, "-0.00000000125"],
])("%j is written %s", (value, text) => {
  expect(decimalText(value)).toBe(text);
});

test("any number is written in digits and reads back as itself", () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(numbers, (value) => {
      expect(decimalText(value)).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(decimalText(value))).toBe(value === 0 ? 0 : value);
    }),
    { numRuns: 2000 },
  );
});
