import type { Report } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { Action } from "../../services/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { allCount, type CountingAction } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import type { StatementKeys } from "./statement-keys.ts";

/**
 * Verbs of actions that create nothing and set no tags. The reference lists the tags of a request for
 * types of resources too, so for actions that read or end one, where no request has any:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html, "Controlling access during AWS requests".
 * No operation of EC2 with one of these verbs takes tags:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Operations.html
 */
const withoutTags =
  /^(?:Assign|Attach|BatchGet|Cancel|Delete|Deregister|Describe|Detach|Disable|Disassociate|Enable|Get|List|Modify|Monitor|Reboot|Reject|Release|Replace|Reset|Revoke|Stop|Terminate|Unassign|Unmonitor|Update)(?=[A-Z])|^StartInstances$/;
const tagOfRequest = /^aws:(?:requesttag\/|tagkeys$)/;

/** Tests of the request's tags in a statement of which no action takes tags. */
export function* unsentTags(
  statement: Statement,
  counting: readonly CountingAction[],
  keysOf: () => StatementKeys,
): Iterable<Report> {
  const tested = statement.conditions.filter(
    (entry) =>
      tagOfRequest.test(entry.keyLower) &&
      (failsWithoutKey(entry) || (statement.denies && holdsWithoutKey(entry))) &&
      // What an action does not list at all is reported already.
      (entry.keyLower === "aws:tagkeys" || keysOf().firstWithout(entry.key) === null),
  );
  if (tested.length === 0) return;
  // An action that is not known may be the one that takes tags.
  if (!allCount(statement, counting)) return;
  if (!counting.every(({ actions }) => actions.every(takesNoTags))) return;
  for (const entry of tested) yield unsent(entry, counting, statement);
}

/** A test that does not hold for a request without the key. */
function failsWithoutKey({ operator }: ConditionEntry): boolean {
  return (
    operator !== null &&
    operator.base.name !== "Null" &&
    !operator.base.negated &&
    !operator.ifExists &&
    operator.setPrefix !== "ForAllValues"
  );
}

/** A test that holds for every request without the key, whatever its values are. */
function holdsWithoutKey({ operator, values }: ConditionEntry): boolean {
  if (!operator || values.length === 0) return false;
  if (operator.base.name === "Null") return switchValue(values) === true;
  if (operator.setPrefix === "ForAnyValue" && !operator.ifExists) return false;
  return operator.base.negated || operator.ifExists || operator.setPrefix === "ForAllValues";
}

function takesNoTags({ name, accessLevel, conditionKeys }: Action): boolean {
  return (
    withoutTags.test(name) &&
    accessLevel !== "tagging" &&
    !conditionKeys.some((key) => /^aws:(?:requesttag|tagkeys)/i.test(key))
  );
}

function unsent(
  entry: ConditionEntry,
  counting: readonly CountingAction[],
  statement: Statement,
): Report {
  const { denies } = statement;
  const names = quoteList(
    counting.map(({ entry: action }) => action.text),
    3,
  );
  const tagKey = /^aws:RequestTag\/(.*)$/is.exec(entry.key)?.[1];
  const ofResource = `aws:ResourceTag/${tagKey}`;
  const stops = holdsWithoutKey(entry) ? "so the test holds for all of them" : null;
  const offersTag = (action: Action) => action.supportsKey(ofResource);
  return {
    issue_type: "invalid_condition_key",
    ...(denies ? { severity: "high" as const } : {}),
    field_name: "condition",
    action: counting[0]?.entry.text ?? null,
    condition_key: entry.key,
    node: entry.keyNode,
    message: `Requests for ${names} carry no tags, so they never carry ${quote(entry.key)}${stops === null ? `: this ${denies ? "Deny stops no request" : "Allow grants nothing"}` : `, ${stops}, and it exempts nothing from this Deny`}.`,
    suggestion:
      tagKey === undefined
        ? "Test a tag of the resource, such as `aws:ResourceTag/team`, or put the test into a statement for actions that set tags."
        : `To test the tag that the resource has, write ${quote(ofResource)}.`,
    ...(tagKey !== undefined && counting.every(({ actions }) => actions.every(offersTag))
      ? fixedBy(() => correctedEntry(statement, entry, { key: ofResource }), {
          title: "Test the tag that the resource has",
          effect: "changes",
        })
      : {}),
  };
}
