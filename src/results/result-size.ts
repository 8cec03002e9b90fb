/**
 * Computes the size of a tool result without building it. A result contains its output twice: as
 * `structuredContent`, and as text, that is, as JSON inside a JSON string. Each piece of the JSON therefore
 * costs its UTF-8 bytes twice, plus one byte for each quote and backslash, the only characters that must
 * be escaped in text that is already JSON. The cost of the whole is the sum of the costs of its pieces.
 */

/** Size of a result without its output, for which `0` is a placeholder; includes the quotes of the text. */
const envelopeBytes =
  Buffer.byteLength(
    JSON.stringify({ content: [{ type: "text", text: "" }], structuredContent: 0, isError: false }),
  ) - "0".length;

const quote = 0x22;
const backslash = 0x5c;

/** @returns Bytes of a piece of JSON in a result, in both places together. */
export function costOfJson(json: string): number {
  let escapes = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote || unit === backslash) escapes++;
  }
  return 2 * Buffer.byteLength(json) + escapes;
}

/**
 * Like {@link measureResult}, for an output in both forms.
 * @param text The JSON encoded as a JSON string, with its quotes.
 */
export function resultBytes({ json, text }: { readonly json: string; readonly text: string }) {
  return envelopeBytes - '""'.length + Buffer.byteLength(json) + Buffer.byteLength(text);
}

/** @returns Bytes of the result `{content, structuredContent, isError}` with this output, as UTF-8 JSON. */
export function measureResult(output: unknown): number {
  return envelopeBytes + costOfJson(JSON.stringify(output));
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Bytes of one UTF-16 code unit (not of a surrogate pair) inside a JSON string of the output. */
function costOfUnit(unit: number): number {
  if (unit === quote || unit === backslash) return 6; // `\"`, then `\\\"`
  if (unit < 0x20) {
    const short = unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13;
    return short ? 5 : 13; // `\n`, then `\\n`; `\u0000`, then `\\u0000`
  }
  if (unit < 0x80) return 2;
  if (unit < 0x800) return 4;
  return isHighSurrogate(unit) || isLowSurrogate(unit) ? 13 : 6;
}

/**
 * The longest prefix of a text whose size inside a JSON string of the output is within the budget.
 * Never splits a surrogate pair.
 */
export function prefixWithin(text: string, budget: number): string {
  let spent = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const paired = isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1));
    spent += paired ? 8 : costOfUnit(unit);
    if (spent > budget) break;
    at += paired ? 2 : 1;
  }
  return text.slice(0, at);
}
