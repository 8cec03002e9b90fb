/**
 * A text as a SARIF message string. In these, `[a](b)` is a link and `{0}` a placeholder, so both are
 * escaped (SARIF 3.11.5, 3.11.6). Texts without them stay unchanged, because many viewers show the
 * escapes, and `${aws:username}` is common.
 */
export function sarifText(text: string): string {
  return withoutPlaceholders(text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text);
}

/** Markdown as a SARIF message string. Only placeholders are escaped; Markdown has its own escapes. */
export function withoutPlaceholders(text: string): string {
  return /\{\d+\}/.test(text) ? text.replace(/[{}]/g, "$&$&") : text;
}
