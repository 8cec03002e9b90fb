import type { CheckContext, Correction, Report } from "../../engine/check.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import { correctedStatement, statementWithCondition } from "../shared/corrected.ts";
import { fixedBy, fixFrom } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { type ProviderKind, providerOf } from "./providers.ts";

/**
 * Actions that a trust policy can have. IAM's answer to others: "AssumeRole policy may only specify STS
 * AssumeRole actions". The last three: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_monitor.html and
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html (ProvidedContexts).
 */
const trustActions = [
  "sts:AssumeRole",
  "sts:AssumeRoleWithSAML",
  "sts:AssumeRoleWithWebIdentity",
  "sts:TagSession",
  "sts:SetSourceIdentity",
  "sts:SetContext",
];

const acceptedNames: ReadonlySet<string> = new Set(trustActions);

/** @param qualified In AWS's spelling. @returns whether a trust policy can grant the action. */
export function isTrustAction(qualified: string): boolean {
  return acceptedNames.has(qualified);
}

/** One report per entry of a trust policy that covers no action IAM accepts there. */
export function* unexpectedActions(
  statement: Statement,
  { match, peer }: Pick<CheckContext, "match" | "peer">,
): Generator<Report> {
  if (statement.has("NotAction")) {
    yield {
      issue_type: "unexpected_trust_action",
      severity: "error",
      node: statement.at("NotAction"),
      field_name: "not_action",
      message: "IAM does not accept `NotAction` in a trust policy.",
      suggestion: "List the assume-role actions in `Action`.",
      correction: () => withAssumeActions(statement, []),
    };
  }
  const accepted = statement.actions.filter(isAccepted);
  for (const entry of statement.actions) {
    if (isAccepted(entry)) continue;
    // An action without its prefix, such as `AssumeRole`, is for action_validation.
    if (match(entry.text).kind === "malformed" && peer("action_validation")) continue;
    yield {
      issue_type: "unexpected_trust_action",
      severity: "error",
      node: entry.node,
      field_name: "action",
      action: entry.text,
      message: `IAM accepts only assume-role actions in a trust policy; ${quote(entry.text)} is not one.`,
      suggestion:
        accepted.length > 0
          ? "Remove it. What the role may do belongs in its permissions policies."
          : "Write the assume-role action of the principal, such as `sts:AssumeRole`.",
      correction: () => withAssumeActions(statement, accepted),
      // A fix adds no action, so one has to stay.
      ...(accepted.length > 0
        ? {
            fix: () =>
              fixFrom(withAssumeActions(statement, accepted), {
                title: "Keep only the actions that a trust policy can have",
                effect: "repairs",
              }),
          }
        : {}),
    };
  }
}

function isAccepted({ text }: Entry): boolean {
  if (/^\*+$/.test(text)) return false;
  const options = { ignoreCase: true };
  return (
    /^sts:assumerole/i.test(text) || trustActions.some((name) => globMatches(text, name, options))
  );
}

function withAssumeActions(statement: Statement, accepted: readonly Entry[]): Correction | null {
  const texts = accepted.map(({ text }) => text);
  const action = texts.length > 0 ? texts : actionOf(statement);
  if (action === null || action.length === 0) return null;
  return correctedStatement(statement, {
    Action: action.length === 1 ? action[0] : action,
    NotAction: undefined,
  });
}

/** The assume-role action that all principals of the statement use; null for federated ones, which need conditions. */
function actionOf({ principals }: Statement): string[] | null {
  const plain =
    principals.length > 0 && principals.every(({ type }) => type === "AWS" || type === "Service");
  return plain ? ["sts:AssumeRole"] : null;
}

const signIn = { StringEquals: { "SAML:aud": "https://signin.aws.amazon.com/saml" } };

/** Whether every principal is a provider of the kind. */
function areOf(kind: ProviderKind, { principals }: Statement): boolean {
  return (
    principals.length > 0 &&
    principals.every(
      ({ type, text }) =>
        type === "Federated" &&
        (kind === "SAML" ? text.includes(":saml-provider/") : providerOf(text) !== null),
    )
  );
}

/** The assume-role action of the statement's principals, where all are of one kind. */
export function suitedTo(statement: Statement): string | null {
  if (areOf("SAML", statement)) return "sts:AssumeRoleWithSAML";
  if (areOf("OIDC", statement)) return "sts:AssumeRoleWithWebIdentity";
  return actionOf(statement)?.[0] ?? null;
}

/** Whether the audience and the user or workload are tested, without which the role would be open to others. */
function testsClaims(statement: Statement): boolean {
  const keys = limitingEntries(statement).map(({ keyLower }) => keyLower);
  return keys.some((key) => key.endsWith(":aud")) && keys.some((key) => key.endsWith(":sub"));
}

/** The statement with the assume-role action that suits its principals in place of another one. */
export function suitableAction(statement: Statement, action: string): Correction | null {
  const { actions } = statement;
  const saml = areOf("SAML", statement);
  const found = suitedTo(statement);
  const suited = areOf("OIDC", statement) && !testsClaims(statement) ? undefined : found;
  if (suited == null || actions.some(({ text }) => /[*?]/.test(text))) return null;
  const names = actions.map(({ text }) =>
    text.toLowerCase() === action.toLowerCase() ? suited : text,
  );
  const once = [...new Set(names)];
  const Action = once.length === 1 ? once[0] : once;
  if (!saml) return correctedStatement(statement, { Action });
  return statementWithCondition(statement, signIn, { Action });
}

/**
 * Services that set tags on the sessions they start.
 * https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
 */
const taggingServices: ReadonlySet<string> = new Set(["pods.eks.amazonaws.com"]);

/** A service that may assume the role and not tag the session, in no statement of the policy. */
export function* missingTagSession(
  statement: Statement,
  { statements }: Policy,
): Generator<Report> {
  const entry = statement.actions.find(({ text }) => covers(text, "sts:AssumeRole"));
  if (!statement.allows || !entry) return;
  for (const { type, text, node } of statement.principals) {
    if (type !== "Service" || !taggingServices.has(text)) continue;
    const mayTag = statements.some(
      ({ allows, principals, actions }) =>
        allows &&
        principals.some((other) => other.type === type && other.text === text) &&
        actions.some((action) => covers(action.text, "sts:TagSession")),
    );
    if (mayTag) continue;
    const correction = () =>
      correctedStatement(statement, {
        Action: [...statement.actions.map((action) => action.text), "sts:TagSession"],
      });
    yield {
      issue_type: "missing_tag_session",
      severity: "high",
      node,
      field_name: "principal",
      action: entry.text,
      message: `${quote(text)} tags the sessions that it starts, and no statement allows it \`sts:TagSession\`, so pods get no credentials of this role unless their association disables session tags.`,
      suggestion: "Add `sts:TagSession` to `Action`.",
      ...fixedBy(correction, { title: "Add `sts:TagSession`", effect: "changes" }),
    };
  }
}

function covers(pattern: string, name: string): boolean {
  return globMatches(pattern, name, { ignoreCase: true });
}
