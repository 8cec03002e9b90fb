/** Where one of AWS's codes is left out, because a check says the same in its own way, or it is not true of the policy. */
import type { PolicyType } from "../../../spec/policy.ts";
import type { CodePlace } from "../../engine/check.ts";
import { type NodeRef, stepsOf } from "../../json/node.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { coversGrant, deniesOf } from "./grants/denies.ts";

/** Subjects with wildcards are for `federated_subject`. */
export function isWildcardSubject({ issue, statement }: CodePlace): boolean {
  const value = valueAt(issue.nodes[0], statement);
  return typeof value !== "string" || hasWildcard(value);
}

/** The value in a condition that the node is. */
function valueAt(node: NodeRef | undefined, statement: Statement | null): unknown {
  const steps = node ? stepsOf(node) : [];
  let value: unknown = statement?.raw;
  for (const step of steps.slice(steps.indexOf("Condition"))) {
    value = (value as Record<string | number, unknown> | undefined)?.[step];
  }
  return value;
}

const allowedActions = new FactSlot<Policy, readonly string[]>();

/**
 * Another statement allows the action that sets the key, as AWS's own example has it. Beside an identity policy
 * there may be others that do.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_permissions-required
 */
export function isAllowedElsewhere({ issue, policy }: CodePlace): boolean {
  if (policyTypeFacts[policy.type].accessAnalyzer.policyType === "IDENTITY_POLICY") return true;
  const needed = /`(sts:(?:TagSession|SetSourceIdentity))`/.exec(issue.details)?.[1];
  let allowed = allowedActions.get(policy);
  if (!allowed) {
    allowed = ["sts:TagSession", "sts:SetSourceIdentity"].filter((name) =>
      policy.statements.some(
        ({ allows, actions }) =>
          allows && actions.some(({ text }) => globMatches(text, name, { ignoreCase: true })),
      ),
    );
    allowedActions.set(policy, allowed);
  }
  return needed !== undefined && allowed.includes(needed);
}

/** A Deny of the policy covers all that the statement allows of the action. */
export function isTakenBack(action: string) {
  return ({ statement, policy, services }: CodePlace): boolean =>
    statement !== null &&
    deniesOf(policy, services.date)
      .of(action)
      .some((deny) => coversGrant(deny, statement));
}

const anywhereActions = new FactSlot<Policy, boolean>();

/**
 * The statements for IAM Roles Anywhere allow its three actions together, as AWS's role for hybrid nodes has it.
 * https://docs.aws.amazon.com/eks/latest/userguide/hybrid-nodes-creds.html
 */
export function areTogetherForRolesAnywhere({ policy }: CodePlace): boolean {
  let complete = anywhereActions.get(policy);
  if (complete === undefined) {
    const texts = policy.statements
      .filter(
        ({ allows, principals }) =>
          allows &&
          principals.some(({ text }) => text.toLowerCase() === "rolesanywhere.amazonaws.com"),
      )
      .flatMap(({ actions }) => actions.map(({ text }) => text));
    complete = ["sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"].every((name) =>
      texts.some((text) => globMatches(text, name, { ignoreCase: true })),
    );
    anywhereActions.set(policy, complete);
  }
  return complete;
}

const servicesTested = new FactSlot<Statement, boolean>();

/** A test tells calls of AWS services from others; its form is for `rcp_best_practices` itself. */
export function testsForServices({ statement }: CodePlace): boolean {
  if (!statement) return false;
  const found =
    servicesTested.get(statement) ??
    statement.conditions.some(
      ({ keyLower }) =>
        keyLower === "aws:principalisawsservice" || keyLower.startsWith("aws:principalservicename"),
    );
  servicesTested.set(statement, found);
  return found;
}

/** Principals are for `policy_type_validation`. */
export function isOutsideConditions({ issue }: CodePlace): boolean {
  return !issue.nodes.some((node) => stepsOf(node).includes("Condition"));
}

const letsEveryoneIn = new FactSlot<Statement, boolean>();

/**
 * Subjects of identity providers are for `federated_subject`, and keys that let everyone into a resource for
 * `public_access`.
 */
export function isReportedWildcard({ issue, statement }: CodePlace): boolean {
  const steps = issue.nodes[0] ? stepsOf(issue.nodes[0]) : [];
  const key = String(steps[steps.indexOf("Condition") + 2] ?? "");
  // What a lone star does is for `condition_effect` itself.
  if (/^\*+$/.test(String(valueAt(issue.nodes[0], statement)))) return true;
  if (identityProviderKey(key)) return true;
  if (!statement?.allows) return false;
  const everyone =
    letsEveryoneIn.get(statement) ?? statement.principals.some(({ text }) => text === "*");
  letsEveryoneIn.set(statement, everyone);
  return everyone;
}

/** A value that is no ARN at all is for `condition_type_mismatch` itself. */
export function isNoArn({ issue, statement }: CodePlace): boolean {
  return !String(valueAt(issue.nodes[0], statement)).startsWith("arn:");
}

/** Whether another Deny of the policy stops the requests from other VPCs, whatever their addresses. */
export function keepsOtherNetworksOut({ statement, policy }: CodePlace): boolean {
  return (
    statement?.denies === true &&
    policy.statements.some(({ denies, conditions }) => {
      const [entry, ...others] = conditions;
      if (!denies || !entry || others.length > 0) return false;
      return /^aws:sourcevpce?$/.test(entry.keyLower) && entry.operator?.base.negated === true;
    })
  );
}

const ofOneResource: ReadonlySet<PolicyType> = new Set([
  "RESOURCE_POLICY",
  "ENDPOINT_POLICY",
  "TRUST_POLICY",
]);

/**
 * A Deny that callers escape by sending the right text. Policies of buckets may test a referer so that other sites do not link to
 * their pictures, which protects nothing else.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-useragent
 */
export function exemptsByChosenValue({ statement, policy }: CodePlace): boolean {
  if (!statement?.denies || ofOneResource.has(policy.type)) return false;
  return statement.conditions.some(
    ({ keyLower, operator }) =>
      operator?.base.negated === true && /^aws:(?:useragent|referer)$/.test(keyLower),
  );
}
