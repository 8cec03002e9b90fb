import type { Node } from "web-tree-sitter";
import type { PolicyType } from "../../../spec/policy.ts";
import type { Located } from "../located.ts";
import { notRead, objectPlace, textPlace } from "../places.ts";
import type { Place, PlaceFacts } from "../types.ts";
import { isPolicyShaped } from "../values.ts";
import { isInput, prefixOf } from "./addresses.ts";
import {
  type Attribute,
  type Block,
  onlyInterpolation,
  recoded,
  spanOfNode,
  textOf,
  unwrapped,
  withoutComments,
} from "./blocks.ts";
import type { Evaluator } from "./evaluate.ts";
import { withForms } from "./forms.ts";
import { mayHaveStatements, moduleStatements } from "./module-statements.ts";
import { Owners } from "./owners.ts";
import { renderDocument } from "./policy-document.ts";
import {
  isMerged,
  mergedReason,
  placedAt,
  reasonFor,
  sentence,
  withDirectives,
} from "./reasons.ts";
import { PlaceholderWords } from "./replaced-words.ts";
import { type PolicyArgument, typeOfInputs, type User, Users } from "./users.ts";
import { partsOf } from "./written-parts.ts";

/** Turns the blocks of one Terraform file into the places of their policies. */
export class PlaceReader {
  readonly #evaluator: Evaluator;
  readonly #users: Users;
  /** Data sources that the file declares. */
  readonly #documents: ReadonlySet<string>;
  /** Texts that were read: several arguments may share a local. */
  readonly #read = new Set<string>();

  readonly #words: PlaceholderWords;
  readonly #owners: Owners;

  /** @param words That the module replaces in texts. */
  constructor(blocks: readonly Block[], evaluator: Evaluator, words: ReadonlySet<string>) {
    this.#evaluator = evaluator;
    this.#words = new PlaceholderWords(words, evaluator.unknowns);
    this.#users = new Users(evaluator.text, blocks);
    this.#owners = new Owners(blocks, evaluator);
    this.#documents = new Set(blocks.filter(isDocument).map(({ labels }) => labels[1] ?? ""));
  }

  *placesOf(block: Block): Generator<Place> {
    if (isDocument(block)) yield* this.#documentPlaces(block);
    for (const argument of this.#users.argumentsOf(block)) {
      yield* this.#argumentPlaces(argument);
    }
    const prefix = prefixOf(block);
    if (prefix === null) return;
    const type = typeOfInputs(block, this.#evaluator.text);
    for (const attribute of block.attributes.values()) {
      const address = `${prefix}.${attribute.name}`;
      if (block.type !== "locals" && mayHaveStatements(attribute.name)) {
        yield* this.#statementPlaces(block, address, attribute, type);
      }
      yield* this.#otherPlaces(address, attribute, type);
    }
  }

  /** Statements that a module adds to a policy. */
  *#statementPlaces(
    block: Block,
    address: string,
    { name, expression }: Attribute,
    given: PolicyType | null,
  ): Generator<Place> {
    const { unknowns } = this.#evaluator;
    const read = (index: number): Place | null => {
      const value = this.#evaluator.evaluate(expression);
      const found = moduleStatements(name, value, unknowns)[index];
      if (!found) return null;
      const policyType = given ?? found.policyType;
      const facts = { address: `${address}${found.where}`, path: null, policyType };
      const place: Place = {
        ...this.#objectPlace(facts, found.located, true),
        form: "statements",
      };
      const reason = "Some of its statements are not in this file.";
      return found.isPart ? { ...place, state: "partly_read", reason } : place;
    };
    for (let index = 0; index < mostInOneInput; index++) {
      const place = withForms(this.#evaluator.outcomes(block, () => read(index)));
      if (!place) return;
      yield place;
    }
  }

  *#documentPlaces(block: Block): Generator<Place> {
    const [, name = ""] = block.labels;
    const address = `data.aws_iam_policy_document.${name}`;
    const merged = [...block.attributes.values()].filter(isMerged);
    const isMergedHere = merged.every(({ expression }) => this.#isDeclared(expression));
    const users = this.#users.of(name);
    const byType = Map.groupBy(users, ({ policyType }) => policyType);
    const uses = byType.size > 0 ? [...byType] : [[null, [] as User[]] as const];
    for (const [policyType, by] of uses) {
      const [user] = by;
      const facts: PlaceFacts = {
        address,
        path: null,
        policyType,
        service: user?.facts?.service ?? null,
        resourceType: user?.block?.labels[0] ?? null,
        attached: by.length === 1 && user ? this.#owners.attachedTo(user) : null,
        network: this.#owners.networkOf(by),
        notes: by.map((one) => `Used by \`${one.address}\`.`),
      };
      const isPart = !isMergedHere && merged.length > 0;
      const read = () => this.#document(block, facts, isPart ? [mergedReason(merged)] : []);
      const place = withForms(this.#evaluator.outcomes(block, read));
      if (place) yield place;
    }
  }

  /** @param others Why parts of it are in other files. */
  #document(block: Block, facts: PlaceFacts, others: readonly string[]): Place | null {
    const rendered = renderDocument(block, this.#evaluator, facts.policyType);
    const { located, statements, missing } = rendered;
    if (statements === 0) {
      const { span } = block;
      const isValue = block.attributes.has("statement");
      const reasons = isValue
        ? ["the statements are the value of an expression", ...others]
        : others;
      return reasons.length === 0
        ? null
        : notRead(facts, sentence(reasons), { form: "blocks", span });
    }
    const [, name = ""] = block.labels;
    const place = this.#objectPlace(facts, located, this.#users.isInput(name));
    const reasons = [...missing, ...others];
    const isPart = this.#users.isMerged(name) || [...block.attributes.values()].some(isMerged);
    if (reasons.length === 0) return { ...place, form: "blocks", isPart };
    return { ...place, form: "blocks", state: "partly_read", reason: sentence(reasons) };
  }

  /** Whether an expression has documents that the file declares, and nothing else. */
  #isDeclared(node: Node): boolean {
    const written = textOf(node, this.#evaluator.text);
    const others = written.replaceAll(documentReference, (reference, name: string) =>
      this.#documents.has(name) ? "" : reference,
    );
    return /^[\s[\],]*$/.test(others);
  }

  *#argumentPlaces(argument: PolicyArgument): Generator<Place> {
    const { attribute, address, identity, policyType, facts, block } = argument;
    if (facts.policyType === "by type" && policyType === null) return;
    const about: PlaceFacts = {
      address,
      label: address.replace(/\.policy$/, ""),
      identity,
      path: null,
      policyType,
      service: facts.service,
      resourceType: block.type === "resource" ? (block.labels[0] ?? null) : null,
      attached: this.#owners.attachedTo(argument),
      network: this.#owners.networkOf([argument]),
    };
    yield* this.#expressionPlaces(about, attribute.expression, block, 0);
  }

  /** None if there is no policy, or it is the place of a data source. */
  *#expressionPlaces(
    facts: PlaceFacts,
    expression: Node,
    block: Block | null,
    level: number,
  ): Generator<Place> {
    const evaluator = this.#evaluator;
    const node = unwrapped(expression);
    const written = textOf(node, evaluator.text).trim();
    const span = spanOfNode(node);
    if (written === "null" || written === '""' || level > 10) return;
    const parts = this.#choicesIn(node);
    if (parts) {
      for (const part of parts) yield* this.#expressionPlaces(facts, part, block, level + 1);
      return;
    }
    const place = withForms(evaluator.outcomes(block, () => this.#textPlace(node, facts)));
    if (place) {
      yield place;
      return;
    }
    const followed = this.#users.follow(node, block);
    if (followed.some((one) => one.expression !== node)) {
      for (const { expression: target } of followed) {
        const key = `${target.startIndex} ${facts.policyType} ${facts.service}`;
        if (this.#read.has(key)) continue;
        this.#read.add(key);
        const places = this.#expressionPlaces(facts, target, null, level + 1);
        if (evaluator.isElsewhere(target)) {
          for (const place of places) yield placedAt(place, span);
        } else yield* places;
      }
      return;
    }
    if (this.#isDeclared(node)) return;
    const read = () => {
      const value = this.#encoded(node);
      return value && this.#objectPlace(facts, value, isInput(facts));
    };
    yield withForms(evaluator.outcomes(block, read)) ??
      notRead(facts, reasonFor(written), { form: "text", span });
  }

  /** A text in quotes or a heredoc; null for other expressions. */
  #textPlace(node: Node, facts: PlaceFacts): Place | null {
    const template = this.#evaluator.template(node);
    if (!template) return null;
    const text = this.#words.fillText(template, isInput(facts));
    const place = textPlace(facts, { ...text, span: spanOfNode(node) }, this.#evaluator.unknowns);
    return template.hasDirectives ? withDirectives(place, facts) : place;
  }

  #objectPlace(facts: PlaceFacts, { value, node }: Located, isOfInput: boolean): Place {
    return objectPlace(facts, { value: this.#words.fillValue(value, isOfInput), root: node });
  }

  /** The expressions of which one is the value: `"${x}"`, `a ? b : c`, `coalesce(a, b)`. */
  #choicesIn(node: Node): Node[] | null {
    const only = onlyInterpolation(node) ?? recoded(node, this.#evaluator.text);
    if (only) return [only];
    if (node.type === "conditional") return withoutComments(node).slice(1);
    if (node.type !== "function_call") return null;
    const { text } = this.#evaluator;
    const [, call = ""] = /^(\w+)\s*\(/.exec(textOf(node, text)) ?? [];
    if (!choosing.has(call)) return null;
    const list = node.namedChildren.find(({ type }) => type === "function_arguments");
    const all = list ? withoutComments(list).filter(({ type }) => type === "expression") : [];
    // The separator of `join`, the index of `element`.
    if (call === "join") return all.slice(1);
    const [first] = all;
    // What `format` and `replace` fill in are words of the module (see `replacedWords`).
    if (filling.has(call))
      return first && !textOf(unwrapped(first), text).startsWith('"') ? [first] : null;
    return call === "element" ? all.slice(0, 1) : all;
  }

  /** The object within `jsonencode(…)`, if the file gives at least its members. */
  #encoded(node: Node) {
    const written = textOf(node, this.#evaluator.text);
    if (node.type !== "function_call" || !/^jsonencode\s*\(/.test(written)) return null;
    const located = this.#evaluator.evaluate(node);
    const isRecord = typeof located.value === "object" && located.value !== null;
    return isRecord && !Array.isArray(located.value) ? located : null;
  }

  /** Documents that are in a local or in an input of a module: the file does not show their use. */
  *#otherPlaces(
    address: string,
    { expression }: Attribute,
    policyType: PolicyType | null,
    level = 0,
  ): Generator<Place> {
    const node = unwrapped(expression);
    const written = textOf(node, this.#evaluator.text);
    if (!/Statement/.test(written) || !/Effect/.test(written) || level > 10) return;
    const isLocal = address.startsWith("local.");
    if (isLocal && this.#users.usesLocal(address)) return;
    // The arguments that use it have a place for each outcome.
    if (isLocal && this.#choicesIn(node)) return;
    const facts: PlaceFacts = { address, path: null, policyType };
    const template = this.#evaluator.template(node);
    if (template) {
      yield* this.#expressionPlaces(facts, node, null, 0);
      return;
    }
    const read = () => {
      const located = this.#evaluator.evaluate(node);
      const isPolicy = isPolicyShaped(located.value);
      return isPolicy ? this.#objectPlace(facts, located, isInput(facts)) : null;
    };
    const place = withForms(this.#evaluator.outcomes(null, read));
    if (place) {
      yield place;
      return;
    }
    for (const { step, attribute } of partsOf(node, this.#evaluator.text)) {
      yield* this.#otherPlaces(`${address}${step}`, attribute, policyType, level + 1);
    }
  }
}

/** Policies that one input of a module may have; each is read once for each outcome. */
const mostInOneInput = 20;

function isDocument({ type, labels }: Block): boolean {
  return type === "data" && labels[0] === "aws_iam_policy_document";
}

const documentReference =
  /\bdata\.aws_iam_policy_document\.([\p{ID_Continue}-]+)(?:\[[^[\]]*\]|\.\*)?(?:\.(?:minified_)?json\b|\["(?:minified_)?json"\])/gu;

/** Functions that give one of their arguments, or join a list that has one item. */
const filling = new Set(["format", "replace"]);
const choosing = new Set([
  ...["coalesce", "try", "one", "element", "join", "chomp", "trimspace"],
  ...filling,
]);
