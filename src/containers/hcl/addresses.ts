import type { PlaceFacts } from "../types.ts";
import type { Block } from "./blocks.ts";

/** Whether the place is in the input of a module. */
export const isInput = ({ address }: PlaceFacts) => /^(?:module|inputs)\./.test(address);

/** How the address of an attribute of a block begins; null: documents are in its other places. */
export function prefixOf({ type, labels }: Block): string | null {
  if (type === "locals") return "local";
  if (type === "inputs") return "inputs";
  return type === "module" ? `module.${labels[0] ?? ""}` : null;
}
