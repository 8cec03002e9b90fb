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

/** @returns a set of the letters and digits in a text, as bits. Different characters may share a bit. */
export function lettersOf(lower: string): number {
  let letters = 0;
  for (let at = 0; at < lower.length; at++) letters |= 1 << (lower.charCodeAt(at) & 31);
  return letters;
}
