import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { resourceValidation } from "./resource-validation.ts";

const on = (Resource: unknown, more: object = {}) => [
  { Effect: "Allow", Action: "s3:GetObject", Resource, ...more },
];
const bad = (resource: string, message: RegExp, aws_issue_code: string | null = null) => ({
  name: `reports ${JSON.stringify(resource)}`,
  statement: on(resource),
  findings: [{ at: 0, issue_type: "invalid_resource", resource, message, aws_issue_code }],
});

checkCases(resourceValidation, [
  {
    name: "accepts all partitions, wildcards outside the service, and the bare star",
    statement: on([
      "*",
      ...["aws", "aws-cn", "aws-us-gov", "aws-eusc", "aws-iso", "aws-iso-b", "aws-iso-e"].map(
        (partition) => `arn:${partition}:s3:::b/*`,
      ),
      "arn:aws-iso-f:s3:::b",
      "arn:*:s3:::b",
      "arn:aws*:s3:::b",
      "arn:aws-??:s3:::b",
      "arn:aws:sqs:us-*:12345678901?:q",
      "arn:aws:sqs:us-east-?:*:q",
      "arn:aws:sns:us-east-1:123456789012:orders:with-a-subscription",
      "arn:aws:s3:::bucket/key:with:colons",
      "arn:aws:s3:::b*:with-colon-in-a-key",
      "arn:aws:s3:us-east-1:123456789012:accesspoint/name",
      "arn:aws:sns:us-east-1:123456789012:${topic}/x",
      "arn:aws:iam::aws:policy/ReadOnlyAccess",
      // The star of a short ARN goes over colons: AWS's own FMSServiceRolePolicy has the first one.
      "arn:aws:waf:*",
      "arn:aws:dynamodb:eu-west-1:*",
      "arn:aws:s3::*",
      "arn:aws:s3:::b/arn:aws:s3:::key",
      "arn:aws:s3:::example.com/s3.amazonaws.com/*",
      "arn:aws:s3:::s3.example.com/*",
      "arn:aws:s3:::*/reports/*",
      "arn:aws:ssm:eu-west-1:123456789012:parameter/prod/db",
      "arn:aws:ssm:eu-west-1:123456789012:parameter/*",
      "arn:aws:codecommit:eu-west-1:123456789012:repository-tools",
      "arn:aws:s3:::reports/",
      "arn:aws:s3:::*/",
      "arn:aws:ssm:eu-west-1::document/AWS-RunShellScript",
      "arn:aws:ssm:*:*:document/AWS-RunShellScript",
      "arn:aws:ssm:eu-west-1:123456789012:document/Awesome-Deploy",
      "arn:aws:ssm:eu-west-1:123456789012:document/SSM-SessionManagerRunShell",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-a1B2c3",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-??????",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/*",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:${name}",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:<name>",
    ]),
    findings: [],
  },
  bad("arn:aws:s3:::a/*,arn:aws:s3:::b/*", /joins several ARNs in one text/),
  bad("arn:aws:s3:::a arn:aws-cn:s3:::b", /joins several ARNs in one text/),
  bad('["arn:aws:s3:::a","arn:aws:s3:::b"]', /joins several ARNs in one text/),
  bad("", /is empty/, "MISSING_ARN_FIELD"),
  bad("bucket/*", /does not begin with `arn:`/, "MISSING_ARN_FIELD"),
  bad("**", /does not begin with `arn:`/, "MISSING_ARN_FIELD"),
  bad("ARN:aws:s3:::b", /does not begin with `arn:`/, "INVALID_ARN_PREFIX"),
  bad("arn:aws:s3::b", /has 5 parts/, "MISSING_ARN_FIELD"),
  bad("arn:aws:s3:b*", /has 4 parts/, "MISSING_ARN_FIELD"),
  bad("arn:aws:*", /has 3 parts/),
  bad("arn:amazon:s3:::b", /partition `amazon`/, "INVALID_PARTITION"),
  bad("arn:x*:s3:::b", /partition `x\*`/, "INVALID_PARTITION"),
  bad("arn:aws:S3:::b", /capital letters/, "INVALID_ARN_SERVICE_CASE"),
  bad("arn:aws:*:::b", /wildcard in the service/, "WILDCARD_IN_SERVICE_NAME"),
  bad("arn:aws::::b", /has no service/),
  bad("arn:aws:s_3:::b", /service `s_3`/),
  bad("arn:aws:sqs:US-EAST-1:123456789012:q", /region `US-EAST-1`/, "INVALID_ARN_REGION"),
  bad("arn:aws:sqs:us-east-1:1234:q", /account `1234`/, "INVALID_ARN_ACCOUNT"),
  bad("arn:aws:sqs:us-east-1:1234567890123*:q", /account/, "INVALID_ARN_ACCOUNT"),
  bad(
    "arn:aws:s3:::/reports/*",
    /No bucket matches .*: the name of a bucket cannot begin with a slash\.$/,
  ),
  bad(
    "arn:aws:s3:::reports.s3.amazonaws.com/*",
    /`reports\.s3\.amazonaws\.com` is the address of a bucket, and an ARN has its name/,
  ),
  bad("arn:aws:s3:::reports.s3.eu-west-1.amazonaws.com", /is the address of a bucket/),
  bad("arn:aws:ssm:eu-west-1:123456789012:parameter//prod/db", /without its leading slash/),
  bad(
    "arn:aws:ssm:eu-west-1:123456789012:document/AWS-RunShellScript",
    /No document matches .*: the documents of AWS have no account in their ARN\.$/,
  ),
  bad("arn:aws:codecommit:eu-west-1:123456789012:repository/shop", /No repository matches/),
  bad(
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db",
    /No secret matches .*: the ARN of a secret ends with a hyphen and six random characters\.$/,
  ),
  ...["account-id", "ACCOUNT_ID", "PRODUCTION-ACCOUNT-ID", "YourAccountNumber", "<AccountId>"].map(
    (word) =>
      bad(
        `arn:aws:sqs:us-east-1:${word}:q`,
        /still has the placeholder `.*` in place of an account id/,
        "INVALID_ARN_ACCOUNT",
      ),
  ),
  bad(
    "arn:aws:sqs:us-east-1:orders:q",
    /has the account `orders`, which is/,
    "INVALID_ARN_ACCOUNT",
  ),
  bad("arn:aws:s3:::", /has no resource/, "INVALID_ARN_RESOURCE"),
  bad("arn:aws:s3:::b\n", /line break/),
  bad("arn:aws:s3:::123456789012:b/*", /No bucket matches .* cannot contain `:`/),
  bad("arn:aws:sqs:us-east-1:123456789012:jobs ", /A space follows/),
  bad("arn:aws:s3:::reports /*", /No bucket matches .* cannot contain a space/),
  bad("arn:aws:sns:us-east-1:123456789012:topic:orders", /No topic matches .* cannot contain `:`/),
  bad("arn:aws:sns:us-east-1:123456789012:topic/*", /No topic matches .* cannot contain `\/`/),
  bad(
    "arn:aws:sqs:us-east-1:123456789012:queue/a:b",
    /No queue matches .* cannot contain `\/` or `:`/,
  ),
  {
    name: "accepts 2,048 characters, whatever their number of code units",
    statement: on([
      `arn:aws:s3:::${"a".repeat(2048 - 13)}`,
      `arn:aws:s3:::${"😀".repeat(2048 - 13)}`,
    ]),
    findings: [],
  },
  {
    name: "reports 2,049 characters, and carries the first hundred",
    statement: on(`arn:aws:s3:::${"a".repeat(2049 - 13)}`),
    findings: [
      {
        resource: `arn:aws:s3:::${"a".repeat(87)}...`,
        message: /2,049 characters; an ARN has at most 2,048/,
      },
    ],
  },
  {
    name: "checks NotResource after Resource and points at the entry",
    statement: [
      {
        Effect: "Deny",
        Action: "s3:GetObject",
        NotResource: ["arn:aws:s3:::ok", "x"],
        Resource: "y",
      },
    ],
    findings: [
      { resource: "y", field_name: "resource", path: "/Statement/0/Resource" },
      { resource: "x", field_name: "not_resource", path: "/Statement/0/NotResource/1" },
    ],
  },
  {
    name: "accepts template variables in every part, and in place of the whole ARN",
    statement: on([
      "arn:${AWS::Partition}:sqs:${AWS::Region}:${AWS::AccountId}:${q}",
      "arn:aws:${svc}:us-${r}:1234${rest}:${x}",
      "${bucket.arn}/*",
      "arn:aws:s3:::home/${aws:username}/*",
    ]),
    findings: [],
  },
  {
    name: "checks the rest of a template, and says that it filled the variables in",
    statement: on("arn:aws:S3:::${x}"),
    findings: [{ message: /template variables were filled in/ }],
  },
  {
    name: "accepts variables in the resource part only when templates are switched off",
    statement: on([
      "arn:aws:s3:::home/${aws:username}/*",
      "arn:aws:sqs:us-east-1:${AWS::AccountId}:q",
      "${bucket.arn}/*",
    ]),
    options: { allow_template_variables: false },
    findings: [
      { resource: "arn:aws:sqs:us-east-1:${AWS::AccountId}:q" },
      { resource: "${bucket.arn}/*" },
    ],
  },
  {
    name: "lets the global setting switch templates off",
    statement: on("arn:aws:sqs:us-east-1:${AWS::AccountId}:q"),
    options: { allow_template_variables: true },
    settings: { allow_template_variables: false },
    findings: [{ issue_type: "invalid_resource" }],
  },
  {
    name: "lets the global setting switch templates on",
    statement: on("arn:aws:sqs:us-east-1:${AWS::AccountId}:q"),
    options: { allow_template_variables: false },
    settings: { allow_template_variables: true },
    findings: [],
  },
  {
    name: "accepts API Gateway's short form in resource policies",
    statement: on("execute-api:/prod/GET/*", { Principal: "*" }),
    findings: [],
  },
  bad("execute-api:/prod/GET/*", /does not begin with `arn:`/, "MISSING_ARN_FIELD"),
  {
    name: "replaces the rule by a configured expression, from the start, open at the end, with case",
    statement: on(["arn:aws:s3:::corp-a/*", "arn:aws:s3:::CORP-a/*", "xarn:aws:s3:::corp-a"]),
    options: { arn_pattern: "arn:aws:s3:::corp-" },
    findings: [
      { resource: "arn:aws:s3:::CORP-a/*", message: /`arn_pattern`/ },
      { resource: "xarn:aws:s3:::corp-a" },
    ],
  },
  {
    name: "fills variables in before it tries the configured expression",
    statement: on("arn:aws:sqs:${AWS::Region}:${AWS::AccountId}:q"),
    options: { arn_pattern: "arn:aws:sqs:[a-z]+-[a-z]+-\\d:\\d{12}:" },
    findings: [],
  },
  {
    name: "falls back to the rule when the expression does not compile",
    statement: on(["arn:aws:s3:::b", "nope"]),
    options: { arn_pattern: "(" },
    findings: [{ resource: "nope" }],
  },
  {
    name: "reports Regions that do not exist, and Regions of another partition (5.11)",
    statement: on([
      "arn:aws:sqs:eu-west-9:111122223333:jobs",
      "arn:aws:sqs:eu-wset-1:111122223333:jobs",
      "arn:aws:sqs:zz-north-77:111122223333:jobs",
      "arn:aws:sqs:frankfurt:111122223333:jobs",
      "arn:aws:sqs:cn-north-1:111122223333:jobs",
      "arn:aws:sqs:zz-*:111122223333:jobs",
    ]),
    findings: [
      { issue_type: "invalid_region", severity: "error", suggestion: /`eu-west-1`/, example: null },
      { severity: "error", example: '"arn:aws:sqs:eu-west-1:111122223333:jobs"' },
      { issue_type: "invalid_region", severity: "warning", message: /known on \d{4}-/ },
      { issue_type: "invalid_resource", severity: "error", aws_issue_code: "INVALID_ARN_REGION" },
      { severity: "error", example: '"arn:aws-cn:sqs:cn-north-1:111122223333:jobs"' },
      { issue_type: "invalid_region", severity: "warning", message: /matches no/ },
    ],
  },
  {
    name: "says what an ARN with a missing colon should be",
    statement: on(["arn:aws:s3::reports/*", "arn:aws:iam:111122223333:role/x"]),
    findings: [
      { example: '"arn:aws:s3:::reports/*"' },
      { example: '"arn:aws:iam::111122223333:role/x"' },
    ],
  },
  {
    name: "says that a space follows, where an ARN is before it",
    statement: on(["arn:aws:s3:::b/a  ", "b "]),
    findings: [
      {
        path: "/Statement/0/Resource/0",
        message:
          "A space follows the resource `arn:aws:s3:::b/a`. AWS compares it as written, so it matches only names that end with a space.",
        suggestion: "Remove the space.",
        example: '"arn:aws:s3:::b/a"',
      },
      { path: "/Statement/0/Resource/1", message: /is not an ARN: it/ },
    ],
  },
  {
    name: "says what to write, and in which partition",
    statement: on(["reports/*", "s3:::reports", "arn:aws-cn:s3:::china"]),
    findings: [
      { message: /^The resource `reports\/\*` is not an ARN: it / },
      { suggestion: "Write `arn:aws-cn:s3:::reports`.", example: '"arn:aws-cn:s3:::reports"' },
    ],
  },
  {
    name: "names the configured expression, and says that variables were filled in",
    statement: on(["arn:aws:s3:::b", "arn:aws:s3:::x-${team}", "arn:aws:s3:::acme-${team}"]),
    options: { arn_pattern: "arn:aws:s3:::acme-" },
    findings: [
      {
        message:
          "The resource `arn:aws:s3:::b` does not match the configured `arn_pattern` `arn:aws:s3:::acme-`.",
        suggestion: "Write an ARN of the form that this configuration asks for.",
      },
      { message: /`arn:aws:s3:::acme-` \(template variables were filled in first\)\.$/ },
    ],
  },
]);

test("an expression that does not compile is named at the start", () => {
  const warningsOf = (arn_pattern: string | null) => {
    const options = resourceValidation.options.parse({ arn_pattern });
    return [...(resourceValidation.optionWarnings?.(options) ?? [])];
  };
  expect(warningsOf("(")).toEqual([
    { option: "arn_pattern", message: "does not compile (RE2 syntax); the built-in rule holds" },
  ]);
  expect([...warningsOf("arn:"), ...warningsOf(null)]).toEqual([]);
});
