import type { Node } from "web-tree-sitter";
import type { Network } from "../../policy/model.ts";
import { lettersOf, networkBlocks, networkOf } from "../network.ts";
import { type Block, textOf, unwrapped } from "./blocks.ts";
import type { Evaluator } from "./evaluate.ts";

/** @returns What alone reaches a resource; null: the internet does, or may. A `dynamic` block may not be there. */
export function networkIn(
  { labels: [type = ""], blocks, attributes }: Block,
  service: string | null,
  evaluator: Evaluator,
): Network | null {
  const isSetting = (name: string) => networkBlocks.has(lettersOf(name));
  const nested = blocks
    .filter((block) => isSetting(block.type))
    .map((block) => [block.type, valuesOf(block, evaluator)]);
  const own = [...attributes.values()]
    .filter(({ name }) => isSetting(name))
    .map(({ name, expression }) => [name, settingOf(expression, evaluator)]);
  return networkOf(service, type, Object.fromEntries([...own, ...nested]));
}

function valuesOf({ attributes }: Block, evaluator: Evaluator) {
  const known = [...attributes.values()].map(({ name, expression }) => [
    name,
    settingOf(expression, evaluator),
  ]);
  return Object.fromEntries(known);
}

/** Functions that give one of several values. */
const choosing = /^(?:try|coalesce|coalescelist|compact|lookup|element|one)\s*\(/;

/** Undefined: it may be empty. */
function settingOf(expression: Node, evaluator: Evaluator): unknown {
  const node = unwrapped(expression);
  if (node.type === "conditional" || choosing.test(textOf(node, evaluator.text))) return undefined;
  return evaluator.evaluate(expression).value;
}
