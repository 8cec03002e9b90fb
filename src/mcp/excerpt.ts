/** @returns the text, or its beginning and an ellipsis when it has more than `limit` UTF-16 units. */
export function excerpt(text: string, limit = 80): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  // Half a surrogate pair is no character.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
