import { nearestName } from "../../nearest.ts";
import {
  gitHubIssuer,
  gitHubSubjectsPage,
  gitLabSubject,
  kubernetesSubject,
  sharedProvidersPage,
  subjectPrefixOf,
} from "../../policy/oidc-providers.ts";
import type { ValueForm } from "./value-form.ts";

/** Claims that a subject can have: the page of GitHub, and `claims_supported` of its issuer. */
const gitHubClaims =
  "actor actor_id base_ref check_run_id context enterprise enterprise_id environment environment_node_id event_name head_ref job_workflow_ref job_workflow_sha ref ref_protected ref_type repo repository repository_id repository_owner repository_owner_id repository_visibility run_attempt run_id run_number runner_environment sha workflow workflow_ref workflow_sha".split(
    " ",
  );

/**
 * A repository chooses the claims of its subject, and each is written `name:value`. So what follows the repository is the
 * name of a claim: `repo:o/r:refs/heads/main` lacks the `ref:`, and `repo:o/r:ref:main` the `refs/heads/`. Only
 * `pull_request` is alone. No name of a claim has a slash: `o/r:ref:refs/heads/main` lacks the `repo:`.
 * Owner and name are both there and have no slash, no name ends with `.git`, and an `@` has an id behind it. A text without
 * a colon, such as the audience in the wrong place, has no claim at all.
 */
const gitHubSubjects: Omit<ValueForm, "keys"> = {
  words:
    "claims with their names, such as `repo:<org>/<name>:ref:refs/heads/<branch>` or `repo:<org>/<name>:environment:<name>`",
  value: /./,
  prefixes: [],
  impossible:
    /^[^:*?]*(?:\/|$)|^repo:[^/*?]*$|^repo:[^/:*?]+\/[^/:*?]+\/|^repo:[^/:*?]*:|^repo:[^:*?]*(?:\.git(?::|$)|@(?![0-9*?]))|^repo:[^:*?]*:(?:(?!pull_request$|[a-z_]+[:*?]|[*?])|(?:environments?|env|refs?|branch|tags?)(?<!:environment|:ref):|ref:(?!refs\/|[refs]*[*?])|ref:refs\/(?:head|tag|branch|branches)\/|https?:)/,
  // `repo:o/r:enviroment:prod`
  refuses: (text) => isMisspelt(/^repo:[^:*?]*:([a-z_]+):/.exec(text)?.[1] ?? "", gitHubClaims),
  code: null,
  page: gitHubSubjectsPage,
};

/** The names of a namespace and a service account are DNS names, in lower case. */
const serviceAccounts: Omit<ValueForm, "keys"> = {
  words: "subjects such as `system:serviceaccount:<namespace>:<name>`",
  value: /^system:serviceaccount:[^:/]+:[^:/]+$/,
  prefixes: [kubernetesSubject.prefix],
  impossible: /\/|[A-Z]/,
  hasCapitals: true,
  code: null,
  page: "https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/",
};

/**
 * A project may leave out `ref_type` or `ref`, or turn them round.
 * https://docs.gitlab.com/ci/secrets/id_token_authentication/, https://gitlab.com/gitlab-org/gitlab/-/issues/477260
 */
const gitLabSubjects: Omit<ValueForm, "keys"> = {
  words:
    "subjects such as `project_path:<group>/<project>:ref_type:branch:ref:<branch>` or `project_path:<group>/<project>:ref_type:tag:ref:<tag>`",
  value: /^project_path:./,
  prefixes: [gitLabSubject.prefix],
  refuses: (text) => {
    const [, , name = "", value = ""] = text.split(":", 4);
    // The name of the branch or tag stands alone.
    if (/:ref:refs\/(?:heads|tags)\//.test(text)) return true;
    if (/[*?]/.test(text.split(":", 3).join(":"))) return false;
    if (isMisspelt(name, ["ref_type", "ref"])) return true;
    return name === "ref_type" && !/[*?]/.test(value) && isMisspelt(value, ["branch", "tag"]);
  },
  code: null,
  page: "https://docs.gitlab.com/ci/secrets/id_token_authentication/",
};

function isMisspelt(name: string, known: readonly string[]): boolean {
  return name !== "" && !known.includes(name) && nearestName(name, known) !== undefined;
}

const terraformSubjects =
  "https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens";

/**
 * Names of the claims in a subject, in their order, where no customer can choose others. The second one of HCP Terraform
 * is that of stacks: https://developer.hashicorp.com/terraform/language/stacks/deploy/authenticate
 */
const layoutsOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "app.terraform.io": [
    ["organization", "project", "workspace", "run_phase"],
    ["organization", "project", "stack", "deployment", "operation"],
  ],
};

/** A run plans or applies, and so does an operation of a stack. */
const otherPhase = /:(?:run_phase|operation):(?!(?:plan|apply)$)[^:*?]*$/;

function inLayout(layouts: readonly (readonly string[])[]): Omit<ValueForm, "keys" | "prefixes"> {
  const [layout = []] = layouts;
  return {
    words: `such as \`${layout.map((name) => `${name}:<${name.replaceAll("_", "-")}>`).join(":")}\``,
    value: /./,
    refuses: (text) =>
      otherPhase.test(text) || layouts.every((names) => !mayBeIn(names, text.split(":"))),
    code: null,
    page: terraformSubjects,
  };
}

/** Compares the names before the first wildcard and after the last one; a wildcard may run over colons. */
function mayBeIn(names: readonly string[], parts: readonly string[]): boolean {
  const length = 2 * names.length;
  const open = parts.map((part) => /[*?]/.test(part));
  const first = open.indexOf(true);
  if (first < 0 && parts.length !== length) return false;
  const before = first < 0 ? parts.length : first;
  const after = parts.length - 1 - open.lastIndexOf(true);
  const isName = (part: string, at: number) => at % 2 === 1 || part === names[at / 2];
  if (!parts.slice(0, before).every(isName)) return false;
  if (first < 0 || after === 0) return true;
  return parts.slice(-after).every((part, index) => isName(part, length - after + index));
}

const buildkiteLayout = ["organization", "pipeline", "ref", "commit", "step"];

/**
 * A job may ask for another claim as the subject, such as the id of the pipeline, and then the value has no name in front.
 * https://buildkite.com/docs/agent/cli/reference/oidc
 */
const buildkiteSubjects: Omit<ValueForm, "keys"> = {
  ...inLayout([buildkiteLayout]),
  prefixes: [],
  refuses: (text) => text.includes(":") && !mayBeIn(buildkiteLayout, text.split(":")),
  page: "https://buildkite.com/docs/pipelines/security/oidc/aws",
};

/** The subject of a Google account is its unique id, never its address. */
const googleSubjects: Omit<ValueForm, "keys"> = {
  words: "unique ids of accounts, such as `104938572019384756102`",
  value: /./,
  prefixes: [],
  impossible: /@/,
  code: null,
  page: "https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload",
};

/** Issuers of one customer each, by what they begin with and what follows it. */
const formsOfCustomers: readonly (readonly [
  RegExp,
  (customer: string) => Omit<ValueForm, "keys">,
])[] = [
  [
    /^oidc\.circleci\.com\/org\/([^/]*)/,
    (organization) => ({
      // The subject of the second version of the token begins with a slash.
      words: "subjects such as `org/<org-id>/project/<project-id>/user/<user-id>`",
      value: /^\/?org\/[^/]+\/project\/./,
      prefixes: ["org/", "/org/"],
      code: null,
      // The organization is that of the issuer.
      refuses: (text) => {
        const [, named = organization] = /^\/?org\/([^/*?]+)\//.exec(text) ?? [];
        return named.toLowerCase() !== organization;
      },
      page: "https://circleci.com/docs/openid-connect-tokens/",
    }),
  ],
  [
    /^api\.bitbucket\.org\/2\.0\/workspaces\/([^/]*)/,
    () => ({
      words: "subjects such as `{<repository-uuid>}:{<step-uuid>}`",
      value: /^\{/,
      prefixes: ["{"],
      code: null,
      page: "https://support.atlassian.com/bitbucket-cloud/docs/deploy-on-aws-using-bitbucket-pipelines-openid-connect/",
    }),
  ],
];

/** No claim begins or ends with white space, so a subject has none at its ends and behind a colon. */
const strayed = /^\s|\s$|:\s/;

/** @returns the form of the subjects of an OIDC provider, where all of them begin alike. */
export function subjectForm(keyLower: string): ValueForm | undefined {
  const form = ownForm(keyLower);
  if (!form) return undefined;
  return { ...form, refuses: (text) => strayed.test(text) || form.refuses?.(text) === true };
}

function ownForm(keyLower: string): ValueForm | undefined {
  if (!keyLower.endsWith(":sub")) return undefined;
  const issuer = keyLower.slice(0, -":sub".length);
  if (issuer === gitHubIssuer) return { ...gitHubSubjects, keys: [keyLower] };
  for (const [pattern, formOf] of formsOfCustomers) {
    const found = pattern.exec(issuer);
    if (found) return { ...formOf(found[1] ?? ""), keys: [keyLower] };
  }
  if (issuer === "accounts.google.com") return { ...googleSubjects, keys: [keyLower] };
  if (issuer === "agent.buildkite.com") return { ...buildkiteSubjects, keys: [keyLower] };
  const prefix = subjectPrefixOf(issuer);
  if (prefix === null) return undefined;
  if (prefix === kubernetesSubject.prefix) return { ...serviceAccounts, keys: [keyLower] };
  if (issuer === "gitlab.com") return { ...gitLabSubjects, keys: [keyLower] };
  const layouts = Object.hasOwn(layoutsOf, issuer) ? layoutsOf[issuer] : undefined;
  if (layouts) return { ...inLayout(layouts), prefixes: [prefix], keys: [keyLower] };
  return {
    keys: [keyLower],
    words: `subjects that begin with \`${prefix}\``,
    value: new RegExp(`^${prefix}.`),
    prefixes: [prefix],
    code: null,
    page: sharedProvidersPage,
  };
}
