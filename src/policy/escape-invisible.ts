/**
 * Characters that act rather than show: controls (line ends among them), format characters (which
 * reorder text, hide in it or carry text nobody sees), line and paragraph separators, lone surrogates,
 * and others that are ignored when they are shown. Tags and variation selectors of the last kind can
 * spell out whole sentences that people do not see and models read.
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

/** @returns the text on one line, with every character that would act shown as an escape. */
export function escapeInvisible(text: string): string {
  return text.replace(acting, escapeCharacter);
}

/** @returns the lines of a text, each safe to show; tabs become two spaces. */
export function escapeInvisibleLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => escapeInvisible(line.replaceAll("\t", "  ")));
}
