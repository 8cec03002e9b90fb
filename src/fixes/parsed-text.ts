import type { PatchOperation } from "../../spec/finding.ts";
import type { Layout, Splice } from "./layout.ts";

/** A splice, and the operations that it carries out. */
export interface SharedSplice {
  readonly splice: Splice;
  readonly operations: readonly EditOperation[];
}

export type EditOperation = Exclude<PatchOperation, { op: "test" }>;

/** A text that was parsed once, and how operations of a patch change it. */
export interface ParsedText {
  /** @returns null for an operation that has no place in the text. */
  spliceOf(operation: EditOperation, layout: Layout): Splice | null;
  /**
   * One splice for operations that replace all copies of a value that the text has once.
   * @param operations Of one patch.
   */
  sharedSpliceOf?(
    operation: EditOperation,
    operations: readonly EditOperation[],
    layout: Layout,
  ): SharedSplice | null;
}
