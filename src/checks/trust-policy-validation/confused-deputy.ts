import type { NeededInput } from "../../../spec/finding.ts";
import type { Severity } from "../../../spec/severity.ts";
import { replaceClosed } from "../../closed-braces.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import { addCondition, addConditions } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { splitArn } from "../../policy/arn.ts";
import type { ConditionEntry, PrincipalEntry, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { lacksForService } from "../condition-effect/absent-keys.ts";
import { readServicePrincipal } from "../policy-type-validation/service-principals.ts";
import { serviceLabelOf } from "../principal-validation/patterns.ts";
import { limitingEntries, readCondition } from "../shared/condition-limits.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { withEdit } from "../shared/fixed-by.ts";
import { accountInput, input } from "../shared/placeholders.ts";
import { quote } from "../shared/quote.ts";
import { isDeniedToOthers } from "./source-denies.ts";
import { documentedWithoutCondition, loadBalancerLogs, sourceArnForms } from "./source-facts.ts";

const sourceKeys = ["aws:SourceArn", "aws:SourceAccount", "aws:SourceOrgID", "aws:SourceOrgPaths"];
/** Roles for these are bound to a resource of the same account. */
const exemptRoles: ReadonlySet<string> = new Set(["ec2", "lambda", "edgelambda"]);

/**
 * What a session may carry. Without an action that assumes the role, in this statement or another, nothing is allowed:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_permissions-required
 */
const sessionActions = ["sts:TagSession", "sts:SetSourceIdentity", "sts:SetContext"];

type Context = Pick<CheckContext, "policy" | "severity" | "services" | "peer">;

/**
 * One report per service principal of an Allow that does not say on whose behalf the service acts.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
export function* confusedDeputyReports(statement: Statement, context: Context): Generator<Report> {
  const {
    policy,
    severity: configured,
    services: { prefixes },
    peer,
  } = context;
  const isReported = peer("policy_type_validation") !== undefined;
  const services = statement.principals.filter(
    ({ type, text }) => type === "Service" && !(isReported && isMisspelt(text, prefixes)),
  );
  if (services.length === 0) yield* testedServices(statement, context);
  if (services.length === 0 || namesSource(statement)) return;
  if (isDeniedToOthers(statement, context)) return;
  // AWS reports the same for resource policies, unless one of the keys is there in whatever way.
  const unnamed = sourceKeys.every((key) => readCondition(statement).of(key).length === 0);
  const code =
    policy.type === "RESOURCE_POLICY" && unnamed ? "RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL" : null;
  const trust = policy.type === "TRUST_POLICY";
  const { actions } = statement;
  if (trust && actions.every(isSessionAction)) return;
  for (const principal of services) {
    const { text, node } = principal;
    const label = serviceLabelOf(text);
    if (text === "*" || (trust && label !== null && exemptRoles.has(label))) continue;
    if (label !== null && loadBalancerLogs.has(label) && namesAccountInPath(statement)) continue;
    // The condition keeps the service out.
    if (limitingEntries(statement).some((entry) => lacksForService(entry.keyLower, [principal]))) {
      continue;
    }
    const severity = severityFor(label, statement, trust);
    yield {
      issue_type: "confused_deputy_risk",
      // A configured severity is used as it is.
      ...(configured === "high" ? { severity } : {}),
      node,
      field_name: "principal",
      message: messageFor(principal, statement, trust),
      aws_issue_code: code,
      ...(isForAlexa(statement)
        ? {
            suggestion: "Add `lambda:EventSourceToken` with the id of the skill.",
            fix: () => namedSkill(statement),
          }
        : {
            suggestion: adviceFor(label),
            correction: () => correctionFor(statement, policy.document.raw),
            fix: () => namedSource(statement, services),
          }),
    };
  }
}

/**
 * A resource for everyone whose condition names a service in place of a principal: the service may act for anybody.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalservicename
 */
function* testedServices(statement: Statement, context: Context): Generator<Report> {
  const { policy, severity: configured } = context;
  if (policy.type !== "RESOURCE_POLICY" || namesSource(statement)) return;
  if (!statement.principals.some(({ text }) => text === "*")) return;
  if (isDeniedToOthers(statement, context)) return;
  for (const entry of limitingEntries(statement)) {
    const [value] = entry.values;
    if (!value || !/^aws:principalservicename(?:slist)?$/.test(entry.keyLower)) continue;
    const label = serviceLabelOf(value.text);
    yield {
      issue_type: "confused_deputy_risk",
      ...(configured === "high" ? { severity: severityFor(label, statement, false) } : {}),
      node: value.node,
      field_name: "condition",
      condition_key: entry.key,
      message: `${quote(value.text)} may use this resource on behalf of any resource of any AWS account: ${quote(entry.key)} names the service and not the source.`,
      suggestion: adviceFor(label),
      correction: () => correctionFor(statement, policy.document.raw),
    };
    return;
  }
}

/** A name that AWS refuses is for policy_type_validation: no such service may do anything. */
function isMisspelt(text: string, prefixes: readonly string[]): boolean {
  const { kind } = readServicePrincipal(text, prefixes);
  return text !== "*" && (kind === "malformed" || kind === "misspelt");
}

function isSessionAction({ text }: { readonly text: string }): boolean {
  const covers = (action: string) => globMatches(text, action, { ignoreCase: true });
  return sessionActions.some(covers) && !covers("sts:AssumeRole");
}

function severityFor(label: string | null, statement: Statement, trust: boolean): Severity {
  // iam:PassRole passes a role only to a service in the account of the role.
  if (trust) return "low";
  const actions = statement.actions.map(({ text }) => text.toLowerCase());
  // AWS's guides print key policies without a source condition, such as
  // https://docs.aws.amazon.com/awscloudtrail/latest/userguide/create-kms-key-policy-for-cloudtrail.html
  if (actions.every((action) => action.startsWith("kms:"))) return "medium";
  const documented = documentedWithoutCondition.some(
    (one) =>
      label !== null &&
      one.services.includes(label) &&
      actions.every((action) => one.actions.includes(action)),
  );
  return documented ? "medium" : "high";
}

/** Whether a limiting entry fixes the account or organization that the service acts for. */
function namesSource(statement: Statement): boolean {
  const entries = limitingEntries(statement);
  const has = (key: string) => entries.some(({ keyLower }) => keyLower === key);
  if (has("aws:sourceaccount") || has("aws:sourceorgid") || has("aws:sourceorgpaths")) return true;
  return entries.some(
    (entry) =>
      (entry.keyLower === "aws:sourcearn" && !entry.values.some(isBucket)) ||
      (entry.keyLower.startsWith("kms:encryptioncontext:") && entry.values.every(holdsAccount)) ||
      (entry.keyLower === "lambda:eventsourcetoken" && isForAlexa(statement)),
  );
}

/** Alexa sends the id of the skill, and no account: https://docs.aws.amazon.com/lambda/latest/dg/services-alexa.html */
function isForAlexa({ principals }: Statement): boolean {
  return principals.every(({ text }) => text.startsWith("alexa-"));
}

const skillId = input("skill-id", "Id of the Alexa skill, `amzn1.ask.skill.…`");

const namedSkill = (statement: Statement): FixProposal | null =>
  withEdit(
    addCondition(statement, "StringEquals", "lambda:EventSourceToken", skillId.placeholder),
    {
      title: "Name the skill that Alexa calls for",
      effect: "narrows",
      needs_input: [skillId],
      argument: "A further test in an Allow lets no further request in.",
    },
  );

type Value = ConditionEntry["values"][number];

/** The ARN of a bucket has no account; someone else can own a bucket of that name later. */
function isBucket({ text }: Value): boolean {
  const arn = splitArn(text);
  return arn?.service === "s3" && arn.account === "";
}

/** The text with an account in the place of each variable, which may be one. */
function withAccounts(text: string): string {
  return replaceClosed(text, /\$\{[^}]*\}/g, "0".repeat(12));
}

function holdsAccount({ text }: Value): boolean {
  return /(?:^|:)[0-9]{12}(?::|$)/.test(withAccounts(text));
}

function namesAccountInPath({ resources }: Statement): boolean {
  return (
    resources.length > 0 &&
    resources.every(({ text }) => /\/AWSLogs\/[0-9]{12}\//.test(withAccounts(text)))
  );
}

/** `arn:aws:s3:*:*:name`, as guides of AWS write it, and `arn:aws:s3:::name`. */
function namesBucket({ text }: Value): boolean {
  const arn = splitArn(text);
  return arn?.service === "s3" && /^\*?$/.test(arn.account) && /^[^*?/:]+$/.test(arn.resource);
}

function messageFor({ text }: PrincipalEntry, statement: Statement, trust: boolean): string {
  const bucket = readCondition(statement)
    .of("aws:SourceArn")
    .find(({ limiting, entry: { operator, values } }) => {
      if (limiting) return true;
      return values.length > 0 && operator?.base.negated === false && values.every(namesBucket);
    })?.entry;
  const what = trust ? "assume this role" : "use this resource";
  if (bucket) {
    return `${quote(text)} may ${what} for the bucket in ${quote(bucket.key)}, in any account: the ARN of a bucket has no account, and someone else can own the name later.`;
  }
  const who = trust
    ? "for any resource of this account that has the role"
    : "on behalf of any resource of any AWS account";
  const [open] = sourceKeys.flatMap((key) => readCondition(statement).of(key));
  const why = open
    ? `the test of ${quote(open.entry.key)} under ${quote(open.entry.operatorText)} does not limit the source`
    : "no condition names the source";
  return `${quote(text)} may ${what} ${who}: ${why}.`;
}

function adviceFor(label: string | null): string {
  const known = label === null ? undefined : sourceArnForms.get(label);
  const account = "`aws:SourceAccount` with your account id";
  if (!known)
    return `Add ${account}, or \`aws:SourceArn\` with the ARN of the resource it acts for.`;
  return known.form.startsWith("arn:aws:s3:::")
    ? `Add ${account}, and \`aws:SourceArn\` with the bucket (\`${known.form}\`).`
    : `Add \`aws:SourceArn\` in the form \`${known.form}\`, or ${account}.`;
}

/** The account of the source, and its ARN where all services of the statement send one form. */
function namedSource(
  statement: Statement,
  services: readonly PrincipalEntry[],
): FixProposal | null {
  if (services.length < statement.principals.length) return null;
  const taken = readCondition(statement);
  if (taken.of("aws:SourceAccount").length > 0) return null;
  const account = onlyAccount(statement) ?? accountInput.placeholder;
  const forms = new Set(services.map(({ text }) => sourceFormOf(serviceLabelOf(text))));
  const [form] = forms;
  const isOpen = taken.of("aws:SourceArn").length === 0 && forms.size === 1 && form !== undefined;
  const source = isOpen && form ? openForm(form, account) : null;
  const inputs = [
    ...(account === accountInput.placeholder ? [accountInput] : []),
    ...(source?.inputs ?? []),
  ];
  const block = {
    StringEquals: { "aws:SourceAccount": account },
    ...(source ? { ArnLike: { "aws:SourceArn": source.arn } } : {}),
  };
  return withEdit(addConditions(statement, block), {
    title: "Name the account, and the resource, that the service acts for",
    effect: "narrows",
    needs_input: inputs,
    argument: "Further tests in an Allow let no further request in.",
  });
}

function sourceFormOf(label: string | null): string | undefined {
  return label === null ? undefined : sourceArnForms.get(label)?.form;
}

/** `arn:aws:sns:REGION:ACCOUNT:TOPIC` with placeholders. */
function openForm(form: string, account: string) {
  const inputs: NeededInput[] = [];
  const arn = form.replace(/(?<=[:/])[A-Z]+(?=[:/]|$)/g, (word) => {
    if (word === "ACCOUNT") return account;
    const one = input(word === "REGION" ? "region" : `source-${word.toLowerCase()}`);
    inputs.push(one);
    return one.placeholder;
  });
  return { arn, inputs };
}

/** The one account that the resources of the statement are in. */
function onlyAccount({ resources }: Statement): string | null {
  const accounts = new Set(
    resources.flatMap(({ text }) => {
      const account = splitArn(text)?.account ?? "";
      return /^[0-9]{12}$/.test(account) ? [account] : [];
    }),
  );
  const [account] = accounts;
  return accounts.size === 1 && account !== undefined ? account : null;
}

/** The statement with the account that the policy names, or a variable for it. */
function correctionFor(statement: Statement, document: unknown) {
  const current = (document as { Version?: unknown }).Version === "2012-10-17";
  const value = onlyAccount(statement) ?? (current ? `\${${"aws:ResourceAccount"}}` : null);
  if (value === null || readCondition(statement).of("aws:SourceAccount").length > 0) return null;
  return statementWithCondition(statement, { StringEquals: { "aws:SourceAccount": value } });
}
