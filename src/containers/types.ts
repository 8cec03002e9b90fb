import type { ContainerKind, PlaceForm } from "../../spec/container.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { NodeRef } from "../json/node.ts";
import type { Origin, Span, TextNode } from "../json/text-tree.ts";
import type { Network } from "../policy/model.ts";
import { isOpen, type Unknowns } from "./unknowns.ts";

/** A file, one document of a YAML file, or a value given as an object. */
export interface Source {
  /** Name of the file; null for text and values without one. Only `.tf` files are recognised by it. */
  readonly name: string | null;
  /** Null for a value given as an object. */
  readonly text: string | null;
  /** Position of the text in its file. */
  readonly origin: Origin | undefined;
  /**
   * The JSON or YAML value; undefined if the text is neither. A YAML tag is in its long form:
   * `!Sub x` is `{"Fn::Sub": "x"}`.
   */
  readonly value: unknown;
  /** Texts of the other Terraform files of its folder, which is one module; none for other files. */
  readonly neighbours: readonly string[];
  /** Positions of the value's parts; null without text, or if the text is neither JSON nor YAML. */
  readonly root: TextNode | null;
}

/** A way to keep policies in a file. Adding a kind is one row in the registry. */
export interface Container {
  readonly kind: ContainerKind;
  /** Decides by shape and reads the outer levels only. */
  recognises(source: Source): boolean;
  /** The places of a source that it recognises. Never throws because of its input. */
  read(source: Source, reading: Reading): Iterable<Place> | Promise<Iterable<Place>>;
  /**
   * How a string with unknown parts is written in this container, for examples. Default: as shown,
   * with `${name}` in place of each unknown part.
   */
  readonly write?: (shown: string) => unknown;
}

/** What a reader uses while it reads one source. */
export interface Reading {
  readonly unknowns: Unknowns;
  /** Maximum number of places; reading stops with one that is not read. */
  readonly maxPlaces: number;
}

/** What a reader knows of a place before it reads the document. */
export interface PlaceFacts {
  /** How a person finds it: `Resources.Role.Properties.AssumeRolePolicyDocument`. */
  readonly address: string;
  /** Default: the address. */
  readonly label?: string;
  /** Steps from the root of the source; null: there is no such path. */
  readonly path: readonly (string | number)[] | null;
  /** Null: detect it from the document. */
  readonly policyType: PolicyType | null;
  readonly service?: string | null;
  readonly resourceType?: string | null;
  /** The resource that a resource policy is attached to. */
  readonly attached?: AttachedTo | null;
  /** What alone reaches that resource; null: the internet does, or it is not known. */
  readonly network?: Network | null;
  /** Information for people, e.g. the condition under which the resource exists. */
  readonly notes?: readonly string[];
  /** What the place is called in every version of the file; null or absent: it follows from the address. */
  readonly identity?: string | null;
}

/** The resource that a resource policy is attached to. Both texts may hold tokens of unknown values. */
export interface AttachedTo {
  /** Null: not known. */
  readonly arn: string | null;
  /** The name alone, e.g. of a bucket. */
  readonly name: string | null;
}

/** Whether a resource can be told apart from others by its name: no part of the name may be any text. */
export function isNamed({ arn, name }: AttachedTo, unknowns: Unknowns): boolean {
  const parts = unknowns.split(arn ?? name ?? "");
  return parts.length > 0 && !parts.some((part) => typeof part === "object" && isOpen(part));
}

/** One policy document in a container. */
export interface Place extends Required<Omit<PlaceFacts, "label">> {
  readonly label: string;
  readonly form: PlaceForm;
  /** In the text of the source. */
  readonly span: Span | null;
  readonly state: "read" | "partly_read" | "not_read";
  readonly reason: string | null;
  /** No alternative has them: branches of conditions that are in others. Absent: all were read. */
  readonly hasUnreadBranches?: boolean;
  /** Another document of the file is merged with it, so the policy has statements of both. */
  readonly isPart?: boolean;
  /** All instances whose document it is; absent: it is that of one. */
  readonly instances?: readonly { readonly address: string; readonly identity: string }[];
  /** What the document can be: several where conditions or parameters decide; none if it is not read. */
  readonly alternatives: readonly Alternative[];
}

/** One form that a document can take. */
export interface Alternative {
  /** With the tokens of unknown values in its strings. */
  readonly value: unknown;
  /** Spans in the text of the source; null without text. */
  readonly root: TextNode | null;
  /** Faults of a document given as text. */
  readonly faults: readonly PlaceFault[];
  /** What was chosen for it, as in "the condition `IsProduction` is false"; none: it always has this form. */
  readonly choices: readonly string[];
  /** The choices of each reading that gives this form. Absent: one reading, with `choices`. */
  readonly readings?: readonly (readonly string[])[];
  /** It needs the default of a parameter, so AWS may never see it. */
  readonly byDefault: boolean;
  /** Default: that of the place. */
  readonly attached?: AttachedTo | null;
  /** Faults that the reader itself found. */
  readonly problems: readonly Problem[];
}

/** A fault of the template in a policy, for example `${aws:username}` inside `Fn::Sub`. */
export interface Problem {
  readonly message: string;
  readonly suggestion: string;
  readonly span: Span | null;
}

/** A fault of a document given as text, at its place in the text of the source. */
export type PlaceFault =
  | { readonly kind: "syntax" | "depth"; readonly message: string; readonly span: Span | null }
  | {
      readonly kind: "duplicate";
      readonly name: string;
      readonly node: NodeRef;
      readonly span: Span | null;
    };
