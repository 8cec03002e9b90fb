import { maxClientNameLength } from "../../spec/login.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";

/** A name is shown between quotes, and must not be able to end them. */
const quotes = /[\p{Quotation_Mark}\u02ba\u02ee\u2033\u2036]/gu;
const spaces = /[\p{Zs}]+/gu;
/** Marks that pile up on one character cover the lines around it; no script needs more than four. */
const piled = /(\p{M}{4})\p{M}+/gu;
/** A font may draw these as a logo or a tick. */
const privateUse = /\p{Co}/gu;

/** @returns the name that a client gives itself, as it may be shown. */
export function clientName(name: string | null | undefined): string {
  // Only the start counts, and names may be as long as a body.
  const start = (name ?? "").slice(0, 4 * maxClientNameLength).trim();
  const plain = start
    .replaceAll(quotes, "'")
    .replaceAll(spaces, " ")
    .replaceAll(privateUse, "\ufffd")
    .replaceAll(piled, "$1");
  return cut(escapeInvisible(plain), maxClientNameLength) || "unnamed app";
}

/** Longest address of others on a page, in characters. */
const maxAddress = 512;

/** @returns an address that a request gave, as it may be shown: in ASCII without spaces it does not read like a sentence of ours. */
export function shownAddress(text: string): string {
  const encoded = text
    .slice(0, maxAddress + 1)
    .replaceAll(/[^!-~]/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(
        "",
      ),
    );
  return cut(encoded, maxAddress);
}

function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
