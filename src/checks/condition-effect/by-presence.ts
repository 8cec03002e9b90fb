import type { PolicyType } from "../../../spec/policy.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { nullCheckedKeys } from "../shared/null-checked.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";
import {
  demandsServicePrincipal,
  isInSignedRequests,
  isLackedByOrdinaryCalls,
  isOfForwardedCalls,
  isSourceKey,
} from "./key-facts.ts";

/** `mfa_condition_antipattern` reports what `Null` says of this key. */
const mfaKey = "aws:multifactorauthpresent";

/** What an entry says by the key being there, or not. */
export function effectOfPresence(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  const { operator, key, keyLower, operatorText, values } = entry;
  if (operator.base.type === null) {
    if (keyLower !== mfaKey && values.length > 0) return ofNull(entry, statement, policy);
    return null;
  }
  const stopsAll = stopsOrdinaryCalls(entry, statement, policy);
  if (stopsAll) return stopsAll;
  if (operator.base.negated || values.length === 0) return null;
  if (signedOnly.has(policy.type) && !passesWithoutKey(entry)) {
    if (
      demandsServicePrincipal(
        keyLower,
        values.map(({ text }) => text),
      )
    ) {
      return {
        kind: "never",
        entry,
        reason: `Only calls of service principals meet a test of ${quote(key)}, and this policy applies to users and roles.`,
        suggestion:
          "For calls that a service makes for the caller, test `aws:CalledVia` or `aws:ViaAWSService`; to name a service, use the policy of the resource.",
      };
    }
  }
  if (!statement.allows || !callersAreUsersOrRoles(statement, policy.type)) return null;
  // Of a key with one value, the set prefix is the fault.
  const isLacked =
    isLackedByOrdinaryCalls(keyLower) ||
    (isOfForwardedCalls(keyLower) && operator.setPrefix === null);
  if (!isLacked || !passesWithoutKey(entry)) return null;
  if (nullCheckedKeys(statement).has(keyLower)) return null;
  if (demandsService(statement)) return null;
  if (policy.type === "IDENTITY_POLICY" && isSourceKey(keyLower)) {
    // To require the key would grant nothing.
    return {
      kind: "always",
      entry,
      reason: `${quote(operatorText)} holds without the key, and calls of users and roles have no ${quote(key)}.`,
      suggestion: "Remove the test, or put it into the policy of the resource.",
    };
  }
  const { base, setPrefix } = operator;
  // Of several values one must fit, and a request that has none meets nothing.
  const strict = setPrefix === "ForAllValues" ? `ForAnyValue:${base.name}` : null;
  return {
    kind: "always",
    entry,
    reason: `${quote(operatorText)} holds without the key, and calls of users and roles have no ${quote(key)} unless a service makes the call for them.`,
    suggestion: strict
      ? `Add \`"Null": {${JSON.stringify(key)}: "false"}\`, or write ${quote(strict)}, so that the key must be there.`
      : `Write ${quote(operatorLike(entry, base.name, false))}, so that the key must be there.`,
    ...(strict
      ? fixedBy(() => statementWithCondition(statement, { Null: { [key]: "false" } }), {
          title: "Require the key",
          effect: "narrows",
        })
      : fixedBy(
          () =>
            correctedEntry(statement, entry, { operator: operatorLike(entry, base.name, false) }),
          { title: "Require the key with the stricter operator", effect: "narrows" },
        )),
  };
}

/**
 * A Deny for calls that services make for others' resources which also stops the calls of users and roles,
 * since these have no such key. Not in policies of resources, which may be for one source alone.
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_examples.html: the example
 * against confused deputies asks that `aws:SourceAccount` is there.
 */
function stopsOrdinaryCalls(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!statement.denies || values.length === 0 || !isSourceKey(keyLower)) return null;
  if (type !== "RESOURCE_CONTROL_POLICY" && !signedOnly.has(type)) return null;
  if (!operator.base.negated && !passesWithoutKey(entry)) return null;
  if (demandsService(statement) || statement.conditions.some(isOfServices)) return null;
  // A perimeter of callers beside it exempts the own ones.
  if (statement.conditions.some(exemptsCallers)) return null;
  return {
    kind: "always",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} also holds without the key, and calls of users and roles have no ${quote(key)}.`,
    consequence: "So the Deny stops these calls too.",
    suggestion:
      type === "RESOURCE_CONTROL_POLICY"
        ? 'Add `"Null": {"aws:SourceAccount": "false"}` and `"Bool": {"aws:PrincipalIsAWSService": "true"}` to the condition.'
        : "Test a key of the caller, such as `aws:PrincipalOrgID`, or write this test into a resource control policy.",
  };
}

function exemptsCallers({ operator, keyLower }: ConditionEntry): boolean {
  return (
    operator?.base.negated === true &&
    /^aws:principal(?:orgid|orgpaths|account|arn|tag\/.+)$/.test(keyLower)
  );
}

/** A test that, of signed calls, only those of services meet. */
function isOfServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    keyLower === "aws:principalisawsservice" &&
    operator?.base.type === "Bool" &&
    switchValue(values) === true
  );
}

function ofNull(entry: ReadableEntry, statement: Statement, { type }: Policy): Effect | null {
  const { key, keyLower, values, operatorText } = entry;
  const texts = values.map(({ text }) => text.toLowerCase());
  if (!texts.every((text) => text === "true" || text === "false")) return null;
  if (texts.includes("true") && texts.includes("false")) {
    return {
      kind: "always",
      entry,
      reason: `${quote(operatorText)} on ${quote(key)} has both \`true\` and \`false\`, so it holds with the key and without it.`,
      suggestion: "Write the one value that is meant.",
    };
  }
  const signed = isInSignedRequests(keyLower) && signedOnly.has(type);
  if (globalConditionKey(key)?.alwaysPresent !== true && !signed) return null;
  const all = signed ? "every signed request" : "every request";
  if (texts.includes("true")) {
    return {
      kind: "never",
      entry,
      reason: `${quote(operatorText)} asks that ${quote(key)} is absent, but ${all} has it.`,
      suggestion: "Remove the entry, or test the value of the key.",
    };
  } else {
    return {
      kind: "always",
      entry,
      reason: `${quote(operatorText)} asks that ${quote(key)} is there, and ${all} has it.`,
      suggestion: "Test the value of the key, or remove the entry.",
      ...fixedBy(() => correctedEntry(statement, entry, null), {
        title: "Remove the test, because every request has the key",
        effect: "equivalent",
        argument: "Every request has the key, so the test always holds.",
      }),
    };
  }
}

/** Users and roles sign their requests. */
const signedOnly: ReadonlySet<PolicyType> = new Set<PolicyType>([
  "IDENTITY_POLICY",
  "SERVICE_CONTROL_POLICY",
  "PERMISSIONS_BOUNDARY",
  "SESSION_POLICY",
]);

const ofUsersAndRoles: ReadonlySet<PolicyType> = new Set<PolicyType>(["IDENTITY_POLICY"]);

/** A service principal of a resource policy calls with the keys that users and roles lack. */
function callersAreUsersOrRoles({ principals }: Statement, type: PolicyType): boolean {
  if (ofUsersAndRoles.has(type) || /BOUNDARY|SESSION/.test(type)) return true;
  return principals.some((principal) => principal.type === "AWS");
}

/** Another entry lets in only calls that services make. */
function demandsService({ conditions }: Statement): boolean {
  return conditions.some(({ operator, keyLower, values }) => {
    if (!operator || operator.ifExists || operator.base.negated) return false;
    if (operator.setPrefix === "ForAllValues") return false;
    if (operator.base.type === null) {
      const present = switchValue(values) === false;
      return present && values.length > 0 && isLackedByOrdinaryCalls(keyLower);
    }
    if (keyLower === "aws:principalisawsservice" || keyLower === "aws:viaawsservice") {
      return switchValue(values) === true;
    }
    return isLackedByOrdinaryCalls(keyLower);
  });
}
