import { type Node, parseTree } from "jsonc-parser";
import { isRecord } from "../record.ts";
import { tryParseJson } from "./parse.ts";

/** The members of a JSON object, including repeated names, of which `JSON.parse` keeps only the last. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/**
 * Parses JSON text strictly and rejects repeated names at any depth.
 * @returns The value, and its members in order if it is an object; or the problem, without quoting the text.
 */
export function parseUniqueJson(
  text: string,
):
  | { readonly value: unknown; readonly members: Members | undefined }
  | { readonly problem: string } {
  const value = tryParseJson(text);
  if (value === undefined) return { problem: "is not valid JSON" };
  const root = parseTree(text);
  if (root && repeatsName(root)) return { problem: "repeats a key in one of its objects" };
  return { value, members: isRecord(value) ? Object.entries(value) : undefined };
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
