/**
 * A text as a SARIF message string. There `[a](b)` is a link and `{0}` a placeholder, so both are
 * escaped as the standard says (3.11.5, 3.11.6), but only in a text that has one of them: many
 * viewers show the escapes as they are, and `${aws:username}` is better left alone.
 */
export function sarifText(text: string): string {
  const unlinked = text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text;
  return /\{\d+\}/.test(unlinked) ? unlinked.replace(/[{}]/g, "$&$&") : unlinked;
}
