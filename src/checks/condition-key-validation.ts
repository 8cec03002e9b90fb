import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import {
  claimBesideFederation,
  isFederationSessionKey,
  isTenantClaim,
  otherProvidersClaim,
} from "./condition-key-validation/federation-keys.ts";
import type { InvalidKey } from "./condition-key-validation/invalid-key.ts";
import { mergeInvalid } from "./condition-key-validation/merge-invalid.ts";
import { misspeltServiceKey } from "./condition-key-validation/misspelt-service-key.ts";
import {
  copiedKey,
  referencePlaceholder,
} from "./condition-key-validation/reference-placeholder.ts";
import { StatementKeys } from "./condition-key-validation/statement-keys.ts";
import { unsentForTypes } from "./condition-key-validation/unsent-for-types.ts";
import { unsentKeys } from "./condition-key-validation/unsent-keys.ts";
import { unsentTags } from "./condition-key-validation/unsent-tags.ts";
import { stopsLaunches } from "./condition-key-validation/whole-launch.ts";
import { unknownWithoutActions } from "./condition-key-validation/wording.ts";
import { type CountingAction, countingActions } from "./shared/counting-actions.ts";
import { quote } from "./shared/quote.ts";
import { switchValue } from "./shared/switch-value.ts";

const options = z.strictObject({
  warn_on_global_condition_keys: z
    .boolean()
    .default(false)
    .describe("Warn of global keys that no action of the statement lists itself."),
  validate_aws_global_keys: z
    .boolean()
    .default(true)
    .describe("Accepted for the sake of older files; has no effect."),
});
type Options = z.output<typeof options>;

export const conditionKeyValidation = defineCheck({
  check_id: "condition_key_validation",
  default_severity: "error",
  description: "Each condition key exists and is offered by the actions of the statement.",
  docstring: `Looks up every condition key of a statement, under whichever operator, for every action of the statement. A
key is in order when

1. the service of the action lists it (for \`aws:RequestTag/\` and \`aws:ResourceTag/\` this is not enough), or
2. the action or one of its resource types lists it; for a pattern, any action it matches, or
3. it is a global key, \`aws:PrincipalTag/\` among them, or
4. the action is \`sts:AssumeRoleWithWebIdentity\` and the key is a claim of an identity provider.

A key under \`IfExists\`, or in an Allow under \`Null\` with \`true\` or a negated operator, needs only one action that
carries it. Letter case does not count. Keys that agree up to
their first \`/\` are reported together. Actions that do not exist are passed over here. A key of the service that no
action of the statement sends, such as \`s3:prefix\` with \`s3:GetObject\`, is reported too, and so is a test of the
request's tags where no action takes tags, and a key of \`ec2\` that requests have for other types of resources than
those of the statement, such as \`ec2:MetadataHttpTokens\` on images. So is a Deny of \`ec2:RunInstances\` that stops every
launch, because some of its resources lack the key and the test holds without it.

Claims of identity providers are known beside an \`AssumeRoleWith…\` action of a trust policy, and those that stay with
the session (\`saml:sub\`, \`<provider>:sub\`) for every action of other policies.

A key that ends with a placeholder of AWS's reference, such as \`aws:ResourceTag/\${TagKey}\`, is reported too.

With \`NotAction\`, or when every action is \`*\`, there is no action to ask: then keys that begin with \`aws:\`
are compared with the global keys, and of the others those are reported that are misspelt keys of their service.`,
  risk_explanation:
    "A condition on a key that a request never carries does not hold: an Allow grants nothing, and a Deny that was to protect denies nothing.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html",
  remediation_steps: [
    "Look up the condition keys of the action in the service authorization reference.",
    "Correct the spelling of the key, or use a global condition key.",
    "Put actions that do not carry the key into a separate statement.",
  ],
  options,
  issue_types: {
    invalid_condition_key: {
      severity: ["error", "high", "info"],
      when: "An action of the statement does not know the key (follows the check), or none of the actions sends it, or sends it for the resources of the statement (error in an Allow, high in a Deny, information where the reference is less exact or some actions send it); or there is no action to ask and the key is an unknown global one or a misspelt one of its service (follows the check in an Allow, high in a Deny).",
    },
    global_condition_key_with_action_specific: {
      severity: "warning",
      when: "warn_on_global_condition_keys is on, and an action does not list a global key itself.",
    },
  },
  examples: {
    bad: [
      {
        title: "A letter is missing in a global key, and reading objects takes no request tags.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: {
                StringEquals: {
                  "aws:PrincipalOrgI": "o-a1b2c3d4e5",
                  "aws:RequestTag/team": "data",
                },
              },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "A global key, a key of the service and a tag on the object.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: {
                StringEquals: {
                  "aws:PrincipalOrgID": "o-a1b2c3d4e5",
                  "s3:ExistingObjectTag/team": "data",
                },
              },
            },
          ],
        },
      },
    ],
  },

  element: "Condition",
  *runStatement(statement, context: CheckContext<Options>) {
    if (statement.conditions.length === 0) return;
    const counting = countingActions(statement, context);
    const found =
      counting.length > 0
        ? keysOfActions(statement, counting, context)
        : keysWithoutActions(statement, context);
    const others: Report[] = [];
    const invalid: InvalidKey[] = [];
    const all: (Report | InvalidKey)[] = [];
    for (const one of found) {
      all.push(one);
      if ("entry" in one) invalid.push(one);
      else others.push(one);
    }
    // A single one keeps its place; several are gathered behind everything else.
    if (invalid.length > 1) yield* [...others, ...mergeInvalid(invalid, context)];
    else for (const one of all) yield* "entry" in one ? mergeInvalid([one], context) : [one];
  },
});

function* keysOfActions(
  statement: Statement,
  counting: readonly CountingAction[],
  context: CheckContext<Options>,
): Iterable<Report | InvalidKey> {
  const { options, policy } = context;
  // Most conditions test global keys only, which need no table of actions.
  let keys: StatementKeys | undefined;
  const keysOf = () => {
    keys ??= new StatementKeys(counting);
    return keys;
  };
  for (const entry of statement.conditions) {
    const { key } = entry;
    const placeholder = referencePlaceholder(entry, context);
    if (placeholder !== null) {
      yield copiedKey(entry, placeholder, statement);
      continue;
    }
    const global = globalConditionKey(key);
    if (!global) {
      // Some claims of a sign-in stay with the session, so requests for any action carry them.
      if (policy.type !== "TRUST_POLICY") {
        if (isFederationSessionKey(key)) continue;
        const misspelt = otherProvidersClaim(entry, statement, counting);
        if (misspelt) {
          yield misspelt;
          continue;
        }
      }
      const action = keysOf().firstWithout(key);
      if (!action || isTenantClaim(key, counting)) continue;
      const claim = claimBesideFederation(entry, action, counting);
      if (claim) {
        if (claim !== "known") yield claim;
      } else if (!(allowsAbsence(entry, statement) && keysOf().someHas(key))) {
        yield { entry, action, effect: statement.effect, statement };
      }
    } else if (options.warn_on_global_condition_keys && !global.alwaysPresent) {
      const action = keysOf().firstWithout(key);
      if (!action) continue;
      yield {
        issue_type: "global_condition_key_with_action_specific",
        severity: "warning",
        field_name: "condition",
        action: action.entry.text,
        condition_key: key,
        node: entry.keyNode,
        message: `${quote(key)} is a global key that ${quote(action.entry.text)} does not list among its own. Requests may lack it.`,
        suggestion: `Make sure that requests for ${quote(action.entry.text)} carry the key, or use a key that the action lists.`,
      };
    }
  }
  yield* unsentKeys(statement, counting, context);
  yield* unsentForTypes(statement, counting, context);
  yield* stopsLaunches(statement, counting, context);
  yield* unsentTags(statement, counting, keysOf);
}

/**
 * The test also holds for requests without the key: `IfExists`, or in an Allow `Null` with `true` and negated
 * operators. A misspelt operator has the suffix too; what is wrong with it is for condition_type_mismatch.
 */
function allowsAbsence(
  { operator, operatorText, values }: ConditionEntry,
  { allows }: Statement,
): boolean {
  if (!operator) return /ifexists$/i.test(operatorText);
  if (operator.ifExists) return true;
  const wantsAbsence = operator.base.name === "Null" && switchValue(values) === true;
  return allows && (wantsAbsence || operator.base.negated);
}

const tagPrefix = /^aws:(?:RequestTag|ResourceTag|PrincipalTag)\//i;

function* keysWithoutActions(
  statement: Statement,
  context: CheckContext<Options>,
): Iterable<Report | InvalidKey> {
  const { actions } = statement;
  const everything = actions.length > 0 && actions.every(({ text }) => text === "*");
  const notAction = actions.length === 0 && statement.has("NotAction");
  if (!everything && !notAction) return;
  const why = unknownWithoutActions(notAction, context);
  for (const entry of statement.conditions) {
    const { key, keyLower } = entry;
    const invalid = { entry, action: null, effect: statement.effect, statement };
    const placeholder = referencePlaceholder(entry, context);
    if (placeholder !== null) yield copiedKey(entry, placeholder, statement);
    else if (!keyLower.startsWith("aws:")) yield* misspeltServiceKey(invalid, context);
    else if (!tagPrefix.test(key) && !globalConditionKey(key)) yield { ...invalid, why };
  }
}
