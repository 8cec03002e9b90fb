import { type Node, parseTree } from "jsonc-parser";
import { parseJson } from "./parse.ts";

/** A JSON object member by member: `JSON.parse` keeps only the last of several members of one name. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/**
 * Parses JSON text strictly and refuses repeated names at any depth.
 * @returns the value, and the members of the top level in order when it is an object; or what is wrong, in words that
 *   quote nothing of the text.
 */
export function parseUniqueJson(
  text: string,
):
  | { readonly value: unknown; readonly members: Members | undefined }
  | { readonly problem: string } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The message of the parser quotes the text.
    return { problem: "is not valid JSON" };
  }
  const root = parseTree(text);
  if (root && repeatsName(root)) return { problem: "repeats a key in one of its objects" };
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : undefined;
  return { value, members };
}

function repeatsName(node: Node): boolean {
  const pending = [node];
  for (let current = pending.pop(); current; current = pending.pop()) {
    const children = current.children ?? [];
    if (current.type === "object") {
      const names = children.map((property) => property.children?.[0]?.value);
      if (new Set(names).size < names.length) return true;
    }
    pending.push(...children);
  }
  return false;
}
