import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { runCheck } from "../../test/support/run-check.ts";
import { serviceDataFrom } from "../../test/support/service-data.ts";
import { conditionKeyValidation } from "./condition-key-validation.ts";
import { setOperatorValidation } from "./set-operator-validation.ts";

const allow = (Condition: object, Action: unknown = "iam:TagRole") => [
  { Effect: "Allow", Action, Resource: "*", Condition },
];
const deny = (Condition: object, Action: unknown = "iam:TagRole") => [
  { Effect: "Deny", Action, Resource: "*", Condition },
];
const single = {
  at: 0,
  issue_type: "set_operator_on_single_valued_key",
  severity: "warning",
} as const;
const forAll = {
  at: 0,
  issue_type: "forallvalues_allow_without_null_check",
  severity: "warning",
} as const;
const forAny = {
  at: 0,
  issue_type: "foranyvalue_deny_without_null_check",
  severity: "warning",
} as const;

checkCases(setOperatorValidation, [
  {
    name: "leaves a key that does not exist to condition_key_validation",
    statement: allow({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPath": "o-a1b2c3d4e5/*" } }),
    peers: [conditionKeyValidation],
    findings: [],
  },
  {
    name: "is quiet on ForAllValues in a Deny and ForAnyValue in an Allow",
    statement: [
      ...deny({ "ForAllValues:StringEquals": { "aws:TagKeys": "a" } }),
      ...allow({ "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } }),
    ],
    findings: [],
  },
  ...[
    "aws:CalledVia",
    "aws:PrincipalOrgPaths",
    "aws:PrincipalServiceNamesList",
    "aws:ResourceOrgPaths",
    "aws:SourceOrgPaths",
    "AWS:TAGKEYS",
    "aws:VpceOrgPaths",
    "cognito-identity.amazonaws.com:amr",
    "lambda:VpcIds",
    "kms:EncryptionContextKeys",
  ].map((key) => ({
    name: `takes ${key} for multivalued`,
    statement: allow({ "ForAnyValue:StringLike": { [key]: "x" } }, "lambda:CreateFunction"),
    findings: [],
  })),
  ...[
    "aws:PrincipalOrgID",
    "aws:CalledViaFirst",
    "s3:prefix",
    "ec2:ResourceTag/team",
    "nosuch:Key",
    "notaprovider:amr",
  ].map((key) => ({
    name: `reports a set operator on ${key}`,
    statement: allow({ "foranyvalue:StringLike": { [key]: "x" } }, ["s3:ListBucket", "ec2:*"]),
    findings: [
      {
        ...single,
        field_name: "condition" as const,
        condition_key: key,
        suggestion: "Remove the prefix: write `StringLike`.",
        aws_issue_code: null,
      },
    ],
  })),
  {
    name: "reports both findings for ForAllValues in an Allow on a single-valued key",
    statement: allow({ "ForAllValues:StringEquals": { "aws:PrincipalOrgID": "o-1" } }),
    findings: [{ ...single, aws_issue_code: "FORALLVALUES_WITH_SINGLE_VALUED_KEY" }, forAll],
  },
  {
    name: "says that ForAllValues and IfExists both let an absent key through",
    statement: allow({ "ForAllValues:StringEqualsIfExists": { "aws:TagKeys": "a" } }),
    findings: [{ ...forAll, message: /`ForAllValues` and `IfExists` both/, example: /"false"/ }],
  },
  {
    name: "accepts ForAnyValue with IfExists in a Deny, which also stops requests without the key",
    statement: deny({ "ForAnyValue:StringEqualsIfExists": { "aws:TagKeys": "a" } }),
    findings: [],
  },
  {
    name: "reports ForAnyValue in a Deny that does not demand the key",
    statement: deny({ "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } }),
    findings: [
      {
        ...forAny,
        condition_key: "aws:TagKeys",
        path: "/Statement/0/Condition/ForAnyValue:StringEquals/aws:TagKeys",
      },
    ],
  },
  ...[
    { Null: { "AWS:tagkeys": "false" } },
    { null: { "aws:TagKeys": [false] } },
    { "ForAnyValue:Null": { "aws:TagKeys": "False" } },
  ].map((check) => ({
    name: `is content with ${JSON.stringify(check)}`,
    statement: [...allow({ "ForAllValues:StringEquals": { "aws:TagKeys": "a" }, ...check })],
    findings: [],
  })),
  ...[
    { Null: { "aws:TagKeys": "true" } },
    { Null: { "aws:PrincipalOrgID": "false" } },
    { NullIfExists: { "aws:TagKeys": "false" } },
  ].map((check) => ({
    name: `is not content with ${JSON.stringify(check)}`,
    statement: allow({ "ForAllValues:StringEquals": { "aws:TagKeys": "a" }, ...check }),
    findings: [forAll],
  })),
  {
    name: "takes effects with their letter case, and leaves unknown operators to others",
    statement: [
      {
        Effect: "allow",
        Action: "iam:TagRole",
        Resource: "*",
        Condition: {
          "ForAllValues:StringEquals": { "aws:TagKeys": "a" },
          "ForAllValues:Nope": { "aws:PrincipalOrgID": "a" },
        },
      },
    ],
    findings: [],
  },
  {
    name: "takes Null with a prefix for a set operator too",
    statement: allow({ "ForAnyValue:Null": { "aws:PrincipalOrgID": "false" } }),
    findings: [{ ...single, condition_key: "aws:PrincipalOrgID" }],
  },
  {
    name: "follows the configured severity with the first kind only",
    statement: allow({ "ForAllValues:StringEquals": { "aws:PrincipalOrgID": "o-1" } }),
    options: { severity: "error" },
    findings: [{ severity: "error" }, { severity: "warning" }],
  },
  {
    name: "asks for a set operator on keys with several values (5.7), but not under Null",
    statement: [
      {
        Effect: "Allow",
        Action: "iam:TagRole",
        Resource: "*",
        Condition: { StringEquals: { "aws:TagKeys": "team" }, Null: { "aws:TagKeys": "false" } },
      },
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { StringNotLikeIfExists: { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } },
      },
    ],
    findings: [
      {
        at: 0,
        issue_type: "missing_set_operator",
        severity: "high",
        aws_issue_code: "MISSING_QUALIFIER",
        example: /"ForAnyValue:StringEquals"/,
      },
      { at: 1, severity: "high", example: /"ForAllValues:StringNotLikeIfExists"/ },
    ],
  },
  {
    name: "is content with a request tag that must be there",
    statement: [
      { StringEquals: { "aws:RequestTag/team": "red" } },
      { Null: { "aws:RequestTag/team": "false" } },
    ].map((more) => ({
      Effect: "Allow",
      Action: "iam:TagRole",
      Resource: "*",
      Condition: { "ForAllValues:StringEquals": { "aws:TagKeys": ["team"] }, ...more },
    })),
    findings: [],
  },
  ...(
    [
      ["String", "sts:ExternalId", "x", /: callers who give no external id\.$/],
      ["Bool", "aws:MultiFactorAuthPresent", "true", /long-term access keys and no MFA\.$/],
      ["NumericLessThan", "aws:MultiFactorAuthAge", "3600", /access keys and no MFA\.$/],
    ] as const
  ).map(([operator, key, value, message]) => ({
    name: `reports ForAllValues on ${key} as high, since it lets callers in without it`,
    statement: allow({
      [`ForAllValues:${operator === "String" ? "StringEquals" : operator}`]: { [key]: value },
    }),
    findings: [
      single,
      {
        ...forAll,
        severity: "high" as const,
        message,
        suggestion: /^Write `[A-Za-z]+`, which asks for the key as well\.$/,
      },
    ],
  })),
  {
    name: "takes a Null that holds always for no presence test",
    statement: {
      Effect: "Allow",
      Action: "iam:TagRole",
      Resource: "*",
      Condition: {
        "ForAllValues:StringEquals": { "aws:TagKeys": ["team"] },
        Null: { "aws:TagKeys": ["false", "true"] },
      },
    },
    findings: [{ issue_type: "forallvalues_allow_without_null_check" }],
  },
]);

test("a global key that the reference of its service calls an array is multivalued", async () => {
  const statement = allow({ "ForAnyValue:StringEquals": { "identitystore:UserId": "x" } });
  const unknownType = allow({ "ForAnyValue:StringEquals": { "identitystore:Future": "x" } });
  const document = {
    Name: "identitystore",
    ConditionKeys: [
      { Name: "identitystore:UserId", Types: ["ArrayOfString"] },
      { Name: "identitystore:Future", Types: ["ArrayOfSomethingNew"] },
    ],
  };
  const services = serviceDataFrom([document], { date: "2026-01-31" });
  expect(await runCheck(setOperatorValidation, { statement }, services)).toEqual([]);
  expect(await runCheck(setOperatorValidation, { statement: unknownType }, services)).toEqual([]);
  expect(await runCheck(setOperatorValidation, { statement })).toMatchObject([
    { issue_type: single.issue_type },
  ]);
});

test("does not advise to deny requests without tag keys", async () => {
  const statement = deny({ "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } }, "*");
  const [finding] = await runCheck(setOperatorValidation, { statement });
  expect(finding?.suggestion).toContain("in a Deny of the actions that create the resource");
  expect(finding?.suggestion).not.toContain("deny them in another statement");
});
