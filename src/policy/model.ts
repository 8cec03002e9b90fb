import type { Location } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { NodeRef } from "../json/node.ts";
import type { Operator } from "./condition-operator.ts";
import type { Keeper } from "./kept.ts";

/** A document as submitted: the JSON value, and the text it came from, if it came as text. */
export interface PolicyDocument {
  /** The parsed value; undefined when the text is neither JSON nor YAML. */
  readonly raw: unknown;
  /** Null for a policy given as an object. */
  readonly text: string | null;
  /** Faults of the text itself; with one of kind `syntax` or `depth`, `raw` is undefined. */
  readonly faults: readonly TextFault[];
  /** UTF-8 bytes of the compact JSON of `raw`; 0 when there is none. Computed once, on first use. */
  readonly compactBytes: number;
  /** @returns the span of a node in the text, of the fault in a text that cannot be read; null without text. */
  locate(node: NodeRef): Location | null;
}

export type TextFault =
  | {
      readonly kind: "syntax" | "depth";
      readonly message: string;
      readonly location: Location | null;
    }
  /** An object repeats a member name; the last value counts. `node` is the repeated key. */
  | {
      readonly kind: "duplicate";
      readonly name: string;
      readonly node: NodeRef;
      /** Span of the repeated (second or later) key. */
      readonly location: Location | null;
    };

/** One string of `Action`, `Resource` and their like, as written, and where it stands. */
export interface Entry {
  readonly text: string;
  readonly node: NodeRef;
}

/** One value of a condition, as text: booleans `true`/`false`, numbers in decimal. */
export interface ConditionValue extends Entry {
  readonly raw: string | number | boolean;
}

/** One key under one operator of a condition. */
export interface ConditionEntry {
  /** As written, e.g. `ForAnyValue:StringLike`. */
  readonly operatorText: string;
  /** Null when the operator is unknown. */
  readonly operator: Operator | null;
  /** The operator's name in the document. */
  readonly operatorNode: NodeRef;
  /** As written. */
  readonly key: string;
  readonly keyLower: string;
  /** The key's name in the document. */
  readonly keyNode: NodeRef;
  readonly values: readonly ConditionValue[];
}

/** One principal: `{"AWS": ["a", "b"]}` has two of type `AWS`; the string `*` has type `AWS`. */
export interface PrincipalEntry extends Entry {
  /** Type key as written (`AWS`, `Service`, `Federated`, `CanonicalUser`, or anything else). */
  readonly type: string;
}

/** A statement with every element normalised: lists are lists, absent or wrongly typed is empty. */
export interface Statement extends Keeper {
  readonly index: number;
  readonly node: NodeRef;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly sid: string | null;
  /** As written; null when absent or not a string. */
  readonly effect: string | null;
  /** Effect is `Allow`, trimmed and in any letter case. */
  readonly allows: boolean;
  /** Effect is `Deny`, trimmed and in any letter case. */
  readonly denies: boolean;
  readonly actions: readonly Entry[];
  readonly notActions: readonly Entry[];
  readonly resources: readonly Entry[];
  readonly notResources: readonly Entry[];
  readonly conditions: readonly ConditionEntry[];
  readonly principals: readonly PrincipalEntry[];
  readonly notPrincipals: readonly PrincipalEntry[];
  /** @returns whether the statement has the member (own, exact name), whatever its value. */
  has(element: StatementElement): boolean;
  /** @returns the node of the element's value; of the statement itself when the element is absent. */
  at(element: StatementElement): NodeRef;
}

export type StatementElement =
  | "Sid"
  | "Effect"
  | "Principal"
  | "NotPrincipal"
  | "Action"
  | "NotAction"
  | "Resource"
  | "NotResource"
  | "Condition";

/** A policy as the checks see it. */
export interface Policy extends Keeper {
  readonly document: PolicyDocument;
  readonly node: NodeRef;
  readonly type: PolicyType;
  readonly typeSource: PolicyTypeSource;
  /** Label given by the caller. */
  readonly name: string | null;
  /** Only the entries that are objects; `index` is the position in the document. */
  readonly statements: readonly Statement[];
}
