import {
  type EntryList,
  groupsOf,
  ofActions,
  ofResources,
} from "../../access-analyzer/rules/redundancy.ts";
import type { CodePlace } from "../../engine/check.ts";
import { removeEntries, removeStatement, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { stepsOf } from "../../json/node.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Statement } from "../../policy/model.ts";

/** Every covered entry of the list goes at once, so that one round leaves none. */
export function withoutCoveredActions({ statement }: CodePlace): FixProposal | null {
  return shared(actionRepairs, statement, (one) => coveredEntries(ofActions, one, isOneAction));
}

/**
 * The fix that removes resources that another entry of the statement covers; null where nothing can be
 * removed.
 */
export function withoutCoveredResources({ statement }: CodePlace): FixProposal | null {
  return shared(resourceRepairs, statement, (one) => coveredEntries(ofResources, one, () => true));
}

/** The findings of all covered entries of a list share their proposal. */
type Repairs = FactSlot<Statement, FixProposal | null>;

const actionRepairs: Repairs = new FactSlot();
const resourceRepairs: Repairs = new FactSlot();

function shared(
  known: Repairs,
  statement: Statement | null,
  covered: (statement: Statement) => readonly Entry[],
): FixProposal | null {
  if (!statement) return null;
  let found = known.get(statement);
  if (found === undefined) {
    found = withoutCovered(covered(statement));
    known.set(statement, found);
  }
  return found;
}

function withoutCovered(covered: readonly Entry[]): FixProposal | null {
  if (covered.length === 0) return null;
  return {
    title: "Remove the entries that another entry covers",
    effect: "equivalent",
    edits: removeEntries(covered),
    argument: "The entry that stays in the list matches whatever a removed one matches.",
  };
}

/** A text that joins several actions, such as `s3:GetObject,s3:PutObject`, has more than what a pattern covers. */
const isOneAction = ({ text }: Entry) => /^[\w:*?-]+$/.test(text);

/** Those of the entries that count which an earlier equal one, or a wider pattern, covers. */
function coveredEntries(
  list: EntryList,
  statement: Statement,
  counts: (entry: Entry) => boolean,
): Entry[] {
  const entries = list.entriesOf(statement).filter(counts);
  const texts = entries.map(({ text }) => list.fold(text));
  const counting = new Set(texts);
  const groups = groupsOf(list, statement);
  const covered = new Set<string>();
  for (const [pattern, group] of groups) {
    if (!counting.has(pattern)) continue;
    for (const text of group) {
      if (text !== pattern && groups.get(text)?.has(pattern) !== true) covered.add(text);
    }
  }
  const seen = new Set<string>();
  return entries.filter((_, at) => {
    const text = texts[at] ?? "";
    if (covered.has(text) || seen.has(text)) return true;
    seen.add(text);
    return false;
  });
}

/** The first of equal statements stays. */
export function withoutRepeated({ issue, policy }: CodePlace): FixProposal | null {
  const indexes = issue.nodes.map((node) => stepsOf(node)[1]);
  const equal = policy.statements.filter(({ index }) => indexes.includes(index));
  const [, ...later] = equal;
  if (later.length === 0) return null;
  return {
    title: "Remove the later one of equal statements",
    effect: "equivalent",
    edits: later.map(removeStatement),
    argument: "An equal statement with the same Effect stays.",
  };
}

/** Of several numbers under a comparison the widest decides. */
export function onlyDecidingNumber({ issue, statement }: CodePlace): FixProposal | null {
  const [node] = issue.nodes;
  const steps = node ? stepsOf(node) : [];
  const entry = statement?.conditions.find(
    ({ operatorText, key }) => operatorText === steps.at(-2) && key === steps.at(-1),
  );
  if (!node || !entry?.operator) return null;
  const numbers = entry.values.map(({ text }) => Number(text));
  if (!numbers.every(Number.isFinite)) return null;
  const least = entry.operator.base.name.startsWith("NumericGreaterThan");
  const deciding = least ? Math.min(...numbers) : Math.max(...numbers);
  const value = entry.values[numbers.indexOf(deciding)]?.raw;
  return {
    title: "Keep only the number that decides",
    effect: "equivalent",
    edits: [replaceValue(node, value)],
    argument: "A comparison with several numbers holds as soon as that with the widest one does.",
  };
}

/** A role that is listed lets in all of its sessions. */
export function withoutSessions({ issue, statement }: CodePlace): FixProposal | null {
  const sessions = issue.nodes.filter(({ step }) => typeof step === "number");
  if (!statement?.allows || sessions.length === 0) return null;
  return {
    title: "Remove the session of a role that is listed too",
    effect: "narrows",
    edits: removeEntries(sessions.map((node) => ({ node }))),
    argument: "An Allow with one principal fewer lets no further caller in.",
  };
}
