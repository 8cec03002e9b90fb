import { z } from "zod";
import type { Severity } from "../../spec/severity.ts";
import { sharedProvider } from "../access/shared-providers.ts";
import { defineCheck, type Report } from "../engine/check.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../policy/model.ts";
import { gitHubIssuer } from "../policy/oidc-providers.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { globMatches } from "../policy/wildcard.ts";
import { badPolicies, goodPolicies } from "./federated-subject/examples.ts";
import { narrowedSubject } from "./federated-subject/fix.ts";
import {
  type FederatedProvider,
  federatedProvider,
  type Width,
  widthOf,
} from "./federated-subject/providers.ts";
import { patternOf } from "./federated-subject/reach.ts";
import { adviceFor, type Fixed, messageFor } from "./federated-subject/texts.ts";
import { limitingEntries } from "./shared/condition-limits.ts";
import { providerOf } from "./trust-policy-validation/providers.ts";

const webIdentity = "sts:AssumeRoleWithWebIdentity";

export const federatedSubject = defineCheck({
  check_id: "federated_subject",
  default_severity: "high",
  description: "The subject of an OIDC provider fixes who may assume the role.",
  docstring: `Reads the subjects that a role trust policy accepts from an OIDC provider (\`<provider>:sub\`), and the audience where
the provider's customers are told apart by it.

| Subject | Severity |
| --- | --- |
| shared provider such as GitHub or HCP Terraform, customer not fixed: \`repo:*\`, \`repo:org*\`, \`organization:*\` | high |
| GitHub, first claim does not fix the owner (\`environment:prod\`): any repository can send it | high |
| EKS, every pod of the cluster: \`system:serviceaccount:*\` | high |
| customer fixed, project open: \`repo:org/*\`, \`project_path:group/*\` | medium |
| project fixed, the rest open: \`repo:org/name:*\`, \`repo:org/name:pull_request\` | low |
| exact, or open only after branch, tag or environment | not reported |

A subject that is missing or matches everything is reported by \`trust_policy_validation\`.`,
  risk_explanation:
    "Everyone who can obtain a token with a matching subject can assume the role. At a shared provider such as GitHub, that can be any of its customers.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html",
  remediation_steps: [
    "Name the organization and the project in the subject, up to and including the delimiter",
    "Name the branch, tag or environment that deploys",
    "Where the provider has the customer in the audience, fix the audience",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options: z.strictObject({}),
  issue_types: {
    weak_federated_subject: {
      severity: ["high", "medium", "low"],
      when: "The subject of an OIDC provider admits more than one project's branch, tag or environment: high where strangers get in.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  concerns: ({ denies, principals }) => !denies && principals.length > 0,

  *runStatement(statement, { severity: configured, decisions }) {
    const assumes = statement.actions.some(({ text }) =>
      globMatches(text, webIdentity, { ignoreCase: true }),
    );
    if (!assumes) return;
    const seen = new Set<string>();
    for (const { type, text } of statement.principals) {
      const issuer = type === "Federated" ? (providerOf(text)?.name ?? null) : null;
      if (issuer === null || seen.has(issuer)) continue;
      seen.add(issuer);
      const isDecided =
        sharedProvider(text) !== undefined &&
        decisions("no_public_access").decided.has(statement.index);
      for (const report of reportsFor(issuer, statement)) {
        // Whether strangers get in is proven, one way or the other.
        if (isDecided && (report.severity ?? "high") === "high") continue;
        yield configured === "high" ? report : { ...report, severity: configured };
      }
    }
  },
});

interface Found {
  readonly entry: ConditionEntry;
  readonly value: ConditionValue;
  readonly width: Width;
}

function* reportsFor(issuer: string, statement: Statement): Generator<Report> {
  const provider = federatedProvider(issuer);
  const audience = openAudience(issuer, provider, statement);
  if (audience) yield audience;
  const fixed = fixedByOtherClaims(issuer, provider, statement);
  const perEntry = limitingEntries(statement)
    .filter(({ keyLower }) => keyLower === `${issuer.toLowerCase()}:sub`)
    .map((entry) => widthsOf(entry, provider));
  // Several entries all have to match, so the narrowest one counts.
  const [narrowest = []] = perEntry.sort((a, b) => worst(a) - worst(b));
  for (const found of narrowest) {
    const severity = severityOf(found.width, fixed);
    if (severity) yield reportOn(found, issuer, provider, severity, fixed);
  }
}

function widthsOf(entry: ConditionEntry, provider: FederatedProvider): Found[] {
  const pattern = entry.operator?.base.name === "StringLike";
  return entry.values.flatMap((value) => {
    const text = patternOf(value.text);
    // Under StringEquals a wildcard is plain text, which condition_type_mismatch reports.
    if (!pattern && /[*?]/.test(text)) return [];
    const width = widthOf(text, provider);
    return width ? [{ entry, value, width }] : [];
  });
}

const grades = { exact: 0, project: 1, projects: 2, tenants: 3 } as const;

function worst(founds: readonly Found[]): number {
  return Math.max(0, ...founds.map(({ width }) => grades[width.reach]));
}

function severityOf({ reach, kind }: Width, fixed: Fixed): Severity | null {
  if (fixed !== "nothing" && (kind === "other claim" || kind === "called workflow")) return null;
  const narrowed =
    fixed === "project"
      ? Math.min(grades[reach], grades.project)
      : fixed === "tenant"
        ? Math.min(grades[reach], grades.projects)
        : grades[reach];
  return ([null, "low", "medium", "high"] as const)[narrowed] ?? null;
}

const projectClaims: ReadonlySet<string> = new Set([
  "repository",
  "repository_id",
  "project_path",
  "project_id",
]);
const pathClaims: ReadonlySet<string> = new Set(["repository", "project_path", "namespace_path"]);

function fixedByOtherClaims(
  issuer: string,
  provider: FederatedProvider,
  statement: Statement,
): Fixed {
  const claims = provider.kind === "shared" ? (provider.shared.tenantClaims ?? []) : [];
  let fixed: Fixed = "nothing";
  for (const { keyLower, values } of limitingEntries(statement)) {
    const claim = claims.find((one) => keyLower === `${issuer.toLowerCase()}:${one}`);
    if (claim === undefined || values.length === 0) continue;
    const texts = values.map(({ text }) => patternOf(text));
    const exact = texts.every((text) => !/[*?]/.test(text));
    if (exact && projectClaims.has(claim)) return "project";
    if (exact || (pathClaims.has(claim) && texts.every((text) => /^[^*?/]+\//.test(text)))) {
      fixed = "tenant";
    }
  }
  return fixed;
}

/** The audience of a provider whose customers are told apart by it, where a wildcard leaves it open. */
function openAudience(
  issuer: string,
  provider: FederatedProvider,
  statement: Statement,
): Report | null {
  if (provider.kind !== "shared") return null;
  const { audiencePrefixes, subject } = provider.shared;
  if (!audiencePrefixes) return null;
  const entries = limitingEntries(statement);
  const key = issuer.toLowerCase();
  const bySubject =
    subject !== null &&
    entries.some(
      (entry) =>
        entry.keyLower === `${key}:sub` &&
        widthsOf(entry, provider).every(({ width }) => !width.strangers),
    );
  if (bySubject) return null;
  const audiences = entries.filter(({ keyLower }) => keyLower === `${key}:aud`);
  const open = audiences.map(({ operator, values }) =>
    operator?.base.name === "StringLike"
      ? values.find(({ text }) => /[*?]/.test(patternOf(text)))
      : undefined,
  );
  const [value] = open;
  if (!value || open.includes(undefined)) return null;
  return {
    issue_type: "weak_federated_subject",
    node: value.node,
    field_name: "condition",
    condition_key: audiences[0]?.key ?? null,
    message: messageFor.audience(value.text, provider.shared),
    suggestion: "Give the audience exactly, under `StringEquals`.",
    aws_issue_code: "WILDCARD_USAGE_TOO_PERMISSIVE",
  };
}

function reportOn(
  { entry, value, width }: Found,
  issuer: string,
  provider: FederatedProvider,
  severity: Severity,
  fixed: Fixed,
): Report {
  const pattern = patternOf(value.text);
  return {
    issue_type: "weak_federated_subject",
    severity,
    node: value.node,
    field_name: "condition",
    condition_key: entry.key,
    message: messageFor.subject(value.text, width, provider, issuer, fixed),
    suggestion: adviceFor(width, provider, issuer),
    fix: () => narrowedSubject(value, width, issuer),
    aws_issue_code: codeFor(pattern, issuer),
  };
}

/** AWS's codes are about fewer than six characters before a wildcard, and about GitHub's branches. */
function codeFor(pattern: string, issuer: string): string | null {
  const runs = pattern.split(/[*?]+/).slice(0, -1);
  if (runs.some((run) => run.length < 6)) return "WILDCARD_USAGE_TOO_PERMISSIVE";
  const gitHub = issuer.toLowerCase() === gitHubIssuer;
  const branch = !/[*?]/.test(pattern) && pattern.includes(":ref:refs/heads/");
  return gitHub && !branch ? "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED" : null;
}
