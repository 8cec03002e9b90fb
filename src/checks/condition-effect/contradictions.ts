import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { isTimeKey } from "../shared/dates.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { areCovered, runsOf } from "./addresses.ts";
import { boundOf, decidingTime } from "./by-date.ts";
import {
  type Effect,
  isOpen,
  isReadable,
  passesWithoutKey,
  type ReadableEntry,
  readsWildcards,
} from "./effect.ts";
import { isSourceKey } from "./key-facts.ts";
import { ofSources, ofSourcesOfOthers } from "./source-accounts.ts";
import { ofProviders } from "./two-providers.ts";

/** Tests on one key above this number are not compared with each other. */
const mostTests = 20;
/** Values of one test above this number are not compared one by one. */
const mostValues = 100;

const mfaKey = "aws:multifactorauthpresent";

/** Tests on one key that exclude each other; one effect for each key, at the later test. */
export function* contradictions(statement: Statement): Iterable<Effect> {
  if (statement.conditions.length < 2) return;
  const entries = statement.conditions.filter(isReadable);
  const keys = new Set(entries.map(({ keyLower }) => keyLower));
  if (keys.size < entries.length) {
    for (const tests of Map.groupBy(entries, ({ keyLower }) => keyLower).values()) {
      if (tests.length < 2 || tests.length > mostTests) continue;
      const found = ofPresence(tests) ?? ofValues(tests) ?? ofAbsence(tests, statement);
      if (found) yield found;
    }
  }
  if (statement.allows) yield* ofProviders(entries, statement);
  if (keys.has("aws:sourceip")) yield* ofNetworks(entries);
  if (keys.has("aws:sourcearn")) yield* ofSources(entries);
  if (keys.has("aws:principalisawsservice")) yield* ofSourcesOfOthers(entries);
  if (statement.denies) yield* ofAbsentSources(entries);
}

/**
 * A Deny of requests without a source and of those with a foreign one, in one block: a request without the one key has
 * none of the others. AWS's example asks that `aws:SourceAccount` is there:
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_examples.html
 */
function* ofAbsentSources(entries: readonly ReadableEntry[]): Iterable<Effect> {
  const absent = entries.find(
    (entry) => isSourceKey(entry.keyLower) && asksAbsence(entry) === true,
  );
  const other = entries.find(
    ({ keyLower, operator, values }) =>
      isSourceKey(keyLower) &&
      keyLower !== absent?.keyLower &&
      operator.base.negated &&
      values.length > 0,
  );
  if (!absent || !other) return;
  yield {
    kind: "always",
    entry: absent,
    reason: `${quote(absent.operatorText)} asks that ${quote(absent.key)} is absent, and such requests have no ${quote(other.key)} either.`,
    suggestion: `Write \`"Null": {${JSON.stringify(absent.key)}: "false"}\`.`,
    consequence: "This Deny lets requests on behalf of any resource pass.",
  };
}

/** Keys of requests through a VPC endpoint. */
const endpointKey = /^aws:(?:sourcevpc(?:e|arn)?|vpcsourceip|vpce(?:account|orgid|orgpaths))$/;

interface ExclusiveNetworks {
  readonly address: ReadableEntry;
  readonly endpoint: ReadableEntry;
  readonly later: ReadableEntry;
}

/**
 * Tests of which one needs the public address that a request comes from and the other a key of a VPC endpoint. A request
 * has either.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-sourceip
 */
export function exclusiveNetworks(entries: readonly ReadableEntry[]): ExclusiveNetworks | null {
  const needed = entries.filter((entry) => {
    const { base } = entry.operator;
    if (base.type === null) return asksAbsence(entry) === false;
    return !base.negated && !passesWithoutKey(entry) && entry.values.length > 0;
  });
  const address = needed.find(({ keyLower }) => keyLower === "aws:sourceip");
  const endpoint = needed.find(({ keyLower }) => endpointKey.test(keyLower));
  if (!address || !endpoint) return null;
  const later = needed.indexOf(address) < needed.indexOf(endpoint) ? endpoint : address;
  return { address, endpoint, later };
}

function* ofNetworks(entries: readonly ReadableEntry[]): Iterable<Effect> {
  const exclusive = exclusiveNetworks(entries);
  if (!exclusive) return;
  const { address, endpoint, later } = exclusive;
  yield {
    kind: "never",
    entry: later,
    reason: `Only requests over the internet have ${quote(address.key)}, and only those through a VPC endpoint have ${quote(endpoint.key)}, so no request meets both tests.`,
    suggestion:
      "Put the two into two statements. In a Deny, negate both: `NotIpAddressIfExists` and `StringNotEqualsIfExists`.",
  };
}

function contradiction(one: ReadableEntry, other: ReadableEntry, why: string): Effect {
  return {
    kind: "never",
    entry: other,
    reason: `${quote(one.operatorText)} and ${quote(other.operatorText)} on ${quote(other.key)} exclude each other: ${why}.`,
    suggestion: "Remove one of the two, or put them into two statements.",
  };
}

/** What a `Null` test says of the key; null for other operators. */
function asksAbsence({ operator, values }: ReadableEntry): boolean | null {
  return operator.base.type === null ? switchValue(values) : null;
}

function ofPresence(tests: readonly ReadableEntry[]): Effect | null {
  const absent = tests.find((test) => asksAbsence(test) === true);
  if (!absent || absent.keyLower === mfaKey) return null;
  const needs = tests.find((test) => {
    if (test === absent) return false;
    const { operator, values } = test;
    if (operator.base.type === null) return asksAbsence(test) === false;
    return !operator.base.negated && !passesWithoutKey(test) && values.length > 0;
  });
  if (!needs) return null;
  const [one, other] =
    tests.indexOf(absent) < tests.indexOf(needs) ? [absent, needs] : [needs, absent];
  return contradiction(one, other, "one asks that the key is absent, the other that it is there");
}

/**
 * A Deny of requests without the key and with other values, in one block: a request has to meet both.
 * AWS writes two statements: https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
 */
function ofAbsence(tests: readonly ReadableEntry[], { denies }: Statement): Effect | null {
  if (!denies || tests.length !== 2) return null;
  const absent = tests.find((test) => asksAbsence(test) === true);
  const other = tests.find((test) => test !== absent);
  if (!absent || !other || other.values.length === 0) return null;
  const { base, setPrefix } = other.operator;
  const holdsWithout = passesWithoutKey(other) || (base.negated && setPrefix !== "ForAnyValue");
  if (base.type === null || !holdsWithout) return null;
  return {
    kind: "always",
    entry: other,
    reason: `${quote(absent.operatorText)} asks that ${quote(other.key)} is absent, and ${quote(other.operatorText)} holds for every request without the key.`,
    suggestion: "Put the two into two statements.",
    consequence: "This Deny lets requests with any value of the key pass.",
  };
}

/** Keys with several values may meet two tests by two of them, so set operators are left out. */
function ofValues(all: readonly ReadableEntry[]): Effect | null {
  if (all.some(({ key }) => globalConditionKey(key)?.multivalued)) return null;
  const tests = all.filter(
    ({ operator, values }) =>
      operator.setPrefix === null &&
      operator.base.type !== null &&
      values.length > 0 &&
      values.length <= mostValues &&
      !values.some(({ text }) => isOpen(text)),
  );
  for (const [index, other] of tests.entries()) {
    for (const one of tests.slice(0, index)) {
      const why = reason(one, other);
      // Where both are met by an absent key, requests without it meet both.
      if (why && !(meetsAbsence(one) && meetsAbsence(other))) {
        return contradiction(one, other, why);
      }
    }
  }
  return null;
}

function meetsAbsence({ operator }: ReadableEntry): boolean {
  return operator.ifExists || operator.base.negated;
}

function reason(one: ReadableEntry, other: ReadableEntry): string | null {
  const periods = ofPeriods(one, other) ?? ofPeriods(other, one);
  if (periods) return periods;
  const [type, otherType] = [one.operator.base.type, other.operator.base.type];
  if (type === "IPAddress" && otherType === "IPAddress") {
    return outside(one, other) || outside(other, one)
      ? "every address of the first list is on the list of exceptions"
      : null;
  }
  const texts = new Set(["String", "ARN", "Bool"]);
  if (type === null || otherType === null || !texts.has(type) || !texts.has(otherType)) return null;
  return noCommonValue(one, other) || noCommonValue(other, one) ? "no value meets both" : null;
}

function ofPeriods(end: ReadableEntry, start: ReadableEntry): string | null {
  if (boundOf(end) !== "end" || boundOf(start) !== "start") return null;
  const isTime = isTimeKey(end.keyLower) || end.operator.base.type === "Date";
  const upper = isTime ? decidingTime(end, "end") : extreme(end, Math.max);
  const lower = isTime ? decidingTime(start, "start") : extreme(start, Math.min);
  if (upper === null || lower === null || upper > lower) return null;
  const inclusive =
    end.operator.base.name.endsWith("Equals") && start.operator.base.name.endsWith("Equals");
  if (upper === lower && inclusive) return null;
  return isTime ? "the end is not after the start" : "no number is in both ranges";
}

function extreme({ values }: ReadableEntry, pick: (...all: number[]) => number): number | null {
  const numbers = values.map(({ text }) => Number(text));
  return numbers.some(Number.isNaN) ? null : pick(...numbers);
}

/** All of the wanted addresses are among the excluded ones. */
function outside(wanted: ReadableEntry, excluded: ReadableEntry): boolean {
  if (wanted.operator.base.negated || !excluded.operator.base.negated) return false;
  const runs = runsOf(wanted.values.map(({ text }) => text));
  const exceptions = runsOf(excluded.values.map(({ text }) => text));
  return runs !== null && exceptions !== null && areCovered(runs, exceptions);
}

/** Each value of a positive test is one that the other test refuses. */
function noCommonValue(wanted: ReadableEntry, test: ReadableEntry): boolean {
  if (wanted.operator.base.negated) return false;
  return wanted.values.every(({ text }) => refuses(test, text, wanted));
}

/** @returns whether the test refuses all that the wanted value matches. */
function refuses(test: ReadableEntry, text: string, wanted: ReadableEntry): boolean {
  const isPattern = readsWildcards(wanted) && /[*?]/.test(text);
  const anyCase = ignoresCase(wanted);
  if (test.operator.base.negated) {
    // Other spellings of the wanted value may pass a test that minds letter case.
    if (anyCase && !ignoresCase(test)) return false;
    return test.values.some(({ text: value }) => covers(test, value, text, isPattern, anyCase));
  }
  // What two patterns share is not worked out here.
  if (isPattern) return false;
  return !test.values.some(({ text: value }) => covers(test, value, text, false, anyCase));
}

function ignoresCase({ operator: { base } }: ReadableEntry): boolean {
  return base.name.includes("IgnoreCase") || base.type === "Bool";
}

/** @returns whether the value of the test matches the text, and with it all that a pattern matches. */
function covers(
  test: ReadableEntry,
  value: string,
  text: string,
  isPattern: boolean,
  anyCase: boolean,
): boolean {
  const ignoreCase = anyCase || ignoresCase(test);
  if (readsWildcards(test)) {
    // A `?` would take the star of the pattern for one character.
    if (isPattern && value.includes("?")) return value === text;
    return globMatches(value, text, { ignoreCase });
  }
  if (isPattern) return false;
  return ignoreCase ? value.toLowerCase() === text.toLowerCase() : value === text;
}
