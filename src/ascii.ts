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

/** @returns the text without the characters at its end. A pattern such as `/ +$/` reads each run of them again from every start. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
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
