/**
 * A text as a SARIF message string. There `[a](b)` is a link and `{0}` a placeholder, so both are
 * escaped as the standard says (3.11.5, 3.11.6), but only in a text that has one of them: many
 * viewers show the escapes as they are, and `${aws:username}` is better left alone.
 */
export function sarifText(text: string): string {
  return withoutPlaceholders(text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text);
}

/** Markdown as a SARIF message string; its links and brackets are Markdown's own affair. */
export function withoutPlaceholders(text: string): string {
  return /\{\d+\}/.test(text) ? text.replace(/[{}]/g, "$&$&") : text;
}
