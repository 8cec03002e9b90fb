/** A claim whose text fixes the customer of a provider when it is fixed up to the end of the customer. */
export interface TenantForm {
  readonly claim: string;
  readonly prefix: string;
  /** Characters that end the customer's name; empty: the whole text is the name. */
  readonly ends: string;
  /** Characters that the customer's name does not have. */
  readonly lacks?: string;
  /** What the text must not begin with. */
  readonly except?: string;
}

/** A provider with many customers: a token of it says nothing until a claim fixes the customer. */
export interface SharedProvider {
  readonly issuers: readonly string[];
  /** Claims that fix the customer when their value is fixed. */
  readonly fixed: readonly string[];
  readonly tenant: readonly TenantForm[];
  /** How it writes customers into the subject is not known. */
  readonly isUnknown?: true;
}

const gitHubClaims = [
  "repository_owner",
  "repository_owner_id",
  "repository",
  "repository_id",
  "enterprise",
  "enterprise_id",
];

function subject(prefix: string, ends: string): TenantForm {
  return { claim: "sub", prefix, ends };
}

/**
 * Providers whose tokens anybody can have.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html
 */
const providers: readonly SharedProvider[] = [
  {
    // https://docs.github.com/en/actions/reference/security/oidc
    issuers: ["token.actions.githubusercontent.com"],
    fixed: gitHubClaims,
    tenant: [
      subject("repo:", "/@"),
      ...gitHubClaims.map((claim) => subject(`${claim}:`, claim === "repository" ? ":/" : ":")),
      { claim: "repository", prefix: "", ends: "/" },
      // Each claim in a subject has its name in front, so no token has `owner/name:ref:…`: no caller gets in.
      { claim: "sub", prefix: "", ends: "/", lacks: ":" },
    ],
  },
  {
    issuers: ["oidc-configuration.audit-log.githubusercontent.com"],
    fixed: ["sub"],
    tenant: [],
  },
  {
    issuers: [
      "vstoken.actions.githubusercontent.com",
      "studio.datachain.ai/api",
      "tokens.cloud.shisho.dev",
    ],
    fixed: ["sub"],
    tenant: [],
    isUnknown: true,
  },
  {
    // https://docs.gitlab.com/ci/secrets/id_token_authentication
    issuers: ["gitlab.com"],
    fixed: ["sub", "project_path", "namespace_path", "namespace_id", "project_id"],
    tenant: [
      subject("project_path:", "/"),
      { claim: "project_path", prefix: "", ends: "/" },
      { claim: "namespace_path", prefix: "", ends: "/" },
    ],
  },
  { issuers: ["app.terraform.io"], fixed: ["sub"], tenant: [subject("organization:", ":")] },
  {
    issuers: ["agent.buildkite.com"],
    fixed: ["sub", "organization_id", "organization_slug"],
    tenant: [
      subject("organization:", ":"),
      // A subject with names has that of the organization first, so no token has `pipeline:…`: no caller gets in.
      { claim: "sub", prefix: "", ends: ":", except: "organization:" },
    ],
  },
  {
    issuers: ["oidc.codefresh.io", "scalr.io"],
    fixed: ["sub"],
    tenant: [subject("account:", ":")],
  },
  { issuers: ["proidc.upbound.io"], fixed: ["sub"], tenant: [subject("mcp:", "/")] },
  {
    issuers: [
      "rh-oidc.s3.us-east-1.amazonaws.com/22ejnvnnturfmt6km08idd0nt4hekbn7",
      "rh-oidc.s3.us-east-1.amazonaws.com/23e3sd27sju1hoou6ohfs68vbno607tr",
      "rh-oidc.s3.us-east-1.amazonaws.com/23ne21h005qjl3n33d8dui5dlrmv2tmg",
      "rh-oidc.s3.us-east-1.amazonaws.com/24jrf12m5dj7ljlfb4ta2frhrcoadm26",
      "oidc.op1.openshiftapps.com/2f785sojlpb85i7402pk3qogugim5nfb",
      "oidc.op1.openshiftapps.com/2c51blsaqa9gkjt0o9rt11mle8mmropu",
    ],
    fixed: ["sub"],
    tenant: [subject("system:serviceaccount:", ":")],
  },
  {
    // https://vercel.com/docs/oidc/reference, global issuer mode
    issuers: ["oidc.vercel.com"],
    fixed: ["sub"],
    tenant: [{ claim: "aud", prefix: "https://vercel.com/", ends: "" }, subject("owner:", ":")],
  },
  { issuers: ["api.pulumi.com/oidc", "sandboxes.cloud"], fixed: ["sub", "aud"], tenant: [] },
  {
    issuers: ["cognito-identity.amazonaws.com", "accounts.google.com"],
    fixed: ["sub", "aud", "oaud"],
    tenant: [],
  },
  {
    issuers: ["openid-license-manager.amazonaws.com"],
    fixed: ["sub"],
    tenant: [{ claim: "amr", prefix: "aws:license-manager:token-issuer-account-id:", ends: "" }],
  },
  { issuers: ["graph.facebook.com", "www.amazon.com"], fixed: ["sub", "app_id"], tenant: [] },
  {
    issuers: ["sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d"],
    fixed: ["sub", "sts:RoleSessionName"],
    tenant: [],
  },
];

const byIssuer = new Map(
  providers.flatMap((provider) => provider.issuers.map((issuer) => [issuer, provider] as const)),
);

/** The issuer of a `Federated` principal, in lower case: what follows `oidc-provider/`, or the domain. */
export function issuerOf(principal: string): string {
  const marker = ":oidc-provider/";
  const at = principal.indexOf(marker);
  const issuer = at < 0 ? principal : principal.slice(at + marker.length);
  return issuer.toLowerCase().replace(/\/$/, "");
}

/** @returns undefined for a provider of one customer. */
export function sharedProvider(principal: string): SharedProvider | undefined {
  return byIssuer.get(issuerOf(principal));
}

/** The condition key of a claim, folded. */
export function claimKey(issuer: string, claim: string): string {
  return claim.includes(":") ? claim.toLowerCase() : `${issuer}:${claim}`;
}

/** Length of the part of a text that must be fixed for the customer to be; null: not of that form. */
export function tenantEnd(
  text: string,
  { prefix, ends, lacks, except }: TenantForm,
): number | null {
  if (!text.startsWith(prefix) || (except && text.startsWith(except))) return null;
  if (ends === "") return text.length > prefix.length ? text.length : null;
  for (let at = prefix.length; at < text.length; at++) {
    if (lacks?.includes(text.charAt(at))) return null;
    if (ends.includes(text.charAt(at))) return at > prefix.length ? at + 1 : null;
  }
  return null;
}
