import type { CheckContext } from "../../../engine/check.ts";
import { partitions } from "../../../policy/arn.ts";
import { FactSlot } from "../../../policy/fact-slot.ts";
import type { ConditionEntry, Statement } from "../../../policy/model.ts";
import { globMatches } from "../../../policy/wildcard.ts";
import { isTagTest, opennessReasons } from "../admits-everyone.ts";
import { type ReadEntry, readCondition } from "../condition-limits.ts";
import { nullCheckedKeys } from "../null-checked.ts";
import { quote } from "../quote.ts";
import { authorOf } from "./authors.ts";
import { dateTest, startHasPassed } from "./dates.ts";
import { admitsHolders } from "./holders.ts";

/** A condition entry as the checks of grants see it. */
interface GrantEntry {
  readonly read: ReadEntry;
  /** Why it limits neither who nor what; ends a sentence. Null: it limits, or may well. */
  readonly shortfall: string | null;
  /** It limits all the same which policies are attached, to those that the caller writes. */
  readonly namesPolicies: boolean;
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
  const entries = readEntries.map((entry) => {
    const shortfall = shortfallOf(entry, statement, isIdentity, services.date);
    const author = shortfall === null ? authorOf(entry, policy) : null;
    return {
      read: entry,
      shortfall:
        author === null
          ? shortfall
          : `${quote(entry.entry.key)} admits policies that the caller may write (${author})`,
      namesPolicies: author !== null,
    };
  });
  return {
    entries,
    counts: entries.some(({ shortfall }) => shortfall === null),
    neverHolds: statement.conditions.some((one) => dateTest(one, services.date) === "never"),
    limitedBy: (key) => {
      const lower = key.toLowerCase();
      return entries.some(
        ({ read: one, shortfall, namesPolicies }) =>
          one.entry.keyLower === lower && one.limiting && (shortfall === null || namesPolicies),
      );
    },
  };
}

const signing = "asks only how the request is signed";
const chosen = "has a value that the caller chooses";

/**
 * Keys that say neither who calls nor what is reached.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/bucket-policy-s3-sigv4-conditions.html
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
const saysNeither: ReadonlyMap<string, string> = new Map([
  ["aws:securetransport", "asks only for an encrypted connection"],
  ["s3:tlsversion", "asks only for an encrypted connection"],
  ["aws:requestedregion", "limits the Region, not who or what"],
  ["s3:authtype", signing],
  ["s3:signatureage", signing],
  ["s3:signatureversion", signing],
  ["aws:useragent", chosen],
  ["aws:referer", chosen],
  ["dynamodb:returnconsumedcapacity", chosen],
  ["dynamodb:returnvalues", chosen],
  ["dynamodb:select", chosen],
  ["kms:encryptionalgorithm", chosen],
  ["kms:messagetype", chosen],
  ["kms:signingalgorithm", chosen],
  ["kms:bypasspolicylockoutsafetycheck", chosen],
  ["secretsmanager:versionstage", chosen],
]);

/** Keys that have the same value for every holder of an identity policy. */
const sameForEveryHolder: ReadonlySet<string> = new Set([
  "aws:principalaccount",
  "aws:principalorgid",
  "aws:principalorgpaths",
  "aws:principaltype",
  "aws:principalisawsservice",
  "kms:calleraccount",
]);

/** Keys about the account of the resource. IAM reaches no other account than that of the caller. */
const accountOfResource = /^aws:resource(?:account|orgid|orgpaths)$/;

function isOfIam({ actions }: Statement): boolean {
  return actions.length > 0 && actions.every(({ text }) => /^iam:/i.test(text));
}

function shortfallOf(
  read: ReadEntry,
  statement: Statement,
  isIdentity: boolean,
  dataDate: string,
): string | null {
  const { entry } = read;
  const neither = saysNeither.get(entry.keyLower);
  if (neither !== undefined) return `${quote(entry.key)} ${neither}`;
  if (isIdentity && sameForEveryHolder.has(entry.keyLower)) {
    return `${quote(entry.key)} has the same value for everyone who holds this policy`;
  }
  if (isIdentity && accountOfResource.test(entry.keyLower) && isOfIam(statement)) {
    return `${quote(entry.key)} is that of the caller in every call to IAM`;
  }
  if (read.isNull) {
    return read.limiting
      ? null
      : `the operator \`Null\` asks only whether ${quote(entry.key)} is in the request`;
  }
  if (read.passesWhenAbsent) {
    return `${quote(entry.operatorText)} holds for requests without ${quote(entry.key)} too`;
  }
  if (leavesTheRest.test(entry.keyLower)) {
    if (read.negated) {
      return `${quote(entry.operatorText)} on ${quote(entry.key)} leaves every value that it does not name`;
    }
    if (read.optional) return `${quote(entry.operatorText)} holds without a boundary too`;
  }
  // Without it, what has no tag is open to all: the tag is no limit that others can rely on.
  if (read.optional && isTagTest(entry.keyLower) && entry.keyLower !== "aws:tagkeys") {
    return `${quote(entry.operatorText)} holds without the tag of ${quote(entry.key)} too`;
  }
  if (read.optional && isLackedOnOtherWay(entry, statement)) {
    return `${quote(entry.operatorText)} holds for requests without ${quote(entry.key)} too`;
  }
  const everyone = admitsHolders(read, isIdentity);
  if (everyone !== null) return everyone;
  const admitted = admittedHarm(read);
  if (admitted !== null) return `${quote(entry.key)} ${admitted}`;
  if (read.openness) return `${quote(entry.key)} ${opennessReasons[read.openness]}`;
  if (startHasPassed(entry, dataDate)) return `the start date of ${quote(entry.key)} has passed`;
  return null;
}

/**
 * Where requests come from: over the internet, or through a VPC endpoint. Each way lacks the keys of the other.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html (availability of each key)
 */
const overInternet = /^aws:sourceip$/;
const throughEndpoint = /^aws:(?:sourcevpc|sourcevpce|vpcsourceip)$/;

/** Whether the other way is open to requests that lack the key: no test of the block is about it, and none asks for the key. */
function isLackedOnOtherWay({ keyLower }: ConditionEntry, statement: Statement): boolean {
  const other = overInternet.test(keyLower)
    ? throughEndpoint
    : throughEndpoint.test(keyLower)
      ? overInternet
      : null;
  if (!other || nullCheckedKeys(statement).has(keyLower)) return false;
  return !statement.conditions.some((one) => other.test(one.keyLower));
}

/** Keys of which the author wants one value: to exclude some limits nothing. */
const leavesTheRest = /^iam:permissionsboundary$/;

/** Values of a key that allow just what makes the action dangerous. */
interface HarmfulValues {
  /** A pattern is matched against all of them. */
  readonly values: readonly string[];
  /** Completes "`key` admits `value`". */
  readonly because: string;
  /** A negated operator leaves them, unless it names them all. */
  readonly isOpen?: boolean;
}

/**
 * Policies of AWS whose holder may give itself every right.
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AdministratorAccess.html
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/IAMFullAccess.html
 */
const administrators = partitions.flatMap((partition) =>
  ["AdministratorAccess", "IAMFullAccess"].map(
    (name) => `arn:${partition}:iam::aws:policy/${name}`,
  ),
);

/**
 * By key in lower case.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_ModifySnapshotAttribute.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
 * @see https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsresourceaccessmanagerram.html
 */
const harmful: Readonly<Record<string, HarmfulValues>> = {
  "iam:policyarn": { values: administrators, because: "", isOpen: true },
  "iam:permissionsboundary": { values: administrators, because: ", which bounds nothing" },
  "ec2:add/group": { values: ["all"], because: ", which is every account" },
  "lambda:functionurlauthtype": { values: ["NONE"], because: ", which lets everyone call" },
  "s3:x-amz-acl": {
    values: ["public-read", "public-read-write", "authenticated-read"],
    because: ", which lets everyone read",
  },
  "eks:policyarn": {
    values: partitions.map(
      (partition) => `arn:${partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy`,
    ),
    because: "",
  },
  "ram:requestedallowsexternalprincipals": {
    values: ["true"],
    because: ", which is a share with any account",
  },
};

/** Why a test leaves what makes the action dangerous; null where it does not. */
function admittedHarm({
  negated,
  entry: { keyLower, operator, values },
}: ReadEntry): string | null {
  const known = Object.hasOwn(harmful, keyLower) ? harmful[keyLower] : undefined;
  if (!known) return null;
  if (negated) return known.isOpen ? "leaves every policy that it does not name" : null;
  const base = operator?.base.name ?? "";
  const isPattern = base.endsWith("Like") || base.startsWith("Arn");
  const ignoreCase = base === "Bool" || base.endsWith("IgnoreCase");
  const found = known.values.find((value) =>
    values.some(({ text }) =>
      isPattern
        ? globMatches(text, value)
        : ignoreCase
          ? text.toLowerCase() === value.toLowerCase()
          : text === value,
    ),
  );
  if (found === undefined) return null;
  const shown = found.startsWith("arn:") ? found.slice(found.lastIndexOf("/") + 1) : found;
  return found.startsWith("arn:")
    ? `admits the policy ${quote(shown)}${known.because}`
    : `admits ${quote(shown)}${known.because}`;
}

/** @returns whether every entry of the statement's condition holds for every request. */
export function conditionAlwaysHolds({ conditions }: Statement, dataDate: string): boolean {
  return conditions.every((entry) => dateTest(entry, dataDate) === "always");
}
