import { addressRange, publicAddresses } from "../../policy/address-ranges.ts";
import type { ConditionEntry, Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { isNarrowAddresses, isOpenValue } from "../shared/admits-everyone.ts";

/** Keys that say who calls, or from which network, with values that strangers do not have. */
const trustedKey =
  /^(?:aws:(?:principal(?:account|arn|orgid|orgpaths)|source(?:account|arn|orgid|orgpaths|owner|vpc|vpce)|vpce(?:account|orgid|orgpaths))|kms:calleraccount|s3:dataaccesspointa(?:rn|ccount))$/;

/**
 * Whether a Deny of the policy takes a grant for everyone back from all but trusted callers: it covers
 * every action and resource of the grant, applies to everyone, and exempts by fixed values only. AWS's
 * guides write private APIs and network perimeters that way:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 * Where it is not certain, the Deny does not count.
 */
export function isTakenBack(grant: Statement, { statements }: Policy): boolean {
  if (grant.actions.length === 0 || grant.resources.length === 0) return false;
  return statements.some(
    (deny) =>
      deny.denies &&
      deny.conditions.length > 0 &&
      deny.principals.some(({ type, text }) => type === "AWS" && text === "*") &&
      grant.actions.every((entry) => coversAction(deny, entry)) &&
      coversResources(deny, grant) &&
      deny.conditions.some(exemptsTrusted) &&
      deny.conditions.every((entry) => exemptsTrusted(entry) || exemptsServices(entry)),
  );
}

function coversAction({ actions, notActions }: Statement, { text }: Entry): boolean {
  const covers = (entry: Entry) => globMatches(entry.text, text, { ignoreCase: true });
  return notActions.length > 0 ? false : actions.some(covers);
}

function coversResources(deny: Statement, grant: Statement): boolean {
  return grant.resources.every(({ text }) =>
    deny.resources.some((entry) => globMatches(entry.text, text)),
  );
}

/** A negated test: the Deny spares callers with these values, and none that lacks the key. */
function exemptsTrusted({ operator, keyLower, values }: ConditionEntry): boolean {
  const base = operator?.base;
  if (!base?.negated || operator?.setPrefix === "ForAnyValue" || values.length === 0) return false;
  if (base.name === "NotIpAddress") {
    const ranges = values.map(({ text }) => addressRange(text));
    return (
      keyLower === "aws:sourceip" &&
      isNarrowAddresses(publicAddresses(ranges.flatMap((range) => range ?? []))) &&
      !ranges.includes(null)
    );
  }
  if (!trustedKey.test(keyLower)) return false;
  return !values.some(({ text }) => text.includes("${") || isOpenValue(keyLower, text));
}

/** `aws:PrincipalIsAWSService` or `aws:ViaAWSService` `false`: calls by AWS services are spared too. */
function exemptsServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    operator?.base.name === "Bool" &&
    (keyLower === "aws:principalisawsservice" || keyLower === "aws:viaawsservice") &&
    operator.ifExists &&
    values.every(({ text }) => text.toLowerCase() === "false")
  );
}
