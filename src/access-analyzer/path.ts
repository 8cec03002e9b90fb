import type { NodeRef } from "../json/node.ts";

/** A step of a path as ValidatePolicy writes it: exactly one member. */
export type PathElement =
  | { readonly value: string }
  | { readonly index: number }
  | { readonly key: string };

/** @returns the path from the root; empty for the document itself. */
export function pathOf(node: NodeRef): PathElement[] {
  const path: PathElement[] = [];
  for (let at: NodeRef | null = node; at?.parent; at = at.parent) {
    if (typeof at.step === "number") path.push({ index: at.step });
    else path.push(at.part === "key" ? { key: at.step } : { value: at.step });
  }
  return path.reverse();
}
