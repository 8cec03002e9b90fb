import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";
import { ifexistsConditionUsage } from "../ifexists-condition-usage.ts";

const channel =
  "arn:aws:cloudtrail:us-east-1:777788889999:channel/EXAMPLE8-0123-0123-0123-0123456789ab";
/** The policy of a channel with which a partner delivers events. */
const deliver = (Condition: object) => ({
  type: "RESOURCE_POLICY" as const,
  statement: {
    Effect: "Allow",
    Principal: { AWS: "111122223333" },
    Action: "cloudtrail-data:PutAuditEvents",
    Resource: channel,
    Condition,
  },
});
const id = { "cloudtrail:ExternalId": "a1b2c3" };

checkCases(conditionEffect, [
  {
    name: "an Allow that excludes the id of a partner",
    ...deliver({ StringNotEquals: id }),
    findings: [{ issue_type: "condition_inverted", severity: "high" }],
  },
  { name: "accepts the id of a partner", ...deliver({ StringEquals: id }), findings: [] },
]);

checkCases(ifexistsConditionUsage, [
  {
    name: "an id of a partner that may be missing",
    ...deliver({ StringEqualsIfExists: id }),
    findings: [{ issue_type: "ifexists_weakens_security_condition", severity: "high" }],
  },
  {
    name: "accepts an id of a partner that is required",
    ...deliver({ StringEquals: id }),
    findings: [],
  },
]);
