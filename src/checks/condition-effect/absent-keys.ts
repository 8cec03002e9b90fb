import type { Policy, PrincipalEntry, Statement } from "../../policy/model.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";
import { isSourceKey } from "./key-facts.ts";

/**
 * Keys of users and roles, which requests that a service makes for itself lack, and the unsigned requests for federation:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html, "Availability" of each key
 */
const ofCallers =
  /^aws:(?:principalorgid|principalorgpaths|multifactorauthpresent|multifactorauthage|username|principaltag\/(?!x509).+)$/;

/** IAM Roles Anywhere makes tags of the certificate: https://docs.aws.amazon.com/rolesanywhere/latest/userguide/trust-model.html */
const isWithoutTags = ({ text }: PrincipalEntry) => !text.startsWith("rolesanywhere.");

/** Anonymous requests have no ARN of a caller, and `anonymous` for its account (the page above). */
function isOfSigner(keyLower: string): boolean {
  return ofCallers.test(keyLower) || /^aws:principal(?:account|arn)$/.test(keyLower);
}

/** Where users and roles call from. Services call from addresses and networks of AWS. */
const ofPlaces = /^aws:(?:sourceip|vpcsourceip|sourcevpc|sourcevpce)$/;

/**
 * Services that assume roles for their own resources, with nothing that a customer hands them; some others, such as
 * Data Firehose, send an external id.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
const withoutExternalId: ReadonlySet<string> = new Set(
  ["ec2", "lambda", "edgelambda", "ecs-tasks", "ecs", "codebuild", "states", "cloudformation"].map(
    (label) => `${label}.amazonaws.com`,
  ),
);

/** @returns whether the principals are services, and requests that they make for themselves lack the key. */
export function lacksForService(keyLower: string, principals: readonly PrincipalEntry[]): boolean {
  // A principal that cannot be read is reported elsewhere.
  if (principals.length === 0) return false;
  if (!principals.every(({ type }) => type === "Service")) return false;
  if (keyLower === "sts:externalid") {
    return principals.every(({ text }) => withoutExternalId.has(text));
  }
  if (keyLower.startsWith("aws:principaltag/")) return principals.every(isWithoutTags);
  return ofCallers.test(keyLower) || ofPlaces.test(keyLower);
}

/**
 * The guide of CloudTrail has these keys in the permissions of the role with which it copies a trail to an event data store:
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-copy-trail-to-lake.html
 */
function isCopyOfTrail({ conditions }: Statement): boolean {
  return conditions.some(
    ({ keyLower, values }) =>
      keyLower === "aws:sourcearn" &&
      values.some(({ text }) => /^arn:[^:]*:cloudtrail:/.test(text)),
  );
}

/** An Allow that requires a key which requests of its principals never have. */
export function absentKey(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  const { allows, principals, notPrincipals } = statement;
  const { operator, key, keyLower, values } = entry;
  if (!allows || notPrincipals.length > 0 || values.length === 0) return null;
  if (operator.base.type === null || operator.base.negated || passesWithoutKey(entry)) return null;
  if (type === "IDENTITY_POLICY" && isSourceKey(keyLower)) {
    if (isCopyOfTrail(statement)) return null;
    return {
      kind: "never",
      entry,
      reason: `Only requests of service principals have ${quote(key)}, and an identity policy belongs to a user, group or role.`,
      suggestion:
        "Put the test into the policy of the resource, or into the trust policy of the role that the service assumes.",
    };
  }
  if (principals.length === 0) return null;
  if (lacksForService(keyLower, principals)) {
    return {
      kind: "never",
      entry,
      reason:
        keyLower === "aws:sourceip"
          ? `Requests that a service makes for itself come from addresses of AWS, so no test of ${quote(key)} for others holds.`
          : `Requests that a service makes for itself never have ${quote(key)}.`,
      suggestion:
        type === "TRUST_POLICY"
          ? "Remove the entry: the service takes the role only for resources of the role's own account. Where the service sends `aws:SourceArn`, test that."
          : "Test for whom the service calls: `aws:SourceArn`, `aws:SourceAccount` or `aws:SourceOrgID`.",
      code:
        type === "RESOURCE_POLICY" && keyLower.startsWith("aws:principalorg")
          ? "UNSUPPORTED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL"
          : null,
    };
  }
  const lacking = principals.filter((one) => lacksForService(keyLower, [one]));
  if (lacking.length > 0) {
    const names = quoteList(
      lacking.map(({ text }) => text),
      3,
    );
    return {
      kind: "never",
      entry,
      severity: "medium",
      reason: `Requests that a service makes for itself never meet a test of ${quote(key)}.`,
      consequence: `This Allow grants nothing to ${names}.`,
      suggestion: `Put ${names} into a separate statement without this test.`,
    };
  } else if (isOfSigner(keyLower) && principals.every((one) => one.type === "Federated")) {
    return {
      kind: "never",
      entry,
      reason: `No user or role signs the calls that bring a token or an assertion of an identity provider, so ${
        keyLower === "aws:principalaccount"
          ? `${quote(key)} has no account in them`
          : `they never have ${quote(key)}`
      }.`,
      suggestion: keyLower.startsWith("aws:multifactor")
        ? "Remove the entry, and ask for MFA at the identity provider."
        : "Test claims of the identity provider, such as its subject.",
    };
  } else if (needsUsername(entry) && principals.every(isRole)) {
    return {
      kind: "never",
      entry,
      reason: `Only IAM users have ${quote(keyLower === "aws:username" ? key : "${aws:username}")}, and the principals of the statement are roles.`,
      suggestion:
        keyLower === "aws:username"
          ? "Name the role session with `sts:RoleSessionName` or `aws:userid`, or test a tag of the caller."
          : "Compare with a fixed value, or with a tag of the caller, such as `${aws:PrincipalTag/owner}`.",
    };
  } else if (isSourceKey(keyLower) && principals.every(isUserRoleOrAccount)) {
    if (isSentForAccounts(entry, statement)) return null;
    return {
      kind: "never",
      entry,
      reason: `Only requests of service principals have ${quote(key)}, and the principals of the statement are accounts, users or roles.`,
      suggestion:
        "Name the service as the principal. For callers of an account, test `aws:PrincipalAccount` or `aws:PrincipalArn`.",
    };
  }
  return null;
}

/**
 * The address of a request is public where it comes over the internet; requests through a VPC endpoint have none.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-sourceip
 */
export function addressAtEndpoint(
  entry: ReadableEntry,
  { denies }: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (type !== "ENDPOINT_POLICY" || keyLower !== "aws:sourceip") return null;
  if (operator.base.type !== "IPAddress" || values.length === 0) return null;
  const holds = operator.base.negated || passesWithoutKey(entry);
  return {
    kind: holds ? "always" : "never",
    entry,
    reason: `Requests through a VPC endpoint have no ${quote(key)}${holds ? `, so ${quote(operatorText)} holds for all of them` : ""}.`,
    suggestion: "Test `aws:VpcSourceIp`, the address inside the VPC.",
    ...(holds && denies ? { consequence: "The addresses exempt no caller from this Deny." } : {}),
  };
}

/** A variable without a value and without a default makes the test fail: the page of policy variables of the IAM guide. */
function needsUsername({ keyLower, values }: ReadableEntry): boolean {
  if (keyLower === "aws:username") return true;
  return values.every(({ text }) => /\$\{\s*aws:username\s*\}/i.test(text));
}

function isRole({ type, text }: PrincipalEntry): boolean {
  return (
    type === "AWS" && /^arn:[^:]*:(?:iam::\d{12}:role\/|sts::\d{12}:assumed-role\/)/.test(text)
  );
}

/**
 * Services that call as the account that owns the source, and send its ARN: a rule that forwards events to a bus of another
 * account, and Comprehend where it copies a model.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-example-policy-cross-account-custom-bus-source.html
 * https://docs.aws.amazon.com/comprehend/latest/dg/custom-copy-sharing.html
 */
const sentForAccounts = [
  { source: "events", actions: /^events:PutEvents$/i },
  { source: "comprehend", actions: /^kms:(?:Decrypt|GenerateDataKey\*?)$/i },
];

function isSentForAccounts({ keyLower, values }: ReadableEntry, { actions }: Statement): boolean {
  return (
    keyLower === "aws:sourcearn" &&
    sentForAccounts.some(
      (one) =>
        actions.length > 0 &&
        actions.every(({ text }) => one.actions.test(text)) &&
        values.every(({ text }) => text.split(":")[2] === one.source),
    )
  );
}

function isUserRoleOrAccount({ type, text }: PrincipalEntry): boolean {
  return type === "AWS" && /^(?:\d{12}$|arn:[^:]*:iam::\d{12}:)/.test(text);
}
