import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = { issue_type: "condition_never_true" };
const always = { issue_type: "condition_always_true" };
const role = "arn:aws:iam::111122223333:role/app";
const pass = (value: unknown, operator = "StringEquals", key = "iam:PassedToService") => ({
  Effect: "Allow",
  Action: "iam:PassRole",
  Resource: role,
  Condition: { [operator]: { [key]: value } },
});
const via = (value: unknown, operator = "StringEquals") => ({
  Effect: "Allow",
  Action: "kms:Decrypt",
  Resource: "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
  Condition: { [operator]: { "kms:ViaService": value } },
});
const type = "IDENTITY_POLICY" as const;

checkCases(
  conditionEffect,
  [
    {
      name: "a misspelt service gives the service that is meant",
      type,
      statement: pass("lamda.amazonaws.com"),
      findings: [
        {
          ...never,
          path: "/Statement/0/Condition/StringEquals/iam:PassedToService",
          message:
            "`iam:PassedToService` never has the value `lamda.amazonaws.com`: no service is called so (names of 2026-11-22). The condition never holds, so this Allow grants nothing.",
          suggestion: "Write `lambda.amazonaws.com`.",
          example: /"iam:PassedToService": "lambda\.amazonaws\.com"/,
        },
      ],
    },
    {
      name: "several misspelt services are named together",
      type,
      statement: pass(["lamda.amazonaws.com", "ecstasks.amazonaws.com"]),
      findings: [
        {
          ...never,
          message: /never has the values `lamda\.amazonaws\.com` and `ecstasks\.amazonaws\.com`: /,
          suggestion: "Write `lambda.amazonaws.com` and `ecs-tasks.amazonaws.com`.",
          example: /\[\s+"lambda\.amazonaws\.com",\s+"ecs-tasks\.amazonaws\.com"\s+\]/,
        },
      ],
    },
    {
      name: "a misspelt service under IfExists leaves the requests without the key",
      type,
      statement: pass("lamda.amazonaws.com", "StringEqualsIfExists"),
      findings: [
        {
          ...never,
          message: /\. `StringEqualsIfExists` then holds only for requests without the key\.$/,
        },
      ],
    },
    {
      name: "a misspelt service under ForAllValues leaves the requests without the key",
      type,
      statement: {
        ...pass("athna.amazonaws.com", "ForAllValues:StringEquals", "aws:CalledVia"),
        Effect: "Deny",
      },
      findings: [
        {
          message: /\. `ForAllValues:StringEquals` then holds only for requests without the key\.$/,
        },
      ],
    },
    {
      name: "a misspelt service that is excluded excludes nothing",
      type,
      statement: { ...pass("lamda.amazonaws.com", "StringNotEqualsIfExists"), Effect: "Deny" },
      findings: [
        { ...always, message: /^`iam:PassedToService` never has .* of 2026-11-22\)\. This/ },
      ],
    },
    ...[
      ["s3.eu-wst-1.amazonaws.com", "s3.eu-west-1.amazonaws.com"],
      ["dynamobd.eu-west-1.amazonaws.com", "dynamodb.eu-west-1.amazonaws.com"],
      ["dynamobd.eu-wst-1.amazonaws.com", "dynamodb.eu-west-1.amazonaws.com"],
    ].map(([value, meant]) => ({
      name: `${value} of kms:ViaService is ${meant}`,
      type,
      statement: via(value),
      findings: [{ ...never, suggestion: `Write \`${meant}\`.` }],
    })),
    ...[
      pass("lambda.amazonaws.com"),
      pass("lam*.amazonaws.com", "StringLike"),
      pass("${aws:PrincipalTag/service}.amazonaws.com"),
      pass([]),
      pass("lamda.amazonaws.com", "StringEquals", "aws:PrincipalTag/service"),
      pass("zzyzxqwv.amazonaws.com"),
      via("s3.eu-west-1.amazonaws.com"),
      via("s3.zz-nowhere-9.amazonaws.com"),
      via("zzyzxqwv.eu-west-1.amazonaws.com"),
      via("memory-db.eu-west-1.amazonaws.com"),
      via("s3.*.amazonaws.com", "StringLike"),
    ].map((statement) => ({
      name: `a service that exists or may exist: ${JSON.stringify(statement.Condition)}`,
      type,
      statement,
      findings: [],
    })),
  ],
  embeddedServices(),
);
