import { childNode, keyNode, type NodeRef } from "../json/node.ts";
import { FactSlot } from "../policy/fact-slot.ts";
import type { Statement } from "../policy/model.ts";
import { isRecord } from "../record.ts";

/** One operator of a condition block with its keys, as written, whatever their values are. */
export interface OperatorBlock {
  readonly operator: string;
  readonly operatorNode: NodeRef;
  readonly keys: readonly {
    readonly key: string;
    readonly keyNode: NodeRef;
    readonly valuesNode: NodeRef;
    readonly values: unknown;
  }[];
}

const known = new FactSlot<Statement, readonly OperatorBlock[]>();

/** @returns the condition blocks of a statement; empty where `Condition` is not an object of objects. */
export function conditionNodes(statement: Statement): readonly OperatorBlock[] {
  let blocks = known.get(statement);
  if (!blocks) {
    blocks = read(statement);
    known.set(statement, blocks);
  }
  return blocks;
}

function read({ raw, node }: Statement): OperatorBlock[] {
  const { Condition } = raw;
  if (!isRecord(Condition)) return [];
  const at = childNode(node, "Condition");
  return Object.entries(Condition).flatMap(([operator, keys]) => {
    if (!isRecord(keys)) return [];
    const block = childNode(at, operator);
    return [
      {
        operator,
        operatorNode: keyNode(at, operator),
        keys: Object.entries(keys).map(([key, values]) => ({
          key,
          keyNode: keyNode(block, key),
          valuesNode: childNode(block, key),
          values,
        })),
      },
    ];
  });
}
