/**
 * Invisible and control characters: control characters (including line ends), format characters, which
 * reorder or hide text, line and paragraph separators, lone surrogates, and default-ignorable
 * characters. Tags and variation selectors, which are among the last, can encode whole sentences that
 * people do not see but models read.
 */
const acting = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u202f]/gu;

const short = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short.get(character) ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`);
}

/** @returns The text on one line, with every invisible and control character escaped. */
export function escapeInvisible(text: string): string {
  return text.replace(acting, escapeCharacter);
}

/** @returns The lines of a text, each escaped; tabs become two spaces. */
export function escapeInvisibleLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => escapeInvisible(line.replaceAll("\t", "  ")));
}
