import { describe, expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { runCheck } from "../../test/support/run-check.ts";
import { embeddedServices } from "../services/embedded.ts";
import { policyVariables } from "./policy-variables.ts";

const read = (Resource: unknown, Condition?: unknown) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource,
  ...(Condition ? { Condition } : {}),
});
const homes = "arn:aws:s3:::homes/";

checkCases(policyVariables, [
  ...["{{aws:username}}", "%{aws:username}", "{name}", "{aws:path}", "{year}/$(date)", "{a:b}"].map(
    (text) => ({
      name: `braces that hold no policy variable, or belong to a template: ${text}`,
      statement: read(`${homes}${text}/*`),
      findings: [],
    }),
  ),
  {
    name: "a misspelt variable, with the name that is meant",
    statement: read(`${homes}\${aws:usrname}/*`),
    findings: [
      {
        issue_type: "invalid_policy_variable",
        severity: "error",
        field_name: "resource",
        suggestion: "Did you mean `${aws:username}`?",
        example: `"${homes}\${aws:username}/*"`,
      },
    ],
  },
  ...["$aws:username", "$(aws:username)", "{aws:username}", "&{aws:username}"].map((written) => ({
    name: `a name that is written as ${written}`,
    statement: read(`${homes}${written}/*`),
    findings: [
      {
        issue_type: "invalid_policy_variable",
        field_name: "resource" as const,
        message: /is plain text to AWS/,
        suggestion: "Write `${aws:username}`.",
        example: `"${homes}\${aws:username}/*"`,
      },
    ],
  })),
  {
    name: "a tag in braces alone in a condition",
    statement: read(`${homes}*`, {
      StringEquals: { "aws:ResourceTag/team": "{aws:PrincipalTag/team}" },
    }),
    findings: [
      { condition_key: "aws:ResourceTag/team", suggestion: "Write `${aws:PrincipalTag/team}`." },
    ],
  },
  {
    name: "accepts names of keys as text, escapes and other template languages",
    statement: read(
      [
        `${homes}&{username}/*`,
        `${homes}{{aws:username}}/*`,
        `${homes}%{aws:username}/*`,
        `${homes}\${$}{aws:username}/*`,
        `${homes}aws:username/*`,
        `${homes}\${aws:username}/*`,
        `${homes}$aws:kms/*`,
      ],
      { StringEquals: { "s3:x-amz-server-side-encryption": "aws:kms" } },
    ),
    findings: [],
  },
  {
    name: "a misspelt tag family, a short name, a key with several values",
    statement: read([
      `${homes}\${aws:PrincipleTag/team}/*`,
      `${homes}\${aws:user}/*`,
      `${homes}\${aws:TagKeys}/*`,
    ]),
    findings: [
      { suggestion: /`\$\{aws:PrincipalTag\/team\}`/ },
      { suggestion: /`\$\{aws:userid\}`.*`\$\{aws:username\}`/ },
      { message: /several values/ },
    ],
  },
  {
    name: "a claim that tokens of the provider do not have",
    statement: read([
      `${homes}\${cognito-identity.amazonaws.com:subject}/*`,
      `${homes}\${www.amazon.com:sub}/*`,
    ]),
    findings: [
      { severity: "error", suggestion: /^Did you mean `\$\{cognito-identity.amazonaws.com:sub\}`/ },
      { severity: "error", suggestion: /`\$\{www.amazon.com:user_id\}`/ },
    ],
  },
  {
    name: "a provider within three edits of Cognito's, and not the names in China and GovCloud or other providers",
    statement: read([
      `${homes}\${cognito-identity.amazon.com:sub}/*`,
      `${homes}\${cognito-idenity.amazonaws.com:sub}/*`,
      `${homes}\${cognito-identity-us-gov.amazonaws.com:sub}/*`,
      `${homes}\${cognito-identity.cn-north-1.amazonaws.com.cn:sub}/*`,
      `${homes}\${identity.example.com:sub}/*`,
    ]),
    findings: [
      { severity: "error", suggestion: "Did you mean `${cognito-identity.amazonaws.com:sub}`?" },
      { severity: "error", suggestion: "Did you mean `${cognito-identity.amazonaws.com:sub}`?" },
    ],
  },
  {
    name: "the form of a variable, each with AWS's code",
    statement: read([
      `${homes}\${aws:username/*`,
      `${homes}\${aws:username, 'x}/*`,
      `${homes}\${aws: username}/*`,
      `${homes}\${}/*`,
    ]),
    findings: [
      { aws_issue_code: "MISSING_BRACE_IN_VARIABLE" },
      { aws_issue_code: "MISSING_QUOTE_IN_VARIABLE" },
      { aws_issue_code: "UNSUPPORTED_SPACE_IN_VARIABLE" },
      { aws_issue_code: "EMPTY_VARIABLE" },
    ],
  },
  {
    name: "any variable while the version is old or missing, once for a policy",
    policy: {
      Version: "2008-10-17",
      Statement: [read(`${homes}\${aws:username}/*`), read(`${homes}\${aws:userid}/*`)],
    },
    findings: [
      {
        path: "/Version",
        aws_issue_code: "VARIABLE_UNSUPPORTED_IN_VERSION",
        example: '"2012-10-17"',
      },
    ],
  },
  {
    name: "a variable in a principal",
    type: "RESOURCE_POLICY",
    statement: {
      ...read(`${homes}*`),
      Principal: { AWS: "arn:aws:iam::${aws:PrincipalAccount}:root" },
    },
    findings: [{ field_name: "principal", aws_issue_code: "VARIABLE_UNSUPPORTED_IN_ELEMENT" }],
  },
  {
    name: "under operators that compare literally; under Bool and Null it is information",
    statement: read(`${homes}*`, {
      NumericLessThan: { "aws:MultiFactorAuthAge": "${aws:EpochTime}" },
      Bool: { "aws:SecureTransport": "${aws:PrincipalTag/tls}" },
    }),
    findings: [
      { severity: "error", aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR" },
      { severity: "info", aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR" },
    ],
  },
]);

describe("what is left alone", () => {
  test.each([
    "${aws:username}",
    "${aws:USERNAME}",
    "${aws:PrincipalTag/cost center}",
    "${aws:PrincipalTag/team, 'none'}",
    "${saml:sub}",
    "${accounts.google.com:sub}",
    "${cognito-identity.amazonaws.com:sub}",
    "${cognito-identity.amazonaws.com:SUB}",
    "${graph.facebook.com:id}",
    "${www.amazon.com:user_id}",
    "${oidc.example.com:department}",
    "${*}${?}${$}",
    "${var.bucket}",
    "${AWS::AccountId}",
    "${Bucket}",
    "${self:custom.bucket}",
    "${opt:stage, 'dev'}",
    "${ssm:/path/of/parameter}",
  ])("%s", async (variable) => {
    expect(await runCheck(policyVariables, { statement: read(`${homes}${variable}/*`) })).toEqual(
      [],
    );
  });
});

test("variables of policies for devices are known, although the reference lacks them", async () => {
  const statement = {
    Effect: "Allow",
    Action: "iot:Connect",
    Resource: ["${iot:ClientId}", "${iot:Connection.Thing.ThingName}"].map(
      (variable) => `arn:aws:iot:eu-west-1:111122223333:client/${variable}`,
    ),
  };
  expect(await runCheck(policyVariables, { statement }, embeddedServices())).toEqual([]);
});
