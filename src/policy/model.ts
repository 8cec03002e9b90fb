import type { Location } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { NodeRef } from "../json/node.ts";
import type { Operator } from "./condition-operator.ts";
import type { HasFacts } from "./fact-slot.ts";
import type { SizeWord } from "./type-facts.ts";

/** A submitted document: the JSON value, and its text if it was given as text. */
export interface PolicyDocument {
  /** The parsed value; undefined if the text is neither JSON nor YAML. */
  readonly raw: unknown;
  /** Null for a policy given as an object. */
  readonly text: string | null;
  /** The text is JSON, so it may be what is sent to AWS as it is. False for YAML and without text. */
  readonly isJsonText: boolean;
  /** Faults of the text. With one of kind `syntax`, `depth` or `unread`, `raw` is undefined. */
  readonly faults: readonly TextFault[];
  /**
   * UTF-8 bytes of `raw` as compact JSON, with values that are not known as short as they can be; 0 if there
   * is none. Computed on first use.
   */
  readonly compactBytes: number;
  /** Number of values that the template of the policy does not give; samples replace them here. */
  readonly unresolved?: number;
  /**
   * Texts with a sample in them whose value may be any text, also the name of a resource; each with its pattern, which has
   * `*` in place of such values.
   */
  readonly openTexts?: ReadonlyMap<string, string>;
  /**
   * Quota of an identity policy, where its template says what it is written into; `none`: one that is not
   * in the table. Absent: that of a managed policy.
   */
  readonly identityQuota?: SizeWord | "none";
  /** Faults that were found while the policy was taken out of a template. */
  readonly problems?: readonly DocumentProblem[];
  /** @returns The span of a node in the text, or of the fault if the text cannot be parsed; null without text. */
  locate(node: NodeRef): Location | null;
}

/** A fault of the template around a policy value. */
export interface DocumentProblem {
  readonly message: string;
  readonly suggestion: string;
  readonly node: NodeRef;
}

export type TextFault =
  | {
      /** `unread`: a template has a policy here that it does not show; `message` is the reason. */
      readonly kind: "syntax" | "depth" | "unread";
      readonly message: string;
      readonly location: Location | null;
    }
  /** An object repeats a member name; the last value counts. `node` is the repeated key. */
  | {
      readonly kind: "duplicate";
      readonly name: string;
      readonly node: NodeRef;
      /** JSON texts of the values that do not count, in order; absent where they are not known. */
      readonly earlier?: readonly string[];
      /** Span of the repeated (second or later) key. */
      readonly location: Location | null;
    };

/** One string of `Action`, `Resource` and similar elements, as written, with its position. */
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
  /** Null if the operator is unknown. */
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

/** A statement with normalised elements: single values become lists, absent or wrongly typed elements are empty. */
export interface Statement extends HasFacts {
  readonly index: number;
  readonly node: NodeRef;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly sid: string | null;
  /** As written; null if absent or not a string. */
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
  /** @returns Whether the statement has a member with exactly this name, with any value. */
  has(element: StatementElement): boolean;
  /** @returns The node of the element's value, or of the statement if the element is absent. */
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

/** A bucket, queue or topic. */
export interface AttachedResource {
  /** Action prefix of its service. */
  readonly service: string;
  readonly name: string;
}

/**
 * What alone reaches a resource, whatever its policy says: its own VPC, where security groups decide, or the interface
 * endpoints of any VPC.
 */
export type Network = "vpc" | "vpc_endpoints";

/** A normalised policy, the input of checks. */
export interface Policy extends HasFacts {
  readonly document: PolicyDocument;
  readonly node: NodeRef;
  readonly type: PolicyType;
  readonly typeSource: PolicyTypeSource;
  /** Label given by the caller. */
  readonly name: string | null;
  /** The resource that a resource policy is attached to, where its template tells. */
  readonly attached?: AttachedResource | null;
  /** Action prefix of the service of that resource; null or absent: not known. */
  readonly service?: string | null;
  /** What alone reaches that resource; null or absent: the internet does, or it is not known. */
  readonly network?: Network | null;
  /** The document has every statement of that resource's policy. Absent: others may be elsewhere. */
  readonly isWhole?: boolean;
  /** Only the entries that are objects; `index` is their index in the document. */
  readonly statements: readonly Statement[];
}
