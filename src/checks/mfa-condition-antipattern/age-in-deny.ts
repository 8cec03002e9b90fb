import type { Report } from "../../engine/check.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { ageKey, isDeniedWithoutKey, mfaKey } from "./other-denies.ts";

/**
 * A Deny of sign-ins that are too old, which those without MFA escape: their requests have no age. AWS's example has a
 * Deny for these besides:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html#example-bucket-policies-MFA
 */
export function* ageInDeny(statement: Statement, policy: Policy): Generator<Report> {
  const { denies, conditions } = statement;
  if (!denies || conditions.some(({ keyLower }) => keyLower === mfaKey)) return;
  const [entry, ...others] = conditions.filter(({ keyLower }) => keyLower === ageKey);
  const { operator } = entry ?? {};
  if (!entry || !operator || others.length > 0 || operator.ifExists) return;
  if (!operator.base.name.startsWith("NumericGreater") || operator.setPrefix !== null) return;
  if (isDeniedWithoutKey(statement, policy)) return;
  const wanted = operatorLike(entry, operator.base.name, true);
  yield {
    issue_type: "mfa_antipattern_age_in_deny",
    field_name: "condition",
    condition_key: entry.key,
    node: entry.keyNode,
    message: `${quote(entry.operatorText)} on ${quote(entry.key)} does not match requests without MFA, which lack the key, so this Deny does not apply to them.`,
    suggestion: `Write ${quote(wanted)}, which also holds for requests without the key.`,
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny requests without MFA too",
      effect: "narrows",
    }),
  };
}
