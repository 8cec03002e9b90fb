import { askPublic } from "../access/public.ts";
import { accessTypeOf } from "../access/types.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { memo } from "../memo.ts";
import type { PrincipalEntry, Statement } from "../policy/model.ts";
import { letsInCallers, typesChecked } from "../policy/type-facts.ts";
import { carveOutReports } from "./principal-validation/carve-out.ts";
import { badPolicies, goodPolicies } from "./principal-validation/examples.ts";
import { publicAccess } from "./principal-validation/facts.ts";
import { lockOutReports, lostKeyReports } from "./principal-validation/lock-out.ts";
import { type PrincipalOptions, principalOptions } from "./principal-validation/options.ts";
import { principalMatcher, serviceMatcher } from "./principal-validation/patterns.ts";
import type { PrincipalRequirement } from "./principal-validation/requirement.ts";
import { requirementReports } from "./principal-validation/requirements.ts";
import { accessDocument } from "./shared/access/reports.ts";
import { quote } from "./shared/quote.ts";

export const principalValidation = defineCheck({
  check_id: "principal_validation",
  default_severity: "high",
  description: "Principals are not broader than allowed, and broad ones are limited by conditions.",
  docstring: `Reads whom a statement lets in.

- A statement for everyone (\`*\`, or an Allow with \`NotPrincipal\`) needs a condition on the source, the network, or the caller's account or organization. Tags and user names of the caller do not count: anyone can have them. A Deny of the policy that takes it back from all but trusted callers counts. A condition that lets plain HTTP in is reported for any principal.
- \`{"Service": "*"}\` is critical: every AWS service, on behalf of anyone.
- \`blocked_principals\` are never allowed; \`allowed_principals\`, when given, are the only ones allowed beside AWS services. An account id and the root ARN of that account are the same principal.
- A Deny is read for exemptions that exempt everyone (\`NotPrincipal\` with \`*\`, \`ArnNotLike\` \`aws:PrincipalArn\` \`*\`) or, under operators that compare plain text, no one.
- A Deny for everyone, without a condition, that covers writing the policy of the resource locks out its administrators.
- The policy of a KMS key in a template allows someone \`kms:PutKeyPolicy\`, without which KMS refuses it.

\`principal_condition_requirements\` says which conditions which principals need. RCPs are left to other checks.`,
  risk_explanation:
    "A principal of * opens the resource to everyone, in any account; conditions are then all that " +
    "stands between it and the public.",
  risk_category: "resource_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html",
  remediation_steps: [
    "Name the accounts, roles or services that need access",
    "Where * is needed, limit it by organization, account, source resource or network",
    "Make sure that a Deny with exemptions still applies to someone",
  ],
  applies_to_policy_types: typesChecked("principals"),
  options: principalOptions,
  issue_types: {
    service_principal_wildcard: {
      severity: "critical",
      when: 'A statement names the principal `{"Service": "*"}`.',
    },
    blocked_principal: { severity: "check", when: "A principal is on the block list." },
    unauthorized_principal: {
      severity: "check",
      when: "There is an allow list and the principal is not on it.",
    },
    missing_principal_condition: {
      severity: "check",
      when: "A condition that the principal needs is missing; the requirement's severity wins.",
    },
    missing_principal_condition_any_of: {
      severity: "check",
      when: "None of several conditions is there; the requirement's severity wins.",
    },
    forbidden_principal_condition: {
      severity: "check",
      when: "A condition is there that may not be; the requirement's severity wins.",
    },
    ineffective_deny_carve_out: {
      severity: "check",
      when: "A Deny exempts every caller that has the key.",
    },
    literal_wildcard_deny_carve_out: {
      severity: "check",
      when: "A Deny has an exemption with `*` under an operator that compares plain text, so no one is exempt.",
    },
    policy_lock_out: {
      severity: "check",
      when: "A Deny for everyone without a condition covers writing the policy of the resource, or the policy of a KMS key in a template lets no principal write it.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  // Where `no_public_access` runs, its answer to the same question is used.
  *ask({ policy, services, peer }) {
    const { statements, type } = policy;
    if (!letsInCallers(type)) return;
    if (peer("no_public_access")) return;
    if (!policy.network && !statements.some(({ denies }) => denies)) return;
    if (!statements.some((one) => one.allows && principalsOf(one).some(isEveryone))) return;
    const { network = null } = policy;
    const limits = { maxSteps: 50_000, maxStatements: 200 };
    const search = { services, ...limits, extraTrustedKeys: [], network };
    const asking = askPublic(accessDocument(policy), accessTypeOf(type), search);
    yield { id: null, asking, isInternal: true };
  },

  runPolicy: lostKeyReports,

  concerns: ({ principals, notPrincipals }) => principals.length > 0 || notPrincipals.length > 0,

  *runStatement(statement, context) {
    const { notPrincipals, denies } = statement;
    if (denies && notPrincipals.length === 0) {
      yield* carveOutReports(statement);
      yield* lockOutReports(statement, context.policy, context.services.date);
      return;
    }
    const exempt = denies && notPrincipals.find(({ text }) => text === "*");
    if (exempt) {
      yield {
        issue_type: "ineffective_deny_carve_out",
        node: exempt.node,
        field_name: "principal",
        message: "`NotPrincipal` with `*` exempts everyone, so this Deny applies to no one.",
        suggestion:
          "Deny to `Principal` `*` and exempt callers by a condition such as `ArnNotLike` on `aws:PrincipalArn`.",
      };
      return;
    }
    yield* grantReports(statement, context);
  },
});

function* grantReports(
  statement: Statement,
  { options, decisions }: CheckContext<PrincipalOptions>,
): Generator<Report> {
  const anyService = statement.principals.find(isAnyService);
  const reportsService =
    anyService && !statement.denies && options.block_service_principal_wildcard;
  if (reportsService) {
    yield {
      issue_type: "service_principal_wildcard",
      severity: "critical",
      node: anyService.node,
      field_name: "principal",
      message:
        'The principal `{"Service": "*"}` lets in every AWS service, on behalf of any AWS account.',
      suggestion: "Name the service, such as `s3.amazonaws.com`, and its source account.",
    };
  }
  const matchers = matchersOf(options);
  const unblocked: PrincipalEntry[] = [];
  for (const principal of principalsOf(statement)) {
    // Its own finding says it all; without that, it is a principal like any other.
    if (reportsService && isAnyService(principal)) {
      unblocked.push(principal);
    } else if (matchers.blocked(principal.text)) {
      yield {
        issue_type: "blocked_principal",
        node: principal.node,
        field_name: "principal",
        message: `The principal ${quote(principal.text)} is blocked by the configuration of this server.`,
        suggestion: "Remove it, or name a principal that is allowed.",
      };
    } else {
      unblocked.push(principal);
      if (matchers.allowed(principal.text)) continue;
      yield {
        issue_type: "unauthorized_principal",
        node: principal.node,
        field_name: "principal",
        message: `The principal ${quote(principal.text)} is not among those that the configuration of this server allows.`,
        suggestion: "Remove it, or have it added to `allowed_principals`.",
      };
    }
  }
  if (reportsService || statement.denies) return;
  const { index } = statement;
  const own = decisions("principal_validation");
  const isDecided =
    decisions("no_public_access").decided.has(index) ||
    (own.decided.has(index) && !own.violated.has(index));
  const requirements = options.principal_condition_requirements.filter(
    (requirement) => !(isDecided && isPublicAccess(requirement)),
  );
  yield* requirementReports(statement, unblocked, requirements);
}

/** The parts of a requirement in one order, whatever order the config has them in. */
function textOf({ principals, severity, required_conditions, ...rest }: PrincipalRequirement) {
  return JSON.stringify([principals, severity, required_conditions, rest]);
}

const publicAccessText = textOf(publicAccess);

/** Whether a requirement is the default one about everyone, and not one that the config wrote. */
const isPublicAccess = memo(
  (requirement: PrincipalRequirement) => textOf(requirement) === publicAccessText,
);

function isEveryone({ type, text }: PrincipalEntry): boolean {
  return type === "AWS" && text === "*";
}

function isAnyService({ type, text }: PrincipalEntry): boolean {
  return type === "Service" && text === "*";
}

/** The principals that the statement concerns, each once. An Allow with `NotPrincipal` lets in all but the listed. */
function principalsOf(statement: Statement): PrincipalEntry[] {
  const { principals, notPrincipals, denies } = statement;
  const inverted = denies
    ? notPrincipals
    : notPrincipals.length > 0
      ? [{ type: "AWS", text: "*", node: statement.at("NotPrincipal") }]
      : [];
  const once = new Map<string, PrincipalEntry>();
  for (const principal of [...principals, ...inverted]) {
    const key = isAnyService(principal) ? "Service *" : principal.text;
    if (!once.has(key)) once.set(key, principal);
  }
  return [...once.values()];
}

interface Matchers {
  blocked(principal: string): boolean;
  allowed(principal: string): boolean;
}

const compiled = new WeakMap<PrincipalOptions, Matchers>();

function matchersOf(options: PrincipalOptions): Matchers {
  let matchers = compiled.get(options);
  if (!matchers) {
    const { blocked_principals, block_wildcard_principal, allowed_principals } = options;
    const blocked = principalMatcher(
      block_wildcard_principal ? [...blocked_principals, "*"] : blocked_principals,
    );
    const listed = principalMatcher(allowed_principals);
    const service = serviceMatcher(options.allowed_service_principals);
    matchers = {
      blocked,
      allowed: (principal) =>
        allowed_principals.length === 0 || listed(principal) || service(principal),
    };
    compiled.set(options, matchers);
  }
  return matchers;
}
