/**
 * A JSON text without the white space between its parts. Names, strings and numbers stay as they are written, which
 * `JSON.stringify` does not promise, and so does the final newline.
 */
export function withoutWhiteSpace(text: string): string {
  const newline = /\r?\n$/.exec(text)?.[0] ?? "";
  return (
    text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g, (_, string = "") => string) + newline
  );
}
