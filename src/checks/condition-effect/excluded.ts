import { upToLastBrace } from "../../closed-braces.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";

/** What an Allow lets in when it excludes the values of a key in place of requiring one. */
interface Exclusion {
  /** Lower-case keys. */
  readonly keys: RegExp;
  /** Keys of which a positive test beside it makes the exclusion an exception to a limit. */
  readonly limits: RegExp;
  /** Ends the sentence "so this Allow holds for". */
  readonly admits: string;
  readonly appliesTo?: (statement: Statement, policy: Policy) => boolean;
  /** Values with which authors exclude on purpose. */
  readonly meant?: RegExp;
}

const network = /^aws:(?:sourcevpc|sourcevpce|sourcevpcarn|vpcsourceip|sourceip|vpce\w+)$/;
const caller =
  /^aws:principal(?:account|orgid|orgpaths|orgmasteraccountid|arn|tag\/.*)$|^kms:calleraccount$/;
const owner = /^aws:source(?:account|arn|orgid|orgpaths)$/;

/** Keys by which an Allow says whom or what it is about. An exclusion lets in everyone else. */
const exclusions: readonly Exclusion[] = [
  {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
    // https://docs.aws.amazon.com/awscloudtrail/latest/userguide/security_iam_resource-based-policy-examples.html
    keys: /^(?:sts|cloudtrail):externalid$/,
    limits: /^(?:sts|cloudtrail):externalid$/,
    admits: "callers that send no external id, or any other one",
  },
  {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html
    keys: /^saml:aud$|^[a-z0-9.-]+\.[a-z]+(?:\/.*)?:aud$/,
    limits: /:aud$/,
    admits: "tokens that were issued for any other audience",
    appliesTo: (_, { type }) => type === "TRUST_POLICY",
  },
  {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
    keys: owner,
    limits: owner,
    admits: "requests on behalf of everyone else's resources",
  },
  {
    keys: /^aws:principal(?:account|orgid|orgpaths)$|^kms:calleraccount$/,
    limits: caller,
    admits: "callers of every other account or organization",
    appliesTo: (_, { type }) => type !== "IDENTITY_POLICY",
  },
  {
    keys: /^aws:principalarn$/,
    limits: /./,
    admits: "every other caller that the principal covers",
    appliesTo: (statement, { type }) => type === "TRUST_POLICY" && coversAccounts(statement),
  },
  {
    keys: /^aws:resource(?:account|orgid|orgpaths)$/,
    limits: /^aws:resource(?:account|org\w+)$/,
    admits: "resources of every other account or organization",
    // AWS's own policies write it so for access across accounts: AmazonDataZoneProjectRolePermissionsBoundary,
    // SageMakerStudioUserIAMDefaultExecutionPolicy.
    meant: /^\$\{aws:principalaccount[,}]/i,
  },
  {
    keys: /^aws:sourcevpce?$/,
    limits: network,
    admits: "requests from every other network, the internet included",
  },
  {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
    keys: /^iam:passedtoservice$/,
    limits: /^iam:(?:passedtoservice|associatedresourcearn)$/,
    admits: "passing the role to every other service",
  },
  {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
    keys: /^iam:permissionsboundary$/,
    limits: /^iam:permissionsboundary$/,
    admits: "users and roles with another boundary, or with none",
  },
];

/** A value that each caller brings along: the author compares with the caller's own. */
const ownValue =
  /^(?:aws:(?:username|userid|principaltag\/.+|principalaccount|principalorgid)|.+:sub)(?:,|$)/is;

function holdsOwnValue(text: string): boolean {
  return upToLastBrace(text)
    .matchAll(/\$\{([^}]*)\}/g)
    .some(([, variable = ""]) => ownValue.test(variable));
}

/**
 * A negated operator in an Allow, on a key by which policies say whom or what they are about, without a test that
 * requires a value beside it: the Allow holds for everyone but those the author names.
 */
export function excludingEffect(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  const { operator, key, operatorText, values } = entry;
  if (!statement.allows || !operator.base.negated || values.length === 0) return null;
  const admits = admittedBy(entry, statement, policy);
  if (admits === null) return null;
  const wanted = operatorLike(entry, operator.base.name.replace("Not", ""), false);
  const named = quoteList(values.slice(0, 3).map(({ text }) => text));
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} holds where the value is not ${named}, so this Allow holds for ${admits}.`,
    suggestion: `Write ${quote(wanted)} to require the value. To make an exception, require a value as well, or put the exception into a Deny.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Require the values in place of excluding them",
      effect: "changes",
    }),
  };
}

function admittedBy(entry: ReadableEntry, statement: Statement, policy: Policy): string | null {
  const { keyLower, values } = entry;
  const exclusion = exclusions.find(
    ({ keys, appliesTo }) => keys.test(keyLower) && (appliesTo?.(statement, policy) ?? true),
  );
  if (exclusion) {
    const { meant } = exclusion;
    if (meant && values.every(({ text }) => meant.test(text))) return null;
    return statement.conditions.some((one) => requires(one, exclusion.limits))
      ? null
      : exclusion.admits;
  }
  if (!values.every(({ text }) => holdsOwnValue(text)) || caller.test(keyLower)) return null;
  const isBound = statement.conditions.some(
    (one) => requires(one, /./) && one.values.some(({ text }) => holdsOwnValue(text)),
  );
  return isBound ? null : "everything but what belongs to the caller";
}

/** The entry asks for one of its values, and such a key. */
function requires(entry: Statement["conditions"][number], keys: RegExp): boolean {
  if (!isReadable(entry) || !keys.test(entry.keyLower)) return false;
  const { base, ifExists, setPrefix } = entry.operator;
  return base.type !== null && !base.negated && !ifExists && setPrefix !== "ForAllValues";
}

/** A principal that covers all users and roles of an account, or of every account. */
function coversAccounts({ principals }: Statement): boolean {
  return principals.some(
    ({ type, text }) => type === "AWS" && /^(?:\*|\d{12}|arn:[^:]*:iam::\d{12}:root)$/.test(text),
  );
}
