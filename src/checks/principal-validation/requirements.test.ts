import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { principalValidation } from "../principal-validation.ts";

const user = "arn:aws:iam::111122223333:user/u";
const allow = (Principal: unknown, more: object = {}) => ({
  Effect: "Allow",
  Principal,
  Action: "sns:Publish",
  Resource: "arn:aws:sns:us-east-1:111122223333:topic",
  ...more,
});
/** Options with one requirement of users. */
const require_ = (required_conditions: object, principals = ["arn:aws:iam::*:user/*"]) => ({
  principal_condition_requirements: [{ principals, required_conditions }],
});
const missing = { issue_type: "missing_principal_condition", severity: "high" } as const;
const anyOf = { ...missing, issue_type: "missing_principal_condition_any_of" } as const;
const forbidden = { ...missing, issue_type: "forbidden_principal_condition" } as const;
const mfa = { condition_key: "aws:MultiFactorAuthPresent", expected_value: true };
const organization = { condition_key: "aws:PrincipalOrgID" };
const network = { condition_key: "aws:SourceVpc" };
/** A fix that adds this condition, and asks for these placeholders. */
const adds = (value: object, ...placeholders: string[]) =>
  expect.objectContaining({
    effect: "narrows",
    needs_input: placeholders.map((placeholder) => expect.objectContaining({ placeholder })),
    patch: expect.arrayContaining([
      expect.objectContaining({ path: "/Statement/0/Condition", value }),
    ]),
  });

checkCases(principalValidation, [
  {
    name: "a condition that is missing alone is named alone, and a fix adds it",
    statement: allow({ AWS: user }),
    options: require_([mfa]),
    findings: [
      {
        ...missing,
        message: `Access for \`${user}\` needs the condition \`aws:MultiFactorAuthPresent\` set to \`true\`.`,
        fix: adds({ Bool: { "aws:MultiFactorAuthPresent": "true" } }),
      },
    ],
  },
  {
    name: "the fix asks for a value that only the author knows",
    statement: allow({ AWS: user }),
    options: require_([organization]),
    findings: [
      {
        ...missing,
        fix: adds(
          { StringEquals: { "aws:PrincipalOrgID": "<principal-org-id>" } },
          "<principal-org-id>",
        ),
      },
    ],
  },
  {
    name: "there is no fix without a known effect, or for a number that only the author knows",
    statement: [allow({ AWS: user }, { Effect: "Maybe" }), allow({ AWS: user })],
    options: require_([{ condition_key: "aws:MultiFactorAuthAge" }]),
    findings: [
      { ...missing, at: 0, fix: null },
      { ...missing, at: 1, fix: null },
    ],
  },
  {
    name: "of several alternatives the author chooses; the only one is added",
    statement: allow({ AWS: user }),
    options: {
      principal_condition_requirements: [
        {
          principals: ["arn:aws:iam::*:user/*"],
          required_conditions: {
            any_of: [{ all_of: [mfa, { ...network, expected_value: "vpc-0a1b" }] }],
          },
        },
        {
          principals: ["arn:aws:iam::*:user/*"],
          required_conditions: { any_of: [organization, network] },
        },
      ],
    },
    findings: [
      {
        ...anyOf,
        fix: adds({
          Bool: { "aws:MultiFactorAuthPresent": "true" },
          StringEquals: { "aws:SourceVpc": "vpc-0a1b" },
        }),
      },
      {
        ...anyOf,
        message: `Access for \`${user}\` needs a condition. No condition limits it, such as one on \`aws:PrincipalOrgID\` or \`aws:SourceVpc\`.`,
        suggestion:
          "Name narrower principals, or add one of the conditions: `aws:PrincipalOrgID` for callers of your organization. All keys that count: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html.",
        fix: null,
      },
    ],
  },
  {
    name: "shows what the configuration says about the alternatives",
    statement: allow({ AWS: [user, "*"] }),
    options: require_(
      { any_of: [{ ...organization, description: "Our organization is o-1." }, network] },
      ["arn:aws:iam::*:user/*", "*"],
    ),
    findings: [
      {
        ...anyOf,
        message: /^The statement lets in everyone \(`\*`\)\. No condition limits it/,
        suggestion:
          /^Name the accounts, roles or services in place of `\*`\. Or:\nAdd one of these .*\n- `aws:PrincipalOrgID`: Our organization is o-1\.\n- `aws:SourceVpc`$/,
      },
    ],
  },
  {
    name: "names the first alternative where it knows none of them",
    statement: allow({ AWS: user }),
    options: require_({ any_of: [network, { condition_key: "aws:SourceIp" }] }),
    findings: [{ ...anyOf, suggestion: /one of the conditions: `aws:SourceVpc`\. All keys/ }],
  },
  {
    name: "says of three entries why they do not limit",
    statement: [3, 4].map((number) => ({
      ...allow("*"),
      Condition: {
        StringEquals: Object.fromEntries(
          Array.from({ length: number }, (_, at) => [`aws:PrincipalTag/t${at}`, "x"]),
        ),
      },
    })),
    findings: [
      { ...anyOf, at: 0, severity: "critical", message: /own account\.$/ },
      {
        ...anyOf,
        at: 1,
        severity: "critical",
        message: /own account\. The other entries do not limit it either\.$/,
      },
    ],
  },
  {
    name: "shows the other value of a forbidden yes or no, and none for other values",
    statement: [
      allow({ AWS: user }, { Condition: { Bool: { "aws:ViaAWSService": "true" } } }),
      allow({ AWS: user }, { Condition: { StringEquals: { "aws:UserAgent": "curl" } } }),
    ],
    options: require_({
      none_of: [
        { condition_key: "aws:ViaAWSService", expected_value: true },
        { condition_key: "aws:UserAgent" },
      ],
    }),
    findings: [
      { ...forbidden, at: 0, example: '"false"' },
      {
        ...forbidden,
        at: 1,
        example: null,
        path: "/Statement/1/Condition/StringEquals/aws:UserAgent",
        message: `Access for \`${user}\` may not have the condition \`aws:UserAgent\`.`,
        suggestion: "Remove `aws:UserAgent` from the condition, or its value.",
      },
    ],
  },
]);
