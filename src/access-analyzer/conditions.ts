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

const plainForms = new FactSlot<Statement, boolean>();

/**
 * Whether `Condition` has the form that nearly all have: operators, each with keys, each with a text or with a list of
 * texts. Rules about its form end here.
 */
export function hasPlainCondition(statement: Statement): boolean {
  let isPlain = plainForms.get(statement);
  if (isPlain === undefined) {
    isPlain = isPlainCondition(statement.raw.Condition);
    plainForms.set(statement, isPlain);
  }
  return isPlain;
}

function isPlainCondition(condition: unknown): boolean {
  return isFullRecord(condition) && Object.values(condition).every(isPlainBlock);
}

function isPlainBlock(keys: unknown): boolean {
  return isFullRecord(keys) && Object.values(keys).every(isTextOrTexts);
}

function isTextOrTexts(value: unknown): boolean {
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function isFullRecord(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.keys(value).length > 0;
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
