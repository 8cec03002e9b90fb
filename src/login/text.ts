import { maxClientNameLength } from "../../spec/login.ts";

/** Controls, marks that reorder or hide text, separators of lines, and halves of surrogate pairs. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

/** @returns text of others as it may be shown: what cannot be seen becomes an escape, what is too long ends in "…". */
export function shown(text: string, most: number): string {
  const visible = text.replaceAll(
    hidden,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
  const characters = Array.from(visible);
  return characters.length <= most ? visible : `${characters.slice(0, most - 1).join("")}…`;
}

/** @returns the name that a client gives itself, as it may be shown. */
export function clientName(name: string | null | undefined): string {
  // Only the start counts, and names may be as long as a body.
  const start = (name ?? "").slice(0, 4 * maxClientNameLength).trim();
  return shown(start, maxClientNameLength) || "unnamed app";
}
