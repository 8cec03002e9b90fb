import { FactSlot } from "../../policy/fact-slot.ts";
import type { ConditionEntry, Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { statementName } from "../shared/access/words.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";

/**
 * Keys of requests over the internet, and of those through a VPC endpoint; each way lacks the keys of the other:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-sourceip
 */
const ways: Readonly<Record<string, Way>> = {
  "aws:sourceip": "internet",
  "aws:sourcevpc": "endpoint",
  "aws:sourcevpcarn": "endpoint",
  "aws:sourcevpce": "endpoint",
  "aws:vpcsourceip": "endpoint",
};

type Way = "internet" | "endpoint";

const words: Readonly<Record<Way, string>> = {
  internet: "over the internet",
  endpoint: "through a VPC endpoint",
};

/** A Deny of all but some networks of one way, which therefore stops every request of the other way. */
interface NetworkDeny {
  readonly statement: Statement;
  readonly way: Way;
  readonly entry: ConditionEntry;
  /** The other tests, each as a text that does not depend on the order of its values. */
  readonly rest: ReadonlySet<string>;
}

/** More Denies of this kind are not compared with each other. */
const mostDenies = 40;

const known = new FactSlot<Policy, readonly NetworkDeny[]>();

/**
 * A Deny outside some addresses beside a Deny outside some endpoints: a negated test holds for requests without the key, so
 * that every request meets one of the two. The tests belong into one statement:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
 */
export function stopsBothWays(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  if (!Object.hasOwn(ways, entry.keyLower)) return null;
  let denies = known.get(policy);
  if (!denies) {
    denies = policy.statements.flatMap(networkDeny).slice(0, mostDenies);
    known.set(policy, denies);
  }
  const own = denies.find((one) => one.entry === entry);
  const other =
    own &&
    denies.find(
      (one) =>
        one.way !== own.way &&
        one.statement.index < statement.index &&
        (holdsAll(one.rest, own.rest) || holdsAll(own.rest, one.rest)) &&
        meet(one.statement, statement),
    );
  if (!own || !other) return null;
  const { sid, index } = other.statement;
  const { operatorText, key } = entry;
  return {
    kind: "always",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} also holds for requests ${words[other.way]}, which do not have the key. ${statementName(sid, index)} stops those ${words[own.way]}.`,
    consequence: "Together the two stop every request that both are about.",
    suggestion:
      "Write both tests in one statement, whose Deny then stops only requests that come from none of the networks.",
  };
}

function networkDeny(statement: Statement): NetworkDeny[] {
  const { denies, conditions } = statement;
  if (!denies || !conditions.every(isReadable)) return [];
  const tests = conditions.filter(({ keyLower }) => Object.hasOwn(ways, keyLower));
  const [entry] = tests;
  const way = entry && ways[entry.keyLower];
  if (!way || !tests.every((one) => ways[one.keyLower] === way && excludes(one))) return [];
  const others = conditions.filter((one) => !tests.includes(one));
  return [{ statement, way, entry, rest: new Set(others.map(textOf)) }];
}

function holdsAll(set: ReadonlySet<string>, members: ReadonlySet<string>): boolean {
  return [...members].every((member) => set.has(member));
}

/** Whether the test holds for all but some values, and so for requests without the key. */
function excludes({ operator, values }: ConditionEntry): boolean {
  if (!operator?.base.negated || operator.setPrefix === "ForAnyValue") return false;
  return values.length > 0;
}

function textOf({ operatorText, keyLower, values }: ConditionEntry): string {
  const texts = values.map(({ text }) => text).sort();
  return JSON.stringify([operatorText.toLowerCase(), keyLower, texts]);
}

/** Whether some request is about the principals, actions and resources of both. */
function meet(one: Statement, other: Statement): boolean {
  return (
    sameMember(one, other, "Principal") &&
    sameMember(one, other, "NotPrincipal") &&
    overlap(one, other, "actions") &&
    overlap(one, other, "resources") &&
    sameMember(one, other, "NotAction") &&
    sameMember(one, other, "NotResource")
  );
}

function sameMember({ raw: one }: Statement, { raw: other }: Statement, name: string): boolean {
  return JSON.stringify(one[name]) === JSON.stringify(other[name]);
}

function overlap(one: Statement, other: Statement, list: "actions" | "resources"): boolean {
  return one[list].length === 0
    ? other[list].length === 0
    : one[list].some((entry) =>
        other[list].some((peer) => covers(entry, peer) || covers(peer, entry)),
      );
}

function covers({ text }: Entry, other: Entry): boolean {
  return globMatches(text, other.text, { ignoreCase: true });
}
