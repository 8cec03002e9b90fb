/** @returns a finite number in decimal, digits only: `1e21` is `1000000000000000000000`. */
export function decimalText(value: number): string {
  const text = String(value);
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  // An exponent is written from 1e21 on and below 1e-6, with at most 17 digits (ECMA-262, Number::toString), so the
  // decimal point is never between them.
  return point > 0
    ? `${sign}${digits.padEnd(point, "0")}`
    : `${sign}0.${"0".repeat(-point)}${digits}`;
}
