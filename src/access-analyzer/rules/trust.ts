import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Entry, PrincipalEntry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { firstFew, listed, quoted } from "../text.ts";
import type { Issue, Subject } from "../types.ts";

const github = "token.actions.githubusercontent.com";

type Provider =
  | { readonly kind: "saml" }
  /** The name as the policy writes it. */
  | { readonly kind: "oidc"; readonly name: string }
  | { readonly kind: "invalid" };

function providerOf(text: string): Provider {
  if (/^arn:[^:]+:iam::\d{12}:saml-provider\/.+$/.test(text)) return { kind: "saml" };
  // IAM names a provider by its address without the scheme.
  const oidc = /^arn:[^:]+:iam::\d{12}:oidc-provider\/(?!https?:)(.+)$/.exec(text)?.[1];
  if (oidc !== undefined) return { kind: "oidc", name: oidc };
  if (/^(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?:\/.*)?$/.test(text)) {
    return { kind: "oidc", name: text };
  }
  return { kind: "invalid" };
}

/** Rules of role trust policies. */
export function* trustRules(statement: Statement, { type }: Subject): Generator<Issue> {
  if (type !== "trust") return;
  for (const name of ["Resource", "NotResource"] as const) {
    if (!statement.has(name)) continue;
    yield {
      code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_RESOURCE",
      details: `A role trust policy takes no \`${name}\`: the role is the resource. Remove it.`,
      nodes: [statement.at(name)],
    };
  }
  if (statement.raw.Principal === "*") {
    yield {
      code: "ROLE_TRUST_POLICY_UNSUPPORTED_WILDCARD_IN_PRINCIPAL",
      details:
        '`"Principal": "*"` is not supported in a role trust policy. Name the principals, or write `{"AWS": "*"}` beside a condition that limits them.',
      nodes: [statement.at("Principal")],
    };
  }
  yield* mismatchedActions(statement);
  yield* rolesAnywhere(statement);
  for (const entry of statement.principals) {
    if (entry.type === "Federated") yield* federated(entry, statement);
  }
}

const assumeActions = {
  "sts:AssumeRole": (entry: PrincipalEntry) => entry.type !== "Federated",
  "sts:AssumeRoleWithSAML": (entry: PrincipalEntry) =>
    entry.type === "Federated" && providerOf(entry.text).kind === "saml",
  "sts:AssumeRoleWithWebIdentity": (entry: PrincipalEntry) =>
    entry.type === "Federated" && providerOf(entry.text).kind === "oidc",
} as const;

function* mismatchedActions({ actions, principals }: Statement): Generator<Issue> {
  const isClear = (entry: PrincipalEntry) =>
    entry.type === "AWS" || entry.type === "Service" || entry.type === "Federated";
  for (const { text, node } of actions) {
    const name = Object.keys(assumeActions).find(
      (one) => one.toLowerCase() === text.toLowerCase(),
    ) as keyof typeof assumeActions | undefined;
    if (!name) continue;
    const wrong = principals.filter(
      (entry) => isClear(entry) && providerIsReadable(entry) && !assumeActions[name](entry),
    );
    if (wrong.length === 0) continue;
    const uses = listed([...new Set(wrong.map(fitting))]);
    yield {
      code: "MISMATCHED_ACTION_FOR_PRINCIPAL",
      details: `${quoted(text)} does not fit the ${wrong.length > 1 ? "principals" : "principal"} ${firstFew(wrong, (entry) => quoted(entry.text))}. Use ${uses}.`,
      // One finding names all principals that do not fit.
      nodes: [node, ...wrong.map((entry) => entry.node)],
    };
  }
}

function providerIsReadable({ type, text }: PrincipalEntry): boolean {
  return type !== "Federated" || providerOf(text).kind !== "invalid";
}

function fitting({ type, text }: PrincipalEntry): string {
  if (type !== "Federated") return "`sts:AssumeRole`";
  return providerOf(text).kind === "saml"
    ? "`sts:AssumeRoleWithSAML`"
    : "`sts:AssumeRoleWithWebIdentity`";
}

function* rolesAnywhere(statement: Statement): Generator<Issue> {
  const { actions, principals } = statement;
  const uses = principals.some(
    ({ type, text }) => type === "Service" && text.toLowerCase() === "rolesanywhere.amazonaws.com",
  );
  if (!uses || actions.length === 0 || statement.denies) return;
  const missing = ["sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"].filter(
    (name) => !actions.some(({ text }) => globMatches(text, name, { ignoreCase: true })),
  );
  if (missing.length === 0) return;
  yield {
    code: "MISSING_ACTION_FOR_ROLES_ANYWHERE_TRUST_POLICY",
    details: `IAM Roles Anywhere also needs ${listed(missing.map((name) => `\`${name}\``))}. Add ${missing.length > 1 ? "them" : "it"}.`,
    nodes: [statement.at("Action")],
  };
}

function* federated(entry: PrincipalEntry, statement: Statement): Generator<Issue> {
  const { text, node } = entry;
  const provider = providerOf(text);
  if (provider.kind === "invalid") {
    yield {
      code: "INVALID_FEDERATED_PRINCIPAL_SYNTAX_IN_ROLE_TRUST_POLICY",
      details: `${quoted(text)} is neither a domain name nor the ARN of a SAML or OIDC provider.`,
      nodes: [node],
    };
    return;
  }
  if (provider.kind !== "oidc") return;
  const { conditions } = statement;
  const { name } = provider;
  if (name.toLowerCase() === github) {
    const subjects = conditions.filter(({ keyLower }) => keyLower === `${github}:sub`);
    if (subjects.length === 0 && !statement.denies) {
      yield {
        code: "MISSING_GITHUB_REPO_CONDITION_KEY",
        details: `No condition on the subject limits which GitHub repositories may assume the role. Test \`${github}:sub\`.`,
        nodes: [node],
      };
    }
    const namesBranch = conditions.some(namesBranches);
    for (const { operator, values } of subjects) {
      // The values of Null are no subjects.
      if (operator?.base.name === "Null") continue;
      for (const value of values) yield* githubSubject(value, namesBranch);
    }
  }
  const prefix = `${name.toLowerCase()}:`;
  if (!statement.denies && !conditions.some(({ keyLower }) => keyLower.startsWith(prefix))) {
    yield {
      code: "MISSING_CONDITION_KEY_FOR_OIDC_PRINCIPAL",
      details: `No condition on a key of ${quoted(name)} limits which of its identities may assume the role. Test ${quoted(`${name}:sub`)} or ${quoted(`${name}:aud`)}.`,
      nodes: [node],
    };
  }
}

/** Whether the test is one of the branch, without a pattern such as `refs/pull/*`; AWS reports subjects beside those. */
function namesBranches({ keyLower, operator, values }: ConditionEntry): boolean {
  if (keyLower !== `${github}:ref` || !operator) return false;
  const { name, negated } = operator.base;
  return name !== "Null" && !negated && values.every(({ text }) => !hasWildcard(text));
}

/** A subject that names one repository and one branch or tag. */
const branch = /^repo:[^/*?]+\/[^:*?]+:ref:refs\/(?:heads|tags)\/[^*?]+$/;
/** A subject that names one repository, without wildcards: `repo:acme/shop:environment:production`. */
const repository = /^repo:[^/*?]+\/[^:*?]+:[^*?]+$/;

/**
 * @param namesBranch The statement tests `ref`, which says the branch where the subject does not.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#access-analyzer-reference-policy-checks-general-warning-specific-github-repo-and-branch-recommended
 */
function* githubSubject({ text, node }: Entry, namesBranch: boolean): Generator<Issue> {
  if (branch.test(text) || (namesBranch && repository.test(text))) return;
  yield {
    code: "SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED",
    details: `${quoted(text)} does not name one repository and one branch. Write \`repo:owner/name:ref:refs/heads/main\`, or test \`${github}:ref\` beside one repository.`,
    nodes: [node],
  };
}

/**
 * Tests of the audience, whatever provider the statement trusts: a test of another one's never holds. A
 * resource policy without a type may be that of a role. Of AWS's own provider and of Google the reference has
 * the key, and says that it holds one value.
 */
export function* audienceClaims(
  { conditions }: Statement,
  { resourceType, services }: Subject,
): Generator<Issue> {
  if (resourceType !== null) return;
  for (const { key, keyNode, operator } of conditions) {
    if (identityProviderKey(key)?.claim !== "aud") continue;
    const nodes = [keyNode];
    if (operator?.setPrefix === "ForAnyValue") {
      yield {
        code: "FORANYVALUE_WITH_AUDIENCE_CLAIM_TYPE",
        details: `${quoted(key)} has one value. Use the operator without \`ForAnyValue:\`.`,
        nodes,
      };
    }
    if (services.get("sts")?.conditionKey(key)) continue;
    yield {
      code: "CONFIRM_AUDIENCE_CLAIM_TYPE",
      details: `Confirm that ${quoted(key)} holds one audience in tokens of this provider.`,
      nodes,
    };
  }
}
