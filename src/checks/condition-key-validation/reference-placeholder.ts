import type { CheckContext, Report } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";

/** `${TagKey}` in `aws:ResourceTag/${TagKey}`, where the author of a policy writes the key of a tag. */
const placeholder = /\$\{[A-Za-z]+\}$/;
const familyOfTags = /^aws:(?:PrincipalTag|RequestTag|ResourceTag)\/\$\{TagKey\}$/i;

/**
 * The placeholder at the end of a key that is copied from the service authorization reference, which writes
 * `${TagKey}` for what follows the slash; null for every other key.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function referencePlaceholder(
  { key, keyLower }: ConditionEntry,
  { services }: Pick<CheckContext, "services">,
): string | null {
  const [found] = placeholder.exec(key) ?? [];
  if (found === undefined) return null;
  if (familyOfTags.test(key)) return found;
  const service = services.get(keyLower.slice(0, Math.max(0, keyLower.indexOf(":"))));
  return service?.conditionKeys.some(({ name }) => name.toLowerCase() === keyLower) ? found : null;
}

/** A key that still has the placeholder of the reference. */
export function copiedKey(entry: ConditionEntry, found: string, { denies }: Statement): Report {
  const { key, keyNode } = entry;
  return {
    issue_type: "invalid_condition_key",
    ...(denies ? { severity: "high" as const } : {}),
    field_name: "condition",
    condition_key: key,
    node: keyNode,
    message: `${quote(key)} has the placeholder ${quote(found)} of AWS's reference in place of a name, so no request carries it.`,
    suggestion: `Write the name in place of ${quote(found)}, such as ${quote(key.replace(found, () => "team"))}.`,
    aws_issue_code: null,
  };
}
