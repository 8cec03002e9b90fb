import type { Location } from "../../spec/finding.ts";
import { childNode, type NodeRef, rootNode } from "../json/node.ts";
import { type Lines, type Span, spanOf, type TextNode } from "../json/text-tree.ts";
import type { DocumentProblem, PolicyDocument, TextFault } from "../policy/model.ts";
import type { SizeWord } from "../policy/type-facts.ts";
import { identityQuota } from "./quota.ts";
import type { Rendered } from "./render.ts";
import type { Alternative, Place } from "./types.ts";
import type { Unknowns } from "./unknowns.ts";

/** A policy of a container, as the checks read it: positions are those of the container's text. */
export class PlaceDocument implements PolicyDocument {
  readonly raw: unknown;
  /** AWS receives the document and not the text of the container. */
  readonly text = null;
  readonly isJsonText = false;
  readonly faults: readonly TextFault[];
  readonly unresolved: number;
  readonly openTexts: ReadonlyMap<string, string>;
  readonly problems: readonly DocumentProblem[];
  readonly identityQuota: SizeWord | "none";
  readonly #isRenderedByTerraform: boolean;
  readonly #alternative: Alternative;
  readonly #lines: Lines | null;
  readonly #unknowns: Unknowns;
  #compactBytes: number | undefined;

  /** @param rendered The alternative with its unknown parts filled in. */
  constructor(
    rendered: Rendered,
    alternative: Alternative,
    { place, lines, unknowns }: { place: Place; lines: Lines | null; unknowns: Unknowns },
  ) {
    this.raw = rendered.value;
    this.unresolved = rendered.unresolved;
    this.openTexts = rendered.openTexts;
    this.#isRenderedByTerraform = place.form === "blocks";
    this.#alternative = alternative;
    this.#lines = lines;
    this.#unknowns = unknowns;
    this.identityQuota = identityQuota(place);
    this.faults = alternative.faults.map(({ span, ...fault }) => ({
      ...fault,
      location: this.at(span),
    }));
    this.problems = alternative.problems.map(({ span, ...problem }) => ({
      ...problem,
      node: (span && alternative.root && nodeAt(alternative.root, span, rootNode)) ?? rootNode,
    }));
  }

  get compactBytes(): number {
    if (this.#compactBytes === undefined) {
      const { value } = this.#alternative;
      const written = this.#isRenderedByTerraform ? asRendered : undefined;
      const text = this.raw === undefined ? "" : (JSON.stringify(value, written) ?? "");
      this.#compactBytes = Buffer.byteLength(this.#unknowns.shortest(text));
    }
    return this.#compactBytes;
  }

  locate(node: NodeRef): Location | null {
    const { root } = this.#alternative;
    return root ? this.at(spanOf(root, node)) : (this.faults[0]?.location ?? null);
  }

  /** @returns the place of a span of the container; null without text. */
  at(span: Span | null): Location | null {
    return span && (this.#lines?.location(span) ?? null);
  }
}

/**
 * For `JSON.stringify`: `aws_iam_policy_document` keeps lists as sets, and writes a list of one text as that text.
 * https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/iam/policy_document_data_source.go
 */
function asRendered(_name: string, value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return value;
  const texts = [...new Set(value)];
  return texts.length === 1 ? texts[0] : texts;
}

/** @returns the innermost node that contains a span; null if the tree does not. */
function nodeAt(tree: TextNode, span: Span, node: NodeRef): NodeRef | null {
  for (const [index, item] of tree.items?.entries() ?? []) {
    const found = nodeAt(item, span, childNode(node, index));
    if (found) return found;
  }
  for (const [name, { value }] of tree.members ?? []) {
    const found = nodeAt(value, span, childNode(node, name));
    if (found) return found;
  }
  return tree.start <= span.start && span.end <= tree.end ? node : null;
}
