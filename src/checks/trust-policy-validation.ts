import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Entry, PrincipalEntry, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { globMatches, hasWildcard, isAnyAction } from "../policy/wildcard.ts";
import { quote } from "./shared/quote.ts";
import { listed, snippet } from "./shared/texts.ts";
import {
  exampleBlock,
  missingConditions,
  nameMissing,
} from "./trust-policy-validation/conditions.ts";
import { confusedDeputyReports } from "./trust-policy-validation/confused-deputy.ts";
import { badPolicies, goodPolicies } from "./trust-policy-validation/examples.ts";
import {
  gitHubProvider,
  isBareProvider,
  kindOf,
  type Provider,
  providerOf,
} from "./trust-policy-validation/providers.ts";
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
  docstring: `Looks at every statement with a principal that is not a Deny, whatever the type of the policy.

For each assume-role action that the statement grants, by name or by wildcard:

- the type of the principal must suit the action: \`AWS\` and \`Service\` for \`sts:AssumeRole\`, \`Federated\` for the SAML and web-identity actions;
- a \`Federated\` principal must be a provider of the right kind: the ARN of a SAML or OIDC provider, or one of the four domains that AWS knows by name;
- the audience must be pinned, for web identities the subject too: many providers are shared by strangers, and without a subject any of their users or repositories can assume the role. Where the tenant of a shared provider is in another key, that key is asked for.

Only conditions that limit count: a negated operator, \`Null\`, \`IfExists\` and values that match everything do not.

An Allow for a service principal also needs \`aws:SourceArn\`, \`aws:SourceAccount\`, \`aws:SourceOrgID\` or \`aws:SourceOrgPaths\`, or the service can be made to act for somebody else (the confused deputy). EC2 and Lambda, whose roles are bound to resources of the same account, are exempt.

Account ids and external ids are not judged; \`validation_rules\` can ask for \`sts:ExternalId\`.`,
  risk_explanation:
    "A trust policy is the door of a role. The wrong principal type never works or works for the " +
    "wrong caller, an identity provider that is not pinned lets strangers in, and a service without " +
    "a source can be made to act for somebody else.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-user.html",
  remediation_steps: [
    "Use AWS or Service principals with sts:AssumeRole, and Federated ones with the SAML and web-identity actions",
    "Pin the audience and the subject of the identity provider",
    "For service principals, add aws:SourceArn or aws:SourceAccount, or the keys of the organisation",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options,
  issue_types: {
    invalid_principal_type_for_assume_action: {
      severity: "check",
      when: "The type of the principal does not suit the assume-role action.",
    },
    invalid_provider_format: {
      severity: "check",
      when: "A Federated principal is not a provider of the kind the action needs.",
    },
    missing_required_condition_for_assume_action: {
      severity: "check",
      when: "A condition that the assume-role action needs is missing.",
    },
    confused_deputy_risk: {
      severity: "check",
      when: "An Allow lets a service in without saying on whose behalf.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  *runStatement(statement, context) {
    const { principals, notPrincipals, actions, denies } = statement;
    if (principals.length + notPrincipals.length === 0 || actions.length === 0 || denies) return;
    const rules = context.options.validation_rules ?? defaultRules;
    for (const [name, rule] of Object.entries(rules)) {
      const entry = actions.find(({ text }) => concerns(text, name));
      if (entry) yield* ruleReports(statement, entry, name, rule, context);
    }
    if (statement.allows) yield* confusedDeputyReports(statement, context.policy.type);
  },
});

/** @returns whether an `Action` entry is about the rule; `*` is not: other checks report it. */
function concerns(action: string, rule: string): boolean {
  if (isAnyAction(action)) return false;
  const lower = action.toLowerCase();
  if (lower === "sts:*" || lower === rule.toLowerCase()) return true;
  return (
    action.includes(":") && hasWildcard(action) && globMatches(action, rule, { ignoreCase: true })
  );
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
    if (!acceptedOnes.has(principal)) yield providerReport(principal, action, rule);
  }
  const providers = accepted.flatMap(({ text }) => providerOf(text) ?? []);
  const missing = missingConditions(statement, rule, providers);
  if (missing.length === 0) return;
  const conditioned = statement.has("Condition");
  yield {
    issue_type: "missing_required_condition_for_assume_action",
    node: conditioned ? statement.at("Condition") : entry.node,
    field_name: "condition",
    action,
    message: `${quote(action)} needs ${missing.length > 1 ? "conditions" : "a condition"} on ${nameMissing(missing)}. Without ${missing.length > 1 ? "them" : "it"}, others who use the same provider or service may assume the role.`,
    suggestion:
      "Add the missing keys under an operator such as `StringEquals`, without `IfExists`, with values that only your own callers have.",
    example: snippet({ Condition: exampleBlock(missing) }),
    aws_issue_code: codeFor(statement, providers),
  };
}

function* typeReports(
  { principals }: Statement,
  action: string,
  { allowed_principal_types }: TrustRule,
): Generator<Report> {
  const allowed: readonly string[] = allowed_principal_types;
  if (allowed.length === 0) return;
  const reported = new Set<string>();
  for (const { type, node } of principals) {
    if (allowed.includes(type) || reported.has(type)) continue;
    reported.add(type);
    yield {
      issue_type: "invalid_principal_type_for_assume_action",
      node,
      field_name: "principal",
      action,
      message: `${quote(action)} cannot be used by a principal of type ${quote(type)}; it takes ${listed(allowed)}.`,
      suggestion: `Name a principal of type ${listed(allowed)}, or the action that suits ${quote(type)}.`,
      example: snippet({ Principal: examplePrincipal(allowed[0] ?? "AWS"), Action: action }),
    };
  }
}

function examplePrincipal(type: string): object {
  switch (type) {
    case "Service":
      return { Service: "lambda.amazonaws.com" };
    case "Federated":
      return { Federated: "arn:aws:iam::111122223333:oidc-provider/idp.example.com" };
    case "CanonicalUser":
      return { CanonicalUser: "CANONICAL-USER-ID" };
    default:
      return { AWS: "arn:aws:iam::111122223333:role/example" };
  }
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

function providerReport(
  { text, node }: PrincipalEntry,
  action: string,
  { provider_pattern }: TrustRule,
): Report {
  const kind = kindOf(provider_pattern ?? "");
  const arn = `arn:aws:iam::111122223333:${kind.toLowerCase()}-provider/${kind === "SAML" ? "idp" : "idp.example.com"}`;
  return {
    issue_type: "invalid_provider_format",
    node,
    field_name: "principal",
    action,
    message: `${quote(text)} is not the ARN of ${kind === "SAML" ? "a SAML" : "an OIDC"} provider, which ${quote(action)} needs.`,
    suggestion: `Give the provider as ${quote(arn)}, or use the assume-role action that suits it.`,
    example: snippet({ Principal: { Federated: arn }, Action: action }),
  };
}

/** AWS's own codes are about keys that are not there at all, whatever their operator. */
function codeFor({ conditions }: Statement, providers: readonly Provider[]): string | null {
  const names = providers.flatMap(({ name }) => (name === null ? [] : [name.toLowerCase()]));
  const [name] = names;
  if (names.length !== 1 || name === undefined) return null;
  const keys = conditions.map(({ keyLower }) => keyLower);
  if (name === gitHubProvider && !keys.includes(`${name}:sub`)) {
    return "MISSING_GITHUB_REPO_CONDITION_KEY";
  }
  return keys.some((key) => key.startsWith(name))
    ? null
    : "MISSING_CONDITION_KEY_FOR_OIDC_PRINCIPAL";
}
