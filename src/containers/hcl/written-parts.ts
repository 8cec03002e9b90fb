import type { Node } from "web-tree-sitter";
import { type Attribute, spanOfNode, textOf, unwrapped, withoutComments } from "./blocks.ts";

/** Functions whose value has the members and items of their arguments. */
const joining = /^(?:merge|concat|tomap|tolist|toset|flatten)\s*\(/;

/** The items of a list and the members of an object that are written out, also in arguments of `merge`. */
export function* partsOf(
  node: Node,
  text: string,
): Generator<{ step: string; attribute: Attribute }> {
  let index = 0;
  if (node.type === "function_call" && joining.test(textOf(node, text))) {
    const list = node.namedChildren.find(({ type }) => type === "function_arguments");
    for (const argument of list ? withoutComments(list) : []) {
      yield* partsOf(unwrapped(argument), text);
    }
    return;
  }
  for (const part of withoutComments(node)) {
    if (node.type === "tuple" && part.type === "expression") {
      const name = String(index);
      yield { step: `[${index++}]`, attribute: { name, key: spanOfNode(part), expression: part } };
    }
    const key = part.type === "object_elem" ? part.childForFieldName("key") : null;
    const expression = part.childForFieldName("val");
    if (!key || !expression) continue;
    const name = textOf(key, text).replaceAll('"', "");
    yield { step: `.${name}`, attribute: { name, key: spanOfNode(key), expression } };
  }
}
