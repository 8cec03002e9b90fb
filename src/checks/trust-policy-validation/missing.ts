import type { NeededInput } from "../../../spec/finding.ts";
import type { Report } from "../../engine/check.ts";
import { addConditions } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Entry, Statement } from "../../policy/model.ts";
import { gitHubIssuer } from "../../policy/oidc-providers.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { federatedProvider } from "../federated-subject/providers.ts";
import { limitingEntries, readCondition } from "../shared/condition-limits.ts";
import { reasonOf } from "../shared/condition-reasons.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { withEdit } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { listed } from "../shared/texts.ts";
import { knownValues, missingConditions, nameMissing } from "./conditions.ts";
import { openClaim } from "./open-claim.ts";
import {
  cognito,
  isBareProvider,
  licenseIssuer,
  type Provider,
  tenantIsInAudience,
} from "./providers.ts";
import type { TrustRule } from "./rule.ts";

interface Callers {
  readonly providers: readonly Provider[];
  /** Some principal of the statement is of a type that can use the action. */
  readonly isUsable: boolean;
}

/** @returns the report about all conditions that a rule requires and the statement lacks, or null. */
export function missingReport(
  statement: Statement,
  entry: Entry,
  action: string,
  rule: TrustRule,
  { providers, isUsable }: Callers,
): Report | null {
  const missing = missingConditions(statement, rule, providers);
  if (missing.length === 0) return null;
  const conditioned = statement.has("Condition");
  const severity = severityOfMissing(missing, providers, statement);
  return {
    issue_type: "missing_required_condition_for_assume_action",
    ...(severity ? { severity } : {}),
    node: conditioned ? statement.at("Condition") : entry.node,
    field_name: "condition",
    action,
    message: `${quote(action)} needs ${missing.length > 1 ? "conditions" : "a condition"} on ${nameMissing(missing)}. ${isUsable ? consequence(missing, providers, statement) : `No principal of the statement is of a type that can use ${quote(action)}.`}`,
    suggestion: isUsable ? addition : "Name only the assume-role actions that the principals use.",
    correction: () => {
      // A test that only the other type of principal meets would keep out those that are meant.
      const block = isUsable ? knownValues(missing) : null;
      return block && statementWithCondition(statement, block);
    },
    fix: () => withClaims(missing, providers, statement),
    aws_issue_code: codeFor(statement, providers),
  };
}

const addition =
  "Add the missing keys under an operator such as `StringEquals`, without `IfExists`, with values that only your own callers have.";

/** Of its two claims about the user, the one that a role for all signed-in users tests. */
const signedIn = `${cognito}:amr`;

/** The missing keys: their standard values, the provider's form of a subject, else placeholders. */
function withClaims(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
  statement: Statement,
): FixProposal | null {
  if (foreignKey(providers, statement) !== null) return null;
  const inputs = new Map<string, NeededInput>();
  const keys: [string, string][] = [];
  /** Claims with several values. */
  const several: [string, string][] = [];
  const replaced: ConditionEntry[] = [];
  for (const group of missing) {
    if (group.includes(signedIn)) {
      several.push([signedIn, "authenticated"]);
      continue;
    }
    const [key = ""] = group;
    if (key === "" || key.startsWith("PROVIDER:")) return null;
    const { value, needs } = openClaim(key);
    const present = statement.conditions.filter(({ keyLower }) => keyLower === key.toLowerCase());
    if (!present.every((entry) => admits(entry, value))) return null;
    replaced.push(...present);
    (key.endsWith(":amr") ? several : keys).push([key, value]);
    for (const one of needs) inputs.set(one.placeholder, one);
  }
  const conditions = {
    ...(keys.length > 0 ? { StringEquals: Object.fromEntries(keys) } : {}),
    ...(several.length > 0 ? { "ForAnyValue:StringLike": Object.fromEntries(several) } : {}),
  };
  return withEdit(addConditions(statement, conditions, replaced), {
    title: "Add the conditions on the claims of the provider",
    effect: "narrows",
    needs_input: [...inputs.values()],
    ...(replaced.length === 0
      ? { argument: "Further tests in an Allow let no further caller in." }
      : {}),
  });
}

/** Whether a test that is there is wider than the one on the value, so that the value can replace it. */
function admits({ operator, values }: ConditionEntry, value: string): boolean {
  if (!operator || operator.base.negated || operator.setPrefix === "ForAllValues") return false;
  if (operator.base.name === "StringLike") {
    return values.some(({ text }) => globMatches(text, value));
  }
  return operator.base.name === "StringEquals" && values.some(({ text }) => text === value);
}

/** Null: the severity of the check. */
function severityOfMissing(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
  statement: Statement,
): "medium" | null {
  if (foreignKey(providers, statement) !== null) return null;
  const isMild =
    isForUsersOfAnApp(missing, providers, statement) ||
    lacksAudienceOnly(missing, providers) ||
    isForGoogleAccounts(missing, providers, statement);
  return isMild ? "medium" : null;
}

/** IAM itself compares the audience with the client ids of the provider. */
function lacksAudienceOnly(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
): boolean {
  const audienceOnly = missing.every((keys) => keys.every((key) => key.endsWith(":aud")));
  return audienceOnly && providers.length > 0 && !providers.some(tenantIsInAudience);
}

const googleSubject = "accounts.google.com:sub";

/**
 * A subject of Google is one account, whatever the application. Google's own guides for AWS test nothing else.
 * @see https://cloud.google.com/storage-transfer/docs/source-amazon-s3
 */
function isForGoogleAccounts(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
  statement: Statement,
): boolean {
  return (
    missing.every((keys) => keys.every((key) => key.endsWith(":aud"))) &&
    providers.length > 0 &&
    providers.every(({ name }) => name === "accounts.google.com") &&
    limitingEntries(statement).some(
      ({ keyLower, values }) =>
        keyLower === googleSubject && values.every(({ text }) => !/[*?]/.test(text)),
    )
  );
}

/**
 * A role without a test of the subject is for all users of one application where the audience is tested:
 * Google's is the id of an application, that of Cognito an identity pool, and that of a provider with one
 * customer one of its clients. In a Kubernetes cluster or a CI service all workloads share one audience.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_monitor.html
 */
function isForUsersOfAnApp(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
  statement: Statement,
): boolean {
  return (
    providers.length > 0 &&
    providers.every(({ name }) => name !== null && hasAudienceOfAnApp(name)) &&
    !limitingEntries(statement).some(isAudienceOfWorkloads) &&
    missing.every(
      (keys) => !keys.some((key) => /:(?:aud|app_id)$/.test(key) || key === licenseIssuer),
    )
  );
}

function hasAudienceOfAnApp(name: string): boolean {
  if (isBareProvider(name)) return true;
  const provider = federatedProvider(name);
  return provider.kind === "private" && provider.format === null;
}

/** The audience that workloads ask for when they want a role, whichever workload it is. */
function isAudienceOfWorkloads({ keyLower, values }: ConditionEntry): boolean {
  return (
    keyLower.endsWith(":aud") && values.some(({ text }) => globMatches(text, "sts.amazonaws.com"))
  );
}

/** What the missing conditions let happen. */
function consequence(
  missing: readonly (readonly string[])[],
  providers: readonly Provider[],
  statement: Statement,
): string {
  const foreign = foreignKey(providers, statement);
  if (foreign !== null) {
    return `${quote(foreign)} is a key of another provider, so no token of this provider meets the condition.`;
  }
  const keys = missing.flat();
  const note = explainUnusable(keys, statement);
  if (lacksAudienceOnly(missing, providers)) {
    return `Without it, a token that the provider issued for another client id of the same provider is accepted too.${note}`;
  }
  if (isForGoogleAccounts(missing, providers, statement)) {
    return `Without it, a token that these Google accounts have for another application is accepted too.${note}`;
  }
  if (keys.every((key) => key.toLowerCase() === "saml:aud")) {
    return `Without it, a response that the provider issued for another sign-in endpoint is accepted too.${note}`;
  }
  const names = providers.flatMap(({ name }) => name ?? []);
  return names.length > 0
    ? `Without ${missing.length > 1 ? "them" : "it"}, everyone who has a token of ${listed(names)} that matches the other conditions can assume the role.${note}`
    : `Without ${missing.length > 1 ? "them" : "it"}, the statement admits more callers than it should.${note}`;
}

/** A claim of a provider that is not a principal of the statement, under a test that needs the key. */
function foreignKey(providers: readonly Provider[], statement: Statement): string | null {
  if (providers.length === 0 || providers.some(({ name }) => name === null)) return null;
  const own = new Set(providers.map(({ name }) => (name ?? "").toLowerCase()));
  const foreign = limitingEntries(statement).find(({ key }) => {
    if (/^saml:/i.test(key)) return true;
    const provider = identityProviderKey(key)?.provider.toLowerCase();
    return provider !== undefined && !own.has(provider);
  });
  return foreign?.key ?? null;
}

/** Why an entry that has one of the keys does not count; empty when none has. */
function explainUnusable(keys: readonly string[], statement: Statement): string {
  const wanted = new Set(keys.map((key) => key.toLowerCase()));
  const read = readCondition(statement).entries.find(
    ({ entry, limiting }) => !limiting && wanted.has(entry.keyLower),
  );
  return read ? ` ${reasonOf(read, statement)}` : "";
}

/** AWS's own codes are about keys that are not there at all, whatever their operator. */
function codeFor({ conditions }: Statement, providers: readonly Provider[]): string | null {
  const names = providers.flatMap(({ name }) => (name === null ? [] : [name.toLowerCase()]));
  const [name] = names;
  if (names.length !== 1 || name === undefined) return null;
  const keys = conditions.map(({ keyLower }) => keyLower);
  if (name === gitHubIssuer && !keys.includes(`${name}:sub`)) {
    return "MISSING_GITHUB_REPO_CONDITION_KEY";
  }
  return keys.some((key) => key.startsWith(name))
    ? null
    : "MISSING_CONDITION_KEY_FOR_OIDC_PRINCIPAL";
}
