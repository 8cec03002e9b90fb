import type { Node } from "web-tree-sitter";
import type { Span } from "../../json/text-tree.ts";

/** `name = expression` in a block. */
export interface Attribute {
  readonly name: string;
  readonly key: Span;
  readonly expression: Node;
}

/** `type "label" "label" { … }`. */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  /** The word that begins the block. */
  readonly key: Span;
  readonly span: Span;
  /** Of repeated names, the last. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: readonly Block[];
}

/** Blocks in blocks deeper than this are left out; those of policies need three levels. */
const maxLevels = 20;

export const spanOfNode = ({ startIndex, endIndex }: Node): Span => ({
  start: startIndex,
  end: endIndex,
});

/** @returns The outermost blocks of a file. A block with a syntax error in it keeps its other parts. */
export function* fileBlocks(root: Node, text: string): Generator<Block> {
  for (const child of root.namedChildren) {
    if (child.type === "body" || child.type === "ERROR") yield* fileBlocks(child, text);
    else if (child.type === "block") yield readBlock(child, text);
    else if (child.type === "attribute") yield* inputsIn(child, text);
  }
}

/** `inputs = { … }` of Terragrunt, as a block: https://terragrunt.gruntwork.io/docs/features/inputs/ */
function* inputsIn(node: Node, text: string): Generator<Block> {
  const attribute = readAttribute(node, text);
  const object = attribute?.name === "inputs" ? unwrapped(attribute.expression) : null;
  if (!attribute || object?.type !== "object") return;
  const attributes = new Map<string, Attribute>();
  for (const element of withoutComments(object)) {
    const key = element.childForFieldName("key");
    const expression = element.childForFieldName("val");
    if (!key || !expression) continue;
    const name = textOf(key, text).replaceAll('"', "");
    attributes.set(name, { name, key: spanOfNode(key), expression });
  }
  const { key } = attribute;
  yield { type: "inputs", labels: [], key, span: spanOfNode(node), attributes, blocks: [] };
}

function readBlock(node: Node, text: string, level = 0): Block {
  const labels: string[] = [];
  const attributes = new Map<string, Attribute>();
  const blocks: Block[] = [];
  let first: Node | undefined;
  const readBody = (body: Node) => {
    for (const child of body.namedChildren) {
      if (child.type === "attribute") {
        const attribute = readAttribute(child, text);
        if (attribute) attributes.set(attribute.name, attribute);
      } else if (child.type === "block" && level < maxLevels) {
        blocks.push(readBlock(child, text, level + 1));
      } else if (child.type === "ERROR" && level < maxLevels) {
        readBody(child);
      }
    }
  };
  for (const child of node.namedChildren) {
    if (child.type === "identifier" && !first) first = child;
    else if (child.type === "identifier") labels.push(textOf(child, text));
    else if (child.type === "string_lit") labels.push(textOf(child, text).slice(1, -1));
    else if (child.type === "body") readBody(child);
  }
  return {
    type: first ? textOf(first, text) : "",
    labels,
    key: spanOfNode(first ?? node),
    span: spanOfNode(node),
    attributes,
    blocks,
  };
}

function readAttribute(node: Node, text: string): Attribute | null {
  const key = node.namedChildren.find(({ type }) => type === "identifier");
  const expression = node.namedChildren.findLast(({ type }) => type === "expression");
  if (!key || !expression) return null;
  return { name: textOf(key, text), key: spanOfNode(key), expression };
}

/** The text of a node in the file. */
export function textOf({ startIndex, endIndex }: Node, text: string): string {
  return text.slice(startIndex, endIndex);
}

/** @returns The node within parentheses and wrappers that have nothing else. */
export function unwrapped(node: Node): Node {
  let at = node;
  while (["expression", "literal_value", "template_expr", "collection_value"].includes(at.type)) {
    const parts = withoutComments(at);
    const [only] = parts;
    if (parts.length !== 1 || !only) return at;
    at = only;
  }
  return at;
}

/** The named children of a node, comments left out. */
export function withoutComments(node: Node): Node[] {
  return node.namedChildren.filter(({ type }) => type !== "comment");
}

/** The expression of `"${x}"`, as Terraform 0.11 needed it. */
export function onlyInterpolation(node: Node): Node | null {
  if (node.type !== "quoted_template") return null;
  const parts = node.namedChildren.filter(({ type }) => type.startsWith("template_"));
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "template_interpolation") return null;
  if (only.endIndex - only.startIndex !== node.endIndex - node.startIndex - 2) return null;
  return only.namedChildren.find(({ type }) => type === "expression") ?? null;
}

/** The argument of `jsonencode(jsondecode(x))`, which gives the same document. */
export function recoded(node: Node, text: string): Node | null {
  const inner = argumentOf(node, "jsonencode", text);
  return inner && argumentOf(inner, "jsondecode", text);
}

function argumentOf(node: Node, name: string, text: string): Node | null {
  const [called, list] = node.type === "function_call" ? node.namedChildren : [];
  if (!called || textOf(called, text) !== name || list?.type !== "function_arguments") return null;
  const [only, ...others] = withoutComments(list).filter(({ type }) => type === "expression");
  return only && others.length === 0 ? unwrapped(only) : null;
}
