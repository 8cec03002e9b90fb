import type { PatchOperation } from "../../spec/finding.ts";
import type { Layout, Splice } from "./layout.ts";

export type EditOperation = Exclude<PatchOperation, { op: "test" }>;

/** A text that was parsed once, and how operations of a patch change it. */
export interface ParsedText {
  /** @returns null for an operation that has no place in the text. */
  spliceOf(operation: EditOperation, layout: Layout): Splice | null;
}
