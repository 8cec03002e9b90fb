import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const statement = (Action: string | string[], Condition: object, Effect = "Allow") => ({
  Effect,
  Action,
  Resource: "*",
  Condition,
});
const equals = (key: string) => ({ StringEquals: { [key]: "web" } });
const stop = "ec2:StopInstances";

checkCases(
  conditionKeyValidation,
  [
    ...["aws:ResourceTag/${TagKey}", "ec2:ResourceTag/${TagKey}", "aws:PrincipalTag/${tagkey}"].map(
      (condition_key) => ({
        name: `the placeholder of the reference in ${condition_key}`,
        statement: statement(stop, equals(condition_key)),
        findings: [
          {
            issue_type: "invalid_condition_key",
            severity: "error" as const,
            condition_key,
            message: /has the placeholder `\$\{\w+\}` of AWS's reference/,
          },
        ],
      }),
    ),
    {
      name: "the placeholder in a Deny of everything is high, and its suggestion keeps the prefix",
      statement: statement("*", equals("aws:PrincipalTag/${TagKey}"), "Deny"),
      findings: [{ severity: "high", suggestion: /such as `aws:PrincipalTag\/team`\.$/ }],
    },
    ...["aws:ResourceTag/TagKey", "aws:ResourceTag/team"].map((condition_key) => ({
      name: `accepts ${condition_key}`,
      statement: statement(stop, equals(condition_key)),
      findings: [],
    })),
    ...[
      ["sagemaker:InvokeEndpoint", "sagemaker:TargetContainerHostname"],
      ["apigateway:POST", "apigateway:CognitoUserPoolProviderArn"],
    ].map(([action = "", key = ""]) => ({
      name: `accepts ${key}, which the guide of the service documents`,
      statement: statement(action, equals(key)),
      findings: [],
    })),
    {
      name: "a key of another service that is documented there",
      statement: statement("s3:GetObject", equals("sagemaker:TargetContainerHostname")),
      findings: [{ issue_type: "invalid_condition_key", severity: "error" }],
    },
    // The guide of CodeBuild, "Using tags to control access", has such a list of actions.
    {
      name: "accepts a negated tag in an Allow of which one action has tags",
      statement: statement(["codebuild:StartBuild", "cloudwatch:GetMetricStatistics"], {
        StringNotEquals: { "aws:ResourceTag/Status": "Secret" },
      }),
      findings: [],
    },
    ...["Allow", "Deny"].map((effect) => ({
      name: `a tag in ${effect === "Deny" ? "a negated test of a Deny" : "a positive test of an Allow"} that an action lacks`,
      statement: statement(
        ["codebuild:StartBuild", "cloudwatch:GetMetricStatistics"],
        {
          [effect === "Deny" ? "StringNotEquals" : "StringEquals"]: {
            "aws:ResourceTag/Status": "Open",
          },
        },
        effect,
      ),
      findings: [{ action: "cloudwatch:GetMetricStatistics", severity: "error" as const }],
    })),
  ],
  embeddedServices(),
);
