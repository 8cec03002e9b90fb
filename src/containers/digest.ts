import { hash } from "node:crypto";

/** Characters of a value that are read: aliases of YAML make small files into values of any size. */
const mostCharacters = 100_000;

let cut = 0;

/**
 * @returns a short text that is equal for equal JSON values, and different for different ones. A value that is too long
 *     to be read whole is equal to none, since another may differ from it behind that.
 */
export function valueDigest(value: unknown): string {
  const pieces: string[] = [];
  let left = mostCharacters;
  let isCut = false;
  const write = (text: string) => {
    pieces.push(text);
    left -= text.length;
  };
  const visit = (part: unknown): void => {
    if (left <= 0) {
      isCut = true;
      return;
    }
    if (Array.isArray(part)) {
      write("[");
      for (const item of part) visit(item);
      write("]");
    } else if (typeof part === "object" && part !== null) {
      write("{");
      for (const [name, member] of Object.entries(part)) {
        write(JSON.stringify(name));
        visit(member);
      }
      write("}");
    } else write(`${JSON.stringify(part) ?? ""},`);
  };
  visit(value);
  if (isCut) return `cut ${cut++}`;
  return hash("sha256", pieces.join(""), "hex").slice(0, 32);
}
