import { describe, expect, test } from "vitest";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import { fixCases } from "../../test/support/fix-cases.ts";
import { validatePolicy } from "../engine/run.ts";
import { createValidator } from "../library/index.ts";
import { objectDocument } from "../policy/document.ts";
import { isOnEscalationPath } from "./shared/powerful.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const deny = { ...read, Effect: "Deny" };
const under = (Condition: object, statement: object = read) => ({ ...statement, Condition });

describe("elements", () => {
  fixCases([
    {
      name: "adds the version",
      of: "policy_structure/missing_version",
      document: {},
      documentAfter: { Version: "2012-10-17" },
      before: read,
      after: read,
      effect: "equivalent",
    },
    {
      name: "says that variables begin to work with the new version",
      of: "policy_structure/outdated_version",
      document: { Version: "2008-10-17" },
      documentAfter: { Version: "2012-10-17" },
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws:username}/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:username}/*" },
      effect: "changes",
    },
    {
      name: "corrects the spelling of an Effect",
      of: "policy_structure/invalid_effect",
      before: { ...read, Effect: "Alow" },
      after: read,
      effect: "repairs",
    },
    {
      name: "does not choose an Effect",
      of: "policy_structure/invalid_effect",
      before: { ...read, Effect: "Permit" },
    },
    {
      name: "corrects the names of elements",
      of: "policy_structure/unknown_field",
      before: { Effect: "Allow", Actions: "s3:GetObject", resource: read.Resource },
      after: read,
      effect: "repairs",
    },
    {
      name: "removes a remark",
      of: "policy_structure/unknown_field",
      before: { ...read, Description: "reads reports" },
      after: read,
      effect: "repairs",
    },
    {
      name: "leaves a member that it does not know to the author",
      of: "policy_structure/unknown_field",
      before: { ...read, Owner: "data team" },
    },
    {
      name: "removes an Allow whose list of actions is empty",
      of: "policy_structure/empty_element",
      before: [{ ...read, Action: [] }, read],
      after: read,
      effect: "repairs",
    },
    {
      name: "does not remove a Deny",
      of: "policy_structure/empty_element",
      before: [{ ...deny, Action: [] }, read],
    },
    {
      name: "does not widen what a condition with an empty list leaves out",
      of: "policy_structure/empty_element",
      before: [under({ StringNotEquals: { "aws:PrincipalOrgID": [] } }), read],
    },
    {
      name: "removes a type of principal that lists none",
      of: "policy_structure/empty_element",
      type: "RESOURCE_POLICY",
      before: { ...read, Principal: { AWS: "111122223333", Service: [] } },
      after: { ...read, Principal: { AWS: "111122223333" } },
      effect: "repairs",
    },
    {
      name: "numbers statements that share a Sid",
      of: "sid_uniqueness/duplicate_sid",
      before: ["Read", "Read2", "Read"].map((Sid) => ({ Sid, ...read })),
      after: ["Read", "Read2", "Read3"].map((Sid) => ({ Sid, ...read })),
      effect: "repairs",
    },
    {
      name: "drops the characters that a Sid cannot have",
      of: "sid_uniqueness/invalid_sid_format",
      before: { Sid: "read all", ...read },
      after: { Sid: "readall", ...read },
      effect: "repairs",
    },
    {
      name: "removes an empty condition",
      of: "empty_elements/empty_condition",
      before: under({}),
      after: read,
      effect: "equivalent",
    },
    {
      name: "removes an operator without keys",
      of: "empty_elements/empty_operator",
      before: under({ StringEquals: {}, Bool: { "aws:SecureTransport": "true" } }),
      after: under({ Bool: { "aws:SecureTransport": "true" } }),
      effect: "equivalent",
    },
    {
      name: "removes a condition whose operators have no keys",
      of: "empty_elements/empty_operator",
      before: under({ StringEquals: {}, Bool: {} }),
      after: read,
      effect: "equivalent",
    },
    {
      name: "removes a principal from an SCP",
      of: "policy_type_validation/invalid_principal",
      type: "SERVICE_CONTROL_POLICY",
      before: { ...deny, Principal: "*" },
      after: deny,
      effect: "repairs",
    },
    {
      name: "writes the principal of an RCP",
      of: "policy_type_validation/missing_rcp_principal",
      type: "RESOURCE_CONTROL_POLICY",
      before: under({ StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }, deny),
      after: {
        ...under({ StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }, deny),
        Principal: "*",
      },
      effect: "repairs",
    },
    {
      name: "does not turn the Allow of an RCP into a Deny",
      of: "policy_type_validation/invalid_rcp_effect",
      type: "RESOURCE_CONTROL_POLICY",
      before: { ...read, Principal: "*" },
    },
    {
      name: "corrects a principal type",
      of: "policy_type_validation/invalid_principal_value",
      type: "RESOURCE_POLICY",
      before: { ...read, Principal: { aws: "111122223333" } },
      after: { ...read, Principal: { AWS: "111122223333" } },
      effect: "repairs",
    },
    {
      name: "does not choose principals in place of NotPrincipal",
      of: "not_principal_validation/not_principal_with_allow",
      type: "RESOURCE_POLICY",
      before: { ...read, NotPrincipal: { AWS: "111122223333" } },
    },
  ]);
});

describe("actions and resources", () => {
  fixCases([
    {
      name: "corrects a name one letter off",
      of: "action_validation/invalid_action",
      before: { ...read, Action: "s3:GetObjct" },
      after: read,
      effect: "repairs",
    },
    {
      name: "removes what AWS does not have, in one edit",
      of: "action_validation/invalid_action",
      before: { ...read, Action: ["iot1click:Get*", "s3:GetObject", "mobilehub:List*"] },
      after: { ...read, Action: ["s3:GetObject"] },
      effect: "narrows",
    },
    {
      name: "keeps an unknown action of a Deny",
      of: "action_validation/invalid_action",
      before: { ...deny, Action: ["s3:GetObject", "mobilehub:List*"] },
    },
    {
      name: "removes covered actions, and the later one of equal ones",
      of: "redundancy/redundant_action",
      before: { ...read, Action: ["s3:GetObject", "s3:Get*", "S3:get*", "s3:PutObject"] },
      after: { ...read, Action: ["s3:Get*", "s3:PutObject"] },
      effect: "equivalent",
    },
    {
      name: "removes a covered resource",
      of: "redundancy/redundant_resource",
      before: { ...read, Resource: ["arn:aws:s3:::reports/a", "arn:aws:s3:::reports/*"] },
      after: { ...read, Resource: ["arn:aws:s3:::reports/*"] },
      effect: "equivalent",
    },
    {
      name: "removes the later of equal statements",
      of: "redundancy/redundant_statement",
      before: [
        { Sid: "One", ...read },
        { Sid: "Two", ...read },
      ],
      after: { Sid: "One", ...read },
      effect: "equivalent",
    },
    {
      name: "empties a Region that ARNs of the service do not have",
      of: "arn_fields/field_not_allowed",
      before: {
        Effect: "Allow",
        Action: "iam:GetRole",
        Resource: "arn:aws:iam:eu-west-1:111122223333:role/app",
      },
      after: {
        Effect: "Allow",
        Action: "iam:GetRole",
        Resource: "arn:aws:iam::111122223333:role/app",
      },
      effect: "repairs",
    },
    {
      name: "adds the objects of the bucket that is named",
      of: "action_resource_matching/statement_never_applies",
      before: { ...read, Resource: "arn:aws:s3:::reports" },
      after: { ...read, Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"] },
      effect: "changes",
    },
    {
      name: "adds the bucket of the objects that are named",
      of: "action_resource_matching/resource_mismatch",
      before: { ...read, Action: ["s3:GetObject", "s3:ListBucket"] },
      after: {
        ...read,
        Action: ["s3:GetObject", "s3:ListBucket"],
        Resource: ["arn:aws:s3:::reports/*", "arn:aws:s3:::reports"],
      },
      effect: "changes",
    },
    {
      name: "asks for the bucket where shortening the ARN would name every bucket",
      of: "action_resource_matching/resource_mismatch",
      before: {
        ...read,
        Action: ["s3:GetObject", "s3:ListBucket"],
        Resource: "arn:aws:s3:::*/reports/*",
      },
      after: {
        ...read,
        Action: ["s3:GetObject", "s3:ListBucket"],
        Resource: ["arn:aws:s3:::*/reports/*", "arn:aws:s3:::<bucket-name>"],
      },
      asks: ["<bucket-name>"],
      effect: "changes",
    },
    {
      name: "gives actions without resource types a separate statement",
      of: "action_resource_matching/resource_mismatch",
      before: {
        Effect: "Allow",
        Action: ["logs:PutLogEvents", "logs:DescribeQueries"],
        Resource: "arn:aws:logs:eu-west-1:111122223333:log-group:app:*",
      },
      after: [
        {
          Effect: "Allow",
          Action: ["logs:PutLogEvents"],
          Resource: "arn:aws:logs:eu-west-1:111122223333:log-group:app:*",
        },
        { Effect: "Allow", Action: "logs:DescribeQueries", Resource: "*" },
      ],
      effect: "changes",
    },
  ]);
});

test("a long list of actions without resource types moves in parts that a fix has room for", async () => {
  const engine = defaultEngine();
  await engine.services.load(["ec2"]);
  const actions = engine.services.get("ec2")?.actions ?? [];
  const describing = actions
    .filter(({ name, resourceTypes }) => /^Describe/.test(name) && resourceTypes.length === 0)
    // An action that would complete an escalation path is not moved.
    .filter((action) => !isOnEscalationPath(action))
    .map(({ qualified }) => qualified)
    .slice(0, 100);
  expect(describing).toHaveLength(100);
  const policy = {
    Version: "2012-10-17",
    Statement: {
      Effect: "Allow",
      Action: ["ec2:StartInstances", ...describing],
      Resource: "arn:aws:ec2:eu-west-1:111122223333:instance/i-0a1b2c3d4e5f67890",
    },
  };
  const { findings } = await validatePolicy(
    { document: objectDocument(policy), name: null, declaredType: null, label: "policy" },
    engine,
  );
  const fixes = findings
    .filter(({ issue_type }) => issue_type === "resource_mismatch")
    .map(({ fix }) => JSON.stringify(fix?.patch.slice(1)));
  expect(fixes).toHaveLength(100);
  for (const [index, action] of describing.entries()) {
    const moved = fixes[index]?.split(`"${action}"`).length;
    expect(moved, action).toBe(2);
  }
  expect(new Set(fixes).size).toBe(3);
});

describe("conditions", () => {
  fixCases([
    {
      name: "writes Null for a lone star",
      of: "condition_effect/equivalent_to_null_false",
      before: under({ StringLike: { "aws:PrincipalTag/team": "*" } }),
      after: under({ Null: { "aws:PrincipalTag/team": "false" } }),
      effect: "equivalent",
    },
    {
      name: "reads a wildcard as one",
      of: "condition_type_mismatch/wildcard_without_like",
      before: under({ StringEquals: { "aws:PrincipalTag/team": "data-*" } }),
      after: under({ StringLike: { "aws:PrincipalTag/team": "data-*" } }),
      effect: "changes",
    },
    {
      name: "compares an ARN part by part",
      of: "condition_type_mismatch/type_mismatch_usable",
      before: under({ StringLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/app-*" } }),
      after: under({ ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/app-*" } }),
    },
    {
      name: "corrects an operator",
      of: "condition_type_mismatch/invalid_operator",
      before: under({ StringEqual: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      after: under({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      effect: "repairs",
    },
    {
      name: "corrects a condition key",
      of: "condition_key_validation/invalid_condition_key",
      before: under({ StringEquals: { "aws:PrincipalOrgI": "o-a1b2c3d4e5" } }),
      after: under({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      effect: "repairs",
    },
    {
      name: "asks for the key beside ForAllValues",
      of: "set_operator_validation/forallvalues_allow_without_null_check",
      before: under({ "ForAllValues:StringEquals": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } }),
      after: under({
        "ForAllValues:StringEquals": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" },
        Null: { "aws:PrincipalOrgPaths": "false" },
      }),
      effect: "narrows",
    },
    {
      name: "says that a Deny is about requests with tag keys",
      of: "set_operator_validation/foranyvalue_deny_without_null_check",
      before: under({ "ForAnyValue:StringNotEquals": { "aws:TagKeys": ["team"] } }, deny),
      after: under(
        {
          "ForAnyValue:StringNotEquals": { "aws:TagKeys": ["team"] },
          Null: { "aws:TagKeys": "false" },
        },
        deny,
      ),
      effect: "equivalent",
    },
    {
      name: "does not choose between two repairs of a Deny on another key",
      of: "set_operator_validation/foranyvalue_deny_without_null_check",
      before: under({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1/*" } }, deny),
    },
    {
      name: "requires a key that IfExists made optional",
      of: "ifexists_condition_usage/ifexists_weakens_security_condition",
      before: under({ StringEqualsIfExists: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" } }),
      after: under({ StringEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" } }),
      effect: "narrows",
    },
    {
      name: "denies requests without MFA in the documented form",
      of: "mfa_condition_antipattern/mfa_antipattern_bool_false",
      before: under({ Bool: { "aws:MultiFactorAuthPresent": "false" } }, deny),
      after: under({ BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } }, deny),
      effect: "narrows",
    },
    {
      name: "writes a network by its first address",
      of: "address_ranges/host_bits_set",
      before: under({ IpAddress: { "aws:SourceIp": "203.0.113.7/24" } }),
      after: under({ IpAddress: { "aws:SourceIp": "203.0.113.0/24" } }),
      effect: "equivalent",
    },
    {
      name: "does not choose what a condition that never holds means",
      of: "condition_effect/condition_never_true",
      before: under({ StringEquals: { "aws:PrincipalAccount": "12345" } }),
    },
  ]);
});

describe("lists", () => {
  const list = (Action: unknown) => ({ ...read, Action });
  fixCases([
    ...(
      [
        ["commas", "s3:GetObject,s3:PutObject"],
        ["commas and spaces", "s3:GetObject, s3:PutObject"],
        ["semicolons", "s3:GetObject; s3:PutObject"],
        ["white space", "s3:GetObject s3:PutObject"],
        ["the text of a list", '["s3:GetObject", "s3:PutObject"]'],
      ] as const
    ).map(([name, text]) => ({
      name: `separates actions that one text joins with ${name}`,
      of: "action_validation/invalid_action",
      before: list(text),
      after: list(["s3:GetObject", "s3:PutObject"]),
      effect: "repairs" as const,
    })),
    {
      name: "separates actions in a list, and keeps the others",
      of: "action_validation/invalid_action",
      before: list(["s3:ListBucket", "s3:GetObject,s3:ListBucket,s3:Put*"]),
      after: list(["s3:ListBucket", "s3:GetObject", "s3:Put*"]),
      effect: "repairs",
    },
    {
      name: "does not remove joined actions as covered, because a pattern covers only their beginning",
      of: "redundancy/redundant_action",
      before: list(["s3:GetObject,s3:PutObject", "s3:Get*"]),
    },
    {
      name: "removes a comma at the end of an action",
      of: "action_validation/invalid_action",
      before: list("s3:GetObject,"),
      after: list("s3:GetObject"),
      effect: "repairs",
    },
    {
      name: "separates no actions that do not all exist",
      of: "action_validation/invalid_action",
      before: list("s3:GetObject,s3:Nothing"),
    },
    {
      name: "does not guess the service of an action behind a comma",
      of: "action_validation/invalid_action",
      before: list("s3:GetObject,PutObject"),
    },
    {
      name: "takes lists out of a list",
      of: "policy_structure/invalid_element_type",
      before: list([["s3:GetObject", "s3:PutObject"], "s3:ListBucket"]),
      after: list(["s3:GetObject", "s3:PutObject", "s3:ListBucket"]),
      effect: "repairs",
    },
    {
      name: "leaves a list with something else than texts to the author",
      of: "policy_structure/invalid_element_type",
      before: list([["s3:GetObject"], { s3: "PutObject" }]),
    },
    {
      name: "takes statements out of lists",
      of: "policy_structure/invalid_statement_type",
      before: [[read], deny] as never,
      after: [read, deny],
      effect: "repairs",
    },
    {
      name: "takes a condition out of a list",
      of: "policy_structure/invalid_element_type",
      before: { ...read, Condition: [{ Bool: { "aws:SecureTransport": "true" } }] },
      after: under({ Bool: { "aws:SecureTransport": "true" } }),
      effect: "repairs",
    },
    {
      name: "does not join several conditions of a list",
      of: "policy_structure/invalid_element_type",
      before: {
        ...read,
        Condition: [
          { Bool: { "aws:SecureTransport": "true" } },
          { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
        ],
      },
    },
    {
      name: "takes the keys of an operator out of a list",
      of: "policy_structure/invalid_element_type",
      before: under({ StringEquals: [{ "aws:PrincipalOrgID": "o-a1b2c3d4e5" }] }),
      after: under({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }),
      effect: "repairs",
    },
    {
      name: "takes the values of a key out of a list",
      of: "policy_structure/invalid_element_type",
      before: under({ StringEquals: { "aws:PrincipalOrgID": [["o-a1b2c3d4e5"], "o-f6a7b8c9d0"] } }),
      after: under({ StringEquals: { "aws:PrincipalOrgID": ["o-a1b2c3d4e5", "o-f6a7b8c9d0"] } }),
      effect: "repairs",
    },
    {
      name: "separates addresses",
      of: "condition_type_mismatch/invalid_value_format",
      before: under({ IpAddress: { "aws:SourceIp": "203.0.113.0/24,198.51.100.7" } }),
      after: under({ IpAddress: { "aws:SourceIp": ["203.0.113.0/24", "198.51.100.7"] } }),
      effect: "repairs",
    },
    {
      name: "writes a number without the separators of its thousands",
      of: "condition_type_mismatch/invalid_value_format",
      before: {
        ...read,
        Action: "s3:ListBucket",
        Resource: "arn:aws:s3:::reports",
        Condition: { NumericLessThan: { "s3:max-keys": "1,000" } },
      },
      after: {
        ...read,
        Action: "s3:ListBucket",
        Resource: "arn:aws:s3:::reports",
        Condition: { NumericLessThan: { "s3:max-keys": "1000" } },
      },
      effect: "repairs",
    },
    {
      name: "does not choose between one number and two",
      of: "condition_type_mismatch/invalid_value_format",
      before: {
        ...read,
        Action: "s3:ListBucket",
        Resource: "arn:aws:s3:::reports",
        Condition: { NumericEquals: { "s3:max-keys": "100,200" } },
      },
    },
    {
      name: "separates Regions",
      of: "condition_type_mismatch/invalid_region",
      before: under({ StringEquals: { "aws:RequestedRegion": ["us-east-1,eu-west-1"] } }),
      after: under({ StringEquals: { "aws:RequestedRegion": ["us-east-1", "eu-west-1"] } }),
      effect: "repairs",
    },
    {
      name: "takes a principal out of a list",
      of: "policy_structure/invalid_element_type",
      type: "TRUST_POLICY",
      before: {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Principal: [{ AWS: "arn:aws:iam::111122223333:root" }],
      },
      after: {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Principal: { AWS: "arn:aws:iam::111122223333:root" },
      },
      effect: "repairs",
    },
  ]);
});

describe("members that a text repeats", () => {
  const text = (members: string) =>
    `{"Version":"2012-10-17","Statement":[{"Effect":"Allow",${members}"Resource":"arn:aws:ec2:eu-west-1:111122223333:instance/*"}]}`;
  const start = '"Action":"ec2:StartInstances",';
  const team = '{"aws:ResourceTag/team":"a"}';
  test.each([
    ["of the same value are written once", start + start, start],
    [
      "in a condition are joined",
      `${start}"Condition":{"StringEquals":{"aws:ResourceTag/env":"dev"},"StringEquals":${team}},`,
      `${start}"Condition":{"StringEquals":{"aws:ResourceTag/env":"dev","aws:ResourceTag/team":"a"}},`,
    ],
    [
      "that are conditions are joined",
      `"Condition":{"StringEquals":${team}},${start}"Condition":{"Bool":{"aws:SecureTransport":"true"}},`,
      `${start}"Condition":{"StringEquals":${team},"Bool":{"aws:SecureTransport":"true"}},`,
    ],
    [
      "with other actions stay",
      `"Action":"ec2:StopInstances",${start}`,
      `"Action":"ec2:StopInstances",${start}`,
    ],
    [
      "with other values of one key stay",
      `${start}"Condition":{"StringEquals":{"aws:ResourceTag/team":"b"},"StringEquals":${team}},`,
      `${start}"Condition":{"StringEquals":{"aws:ResourceTag/team":"b"},"StringEquals":${team}},`,
    ],
  ])("%s", async (_, before, after) => {
    const validator = await createValidator();
    const { results } = await validator.validate(text(before), { fix: ["repairs"] });
    expect(results[0]?.fixed_policy ?? text(before)).toBe(text(after));
  });

  test("are repaired in YAML as in JSON", async () => {
    const text = (members: string) =>
      `Version: "2012-10-17"\nStatement:\n  - Effect: Allow\n${members}    Resource: arn:aws:ec2:eu-west-1:111122223333:instance/*\n`;
    const action = "    Action: ec2:StartInstances\n";
    const equals = "    Condition:\n      StringEquals:\n";
    const [env, team] = ["env: dev", "team: a"].map((tag) => `        aws:ResourceTag/${tag}\n`);
    const validator = await createValidator();
    const fixed = async (before: string) => {
      const { results } = await validator.validate(text(before), { fix: ["repairs"] });
      return results[0]?.fixed_policy ?? text(before);
    };
    expect(await fixed(action + action)).toBe(text(action));
    expect(await fixed(`${action}${equals}${env}      StringEquals:\n${team}`)).toBe(
      text(`${action}${equals}${env}${team}`),
    );
    const others = action + action.replace("Start", "Stop");
    expect(await fixed(others)).toBe(text(others));
  });
});
