import type { Severity } from "../../../spec/severity.ts";
import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import { deniesOf } from "../shared/grants/denies.ts";
import { type Breadth, grantsOf } from "../shared/grants/grants.ts";
import { wholeAccount } from "../shared/grants/whole-account.ts";
import { principalsAreNamed } from "../shared/named-principals.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { count } from "../shared/texts.ts";
import { isTrustAction } from "../trust-policy-validation/actions.ts";

/** What an entry such as `ec2:*` grants in its statement. */
export interface WholeGrant {
  readonly severity: Severity;
  /** What the wildcard contains, by the counts of the reference data. */
  readonly sentence: string;
}

type Context = Pick<CheckContext, "policy" | "services" | "match">;

/** Services this small hold little that the author has not read. */
const fewActions = 5;

/** @returns null where nothing of the service is granted, or where AWS documents the grant. */
export function wholeGrant(
  action: string,
  statement: Statement,
  context: Context,
): WholeGrant | null {
  const grants = grantsOf(statement, context);
  const breadth = grants.breadthOfEntry(action);
  if (breadth === "none") return null;
  const meaning = context.match(action);
  if (meaning.kind !== "pattern") {
    return {
      severity: severityOf(breadth, statement, context, null),
      sentence: `${quote(action)} grants every action of the service, those that AWS adds later included.`,
    };
  }
  if (meaning.service.prefix === "kms" && isDefaultKeyPolicy(statement)) return null;
  const tag = requiredTag(statement, meaning.service);
  const isTrust = context.policy.type === "TRUST_POLICY";
  const granted =
    tag !== null || isTrust || grants.uniformFor(meaning.service) === null
      ? countsOf(
          meaning.actions.filter(
            (one) =>
              grants.breadthOf(one, meaning.service) !== "none" &&
              (tag === null || one.supportsKey(tag)) &&
              (!isTrust || isTrustAction(one.qualified)),
          ),
        )
      : countsOfAll(meaning.service);
  if (granted.all === 0) return null;
  const severity = severityOf(breadth, statement, context, meaning.service);
  const { date } = context.services;
  const isDenied = deniesOf(context.policy, date).concern(meaning.service.prefix);
  const onlyReads = !isTrust && granted.writes === 0 && granted.manages === 0;
  const lowered = tag !== null && severity === "high" ? "medium" : severity;
  return {
    severity: onlyReads ? "low" : lowered,
    sentence: `${sentenceOf(action, granted, meaning.actions.length, date)}, and every action that AWS adds to it later${isDenied ? " and no Deny of the policy takes back" : ""}.`,
  };
}

/**
 * A tag that resources must carry for the statement to apply. Actions whose requests have no tags of resources are not
 * granted then: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html#access_tags_control-resources
 */
function requiredTag(statement: Statement, { prefix }: Service): string | null {
  const entry = limitingEntries(statement).find(
    ({ keyLower, operator, values }) =>
      (keyLower.startsWith("aws:resourcetag/") || keyLower.startsWith(`${prefix}:resourcetag/`)) &&
      operator?.base.type === "String" &&
      values.every(({ text }) => !/^[*?]*$/.test(text)),
  );
  return entry?.keyLower ?? null;
}

/** What a wildcard contains, by the access levels of the reference. */
interface Counts {
  readonly all: number;
  readonly writes: number;
  readonly manages: number;
}

function countsOf(actions: readonly Action[]): Counts {
  let writes = 0;
  let manages = 0;
  for (const { accessLevel } of actions) {
    if (accessLevel === "permissions-management") manages++;
    else if (accessLevel === "write" || accessLevel === "tagging") writes++;
  }
  return { all: actions.length, writes, manages };
}

const countsOfAll = memo((service: Service) => countsOf(service.actions));

function severityOf(
  breadth: Breadth,
  statement: Statement,
  { policy }: Context,
  service: Service | null,
): Severity {
  // A trust policy has few actions, and each of them hands out the role.
  if (policy.type === "TRUST_POLICY") return "high";
  if (service && (service.actions.length <= fewActions || service.actions.every(reads)))
    return "low";
  if (breadth === "self") {
    if (principalsAreNamed(statement, policy)) return "low";
    return limitingEntries(statement).length > 0 ? "medium" : "high";
  }
  return breadth === "everything" && !(service && usedWhole.has(service.prefix))
    ? "high"
    : "medium";
}

/**
 * Services whose people need them whole: no action manages permissions or reads what the account stores.
 * AWS's own policies and pages grant them as a whole.
 * @see https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/billing-example-policies.html
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSSupportAccess.html
 * @see https://docs.aws.amazon.com/awssupport/latest/user/support-app-permissions.html
 * @see https://docs.aws.amazon.com/compute-optimizer/latest/ug/security-iam.html
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-setting-up-messageAPIs.html
 */
const usedWhole: ReadonlySet<string> = new Set([
  "ce",
  "compute-optimizer",
  "ec2messages",
  "freetier",
  "ssm-guiconnect",
  "support",
  "support-console",
  "supportapp",
]);

function reads({ accessLevel }: Action): boolean {
  return accessLevel === "read" || accessLevel === "list";
}

function sentenceOf(
  text: string,
  { all, writes, manages }: Counts,
  total: number,
  date: string,
): string {
  if (total === 1) {
    return `${quote(text)} grants the only action of the service (reference data of ${date})`;
  }
  const kinds = [
    ...(writes > 0 ? [`${writes} that write`] : []),
    ...(manages > 0 ? [`${manages} that manage permissions`] : []),
  ];
  const number =
    all === total ? `all ${count(total, "action")}` : `${all} of ${count(total, "action")}`;
  const among = kinds.length > 0 ? `, among them ${joinWords(kinds)}` : ", which only read";
  return `${quote(text)} grants ${number} of the service${among} (reference data of ${date})`;
}

/**
 * The statement that lets identity policies of the account manage the key; without it no principal can.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
function isDefaultKeyPolicy({ principals }: Statement): boolean {
  return principals.length === 1 && principals.every((one) => wholeAccount(one) !== null);
}
