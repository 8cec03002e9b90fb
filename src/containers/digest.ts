import { hash } from "node:crypto";

/** Characters of a value that count: aliases of YAML make small files into values of any size. */
const mostCharacters = 100_000;

/** @returns a short text that is equal for equal JSON values, and different for different ones. */
export function digestOf(value: unknown): string {
  const pieces: string[] = [];
  let left = mostCharacters;
  const write = (text: string) => {
    pieces.push(text);
    left -= text.length;
  };
  const visit = (part: unknown): void => {
    if (left <= 0) return;
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
  return hash("sha256", pieces.join(""), "hex").slice(0, 32);
}
