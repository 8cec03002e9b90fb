import type { CheckContext } from "../../../engine/check.ts";
import { partitions } from "../../../policy/arn.ts";
import { FactSlot } from "../../../policy/fact-slot.ts";
import type { Statement } from "../../../policy/model.ts";
import { globMatches } from "../../../policy/wildcard.ts";
import { opennessReasons } from "../admits-everyone.ts";
import { type ReadEntry, readCondition } from "../condition-limits.ts";
import { quote } from "../quote.ts";
import { dateTest, startHasPassed } from "./dates.ts";

/** A condition entry as the checks of grants see it. */
interface GrantEntry {
  readonly read: ReadEntry;
  /** Why it limits neither who nor what; ends a sentence. Null: it limits, or may well. */
  readonly shortfall: string | null;
}

/** The condition of an Allow, as the checks of grants see it. */
export interface GrantCondition {
  readonly entries: readonly GrantEntry[];
  /** Some entry limits who may use the grant, on what, or when. */
  readonly counts: boolean;
  /** Some entry holds for no request, so the statement grants nothing. */
  readonly neverHolds: boolean;
  /** @returns whether an entry of the key limits (3.4 of the rules), any letter case. */
  limitedBy(key: string): boolean;
}

type Context = Pick<CheckContext, "policy" | "services">;

const noCondition: GrantCondition = {
  entries: [],
  counts: false,
  neverHolds: false,
  limitedBy: () => false,
};
const known = new FactSlot<Statement, GrantCondition>();

/** Reads the condition of an Allow once for all checks of grants. */
export function grantCondition(statement: Statement, context: Context): GrantCondition {
  if (statement.conditions.length === 0) return noCondition;
  let condition = known.get(statement);
  if (!condition) {
    condition = read(statement, context);
    known.set(statement, condition);
  }
  return condition;
}

function read(statement: Statement, { policy, services }: Context): GrantCondition {
  const isIdentity = policy.type === "IDENTITY_POLICY";
  const readEntries = readCondition(statement).entries;
  const entries = readEntries.map((entry) => ({
    read: entry,
    shortfall: shortfallOf(entry, isIdentity, services.date),
  }));
  return {
    entries,
    counts: entries.some(({ shortfall }) => shortfall === null),
    neverHolds: statement.conditions.some((one) => dateTest(one, services.date) === "never"),
    limitedBy: (key) => {
      const lower = key.toLowerCase();
      return entries.some(
        ({ read: one, shortfall }) =>
          one.entry.keyLower === lower && one.limiting && shortfall === null,
      );
    },
  };
}

/**
 * Keys that say neither who calls nor what is reached (V34). Callers choose the last two.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
const saysNeither: ReadonlyMap<string, string> = new Map([
  ["aws:securetransport", "asks only for an encrypted connection"],
  ["aws:requestedregion", "limits the Region, not who or what"],
  ["aws:useragent", "has a value that the caller chooses"],
  ["aws:referer", "has a value that the caller chooses"],
]);

/** Keys that have the same value for every holder of an identity policy (V52). */
const sameForEveryHolder: ReadonlySet<string> = new Set([
  "aws:principalaccount",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:principaltype",
  "aws:principalisawsservice",
]);

function shortfallOf(read: ReadEntry, isIdentity: boolean, dataDate: string): string | null {
  const { entry } = read;
  const neither = saysNeither.get(entry.keyLower);
  if (neither !== undefined) return `${quote(entry.key)} ${neither}`;
  if (isIdentity && sameForEveryHolder.has(entry.keyLower)) {
    return `${quote(entry.key)} has the same value for everyone who holds this policy`;
  }
  if (read.isNull) {
    return read.limiting
      ? null
      : `the operator \`Null\` asks only whether ${quote(entry.key)} is in the request`;
  }
  if (read.passesWhenAbsent) {
    return `${quote(entry.operatorText)} holds for requests without ${quote(entry.key)} too`;
  }
  if (entry.keyLower === "iam:policyarn") {
    const left = policiesLeft(read);
    if (left !== null) return `${quote(entry.key)} ${left}`;
  }
  if (leavesTheRest.test(entry.keyLower)) {
    if (read.negated) {
      return `${quote(entry.operatorText)} on ${quote(entry.key)} leaves every value that it does not name`;
    }
    if (read.optional) return `${quote(entry.operatorText)} holds without a boundary too`;
  }
  if (read.openness) return `${quote(entry.key)} ${opennessReasons[read.openness]}`;
  if (startHasPassed(entry, dataDate)) return `the start date of ${quote(entry.key)} has passed`;
  return null;
}

/** Keys of which the author wants one value: to exclude some limits nothing. */
const leavesTheRest = /^iam:permissionsboundary$/;

/** Why a test of the attached policy leaves the right to everything; null where it does not. */
function policiesLeft({ negated, entry: { operator, values } }: ReadEntry): string | null {
  if (negated) return "leaves every policy that it does not name";
  const base = operator?.base.name ?? "";
  const isPattern = base.endsWith("Like") || base.startsWith("Arn");
  const admitted = administrators.find((name) =>
    values.some(({ text }) =>
      partitions.some((partition) => {
        const arn = `arn:${partition}:iam::aws:policy/${name}`;
        return isPattern ? globMatches(text, arn) : text === arn;
      }),
    ),
  );
  return admitted === undefined ? null : `admits the policy ${quote(admitted)}`;
}

/**
 * Policies of AWS whose holder may give itself every right.
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AdministratorAccess.html
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/IAMFullAccess.html
 */
const administrators: readonly string[] = ["AdministratorAccess", "IAMFullAccess"];

/** @returns whether every entry of the statement's condition holds for every request. */
export function conditionAlwaysHolds({ conditions }: Statement, dataDate: string): boolean {
  return conditions.every((entry) => dateTest(entry, dataDate) === "always");
}
