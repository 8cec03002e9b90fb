/** Policies of the largest allowed size have fewer values than a value for so many bytes. */
const bytesPerValue = 16;
const leastAllowed = 500_000;

/**
 * Values of a call with a policy whose arguments the main thread walks: 19,000 members of an object took it 11 ms to
 * parse and validate. The longest policy that AWS takes has some 20,000 characters, so fewer values.
 */
const mostValuesWalked = 10_000;
/** Values of any other message: the main thread validates each, and thousands of errors cost more than the values. */
const mostValuesElsewhere = 2_000;

/**
 * @param tool That the message calls; undefined: none.
 * @param policyTools Those of the caller's tools whose arguments hold a policy.
 * @returns how many values a message may have that the main thread parses.
 */
export function mostValuesOnMainThread(
  tool: string | undefined,
  policyTools: readonly string[],
): number {
  return tool !== undefined && policyTools.includes(tool) ? mostValuesWalked : mostValuesElsewhere;
}

/** @returns how many values a body may have. Parsed, each costs far more memory than the two bytes it may be written in. */
export function mostValues(maxRequestBytes: number): number {
  return Math.max(leastAllowed, Math.floor(maxRequestBytes / bytesPerValue));
}
