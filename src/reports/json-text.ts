/**
 * Escapes control and invisible characters that JSON allows unescaped, because a terminal would
 * interpret them. Line ends between members stay.
 */
export function escapeControls(json: string): string {
  return json.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}
