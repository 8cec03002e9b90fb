import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Entry, PrincipalEntry, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { globMatches, hasWildcard, isAnyAction } from "../policy/wildcard.ts";
import { quote } from "./shared/quote.ts";
import { listed } from "./shared/texts.ts";
import {
  missingTagSession,
  suitableAction,
  suitedTo,
  unexpectedActions,
} from "./trust-policy-validation/actions.ts";
import { confusedDeputyReports } from "./trust-policy-validation/confused-deputy.ts";
import { badPolicies, goodPolicies } from "./trust-policy-validation/examples.ts";
import { missingExternalId } from "./trust-policy-validation/external-id.ts";
import { meantProvider, providerFix } from "./trust-policy-validation/meant-provider.ts";
import { missingReport } from "./trust-policy-validation/missing.ts";
import { neverCalls } from "./trust-policy-validation/never-calls.ts";
import { isBareProvider, kindOf, providerOf } from "./trust-policy-validation/providers.ts";
import { defaultRules, TrustRule } from "./trust-policy-validation/rule.ts";
import { possibleTexts } from "./trust-policy-validation/template.ts";

const options = z.strictObject({
  validation_rules: z
    .record(z.string().min(1), TrustRule)
    .nullable()
    .default(null)
    .describe("Rules by assume-role action; when given, they replace all built-in ones."),
});
type Context = CheckContext<z.output<typeof options>>;

export const trustPolicyValidation = defineCheck({
  check_id: "trust_policy_validation",
  default_severity: "high",
  description: "Role trust uses the right principals, providers and conditions.",
  docstring: `Reads every statement with a principal that is not a Deny, whatever the type of the policy.

For each assume-role action that the statement grants, by name or by wildcard:

- the type of the principal must suit the action: \`AWS\` and \`Service\` for \`sts:AssumeRole\`, \`Federated\` for the SAML and web-identity actions;
- a \`Federated\` principal must be a provider of the right kind: the ARN of a SAML or OIDC provider, or one of the four domains that AWS knows by name;
- the audience must be fixed, for web identities the subject too: many providers are shared by many customers, and without a subject each of them can assume the role. Where the customer of a shared provider is in another key, that key is required. A missing audience is \`medium\` where the subject tells customers apart: IAM compares the audience with the client ids of the provider. So it is where the subject is an account of Google. A missing subject is \`medium\` where the audience is one application of Google, one identity pool of Cognito, or one client of a provider with a single customer.

Only conditions that limit count: a negated operator, \`Null\`, \`IfExists\` and values that match everything do not.

In a trust policy IAM accepts only the assume-role actions, \`sts:TagSession\`, \`sts:SetSourceIdentity\` and \`sts:SetContext\`. EKS Pod Identity needs \`sts:TagSession\` beside \`sts:AssumeRole\`.

An Allow for a service principal also needs \`aws:SourceArn\`, \`aws:SourceAccount\`, \`aws:SourceOrgID\` or \`aws:SourceOrgPaths\`, or the service can be made to act for someone else (the confused deputy): \`high\` in resource policies, \`medium\` in key policies and for statements that AWS's guides print without a condition, \`low\` in trust policies, since a role can be passed only within its account. An encryption context with an account counts as well, and so does the account in the path of load balancer logs. EC2 and Lambda, whose roles are bound to resources of the same account, are exempt.

A trust policy must ask for \`sts:ExternalId\` where the account is one from which a vendor takes roles of many customers, and where another statement asks the same principal for it. Other account ids are not read; \`validation_rules\` can require \`sts:ExternalId\` of all.`,
  risk_explanation:
    "A trust policy decides who can use a role. With the wrong type of principal no caller can, or the " +
    "wrong one can; a provider whose subject is not fixed lets its other customers in; and a " +
    "service without a source can be made to act for someone else.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-user.html",
  remediation_steps: [
    "Use AWS or Service principals with sts:AssumeRole, and Federated ones with the SAML and web-identity actions",
    "Fix the audience and the subject of the identity provider",
    "For service principals, add aws:SourceArn or aws:SourceAccount, or the keys of the organization",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options,
  issue_types: {
    invalid_principal_type_for_assume_action: {
      severity: "check",
      when: "The type of the principal does not suit the assume-role action.",
    },
    invalid_provider_format: {
      severity: ["error", "high"],
      when: "A Federated principal is not a provider of the kind the action needs.",
    },
    missing_required_condition_for_assume_action: {
      severity: ["high", "medium"],
      when: "A condition that the assume-role action needs is missing: medium where only the audience is, and the subject tells customers apart, or where the audience is one application, identity pool or client.",
    },
    unexpected_trust_action: {
      severity: "error",
      when: "A trust policy has an action that IAM does not accept there.",
    },
    missing_tag_session: {
      severity: "high",
      when: "EKS Pod Identity may assume the role and not tag the session, which it does by default.",
    },
    service_never_calls: {
      severity: "check",
      when: "The policy of a resource lets a service in for a call that another service, or a role, makes.",
    },
    missing_external_id: {
      severity: "check",
      when: "A role trusts an account from which a vendor takes roles of many customers, or a principal that another statement asks for the external id, without one.",
    },
    confused_deputy_risk: {
      severity: ["high", "medium", "low"],
      when: "An Allow lets a service in without saying on whose behalf.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  concerns: ({ principals, notPrincipals }, { policy }) =>
    principals.length > 0 || notPrincipals.length > 0 || policy.type === "TRUST_POLICY",

  *runStatement(statement, context) {
    const { principals, notPrincipals, actions, denies } = statement;
    if (context.policy.type === "TRUST_POLICY") yield* unexpectedActions(statement, context);
    if (principals.length + notPrincipals.length === 0 || actions.length === 0 || denies) return;
    const rules = context.options.validation_rules ?? defaultRules;
    for (const [name, rule] of Object.entries(rules)) {
      const entry = actions.find(({ text }) => concerns(text, name));
      if (!entry) continue;
      for (const report of ruleReports(statement, entry, name, rule, context)) {
        // A claim in the condition would keep out the principals that the statement is for.
        yield isByTheWay(entry, rule, rules, statement) ? { ...report, fix: () => null } : report;
      }
    }
    if (context.policy.type === "TRUST_POLICY") yield* missingTagSession(statement, context.policy);
    if (statement.allows) yield* confusedDeputyReports(statement, context);
    yield* missingExternalId(statement, context);
    yield* neverCalls(statement, context);
  },
});

/** @returns whether an `Action` entry is about the rule; `*` is not: other checks report it. */
function concerns(action: string, rule: string): boolean {
  if (isAnyAction(action) || (hasWildcard(action) && !action.includes(":"))) return false;
  return globMatches(action, rule, { ignoreCase: true });
}

function* ruleReports(
  statement: Statement,
  entry: Entry,
  action: string,
  rule: TrustRule,
  context: Context,
): Generator<Report> {
  yield* typeReports(statement, action, rule);
  const federated = statement.principals.filter(({ type }) => type === "Federated");
  const accepted = federated.filter(({ text }) => isAccepted(text, rule, context));
  const acceptedOnes = new Set(accepted);
  for (const principal of federated) {
    if (acceptedOnes.has(principal)) continue;
    yield {
      ...providerReport(principal, action, rule, context.policy.type === "TRUST_POLICY"),
      ...(context.policy.type === "TRUST_POLICY" && context.severity === "high"
        ? { severity: "error" }
        : {}),
      correction: () => suitableAction(statement, action),
    };
  }
  // No provider can use the action, so no claim of one can be missing.
  if (federated.length > 0 && accepted.length === 0) return;
  const providers = accepted.flatMap(({ text }) => providerOf(text) ?? []);
  const { principals, notPrincipals } = statement;
  const isUsable =
    notPrincipals.length > 0 || principals.some((principal) => suits(principal, rule));
  const missing = missingReport(statement, entry, action, rule, { providers, isUsable });
  // A configured severity is used as it is.
  if (missing)
    yield context.severity === "high" ? missing : { ...missing, severity: context.severity };
}

function* typeReports(
  statement: Statement,
  action: string,
  { allowed_principal_types }: TrustRule,
): Generator<Report> {
  const { principals, actions } = statement;
  const allowed: readonly string[] = allowed_principal_types;
  if (allowed.length === 0) return;
  const reported = new Set<string>();
  const suited = suitedTo(statement);
  const adviceFor = (action: string | null, type: string) => {
    if (action === null) {
      return `Name a principal of type ${listed(allowed)}, or the action that suits ${quote(type)}.`;
    }
    return actions.some(({ text }) => concerns(text, action))
      ? `Name only ${quote(action)}, which suits ${quote(type)}.`
      : `Write ${quote(action)}, or name a principal of type ${listed(allowed)}.`;
  };
  for (const { type, node } of principals) {
    // A type that does not exist is for policy_type_validation.
    if (allowed.includes(type) || reported.has(type) || !principalTypes.has(type)) continue;
    reported.add(type);
    yield {
      issue_type: "invalid_principal_type_for_assume_action",
      node,
      field_name: "principal",
      action,
      message: `${quote(action)} cannot be used by a principal of type ${quote(type)}; it takes ${listed(allowed)}.`,
      suggestion: adviceFor(suited, type),
      correction: () => suitableAction(statement, action),
    };
  }
}

const principalTypes: ReadonlySet<string> = new Set([
  "AWS",
  "Service",
  "Federated",
  "CanonicalUser",
]);

/**
 * Whether a pattern covers an action beside one that the principals use: who writes `sts:*` for a service does not
 * mean the actions of identity providers.
 */
function isByTheWay(
  { text }: Entry,
  rule: TrustRule,
  rules: Readonly<Record<string, TrustRule>>,
  { principals }: Statement,
): boolean {
  const isFor = (other: TrustRule) => principals.some((principal) => suits(principal, other));
  if (!hasWildcard(text) || principals.length === 0 || isFor(rule)) return false;
  return Object.entries(rules).some(([name, other]) => concerns(text, name) && isFor(other));
}

function suits({ type, text }: PrincipalEntry, { allowed_principal_types }: TrustRule): boolean {
  const allowed: readonly string[] = allowed_principal_types;
  return allowed.length === 0 || allowed.includes(type) || text === "*";
}

function isAccepted(principal: string, { provider_pattern }: TrustRule, context: Context): boolean {
  if (provider_pattern == null) return true;
  // Other than action names, an ARN means what it means in these very letters.
  const expression = `(?-i:${provider_pattern})`;
  const matches = (text: string) => context.matches(expression, text, "start");
  if (matches(principal)) return true;
  const kind = kindOf(provider_pattern);
  if (kind === "OIDC" && isBareProvider(principal)) return true;
  if (!context.settings.allow_template_variables) return false;
  const texts = possibleTexts(principal, kind);
  return texts === "anything" || texts.some(matches);
}

/** A provider that STS knows, for the other one of `AssumeRoleWithSAML` and `AssumeRoleWithWebIdentity`. */
function isOfOtherKind(text: string, needed: "SAML" | "OIDC"): boolean {
  if (needed === "SAML" && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text)) return true;
  const kind = /^arn:[^:]+:iam::\d{12}:(saml|oidc)-provider\/./.exec(text)?.[1];
  return kind !== undefined && kind.toUpperCase() !== needed;
}

function providerReport(
  { text, node }: PrincipalEntry,
  action: string,
  { provider_pattern }: TrustRule,
  trust: boolean,
): Report {
  const kind = kindOf(provider_pattern ?? "");
  const arn = `arn:aws:iam::ACCOUNT:${kind.toLowerCase()}-provider/${kind === "SAML" ? "NAME" : "ISSUER"}`;
  const meant = meantProvider(text, kind);
  const code = isOfOtherKind(text, kind)
    ? "MISMATCHED_ACTION_FOR_PRINCIPAL"
    : "INVALID_FEDERATED_PRINCIPAL_SYNTAX_IN_ROLE_TRUST_POLICY";
  return {
    issue_type: "invalid_provider_format",
    node,
    field_name: "principal",
    action,
    message: `${quote(text)} is not the ARN of ${kind === "SAML" ? "a SAML" : "an OIDC"} provider, which ${quote(action)} needs.`,
    suggestion: meant
      ? `Write ${quote(meant.text)}.`
      : `Give the provider as ${quote(arn)}, or use the assume-role action that suits it.`,
    aws_issue_code: trust ? code : null,
    ...(meant ? providerFix(node, meant) : {}),
  };
}
