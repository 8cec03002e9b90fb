const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/** Values that a body of the largest allowed size has when it is what policies are made of, with room. */
const bytesPerValue = 16;
const leastAllowed = 500_000;

/** Values of anything but policies to validate; these are judged elsewhere, the rest is walked by the main thread. */
export const mostValuesElsewhere = 100_000;

/** @returns how many values a body may have. Parsed, each costs far more memory than the two bytes it may be written in. */
export function mostValues(maxRequestBytes: number): number {
  return Math.max(leastAllowed, Math.floor(maxRequestBytes / bytesPerValue));
}

/** @returns whether a JSON text has more values than that; for other texts, whatever it looks like. One pass, no memory. */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  // Every value but the first comes after one of the characters counted.
  if (json.length <= most) return false;
  let count = 1;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === comma || byte === bracket || byte === brace) {
      count++;
      if (count > most) return true;
    }
  }
  return false;
}
