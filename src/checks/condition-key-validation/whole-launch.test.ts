import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const absent = { Null: { "aws:RequestTag/CostCenter": "true" } };
const deny = (Action: unknown, Resource: unknown, Condition: object = absent) => ({
  type: "SERVICE_CONTROL_POLICY" as const,
  statement: { Effect: "Deny", Action, Resource, Condition },
});
const instances = "arn:aws:ec2:*:*:instance/*";

checkCases(
  conditionKeyValidation,
  [
    ...[absent, { StringNotEquals: { "aws:RequestTag/CostCenter": ["a", "b"] } }].map(
      (Condition) => ({
        name: `a tag is asked of everything that a launch uses: ${JSON.stringify(Condition)}`,
        ...deny(["ec2:RunInstances", "ec2:CreateVolume"], "*", Condition),
        findings: [
          {
            issue_type: "invalid_condition_key",
            severity: "high" as const,
            message:
              /its `image`, `subnet` and `security-group`, where requests have no `aws:RequestTag\/CostCenter`\. /,
            suggestion: `Write \`${instances}\` as the resource of the Deny.`,
          },
        ],
      }),
    ),
    ...[
      deny("ec2:RunInstances", [instances, "arn:aws:ec2:*:*:volume/*"]),
      deny("ec2:CreateVolume", "*"),
      deny("ec2:RunInstances", "*", { StringEquals: { "aws:RequestTag/CostCenter": "a" } }),
    ].map((one) => ({
      name: `a launch with the tag passes: ${JSON.stringify(one.statement)}`,
      ...one,
      findings: [],
    })),
  ],
  embeddedServices(),
);
