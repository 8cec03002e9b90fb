import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { childNode, keyNode, type NodeRef, rootNode } from "../json/node.ts";
import { maxDepth, tooDeep } from "../json/text.ts";
import {
  type Duplicate,
  type Span,
  spanOf,
  type TextMember,
  type TextNode,
} from "../json/text-tree.ts";
import { escapeInvisible } from "./escape-invisible.ts";
import { compose, Refusal } from "./yaml-compose.ts";

/** Characters that aliases may add to a document; each value counts as `nodeCharacters` more. */
const maxExpansion = 1_000_000;
const nodeCharacters = 16;

/** What a YAML text holds, or the first reason why it is refused. */
export type YamlResult =
  | {
      readonly value: unknown;
      readonly root: TextNode;
      readonly duplicates: readonly Duplicate[];
    }
  | {
      readonly refused: "syntax" | "depth";
      readonly problem: string;
      readonly span: Span;
    };

export interface YamlOptions {
  /** `functions`: a local tag becomes the object it is short for in CloudFormation, `!Sub x` `{"Fn::Sub": "x"}`. */
  readonly tags?: "dropped" | "functions";
}

/**
 * Reads one YAML document with the core schema of YAML 1.2 (no dates, no code), merge keys
 * included. The value is JSON-like; a number that JSON cannot hold, or that has leading zeros as
 * account ids do, stays the text it is. An alias is a copy of its anchor's value and has its place.
 */
export function readYaml(text: string, { tags = "dropped" }: YamlOptions = {}): YamlResult {
  try {
    const { value, node, duplicates } = new Reader(tags).read(compose(text));
    return { value, root: node, duplicates };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.kind, problem: error.message, span: error.span };
  }
}

interface Converted {
  readonly value: unknown;
  readonly node: TextNode;
}

interface Place {
  readonly ref: NodeRef;
  readonly depth: number;
  /** Within the copy that an alias makes. */
  readonly copying: boolean;
}

class Reader {
  readonly #anchors = new Map<string, ParsedNode>();
  readonly #targets = new Map<Alias, ParsedNode>();
  /** Nodes being converted; an alias to one of them would never end. */
  readonly #open = new Set<ParsedNode>();
  readonly #duplicates: Duplicate[] = [];
  readonly #tags: "dropped" | "functions";
  #expansion = 0;

  constructor(tags: "dropped" | "functions") {
    this.#tags = tags;
  }

  read(root: ParsedNode): Converted & { duplicates: readonly Duplicate[] } {
    const converted = this.#convert(root, { ref: rootNode, depth: 0, copying: false });
    return { ...converted, duplicates: duplicatesIn(converted.node, this.#duplicates) };
  }

  #convert(node: ParsedNode, place: Place): Converted {
    if (isAlias(node)) {
      const target = this.#target(node);
      return this.#convert(target, { ...place, copying: true });
    }
    const converted = this.#untagged(node, place);
    const name = this.#tags === "functions" && functionOf(node.tag);
    if (!name) return converted;
    const span = spanOfNode(node);
    const members = new Map([[name, { key: span, value: converted.node }]]);
    return { value: { [name]: converted.value }, node: { ...leaf(span), members } };
  }

  #untagged(node: Exclude<ParsedNode, Alias.Parsed>, place: Place): Converted {
    // Within a copy an anchor is an old one; a later one of that name stays valid.
    if (node.anchor && !place.copying) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) {
      const value = scalarValue(node);
      this.#spend(place, node, typeof value === "string" ? value.length : 0);
      return { value, node: textNode(node) };
    }
    this.#spend(place, node, 0);
    if (place.depth >= maxDepth) throw new Refusal("depth", tooDeep, spanOfNode(node));
    this.#open.add(node);
    const converted = isMap(node) ? this.#map(node, place) : this.#list(node, place);
    this.#open.delete(node);
    return converted;
  }

  #list(node: ParsedNode, place: Place): Converted {
    const values: unknown[] = [];
    const items: TextNode[] = [];
    if (isSeq<ParsedNode>(node)) {
      for (const [index, item] of node.items.entries()) {
        const ref = childNode(place.ref, index);
        const converted = this.#convert(item, { ...place, ref, depth: place.depth + 1 });
        values.push(converted.value);
        items.push(converted.node);
      }
    }
    return { value: values, node: { ...textNode(node), items } };
  }

  #map(node: YAMLMap.Parsed, place: Place): Converted {
    const value: Record<string, unknown> = {};
    const members = new Map<string, TextMember>();
    const repeated = new Map<string, Duplicate>();
    const earlier = new Map<string, string[]>();
    const merged: Converted[] = [];
    for (const pair of node.items) {
      const name = this.#name(pair.key, place);
      const key = spanOfNode(pair.key);
      const ref = childNode(place.ref, name);
      const converted = pair.value
        ? this.#convert(pair.value, { ...place, ref, depth: place.depth + 1 })
        : { value: null, node: leaf({ start: key.end, end: key.end }) };
      const sources = isMergeKey(pair.key) ? mergeSources(converted) : null;
      if (sources) {
        for (const source of sources) merged.push(source);
        continue;
      }
      if (members.has(name) && !place.copying) {
        const texts = earlier.get(name) ?? [];
        texts.push(JSON.stringify(value[name]));
        earlier.set(name, texts);
        const node = keyNode(place.ref, name);
        repeated.set(name, { name, node, span: key, earlier: texts });
      }
      members.set(name, { key, value: converted.node });
      setOwn(value, name, converted.value);
    }
    for (const source of merged) {
      for (const [name, member] of source.node.members ?? []) {
        if (members.has(name)) continue;
        members.set(name, member);
        setOwn(value, name, (source.value as Record<string, unknown>)[name]);
      }
    }
    for (const duplicate of repeated.values()) this.#duplicates.push(duplicate);
    return { value, node: { ...textNode(node), members } };
  }

  /** A key as text; one that is not a string as it is written. */
  #name(key: ParsedNode, place: Place): string {
    const node = isAlias(key) ? this.#target(key) : key;
    if (!isScalar(node)) {
      throw new Refusal("syntax", "A member name must be text", spanOfNode(node));
    }
    if (node.anchor && !place.copying) this.#anchors.set(node.anchor, node);
    const name = typeof node.value === "string" ? node.value : (node.source ?? "");
    this.#spend({ ...place, copying: place.copying || isAlias(key) }, node, name.length);
    return name;
  }

  /** Within a copy an alias means what it meant where it was first read. */
  #target(alias: Alias.Parsed): ParsedNode {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    if (!target) {
      throw new Refusal(
        "syntax",
        `No anchor \`${escapeInvisible(alias.source.slice(0, 100))}\` stands before its alias`,
        spanOfNode(alias),
      );
    }
    if (this.#open.has(target)) {
      throw new Refusal("syntax", "An alias is inside its own anchor", spanOfNode(alias));
    }
    this.#targets.set(alias, target);
    return target;
  }

  #spend(place: Place, node: ParsedNode, characters: number): void {
    if (!place.copying) return;
    this.#expansion += nodeCharacters + characters;
    if (this.#expansion > maxExpansion) {
      throw new Refusal("syntax", "Aliases make the document too large", spanOfNode(node));
    }
  }
}

/** Tags that are not short for a function whose name begins with `Fn::`. */
const bareFunctions: ReadonlySet<string> = new Set(["Ref", "Condition"]);

/** @returns the function that a local tag is short for; null for every other tag. */
export function functionOf(tag: string | undefined): string | null {
  const [, name] = /^!([A-Za-z0-9]{1,64})$/.exec(tag ?? "") ?? [];
  if (name === undefined) return null;
  return bareFunctions.has(name) ? name : `Fn::${name}`;
}

/** An integer whose digits a double would change (account ids with zeros in front) stays text. */
function scalarValue({ value, source }: Scalar.Parsed): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  const text = source ?? String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return text;
  const integer = /^\+?(-?[0-9]+)$/.exec(text);
  return integer && integer[1] !== String(value) ? text : value;
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.type === "PLAIN" && key.value === "<<";
}

/** @returns the objects to merge, first come first served; null when the value is no such thing. */
function mergeSources({ value, node }: Converted): Converted[] | null {
  if (node.members) return [{ value, node }];
  if (!node.items || !Array.isArray(value)) return null;
  const sources = node.items.map((item, index) => ({ value: value[index], node: item }));
  return sources.every((source) => source.node.members) ? sources : null;
}

/** An assignment to `__proto__` would change the prototype. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[name] = value;
  }
}

/**
 * @returns those that stand in the document's value. What is within a member that a later one of its
 * name hides has no place there, and the later one is reported.
 */
function duplicatesIn(root: TextNode, duplicates: readonly Duplicate[]): Duplicate[] {
  return duplicates.filter(({ node, span }) => spanOf(root, node).start === span.start);
}

function leaf(span: Span): TextNode {
  return { ...span, members: null, items: null };
}

function textNode(node: ParsedNode): TextNode {
  return leaf(spanOfNode(node));
}

/** A block collection ends with its last part; the library counts what follows it in. */
export function spanOfNode(node: ParsedNode): Span {
  return { start: node.range[0], end: endOf(node) };
}

function endOf(node: ParsedNode): number {
  let at: ParsedNode = node;
  for (;;) {
    if (isAlias(at) || isScalar(at) || at.flow) return at.range[1];
    const last: ParsedNode | null | undefined = isMap<ParsedNode, ParsedNode | null>(at)
      ? (at.items.at(-1)?.value ?? at.items.at(-1)?.key)
      : isSeq<ParsedNode>(at)
        ? at.items.at(-1)
        : null;
    if (!last) return at.range[1];
    at = last;
  }
}
