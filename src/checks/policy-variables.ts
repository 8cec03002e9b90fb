import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import { childNode } from "../json/node.ts";
import { FactSlot } from "../policy/fact-slot.ts";
import type { Policy } from "../policy/model.ts";
import { variablesIn } from "../policy/policy-variables.ts";
import { isRecord } from "../record.ts";
import { bareVariables } from "./policy-variables/bare.ts";
import { examples } from "./policy-variables/examples.ts";
import { reportsOfText } from "./policy-variables/of-text.ts";
import { mayHoldVariables, placesOf } from "./policy-variables/places.ts";
import { isVariable } from "./policy-variables/variable.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { currentVersion } from "./shared/grammar.ts";
import { quote } from "./shared/quote.ts";

export const policyVariables = defineCheck({
  check_id: "policy_variables",
  default_severity: "error",
  description: "Policy variables exist, are well formed, and stand where AWS replaces them.",
  docstring: `Reads every \`\${…}\` in resources, condition values, principals and statement ids. Those with the prefix of a
condition key (\`\${aws:username}\`, \`\${saml:sub}\`, \`\${accounts.google.com:sub}\`) are policy variables; other
\`\${…}\` are placeholders of a template language and are left alone. Reported are

- **names** that no condition key has, such as \`\${aws:usrname}\`, and keys with several values, which AWS does not
  replace;
- **form**: a missing brace or quote, a blank inside the name, an empty name, and names that are written in another way
  (\`$aws:username\`, \`{aws:username}\`);
- **place**: a variable in a principal or a statement id, under a Numeric, Date, IP or Binary operator, and any
  variable while \`Version\` is absent or \`2008-10-17\`. There AWS reads it as plain text. Under \`Bool\` and \`Null\` a
  variable is only noted: AWS documents it for \`Bool\`, and its own policy check reports it.

\`\${*}\`, \`\${?}\` and \`\${$}\` are escapes, and \`\${aws:username, 'nobody'}\` has a default; both are in order. A
variable in an action is for \`action_validation\`, one in the first five parts of an ARN for \`resource_validation\`.`,
  risk_explanation:
    "A variable that AWS does not replace is compared as text. No request matches it, so an Allow grants nothing and a Deny stops no request.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html",
  remediation_steps: [
    'Set `"Version": "2012-10-17"`.',
    "Write the variable as the name of a condition key with one value.",
    "Use variables only in the resource part of ARNs and in values of String and ARN operators.",
  ],
  options: z.strictObject({}),
  issue_types: {
    invalid_policy_variable: {
      severity: ["error", "info"],
      when: "A policy variable does not exist, is malformed, or stands where AWS does not replace it (follows the check); under Bool and Null it is information.",
    },
  },
  examples,

  *runPolicy({ policy }) {
    for (const { message, suggestion, node } of policy.document.problems ?? []) {
      yield { issue_type: "invalid_policy_variable", message, suggestion, node };
    }
  },

  concerns: mayHoldVariables,

  *runStatement(statement, context) {
    const version = versionFault(context.policy);
    for (const place of placesOf(statement)) {
      if (version && place.takesVariables && !told.get(context.policy)) {
        const variable = variablesIn(place.text).find((one) => isVariable(one, context));
        if (variable) {
          told.set(context.policy, true);
          yield { ...place.about, ...version, node: version.node ?? place.node };
        }
      }
      yield* reportsOfText(place, context);
    }
    yield* bareVariables(statement);
  },
});

/** The version is one edit, so it is reported once for a policy. */
const told = new FactSlot<Policy, boolean>();

function versionFault({ document, node }: Policy): (Report & { node?: Report["node"] }) | null {
  const { raw } = document;
  if (!isRecord(raw) || raw.Version === currentVersion) return null;
  const absent = !Object.hasOwn(raw, "Version");
  if (!absent && raw.Version !== "2008-10-17") return null;
  const version = childNode(node, "Version");
  return {
    issue_type: "invalid_policy_variable",
    ...(absent ? {} : { node: version }),
    message: `${absent ? "The policy has no `Version`" : `\`Version\` is ${quote("2008-10-17")}`}, so AWS does not replace policy variables and compares this one as plain text.`,
    suggestion: `Set \`"Version": "${currentVersion}"\`.`,
    aws_issue_code: "VARIABLE_UNSUPPORTED_IN_VERSION",
    ...fixedBy(
      () =>
        absent
          ? { node, value: { Version: currentVersion, ...raw } }
          : { node: version, value: currentVersion },
      {
        title: "Set Version 2012-10-17, with which AWS replaces policy variables",
        effect: "changes",
      },
    ),
  };
}
