/** @returns a finite number in decimal, digits only: `1e21` is `1000000000000000000000`. */
export function decimalText(value: number): string {
  const text = String(value);
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, "0")}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
