import { escapeInvisible } from "../policy/escape-invisible.ts";

/**
 * A caller's word, to be shown back in a message: on one line, with nothing in it that is not seen.
 * @returns the text, or its beginning and an ellipsis when it has more than `limit` UTF-16 units.
 */
export function excerpt(text: string, limit = 80): string {
  return cut(escapeInvisible(cut(text, limit)), limit);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit - 1);
  // Half a surrogate pair is not a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
