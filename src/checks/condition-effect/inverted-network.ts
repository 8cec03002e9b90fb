import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { andWithoutKey, type Effect, type ReadableEntry } from "./effect.ts";

/** Access that a Deny keeps inside a network; a Deny of changes alone may be about one network on purpose. */
const uses = /^(?:\*|[a-z0-9-]+:(?:\*|(?:Get|List|Read|Receive|Invoke|Decrypt|Query|Scan).*))$/i;

/**
 * A Deny for everyone who comes through one VPC or endpoint, in the policy of a resource: the internet keeps its way in.
 * AWS's form: https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies-vpc-endpoint.html
 */
export function stopsOwnNetwork(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  const { principals, actions, conditions } = statement;
  if (
    (type !== "RESOURCE_POLICY" && type !== "ENDPOINT_POLICY") ||
    !/^aws:sourcevpce?$/.test(keyLower)
  )
    return null;
  if (operator.base.type !== "String" || operator.base.negated) return null;
  if (!conditions.every((one) => one === entry || isOutsideAddress(one))) return null;
  if (values.some(({ text }) => /[*?]/.test(text))) return null;
  if (!principals.some(({ text }) => text === "*")) return null;
  if (!actions.some(({ text }) => uses.test(text))) return null;
  const wanted = operatorLike(entry, operator.base.name.replace(/Equals|Like/, "Not$&"));
  const network = keyLower.endsWith("e") ? "VPC endpoint" : "VPC";
  if (type === "ENDPOINT_POLICY") {
    return {
      kind: "inverted",
      entry,
      reason: `All requests that the policy of an endpoint decides come through that endpoint, so this Deny by ${quote(operatorText)} on ${quote(key)} stops all of them or none.`,
      suggestion:
        "Remove the Deny, or test what tells wanted requests from others, such as `aws:PrincipalOrgID`.",
      consequence: "",
    };
  }
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the requests through the ${network} that it names${
      operator.ifExists
        ? `${andWithoutKey(entry)} and not those through another one`
        : " and not those from everywhere else"
    }.`,
    suggestion: `Write ${quote(wanted)}, so that it stops the others.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: `Deny what does not come through the ${network}`,
      effect: "changes",
    }),
  };
}

/** Requests through an endpoint have no public address, so such a test holds for all of them. */
function isOutsideAddress({ operator, keyLower }: ConditionEntry): boolean {
  return keyLower === "aws:sourceip" && operator?.base.negated === true;
}
