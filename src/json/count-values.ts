/** Policies of the largest allowed size have fewer values than a value for so many bytes. */
const bytesPerValue = 16;
const leastAllowed = 500_000;

/** Values of a message other than a call with policies: the main thread walks it. */
export const mostValuesElsewhere = 100_000;

/** @returns how many values a body may have. Parsed, each costs far more memory than the two bytes it may be written in. */
export function mostValues(maxRequestBytes: number): number {
  return Math.max(leastAllowed, Math.floor(maxRequestBytes / bytesPerValue));
}
