/**
 * Sizes of a tool result without making it. The output goes out twice: as `structuredContent`, and as
 * text, where its JSON is a JSON string in turn. Each piece of that JSON therefore costs its UTF-8
 * bytes twice, and one more for each quote and backslash, which are all that a string must escape in
 * text that is JSON already. So costs add up: the whole costs what its pieces cost.
 */

/** All of a result but its output, which the `0` stands for; the text's quotes are part of it. */
const envelopeBytes =
  Buffer.byteLength(
    JSON.stringify({ content: [{ type: "text", text: "" }], structuredContent: 0, isError: false }),
  ) - "0".length;

const quote = 0x22;
const backslash = 0x5c;

/** @returns bytes that a piece of JSON takes in a result, in both places together. */
export function costOfJson(json: string): number {
  let escapes = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote || unit === backslash) escapes++;
  }
  return 2 * Buffer.byteLength(json) + escapes;
}

/**
 * As {@link measureResult}, for an output in both its forms.
 * @param text The JSON as a JSON string, quotes and all.
 */
export function resultBytes({ json, text }: { readonly json: string; readonly text: string }) {
  return envelopeBytes - '""'.length + Buffer.byteLength(json) + Buffer.byteLength(text);
}

/** @returns bytes of `{content, structuredContent, isError}` around the output, as UTF-8 JSON. */
export function measureResult(output: unknown): number {
  return envelopeBytes + costOfJson(JSON.stringify(output));
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** What one UTF-16 unit outside a pair costs inside a JSON string of the output. */
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
 * The longest beginning of a text that costs no more than the budget inside a JSON string of the
 * output. Never ends between the halves of a surrogate pair.
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
