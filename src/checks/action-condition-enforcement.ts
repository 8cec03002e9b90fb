import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { activeRequirements } from "./action-condition-enforcement/active.ts";
import { isOncePerPolicy } from "./action-condition-enforcement/defaults.ts";
import { badPolicies, goodPolicies } from "./action-condition-enforcement/examples.ts";
import {
  type Asked,
  type Concerned,
  concernedStatements,
  concerningTests,
  mayFail,
} from "./action-condition-enforcement/matching.ts";
import { enforcementOptions } from "./action-condition-enforcement/options.ts";
import {
  detectedReport,
  faultReport,
  forbiddenActionReport,
} from "./action-condition-enforcement/reports.ts";
import { planOf } from "./action-condition-enforcement/requirement.ts";
import { conditionFaults } from "./shared/condition-requirements.ts";
import { conditionalDeniesOf } from "./shared/grants/denies.ts";
import { underDenies } from "./shared/grants/under-denies.ts";

export const actionConditionEnforcement = defineCheck({
  check_id: "action_condition_enforcement",
  default_severity: "high",
  description: "Actions that need a condition are granted with it.",
  docstring: `Holds every Allow statement against the requirements of the configuration: which actions need which conditions, must not have which, or must not be granted at all. Entries with wildcards count for all that they grant.

Without configuration:

- \`iam:PassRole\` needs \`iam:PassedToService\` (identity policies only, \`high\` on every role, \`medium\` on named roles);
- reading and writing S3 objects needs a boundary: the organisation or account of the bucket, or the network (identity policies only, \`low\`, once per policy);
- \`ssm:StartSession\`, \`ssm:Run…\` and \`rds-db:connect\` need \`aws:SourceIp\` (identity policies only);
- S3 objects are not to be granted over plain HTTP (\`aws:SecureTransport\` \`false\`);
- S3 is not to be granted to a range of all addresses.

These defaults concern only actions that the resources of the statement fit. Requirements of the configuration also hold for an Allow with \`NotAction\`, for the actions that it does not exclude. What a Deny of the same policy takes back for certain is not granted.

A condition counts only when it limits: a negated operator in an Allow, \`Null\`, \`IfExists\` on a key that may be absent, \`ForAllValues\` without a \`Null\` guard, and values that match everything do not.`,
  risk_explanation:
    "Some actions are safe only inside a boundary: one service that receives a role, one " +
    "organisation that keeps the data, one network, encrypted transport.",
  risk_category: "compliance",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition.html",
  remediation_steps: [
    "Add the condition to every statement that grants the action",
    "Move the action to a separate statement where the condition does not fit the others",
    "Change the requirement where the organisation has another control",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options: enforcementOptions,
  issue_types: {
    missing_required_condition: {
      severity: "check",
      when: "A required condition is missing; the condition's or the requirement's severity wins.",
    },
    missing_required_condition_any_of: {
      severity: "check",
      when: "None of several conditions is there; the requirement's severity wins.",
    },
    forbidden_condition_present: {
      severity: "check",
      when: "A condition is there that may not be; the condition's or the requirement's severity wins.",
    },
    forbidden_action: {
      severity: "check",
      when: "An action is granted that may not be; the requirement's severity wins.",
    },
    action_detected: {
      severity: "check",
      when: "Actions are granted that a requirement without conditions names; its severity wins.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  *runPolicy(context) {
    const active = activeRequirements(context.options, context);
    for (const asked of concerningTests(active, context)) {
      if (!mayFail(asked, context)) continue;
      const patterns = asked.requirement.ignore_patterns ?? [];
      for (const report of reportsOf(asked, context)) {
        if (report === null) {
          yield null;
          continue;
        }
        const { statement = null, ...fields } = report;
        if (!context.ignores(patterns, { statement, ...fields })) yield report;
      }
    }
  },
});

/** The statement with what the Denies of the policy leave; itself where actions differ in that. */
function afterDenies({ statement, granted }: Concerned, context: CheckContext): Statement {
  if (!conditionalDeniesOf(context.policy, context.services.date).exist) return statement;
  const limited = new Set(granted.map((action) => underDenies(statement, action, context)));
  const [only = statement] = limited;
  return limited.size === 1 ? only : statement;
}

function* reportsOf({ requirement, test }: Asked, context: CheckContext): Generator<Report | null> {
  const { conditions, detects } = planOf(requirement);
  const concerned = yield* concernedStatements(requirement, test, context);
  if (test.kind === "none_of") {
    for (const one of concerned) {
      yield forbiddenActionReport(requirement, one, concerned.length);
    }
  } else if (detects) {
    const report = detectedReport(requirement, concerned);
    if (report) yield report;
  } else {
    for (const one of concerned) {
      for (const fault of conditionFaults(afterDenies(one, context), conditions)) {
        yield faultReport(requirement, one, fault, concerned.length, context);
        if (isOncePerPolicy(requirement)) return;
      }
    }
  }
}
