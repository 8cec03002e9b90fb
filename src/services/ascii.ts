const ascii = /^[\0-\x7f]*$/;
const capitals = /[A-Z]+/g;

/**
 * Lower-cases only A to Z: IAM ignores case only for ASCII, and `toLowerCase` turns the Kelvin sign
 * into `k`.
 */
export function asciiLower(text: string): string {
  const lower = text.toLowerCase();
  return lower === text || ascii.test(text)
    ? lower
    : text.replace(capitals, (letters) => letters.toLowerCase());
}

/** Code-point order for names of the reference data, which are ASCII. */
export function byCodePoint(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
