import type { Correction } from "../../engine/check.ts";
import { type ConditionBlock, withCondition } from "../../fixes/condition-block.ts";
import { childNode, type NodeRef } from "../../json/node.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { ConditionEntry, Entry, Policy, Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";

/** A managed policy has room for no more; an example must not push it over. */
const maxPolicyLength = 6144;

/** Statements larger than this get no example; one is made for each finding. */
const maxStatementLength = 8192;

const lengths = new FactSlot<Statement, number>();

function lengthOf(statement: Statement): number {
  let length = lengths.get(statement);
  if (length === undefined) {
    length = JSON.stringify(statement.raw).length;
    lengths.set(statement, length);
  }
  return length;
}

/** Whether no example repeats the statement. */
export function isTooLong(statement: Statement): boolean {
  return lengthOf(statement) > maxStatementLength;
}

/**
 * The statement with other members, in place of the one it was made from.
 * @param members Replace or add a member; undefined removes it. The others stay as written.
 * @returns null when the statement is too long to repeat.
 */
export function correctedStatement(
  statement: Statement,
  members: Readonly<Record<string, unknown>>,
): Correction | null {
  if (isTooLong(statement)) return null;
  const merged = Object.entries({ ...statement.raw, ...members });
  return {
    node: statement.node,
    value: Object.fromEntries(merged.filter(([, value]) => value !== undefined)),
  };
}

/** The statement with a condition added, and entries removed; see {@link withCondition}. */
export function statementWithCondition(
  statement: Statement,
  added: ConditionBlock,
  members: Readonly<Record<string, unknown>> = {},
  removed: readonly ConditionEntry[] = [],
): Correction | null {
  const Condition = withCondition(statement, added, removed);
  return Condition && correctedStatement(statement, { ...members, Condition });
}

/** One element, or one value inside an element, in place of the one at `node`. */
export function correctedNode(node: NodeRef, value: unknown): Correction {
  return { node, value };
}

/**
 * The list of statements with one of them split in two. The new one comes last, so that the others keep
 * their places.
 * @param moved The entries of `Action` that go to the second statement; some have to stay.
 * @param members Of the statement with the rest, and of the one with the moved entries.
 * @returns null when nothing stays, or when the policy is too long to repeat.
 */
export function splitStatement(
  policy: Policy,
  statement: Statement,
  moved: ReadonlySet<Entry>,
  members: {
    readonly rest: Readonly<Record<string, unknown>>;
    readonly moved: Readonly<Record<string, unknown>>;
  },
): Correction | null {
  const stay = statement.actions.filter((entry) => !moved.has(entry));
  const go = statement.actions.filter((entry) => moved.has(entry));
  if (stay.length === 0 || go.length === 0) return null;
  const length = policy.statements.reduce((sum, one) => sum + lengthOf(one), 0);
  if (length > maxStatementLength) return null;
  const rest = correctedStatement(statement, { ...members.rest, Action: textsOf(stay) });
  const second = correctedStatement(statement, {
    // A Sid is unique in its policy.
    Sid: undefined,
    ...members.moved,
    Action: textsOf(go),
  });
  if (!rest || !second) return null;
  const { raw } = policy.document;
  const list = isRecord(raw) && Array.isArray(raw.Statement) ? raw.Statement : [statement.raw];
  const both = JSON.stringify([rest.value, second.value]).length;
  const added = both - lengthOf(statement);
  if (policy.type === "IDENTITY_POLICY" && policy.document.compactBytes + added > maxPolicyLength) {
    return null;
  }
  const value = [
    ...list.map((one, index) => (index === statement.index ? rest.value : one)),
    second.value,
  ];
  return { node: childNode(policy.node, "Statement"), value };
}

/**
 * The list of statements with one of them split in two by its resources; the second comes last.
 * @param members Of both statements.
 * @returns null when the policy is too long to repeat.
 */
export function splitResources(
  policy: Policy,
  statement: Statement,
  members: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>],
): Correction | null {
  const length = policy.statements.reduce((sum, one) => sum + lengthOf(one), 0);
  if (length > maxStatementLength) return null;
  const [first, second] = members;
  const whole = correctedStatement(statement, first);
  // A Sid is unique in its policy.
  const added = correctedStatement(statement, { Sid: undefined, ...second });
  if (!whole || !added) return null;
  const { raw } = policy.document;
  const list = isRecord(raw) && Array.isArray(raw.Statement) ? raw.Statement : [statement.raw];
  const value = [
    ...list.map((one, index) => (index === statement.index ? whole.value : one)),
    added.value,
  ];
  return { node: childNode(policy.node, "Statement"), value };
}

function textsOf(entries: readonly Entry[]): string | string[] {
  const texts = entries.map(({ text }) => text);
  return texts.length === 1 && texts[0] !== undefined ? texts[0] : texts;
}
