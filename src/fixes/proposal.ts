import type { FixEffect, NeededInput } from "../../spec/finding.ts";
import type { NodeRef } from "../json/node.ts";

/** One change of the document, in terms of its nodes. All nodes are those of the document before the fix. */
export type Edit =
  /** Another value at the node. Only what differs is edited, so the rest keeps its layout. */
  | {
      readonly kind: "replace";
      readonly node: NodeRef;
      readonly value: unknown;
      /** The member is written once, as a whole: its name occurs several times in the text. */
      readonly whole?: true;
    }
  /** Removes a member, or an entry of a list. The last entry of a list is never removed. */
  | { readonly kind: "remove"; readonly node: NodeRef }
  /** A new member of the object at the node; the name must be free. */
  | {
      readonly kind: "add";
      readonly node: NodeRef;
      readonly name: string;
      readonly value: unknown;
    }
  /** A new last entry of the list at the node. */
  | { readonly kind: "append"; readonly node: NodeRef; readonly value: unknown }
  /** Another name for the member at the node; it must be free. */
  | { readonly kind: "rename"; readonly node: NodeRef; readonly name: string }
  /** Several statements in place of the one at the node. */
  | { readonly kind: "split"; readonly node: NodeRef; readonly values: readonly unknown[] };

/** What a check proposes; the engine turns it into a `Fix` of the finding. */
export interface FixProposal {
  /** Imperative, at most 80 characters, without text of the policy. */
  readonly title: string;
  /** The aim. The engine proves `equivalent` and `narrows`, and lowers them to `changes` where it cannot. */
  readonly effect: FixEffect;
  readonly edits: readonly Edit[];
  /** The placeholders in the values, such as `<bucket>`. */
  readonly needs_input?: readonly NeededInput[];
  /**
   * Why the fix keeps what it promises, for policies where the proof is undecided. Only for a promise
   * that needs no knowledge of other statements.
   */
  readonly argument?: string;
  /** In place of edits: a JSON text loses the white space between its parts. In the patch that is a `test` alone. */
  readonly compacts?: true;
  /** For a text that does not parse, in place of edits: the text as submitted, and repaired. */
  readonly text?: { readonly before: string; readonly after: string };
}
