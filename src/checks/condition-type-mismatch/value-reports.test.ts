import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionTypeMismatch } from "../condition-type-mismatch.ts";

const on = (operator: string, key: string, value: unknown, Action = "s3:PutObject") => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  Condition: { [operator]: { [key]: value } },
});
const wrong = { issue_type: "invalid_value_format" };
const retention = "s3:object-lock-remaining-retention-days";
const kmsKey = "s3:x-amz-server-side-encryption-aws-kms-key-id";
const type = "IDENTITY_POLICY" as const;

checkCases(
  conditionTypeMismatch,
  [
    {
      name: "white space around a number is to be removed",
      type,
      statement: on("NumericEquals", retention, " 10 "),
      findings: [
        {
          ...wrong,
          suggestion: "Write `10`, without the white space around it.",
          example: /^"10"$/,
        },
      ],
    },
    {
      name: "several numbers in one text are to be a list",
      type,
      statement: on("NumericEquals", retention, "10, 20"),
      findings: [{ ...wrong, suggestion: "Write each value as an entry of a list." }],
    },
    {
      name: "a text that is no number",
      type,
      statement: on("NumericEquals", retention, "ten"),
      findings: [
        {
          ...wrong,
          message:
            /^`ten` is not a value for `s3:object-lock-remaining-retention-days`, which takes/,
          suggestion: "Write the value in that form, or use the condition key that was meant.",
          aws_issue_code: "TYPE_MISMATCH_NUMBER",
        },
      ],
    },
    {
      name: "the ARN of a KMS key where only its id is given",
      type,
      statement: on("ArnEquals", kmsKey, "1234abcd-12ab-34cd-56ef-1234567890ab"),
      findings: [
        {
          ...wrong,
          message:
            /which takes the ARN of a KMS key, such as `arn:aws:kms:eu-west-1:111122223333:key\//,
          aws_issue_code: "INVALID_KMS_KEY_VALUE",
        },
      ],
    },
    {
      name: "a text in place of the ARN of a source",
      type: "RESOURCE_POLICY",
      statement: { ...on("ArnEquals", "aws:SourceArn", "my-topic"), Principal: "*" },
      findings: [
        {
          ...wrong,
          message:
            /takes the ARN of the resource that a service acts for, such as `arn:aws:sns:eu-west-1:111122223333:alerts`/,
        },
      ],
    },
    ...[
      ["aws:PrincipalArn", "`arn:aws:iam::111122223333:role/example-role`"],
      ["iam:PermissionsBoundary", "`arn:aws:iam::111122223333:policy/example-policy`"],
    ].map(([key, example]) => ({
      name: `a name in place of the ARN of ${key}`,
      type,
      statement: on("ArnEquals", `${key}`, "admin", "iam:CreateRole"),
      findings: [{ ...wrong, message: new RegExp(`takes an ARN such as ${example}\\.`) }],
    })),
    {
      name: "the ARN of a role that lacks its account asks for the account",
      type,
      statement: on("ArnEquals", "aws:PrincipalArn", "role/path/admin"),
      findings: [{ ...wrong, suggestion: /^Write the value in that form, or/ }],
    },
    ...[
      on("NumericEquals", retention, ["10", "20"]),
      on("Null", retention, ["true", "false"]),
      on("Null", retention, "${aws:PrincipalTag/x}"),
      on("StringEquals", "aws:PrincipalTag/x", "anything"),
    ].map((statement) => ({
      name: `passes ${JSON.stringify(statement.Condition)}`,
      type,
      statement,
      findings: [],
    })),
    ...[on("StringEquals", "aws:PrincipalArn", "x-admin")].map((statement) => ({
      name: `a text that is not the ARN of a caller: ${JSON.stringify(statement.Condition)}`,
      type,
      statement,
      findings: [{ ...wrong, condition_key: "aws:PrincipalArn" }],
    })),
    ...[
      on("StringLike", "aws:PrincipalArn", "*/admin"),
      on("StringLike", "aws:PrincipalArn", "arn:aws:iam*"),
      on("StringNotLike", "aws:PrincipalArn", "*:root"),
    ].map((statement) => ({
      name: `a pattern that matches the ARNs of callers as texts: ${JSON.stringify(statement.Condition)}`,
      type,
      statement,
      findings: [{ issue_type: "type_mismatch_usable", severity: "warning" as const }],
    })),
    {
      name: "a pattern under StringLike that matches no ARN",
      type,
      statement: on("StringLike", "aws:PrincipalArn", "arn:aws:iam"),
      findings: [{ issue_type: "type_mismatch_usable" }, wrong],
    },
    ...(
      [
        ["aws:PrincipalArn", "an ARN operator"],
        ["aws:SourceIp", "an IP address operator"],
        ["aws:CurrentTime", "a Date operator"],
        ["nosuch:key", "the operator of the key's type"],
      ] as const
    ).map(([key, family]) => ({
      name: `Null with a text on ${key}: which operator compares its values`,
      type,
      statement: on("Null", key, "x"),
      findings: [{ ...wrong, suggestion: new RegExp(`value of the key, use ${family}\\.$`) }],
    })),
    {
      name: "Null with a text: which operator compares texts",
      type,
      statement: on("Null", "aws:PrincipalTag/team", "web"),
      findings: [
        {
          ...wrong,
          severity: "warning",
          message:
            "`web` is not a value for `Null` on `aws:PrincipalTag/team`, which takes `true` (the key is absent) or `false` (it is there).",
          suggestion:
            'Write `"true"` or `"false"`. To compare the value of the key, use a String operator.',
          aws_issue_code: "TYPE_MISMATCH_BOOLEAN",
        },
      ],
    },
    {
      name: "Null with numbers on a number: which operator compares numbers",
      type,
      statement: on("Null", retention, ["10", "20"]),
      findings: [
        {
          ...wrong,
          message: /^`10` and `20` are not values for `Null`/,
          suggestion: /To compare the value of the key, use a Numeric operator\.$/,
        },
      ],
    },
    {
      name: "Null with other words for true",
      type,
      statement: on("Null", "aws:PrincipalTag/team", "yes"),
      findings: [{ ...wrong, suggestion: 'Write `"true"` or `"false"`.' }],
    },
    {
      name: "Null with another word for true and a text",
      type,
      statement: on("Null", "aws:PrincipalTag/team", ["yes", "web"]),
      findings: [{ ...wrong, suggestion: /To compare the value of the key/ }],
    },
    {
      name: "a policy variable in place of an address, which AWS does not replace",
      type,
      statement: on("IpAddress", "aws:SourceIp", "${aws:PrincipalTag/ip}"),
      findings: [
        {
          message: /AWS does not replace policy variables in such values\.$/,
          aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR",
        },
      ],
    },
    {
      name: "a date in words under a numeric operator: the operator for dates",
      type,
      statement: on("NumericLessThan", "aws:EpochTime", "2030-01-01T00:00:00Z"),
      findings: [
        {
          ...wrong,
          message:
            /^`2030-01-01T00:00:00Z` is not a value for `NumericLessThan`, which compares with/,
          suggestion: "Use `DateLessThan`, which compares dates.",
          aws_issue_code: "TYPE_MISMATCH_NUMBER",
          example: /"DateLessThan"/,
        },
      ],
    },
  ],
  embeddedServices(),
);
