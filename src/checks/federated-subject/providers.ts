import { withoutTrailing } from "../../ascii.ts";
import {
  eksIssuer,
  gitHubIssuer,
  gitHubSubject,
  gitLabSubject,
  kubernetesSubject,
  type SharedProvider,
  type SubjectFormat,
  sharedProvider,
  vercelSubject,
} from "../../policy/oidc-providers.ts";
import { type Reach, reachOf } from "./reach.ts";

/** What a subject pattern admits, and why, for the message. */
export interface Width {
  readonly reach: Reach;
  /** Strangers: customers of the provider that are not the author's own. */
  readonly strangers: boolean;
  readonly kind: "pattern" | "other claim" | "called workflow" | "cluster" | "namespaces";
}

/** Where one customer has the whole issuer, by the issuer's name. */
const privateIssuers: readonly (readonly [RegExp, SubjectFormat])[] = [
  [eksIssuer, kubernetesSubject],
  [
    /^oidc\.circleci\.com\/org\//,
    { prefix: "org/", tenantEnds: "/", projectEnds: "/", projectLabel: false },
  ],
  [/^oidc\.vercel\.com\/./, vercelSubject],
  [/^token\.actions\.[a-z0-9-]+\.ghe\.com$/, gitHubSubject],
];

/** Formats that a subject shows by its beginning, for servers that a company runs itself. */
const formatsByPrefix = [gitHubSubject, gitLabSubject, kubernetesSubject];

export type FederatedProvider =
  | { readonly kind: "shared"; readonly shared: SharedProvider }
  | { readonly kind: "private"; readonly format: SubjectFormat | null };

/** @param issuer What follows `oidc-provider/` in the ARN, or the bare domain. */
export function federatedProvider(issuer: string): FederatedProvider {
  const shared = sharedProvider(issuer);
  if (shared) return { kind: "shared", shared };
  const lower = issuer.toLowerCase();
  const known = privateIssuers.find(([pattern]) => pattern.test(lower));
  return { kind: "private", format: known?.[1] ?? null };
}

/** @returns how far one value of the subject reaches, or null where nothing can be said. */
export function widthOf(text: string, provider: FederatedProvider): Width | null {
  if (provider.kind === "private") return privateWidth(text, provider.format);
  const { issuers, subject } = provider.shared;
  if (!subject) return null;
  if (issuers.includes(gitHubIssuer)) return gitHubWidth(text);
  const reach = reachOf(text, subject);
  return reach && { reach, strangers: reach === "tenants", kind: "pattern" };
}

function privateWidth(text: string, known: SubjectFormat | null): Width | null {
  const format = known ?? formatsByPrefix.find(({ prefix }) => text.startsWith(prefix));
  const reach = format ? reachOf(text, format) : null;
  if (!format || !reach) return null;
  if (format !== kubernetesSubject) {
    return { reach: reach === "tenants" ? "projects" : reach, strangers: false, kind: "pattern" };
  }
  if (reach !== "tenants") {
    return {
      reach: reach === "projects" ? "project" : reach,
      strangers: false,
      kind: "namespaces",
    };
  }
  // `system:serviceaccount:*` admits every pod; a name before or after the wildcard limits it.
  const everyPod = kubernetesSubject.prefix.startsWith(withoutTrailing(text, "*?:"));
  return everyPod
    ? { reach, strangers: false, kind: "cluster" }
    : { reach: "projects", strangers: false, kind: "namespaces" };
}

/** First claims of a customised subject that fix its owner, with what they fix. */
const ownerClaims: ReadonlyMap<string, Reach> = new Map([
  ["repository_owner", "projects"],
  ["repository_owner_id", "projects"],
  ["enterprise", "projects"],
  ["enterprise_id", "projects"],
  ["repository_id", "project"],
]);

/**
 * A repository may choose the claims of its subject, so the first one has to fix the owner.
 * Source: https://docs.github.com/en/rest/actions/oidc (customization template for a repository)
 */
function gitHubWidth(text: string): Width | null {
  const colon = text.indexOf(":");
  const claim = colon < 0 ? text : text.slice(0, colon);
  const strangers = { reach: "tenants", strangers: true, kind: "pattern" } as const;
  if (/[*?]/.test(claim)) return strangers;
  if (claim === "repo" || claim === "repository") {
    const reach = reachOf(text, { ...gitHubSubject, prefix: `${claim}:` });
    return reach && { reach, strangers: reach === "tenants", kind: "pattern" };
  }
  const fixes = ownerClaims.get(claim);
  if (!fixes) {
    const called = claim === "job_workflow_ref";
    return {
      reach: called ? "projects" : "tenants",
      strangers: true,
      kind: called ? "called workflow" : "other claim",
    };
  }
  const value = text.slice(colon + 1).split(":", 1)[0] ?? "";
  return /[*?]/.test(value) ? strangers : { reach: fixes, strangers: false, kind: "pattern" };
}
