import type { PolicyType } from "../../../spec/policy.ts";
import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

/** The tests by which a perimeter exempts the calls of services, and what they are about when they are reversed. */
interface CarveOut {
  /** Keys of a perimeter: what is not of their values is outside. */
  readonly perimeter: RegExp;
  /** Completes "this Deny stops the calls that". */
  readonly calls: string;
}

const networks = "sourceip|sourcevpc|sourcevpce|sourcevpcarn|vpcsourceip";

/**
 * The guide tests both keys with `false` in a Deny of what is outside a perimeter:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_data-perimeters.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_aws_deny-ip.html
 */
const carveOuts: Readonly<Record<string, CarveOut>> = {
  "aws:viaawsservice": {
    perimeter: new RegExp(`^aws:(?:${networks})$`),
    calls: "services make for the caller",
  },
  "aws:principalisawsservice": {
    perimeter: new RegExp(`^aws:(?:${networks}|principal(?:orgid|orgpaths|account))$`),
    calls: "services make for themselves",
  },
};

/** @returns whether the entry asks for calls of services in a Deny of what is outside a perimeter. */
export function isReversedCarveOut(
  { operator, keyLower, values }: ConditionEntry,
  { denies, conditions }: Statement,
): boolean {
  const known = Object.hasOwn(carveOuts, keyLower) ? carveOuts[keyLower] : undefined;
  if (!known || !denies || operator?.base.name !== "Bool" || switchValue(values) !== true) {
    return false;
  }
  // A test of the source or of the service is a Deny of calls of services on purpose.
  if (
    conditions.some((one) =>
      /^aws:(?:source(?:account|arn|org)|principalservice|calledvia)/.test(one.keyLower),
    )
  ) {
    return false;
  }
  return conditions.some(
    (one) => one.operator?.base.negated === true && known.perimeter.test(one.keyLower),
  );
}

/** @returns the sentences about a reversed exemption in a policy of that type. */
export function stopsOnlyServices(
  { operatorText, key, keyLower }: ConditionEntry,
  type: PolicyType,
): string {
  const calls = carveOuts[keyLower]?.calls ?? "services make";
  const subject = `${quote(operatorText)} on ${quote(key)} is \`true\``;
  // https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps.html ("SCPs affect only IAM users and roles")
  if (keyLower === "aws:principalisawsservice" && policyTypeFacts[type].principal === "refused") {
    return `${subject}, as the key is for the calls that ${calls} alone. Policies of this type apply to no service, so this Deny stops no request.`;
  }
  return `${subject}, so this Deny stops the calls that ${calls}, and none that users and roles make themselves from outside.`;
}

/** A Deny of what is outside a perimeter that is for the calls of services, which the author means to exempt. */
export function stopsServicesAlone(
  entry: ReadableEntry,
  statement: Statement,
  { policy, peer }: Pick<CheckContext, "policy" | "peer">,
): Effect | null {
  const { key, keyLower, values } = entry;
  if (!isReversedCarveOut(entry, statement)) return null;
  if (
    policy.type === "RESOURCE_CONTROL_POLICY" &&
    keyLower === "aws:principalisawsservice" &&
    peer("rcp_best_practices")
  ) {
    return null;
  }
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: stopsOnlyServices(entry, policy.type),
    suggestion: `Write \`"BoolIfExists": {${JSON.stringify(key)}: "false"}\`, so that the calls of services are exempt.`,
    consequence: "",
    ...fixedBy(
      () => correctedEntry(statement, entry, { operator: "BoolIfExists", value: "false" }),
      { title: "Exempt the calls of services from the Deny", effect: "changes" },
    ),
  };
}
