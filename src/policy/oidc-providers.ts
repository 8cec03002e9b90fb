/**
 * OIDC providers that AWS or their vendors document, read on this day. `verified` in the vendor's page
 * unless a row says otherwise.
 * The shared ones: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html
 */
export const oidcProvidersDate = "2026-11-22";

/** How the subjects of a provider are written: `<prefix><tenant><end><project><end><rest>`. */
export interface SubjectFormat {
  readonly prefix: string;
  /** Characters that end the tenant; none: it runs to the end of the subject. */
  readonly tenantEnds: string;
  /** Characters that end the project. */
  readonly projectEnds: string;
  /** The project follows its own label: `project:<project>`. */
  readonly projectLabel?: boolean;
}

export interface SharedProvider {
  readonly issuers: readonly string[];
  readonly name: string;
  /** Without this key AWS does not accept a role that trusts the provider. */
  readonly requiredKey: "sub" | "aud" | "sts:RoleSessionName";
  /** Null: the vendor documents none, so subjects are not compared with it. */
  readonly subject: SubjectFormat | null;
  /** The tenant is in the audience instead, after one of these prefixes. */
  readonly audiencePrefixes?: readonly string[];
  /** The format was seen in public trust policies; no page of the vendor states it. */
  readonly observed?: true;
  /** Other claims that identify the tenant. */
  readonly tenantClaims?: readonly string[];
  readonly page: string;
}

const organization: SubjectFormat = {
  prefix: "organization:",
  tenantEnds: ":",
  projectEnds: ":",
  projectLabel: true,
};
const account: SubjectFormat = { ...organization, prefix: "account:" };
/** `@` ends owner and repository where a subject holds ids (the default since July 2026). */
export const gitHubSubject: SubjectFormat = {
  prefix: "repo:",
  tenantEnds: "/@",
  projectEnds: ":@",
};
export const gitLabSubject: SubjectFormat = {
  prefix: "project_path:",
  tenantEnds: "/",
  projectEnds: ":",
};
export const kubernetesSubject: SubjectFormat = {
  prefix: "system:serviceaccount:",
  tenantEnds: ":",
  projectEnds: "",
};
export const vercelSubject: SubjectFormat = { ...organization, prefix: "owner:" };

export const gitHubIssuer = "token.actions.githubusercontent.com";
export const gitHubSubjectsPage = "https://docs.github.com/en/actions/reference/security/oidc";
export const sharedProvidersPage =
  "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html";

const sharedProviders: readonly SharedProvider[] = [
  {
    issuers: [gitHubIssuer],
    name: "GitHub Actions",
    requiredKey: "sub",
    subject: gitHubSubject,
    tenantClaims: [
      "repository_owner",
      "repository_owner_id",
      "repository",
      "repository_id",
      "enterprise",
      "enterprise_id",
    ],
    page: gitHubSubjectsPage,
  },
  {
    observed: true,
    issuers: ["oidc-configuration.audit-log.githubusercontent.com"],
    name: "GitHub audit log streaming",
    requiredKey: "sub",
    subject: { prefix: "https://github.com/", tenantEnds: "", projectEnds: "" },
    page: "https://docs.github.com/en/enterprise-cloud@latest/admin/monitoring-activity-in-your-enterprise/reviewing-audit-logs-for-your-enterprise/streaming-the-audit-log-for-your-enterprise",
  },
  {
    issuers: ["gitlab.com"],
    name: "GitLab.com",
    requiredKey: "sub",
    subject: gitLabSubject,
    tenantClaims: ["project_path", "namespace_path", "namespace_id", "project_id"],
    page: "https://docs.gitlab.com/ci/secrets/id_token_authentication",
  },
  {
    issuers: ["app.terraform.io"],
    name: "HCP Terraform",
    requiredKey: "sub",
    subject: organization,
    page: "https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens",
  },
  {
    issuers: ["agent.buildkite.com"],
    name: "Buildkite",
    requiredKey: "sub",
    subject: organization,
    tenantClaims: ["organization_id", "organization_slug"],
    page: "https://buildkite.com/docs/pipelines/security/oidc/aws",
  },
  {
    observed: true,
    issuers: ["oidc.codefresh.io"],
    name: "Codefresh",
    requiredKey: "sub",
    subject: account,
    page: "https://codefresh.io/docs/docs/integrations/oidc-pipelines/",
  },
  {
    observed: true,
    issuers: ["scalr.io"],
    name: "Scalr",
    requiredKey: "sub",
    subject: account,
    page: "https://docs.scalr.io/docs/aws",
  },
  {
    issuers: ["proidc.upbound.io"],
    name: "Upbound",
    requiredKey: "sub",
    subject: { prefix: "mcp:", tenantEnds: "/", projectEnds: ":" },
    page: "https://docs.upbound.io/providers/provider-aws/authentication/",
  },
  {
    // The guide lists the issuers; that the namespace identifies the customer is an assumption.
    observed: true,
    issuers: [
      "rh-oidc.s3.us-east-1.amazonaws.com/22ejnvnnturfmt6km08idd0nt4hekbn7",
      "rh-oidc.s3.us-east-1.amazonaws.com/23e3sd27sju1hoou6ohfs68vbno607tr",
      "rh-oidc.s3.us-east-1.amazonaws.com/23ne21h005qjl3n33d8dui5dlrmv2tmg",
      "rh-oidc.s3.us-east-1.amazonaws.com/24jrf12m5dj7ljlfb4ta2frhrcoadm26",
      "oidc.op1.openshiftapps.com/2f785sojlpb85i7402pk3qogugim5nfb",
      "oidc.op1.openshiftapps.com/2c51blsaqa9gkjt0o9rt11mle8mmropu",
    ],
    name: "IBM Turbonomic SaaS",
    requiredKey: "sub",
    subject: kubernetesSubject,
    page: sharedProvidersPage,
  },
  {
    // Neither vendor documents its subjects.
    issuers: [
      "vstoken.actions.githubusercontent.com",
      "studio.datachain.ai/api",
      "tokens.cloud.shisho.dev",
    ],
    name: "a shared provider",
    requiredKey: "sub",
    subject: null,
    page: sharedProvidersPage,
  },
  {
    issuers: ["oidc.vercel.com"],
    name: "Vercel (global issuer)",
    requiredKey: "aud",
    subject: vercelSubject,
    audiencePrefixes: ["https://vercel.com/"],
    page: "https://vercel.com/docs/oidc/reference",
  },
  {
    issuers: ["api.pulumi.com/oidc"],
    name: "Pulumi Cloud",
    requiredKey: "aud",
    subject: null,
    audiencePrefixes: ["aws:", ""],
    page: "https://www.pulumi.com/docs/esc/guides/configuring-oidc/aws/",
  },
  {
    issuers: ["sandboxes.cloud"],
    name: "sandboxes.cloud",
    requiredKey: "aud",
    subject: null,
    audiencePrefixes: [""],
    page: sharedProvidersPage,
  },
  {
    issuers: ["cognito-identity.amazonaws.com"],
    name: "Amazon Cognito identity pools",
    requiredKey: "aud",
    subject: null,
    audiencePrefixes: [""],
    page: sharedProvidersPage,
  },
  {
    issuers: ["sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d"],
    name: "Microsoft Sentinel",
    requiredKey: "sts:RoleSessionName",
    subject: null,
    page: sharedProvidersPage,
  },
];

/** One issuer for each cluster. Source: https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html */
export const eksIssuer = /^oidc\.eks\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/id\//;

/**
 * @returns what every subject of the issuer begins with, where its vendor documents that; null for
 * GitHub, whose repositories choose the claims of their subject.
 */
export function subjectPrefixOf(issuer: string): string | null {
  if (eksIssuer.test(issuer.toLowerCase())) return kubernetesSubject.prefix;
  const shared = sharedProvider(issuer);
  if (!shared?.subject || shared.observed || shared.issuers.includes(gitHubIssuer)) return null;
  return shared.subject.prefix;
}

const byIssuer = new Map(
  sharedProviders.flatMap((provider) =>
    provider.issuers.map((issuer) => [issuer, provider] as const),
  ),
);

/** The issuers of all shared providers, in lower case. */
export const sharedIssuers: readonly string[] = [...byIssuer.keys()];

/** @returns the shared provider of an issuer. Some ARNs and keys keep a slash at the end, Azure's for one. */
export function sharedProvider(issuer: string): SharedProvider | undefined {
  return byIssuer.get(issuer.toLowerCase().replace(/\/$/, ""));
}
