import { addMember, removeMember, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { childNode, type NodeRef } from "../../json/node.ts";
import { type ConditionType, parseOperator } from "../../policy/condition-operator.ts";
import { isValueOf } from "../../policy/condition-value.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import { statementElements } from "../../policy/statement.ts";
import { isRecord } from "../../record.ts";
import { currentVersion } from "../shared/grammar.ts";
import { strayMembers } from "./fixes.ts";

type Members = Readonly<Record<string, unknown>>;

/** Statements that a fix writes again. */
const maxStatements = 200;

/** Writes statements that stand alone, or in a list, as a policy. */
export function asPolicy(raw: unknown, node: NodeRef): FixProposal | null {
  const { Version = currentVersion, Id, ...members } = isRecord(raw) ? raw : {};
  const list = Array.isArray(raw) ? raw : [members];
  if (list.length === 0 || list.length > maxStatements) return null;
  if (!list.every((one) => isRecord(one) && isStatement(one))) return null;
  const policy = { Version, ...(Id === undefined ? {} : { Id }), Statement: list };
  return {
    title: "Write the statements as a policy",
    effect: "repairs",
    edits: [replaceValue(node, policy)],
  };
}

function isStatement(members: Members): boolean {
  return (
    typeof members.Effect === "string" &&
    Object.keys(members).every((name) => statementElements.includes(name))
  );
}

/** Moves operators that stand in a statement into its `Condition`, and corrects its other members. */
export function operatorsInCondition(members: Members, node: NodeRef): FixProposal | null {
  const { Condition = {} } = members;
  const unknown = Object.keys(members).filter(
    (name) => !statementElements.includes(name) && parseOperator(name) && isRecord(members[name]),
  );
  if (unknown.length === 0 || !isRecord(Condition)) return null;
  if (unknown.some((name) => Object.hasOwn(Condition, name))) return null;
  const moved = Object.fromEntries(unknown.map((name) => [name, members[name]]));
  const others = Object.entries(members).filter(([name]) => !Object.hasOwn(moved, name));
  const isRight = others.every(([name]) => statementElements.includes(name));
  const rest = isRight ? null : strayMembers(Object.fromEntries(others), node, statementElements);
  if (!isRight && !rest) return null;
  if (rest?.edits.some((edit) => edit.kind === "rename" && edit.name === "Condition")) return null;
  const added = Object.hasOwn(members, "Condition")
    ? replaceValue(childNode(node, "Condition"), { ...Condition, ...moved })
    : addMember(node, "Condition", moved);
  return {
    title: rest
      ? "Move the operators into the Condition and correct the other elements"
      : "Move the operators into the Condition",
    effect: "repairs",
    edits: [
      ...unknown.map((name) => removeMember(childNode(node, name))),
      added,
      ...(rest?.edits ?? []),
    ],
  };
}

/**
 * Puts the operator of the key's type around global keys that stand in a condition without one.
 * @param denies Whether it is the condition of a Deny, in which a value may be the one that is denied or the one that is
 * spared; `Bool` alone has no negation.
 * @returns null where a key is not global, or its type leaves a choice.
 */
export function withOperators(
  condition: Members,
  node: NodeRef,
  denies: boolean,
): FixProposal | null {
  const block = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(condition)) {
    if (isRecord(value)) {
      block.set(name, new Map(Object.entries(value)));
      continue;
    }
    const operator = operatorFor(name, value);
    const keys = operator === null ? undefined : (block.get(operator) ?? new Map());
    if (operator === null || !keys || keys.has(name)) return null;
    if (denies && operator !== "Bool") return null;
    block.set(operator, keys.set(name, value));
  }
  const value = Object.fromEntries(
    [...block].map(([name, keys]) => [name, Object.fromEntries(keys)]),
  );
  return {
    title: "Write the operator that the key needs",
    effect: "repairs",
    edits: [replaceValue(node, value)],
  };
}

const operators: Partial<Record<ConditionType, string>> = {
  String: "StringEquals",
  ARN: "ArnLike",
  Bool: "Bool",
  IPAddress: "IpAddress",
};

function operatorFor(key: string, value: unknown): string | null {
  const known = globalConditionKey(key);
  // Tags have text as values.
  const type = known
    ? known.type
    : /^aws:(?:Principal|Request|Resource)Tag\/./i.test(key)
      ? "String"
      : null;
  if (known?.multivalued || type === null || type === undefined) return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const isOfType = (one: unknown) =>
    (typeof one === "string" || typeof one === "boolean") && isValueOf(type, String(one));
  if (values.length === 0 || !values.every(isOfType)) return null;
  const hasWildcard = values.some((one) => /[*?]/.test(String(one)));
  return type === "String" && hasWildcard ? "StringLike" : (operators[type] ?? null);
}
