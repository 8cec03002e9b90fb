import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { opennessOf } from "../shared/admits-everyone.ts";
import { conditionalDeniesOf, coversGrant } from "../shared/grants/denies.ts";
import { switchValue } from "../shared/switch-value.ts";

/**
 * Whether a Deny of the policy stops what services do on behalf of others' resources. AWS writes it with
 * `aws:PrincipalIsAWSService`, and asks that the key is there, because some calls of services have no source:
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_examples.html
 */
export function isDeniedToOthers(
  statement: Statement,
  { policy, services }: Pick<CheckContext, "policy" | "services">,
): boolean {
  const { actions } = statement;
  const denies = conditionalDeniesOf(policy, services.date);
  if (!denies.exist || actions.length === 0) return false;
  const covering = actions.map(({ text }) => denies.of(text));
  return (covering[0] ?? []).some(
    (deny) =>
      covering.every((list) => list.includes(deny)) &&
      coversGrant(deny, statement) &&
      deny.conditions.some((entry) => excludesOthers(entry, deny)) &&
      deny.conditions.every(
        (entry) => excludesOthers(entry, deny) || isOfServices(entry) || asksForSource(entry),
      ),
  );
}

const sourceKey = /^aws:source(?:account|arn|orgid|orgpaths)$/;

/** The ARN of a bucket has no account, so it excludes no other one. */
function excludesOthers(entry: ConditionEntry, deny: Statement): boolean {
  const { operator, keyLower, values } = entry;
  if (!operator?.base.negated || operator.setPrefix !== null || !sourceKey.test(keyLower)) {
    return false;
  }
  const hasAccount = (text: string) => !/^arn:[^:]*:s3:::/.test(text) && !/^[*?]*$/.test(text);
  return (
    values.length > 0 &&
    values.every(({ text }) => hasAccount(text)) &&
    opennessOf(entry, deny) === null
  );
}

function isOfServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    keyLower === "aws:principalisawsservice" &&
    operator?.base.name === "Bool" &&
    switchValue(values) === true
  );
}

function asksForSource({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    operator?.base.name === "Null" && sourceKey.test(keyLower) && switchValue(values) === false
  );
}
