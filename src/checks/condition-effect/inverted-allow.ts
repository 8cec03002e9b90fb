import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";

/** An Allow that asks for an MFA sign-in of at least some age. */
export function oldSignIn(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, operatorText } = entry;
  if (keyLower !== "aws:multifactorauthage") return null;
  if (!operator.base.name.startsWith("NumericGreaterThan")) return null;
  const bounded = statement.conditions.some(
    (one) =>
      isReadable(one) &&
      one.keyLower === keyLower &&
      one.operator.base.name.startsWith("NumericLessThan"),
  );
  if (bounded) return null;
  const wanted = operatorLike(entry, operator.base.name.replace("Greater", "Less"), false);
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Allow hold for sign-ins that are old, and not for recent ones.`,
    suggestion: `Write ${quote(wanted)}, so that the sign-in must be recent.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Ask for a recent sign-in with MFA",
      effect: "changes",
    }),
  };
}

interface Needed {
  readonly trustOnly: boolean;
  /** Ends the sentence "so this Allow holds only for". */
  readonly others: string;
  readonly suggestion: string;
}

/** Keys that callers have to send for their request to be a good one. */
const needed: Readonly<Record<string, Needed>> = {
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
  "sts:externalid": {
    trustOnly: true,
    others: "callers that send no external id",
    suggestion:
      'Write `"StringEquals": {"sts:ExternalId": …}` with the id that you agreed on with the other party.',
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
  "aws:multifactorauthage": {
    trustOnly: false,
    others: "callers that did not sign in with MFA",
    suggestion: 'Write `"Bool": {"aws:MultiFactorAuthPresent": "true"}`.',
  },
};

/** An Allow with `Null` `true` on such a key. */
export function refusesWhatIsNeeded(
  entry: ReadableEntry,
  { type }: Pick<Policy, "type">,
): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  const rule = Object.hasOwn(needed, keyLower) ? needed[keyLower] : undefined;
  if (!rule || operator.base.type !== null || (rule.trustOnly && type !== "TRUST_POLICY"))
    return null;
  if (switchValue(values) !== true) return null;
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `${quote(operatorText)} on ${quote(key)} is \`true\`, so this Allow holds only for ${rule.others}.`,
    suggestion: rule.suggestion,
    consequence: "",
  };
}
