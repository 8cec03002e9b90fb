import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";
import { actionConditionEnforcement } from "./action-condition-enforcement.ts";

const roleArn = "arn:aws:iam::111122223333:role/x";
const anyRole = "arn:aws:iam::111122223333:role/*";
const allow = (Action: unknown, Condition?: object, Resource?: unknown) => ({
  Effect: "Allow",
  Action,
  Resource: Resource ?? (String(Action).startsWith("s3:") ? "*" : anyRole),
  ...(Condition ? { Condition } : {}),
});
const passRole = (Condition?: object) => allow("iam:PassRole", Condition);
const inAccount = { StringEquals: { "aws:ResourceAccount": "111122223333" } };
const missing = {
  issue_type: "missing_required_condition",
  severity: "high",
  field_name: "condition",
} as const;
const missingAny = { ...missing, issue_type: "missing_required_condition_any_of" } as const;
const forbidden = { ...missing, issue_type: "forbidden_condition_present" } as const;
const noPassRole = { ...missing, condition_key: "iam:PassedToService" } as const;
const rules = (...requirements: object[]) => ({ requirements });

checkCases(actionConditionEnforcement, [
  {
    name: "iam:PassRole needs iam:PassedToService, said at the action when there is no condition",
    statement: passRole(),
    findings: [
      {
        ...noPassRole,
        at: 0,
        action: "iam:PassRole",
        path: "/Statement/0/Action",
        message: "`iam:PassRole` is granted without the condition `iam:PassedToService`.",
        suggestion: /iam:AssociatedResourceArn/,
        // Nothing in the policy says which service takes the role.
        example: null,
        aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE",
      },
    ],
  },
  {
    name: "entries count for all they grant, as written, in any letter case and with `?`",
    statement: [
      allow("IAM:passrole"),
      allow("iam:Pass*"),
      allow("iam:PassRol?"),
      allow(["iam:*", "iam:PassRole", "iam:*"]),
      allow("iam:Get*"),
      allow("xiam:PassRole"),
    ],
    findings: [
      { ...noPassRole, at: 0, action: "IAM:passrole" },
      {
        ...noPassRole,
        at: 1,
        action: "iam:Pass*",
        message: /^`iam:Pass\*` \(which covers `iam:PassRole`\) is granted without/,
      },
      { ...noPassRole, at: 2, action: "iam:PassRol?" },
      { ...noPassRole, at: 3, action: "iam:*, iam:PassRole" },
    ],
  },
  {
    name: "iam:PassRole on named roles is medium; where it fits no resource, or is taken back, nothing",
    statement: [
      allow("iam:PassRole", undefined, roleArn),
      allow("iam:PassRole", undefined, "arn:aws:s3:::b"),
      { ...allow("iam:PassRole", undefined, "arn:aws:iam::111122223333:role/old-*") },
      { Effect: "Deny", Action: "iam:Pass*", Resource: "arn:aws:iam::*:role/old-*" },
    ],
    findings: [{ ...noPassRole, at: 0, severity: "medium" }],
  },
  {
    name: "the example names the service of the policy's other actions, on a separate statement",
    statement: { ...allow(["iam:PassRole", "ec2:RunInstances"], undefined, "*"), Sid: "Start" },
    findings: [
      {
        ...noPassRole,
        example_path: "/Statement",
        example: /"Action": "iam:PassRole",[^}]*"iam:PassedToService": "ec2.amazonaws.com"/,
      },
    ],
  },
  {
    name: "characters of a requirement's action mean themselves",
    statement: allow(["x:AxB", "x:A.B"]),
    options: rules({ actions: ["x:A.B"] }),
    findings: [{ issue_type: "action_detected", action: "x:A.B" }],
  },
  {
    name: "two patterns meet where the service has an action that both cover",
    statement: [allow("iam:Pass*"), allow("iam:Create*"), allow("x:A*")],
    options: rules({ actions: ["iam:*Role", "x:*B"] }),
    findings: [{ at: 0, issue_type: "action_detected", action: "iam:Create*, iam:Pass*" }],
  },
  {
    name: "a condition is met under any letter case and operator that limits",
    statement: [
      passRole({ StringLike: { "IAM:passedtoservice": "ec2.amazonaws.com" } }),
      passRole({ "ForAnyValue:StringEquals": { "iam:PassedToService": "ec2.amazonaws.com" } }),
      passRole({
        "ForAllValues:StringEquals": { "iam:PassedToService": "ec2.amazonaws.com" },
        Null: { "IAM:PassedToService": false },
      }),
    ],
    findings: [],
  },
  {
    name: "a condition that limits nothing is not enough, and the finding says why, at the key",
    statement: [
      passRole({ StringNotEquals: { "iam:PassedToService": "x" } }),
      passRole({ Null: { "iam:PassedToService": "false" } }),
      passRole({ StringLike: { "iam:PassedToService": ["x", "**"] } }),
      passRole({ "ForAllValues:StringLike": { "iam:PassedToService": "x" } }),
      passRole({ StringEqualsIfExists: { "iam:PassedToService": "x" } }),
    ],
    findings: [
      {
        ...noPassRole,
        at: 0,
        path: "/Statement/0/Condition/StringNotEquals/iam:PassedToService",
        message: /under `StringNotEquals` is not enough: it lets everything else through\.$/,
      },
      { ...noPassRole, at: 1, message: /asks whether the key is there/ },
      { ...noPassRole, at: 2, message: /a value in it matches everything/ },
      { ...noPassRole, at: 3, message: /passes when a request has no such key/ },
      { ...noPassRole, at: 4, message: /passes when a request has no such key/ },
    ],
  },
  {
    name: "IfExists does on a key that every request has",
    statement: allow("x:A", { StringEqualsIfExists: { "aws:RequestedRegion": "eu-west-1" } }),
    options: rules({
      actions: "x:A",
      required_conditions: [{ condition_key: "aws:requestedregion" }],
    }),
    findings: [],
  },
  {
    name: "a tag under StringLike `*` limits: that the tag is there is the point",
    statement: allow("x:A", { StringLike: { "aws:RequestTag/team": "*" } }),
    options: rules({
      actions: "x:A",
      required_conditions: [{ condition_key: "aws:RequestTag/team" }],
    }),
    findings: [],
  },
  {
    name: "carries AWS's code where AWS reports the same",
    statement: [
      allow("iam:PassRole", undefined, "*"),
      allow("iam:*", undefined, "*"),
      allow("iam:PassRole", { ArnLike: { "iam:AssociatedResourceArn": "x" } }, "*"),
      allow("iam:PassRole", { StringEqualsIfExists: { "iam:PassedToService": "x" } }, "*"),
      allow("iam:PassRole", { StringLikeIfExists: { "iam:PassedToService": "x" } }, "*"),
    ],
    findings: [
      { at: 0, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE" },
      { at: 1, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE" },
      { at: 2, aws_issue_code: null },
      { at: 3, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE" },
      { at: 4, aws_issue_code: null },
    ],
  },
  {
    name: "S3 objects need a boundary, any that limits, in identity policies only; said once per policy",
    statement: [
      allow("s3:GetObject", inAccount),
      allow("s3:GetObject"),
      allow("s3:GetObjectVersion", { StringEquals: { "aws:ResourceOrgID": "o-1" } }),
      allow("s3:PutObject", { StringNotEquals: { "aws:ResourceAccount": "1" } }),
    ],
    findings: [
      {
        ...missingAny,
        at: 1,
        severity: "low",
        action: "s3:GetObject",
        condition_key: null,
        example: /"aws:ResourceAccount": "\$\{aws:PrincipalAccount\}"/,
        example_path: "/Statement/1",
        message:
          /^`s3:GetObject` is granted without any of these conditions: `aws:ResourceOrgID`, .* or `aws:ResourceAccount`\.$/,
        suggestion:
          /\n- `aws:ResourceAccount`: keeps data.*\nThe requirement concerns 4 statements\.$/,
      },
    ],
  },
  {
    name: "a bucket policy needs no boundary",
    statement: { ...allow("s3:GetObject"), Principal: { AWS: roleArn } },
    findings: [],
  },
  {
    name: "expressions ignore letter case, meet patterns through their actions, and `*`",
    statement: [
      allow("rds-db:connect"),
      allow("SSM:startsession"),
      allow("ssm:*"),
      allow("ssm:StartSessionX"),
      allow("ssm:Get*"),
    ],
    options: {
      requirements: [
        {
          action_patterns: ["^ssm:SendC", "^rds-db:Connect$", "ssm:StartSession$"],
          severity: "low",
          required_conditions: [{ condition_key: "aws:SourceIp" }],
        },
      ],
    },
    findings: [
      { ...missing, at: 0, severity: "low", example: /"IpAddress"/, example_path: "/Statement/0" },
      { ...missing, at: 1, severity: "low" },
      {
        ...missing,
        at: 2,
        severity: "low",
        action: "ssm:*",
        message: /\(which covers `ssm:SendCommand`/,
      },
    ],
  },
  {
    name: "a pattern of an unknown service is tested without its trailing stars",
    statement: [allow("quantum:Leap**"), allow("quantum:*Leap")],
    options: rules({ action_patterns: ["quantum:leap$"] }),
    findings: [{ at: 0, issue_type: "action_detected", action: "quantum:Leap**" }],
  },
  {
    name: "plain HTTP must not be let in: the value is what counts, IfExists hides nothing",
    statement: [
      allow("s3:GetObject", { Bool: { "aws:SecureTransport": "false" }, ...inAccount }),
      allow("s3:PutObject", { BoolIfExists: { "aws:securetransport": ["FALSE"] }, ...inAccount }),
      allow("s3:GetObject", { Bool: { "aws:SecureTransport": "true" }, ...inAccount }),
      allow("s3:GetObject", { Null: { "aws:SecureTransport": "false" }, ...inAccount }),
    ],
    findings: [
      {
        ...forbidden,
        at: 0,
        severity: "critical",
        condition_key: "aws:SecureTransport",
        path: "/Statement/0/Condition/Bool/aws:SecureTransport",
        message:
          "`s3:GetObject` is granted under the condition `aws:SecureTransport` with the value `false`, which may not be used here.",
        suggestion: /plain HTTP/,
        example: null,
      },
      {
        ...forbidden,
        at: 1,
        severity: "critical",
        path: "/Statement/1/Condition/BoolIfExists/aws:securetransport/0",
      },
    ],
  },
  {
    name: "every address, of either family, is not a limit; NotIpAddress is another matter",
    statement: [
      allow("s3:ListBucket", { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "0.0.0.0/0"] } }),
      allow("s3:ListBucket", { IpAddress: { "aws:SourceIp": "::/0" } }),
      allow("s3:ListBucket", { NotIpAddress: { "aws:SourceIp": "0.0.0.0/0" } }),
    ],
    findings: [
      { ...forbidden, at: 0, path: "/Statement/0/Condition/IpAddress/aws:SourceIp/1" },
      { ...forbidden, at: 1, condition_key: "aws:SourceIp" },
    ],
  },
  {
    name: "a named operator asks for its base and IfExists; a named set prefix for that prefix",
    statement: [
      allow("x:A", { "ForAnyValue:StringLike": { "a:b": "v" } }),
      allow("x:A", { StringEquals: { "a:b": "v" } }),
      allow("x:A", { StringLikeIfExists: { "a:b": "v" } }),
    ],
    options: rules({
      actions: "x:A",
      required_conditions: [{ condition_key: "a:b", operator: "stringlike" }],
    }),
    findings: [
      {
        ...missing,
        at: 1,
        message: /`a:b` under `stringlike`.*the operator or a value is not what is required/,
      },
      { ...missing, at: 2 },
    ],
  },
  {
    name: "values: each must be an expected one; booleans ignore case, numbers are text",
    statement: [
      allow("x:A", { StringEquals: { "a:b": ["u"] } }),
      allow("x:A", { StringEquals: { "a:b": ["u", "w"] } }),
      allow("x:A", { StringEquals: { "a:b": 5 } }),
      allow("x:A", { StringEquals: { "a:b": "TRUE" } }),
      allow("x:A", { StringEquals: { "a:b": "U" } }),
      allow("x:A", { StringEquals: { "a:b": [] } }),
    ],
    options: rules({
      actions: "x:A",
      required_conditions: [{ condition_key: "a:b", expected_value: ["v", "u", 5, true] }],
    }),
    findings: [1, 4, 5].map((at) => ({ ...missing, at })),
  },
  {
    name: "false is a value to be expected, null is none",
    statement: [
      allow("x:A", { Bool: { "a:b": "false" } }),
      allow("x:A", { Bool: { "a:b": "true" } }),
      allow("x:B", { Bool: { "a:b": "true" } }),
    ],
    options: rules(
      { actions: "x:A", required_conditions: [{ condition_key: "a:b", expected_value: false }] },
      { actions: "x:B", required_conditions: [{ condition_key: "a:b", expected_value: null }] },
    ),
    findings: [{ ...missing, at: 1, message: /`a:b` set to `false`/ }],
  },
  {
    name: "a condition's severity wins over the requirement's, and that over the check's; `none` drops",
    statement: allow("x:A"),
    options: rules(
      {
        actions: "x:A",
        severity: "low",
        required_conditions: {
          all_of: [
            { condition_key: "a:b", severity: "critical", description: "Do this.", example: "So." },
            { condition_key: "c:d" },
            { condition_key: "e:f", severity: "none" },
          ],
        },
      },
      { actions: "x:A", required_conditions: [{ condition_key: "g:h" }] },
    ),
    findings: [
      {
        ...missing,
        severity: "critical",
        condition_key: "a:b",
        suggestion: "Do this.",
        example: "So.",
        message: /All 3 conditions of the requirement are needed together\.$/,
      },
      { ...missing, severity: "low", condition_key: "c:d" },
      { ...missing, severity: "high", condition_key: "g:h" },
    ],
  },
  {
    name: "any_of counts a group as one alternative, met when all of it is",
    statement: [
      allow("x:A", { StringEquals: { "a:b": "1" } }),
      allow("x:A", { StringEquals: { "a:b": "1", "c:d": "1" } }),
      allow("x:A", { StringEquals: { "e:f": "1" } }),
    ],
    options: rules({
      actions: "x:A",
      required_conditions: {
        any_of: [
          { all_of: [{ condition_key: "a:b" }, { condition_key: "c:d" }], message: "the pair" },
          { condition_key: "e:f", message: "alone", example: "{e}" },
        ],
      },
    }),
    findings: [
      {
        ...missingAny,
        at: 0,
        severity: "high",
        message: /: \(`a:b` and `c:d`\) or `e:f`\.$/,
        suggestion: /\n- `a:b` and `c:d`: the pair\n- `e:f`: alone\n/,
        example: "{e}",
      },
    ],
  },
  {
    name: "message, suggestion and example of a requirement replace those of any_of findings only",
    statement: allow("x:A"),
    options: rules({
      actions: "x:A",
      message: "Own {message}",
      suggestion: "Own suggestion",
      example: "Own example",
      required_conditions: {
        all_of: [{ condition_key: "a:b" }],
        any_of: [{ condition_key: "c:d" }],
      },
    }),
    findings: [
      { ...missing, message: /^`x:A` is granted/, suggestion: /^Add/ },
      {
        ...missingAny,
        message: "Own {message}",
        suggestion: "Own suggestion",
        example: "Own example",
      },
    ],
  },
  {
    name: "all_of, any_of and none_of of one requirement come in that order",
    statement: allow("x:A", { StringEquals: { "z:z": "1" } }),
    options: rules({
      actions: "x:A",
      required_conditions: {
        none_of: [{ condition_key: "z:z", severity: "low" }],
        any_of: [{ condition_key: "c:d" }],
        all_of: [{ condition_key: "a:b" }],
      },
    }),
    findings: [missing, missingAny, { ...forbidden, severity: "low", message: /`z:z`, which/ }],
  },
  {
    name: "a requirement without conditions reports the actions once, sorted, at the first statement",
    statement: [allow("y:C"), allow(["x:B", "x:A"]), allow("x:A")],
    options: rules({ actions: ["x:A", "x:B"], severity: "low", description: "Ask first." }),
    findings: [
      {
        issue_type: "action_detected",
        severity: "low",
        at: 1,
        field_name: "action",
        action: "x:A, x:B",
        message: /in 2 statements, .* Ask first\.$/,
      },
    ],
  },
  {
    name: "all_of actions concern statements that grant all of them by themselves",
    statement: [allow("x:A"), allow(["x:B", "x:*"]), allow("x:B")],
    options: rules({
      actions: { all_of: ["x:A", "x:B"] },
      required_conditions: [{ condition_key: "a:b" }],
    }),
    findings: [{ ...missing, at: 1, action: "x:*, x:B" }],
  },
  {
    name: "none_of actions may not be granted, one finding per statement, whatever the conditions",
    statement: [allow(["x:A", "y:C"]), allow("x:B", { StringEquals: { "a:b": "1" } })],
    options: rules({
      actions: { none_of: ["x:*"] },
      severity: "low",
      required_conditions: [{ condition_key: "a:b" }],
    }),
    findings: [
      {
        at: 0,
        issue_type: "forbidden_action",
        severity: "low",
        field_name: "action",
        action: "x:A",
        suggestion: /concerns 2 statements\.$/,
      },
      { at: 1, issue_type: "forbidden_action", action: "x:B" },
    ],
  },
  {
    name: "own requirements come after the defaults (append), then those of policy_level_requirements",
    statement: allow(["iam:PassRole", "x:A"]),
    options: {
      action_condition_requirements: [
        { actions: "x:A", required_conditions: [{ condition_key: "a:b" }] },
      ],
      policy_level_requirements: [{ id: "x-a", actions: "x:A" }],
    },
    findings: [noPassRole, { ...missing, condition_key: "a:b" }, { issue_type: "action_detected" }],
  },
  {
    name: "user_only drops the defaults",
    statement: allow(["iam:PassRole", "x:A"]),
    options: { merge_strategy: "user_only", policy_level_requirements: [{ actions: "x:A" }] },
    findings: [{ issue_type: "action_detected" }],
  },
  {
    name: "defaults_only drops the own ones",
    statement: allow(["iam:PassRole", "x:A"]),
    options: { merge_strategy: "defaults_only", policy_level_requirements: [{ actions: "x:A" }] },
    findings: [noPassRole],
  },
  {
    name: "replace_all takes the own ones if there are any",
    statement: allow(["iam:PassRole", "x:A"]),
    options: { merge_strategy: "replace_all", policy_level_requirements: [{ actions: "x:A" }] },
    findings: [{ issue_type: "action_detected" }],
  },
  {
    name: "replace_all keeps the defaults when there are no own ones",
    statement: allow("iam:PassRole"),
    options: { merge_strategy: "replace_all" },
    findings: [noPassRole],
  },
  {
    name: "per_action_override takes away the defaults that name an action of an own one",
    statement: [
      allow("iam:PassRole"),
      allow("s3:GetObject", { Bool: { "aws:SecureTransport": "false" } }),
    ],
    options: {
      merge_strategy: "per_action_override",
      policy_level_requirements: [{ actions: { any_of: ["IAM:PASSROLE", "s3:getobject"] } }],
    },
    findings: [{ issue_type: "action_detected", action: "iam:PassRole, s3:GetObject" }],
  },
  {
    name: "the policy of a resource passes no role and starts no session",
    type: "RESOURCE_POLICY",
    statement: { ...allow("*"), Principal: { AWS: "111122223333" } },
    findings: [],
  },
  {
    name: "a requirement can be for some policy types only",
    statement: allow("x:A"),
    options: rules(
      { actions: "x:A", policy_types: ["RESOURCE_POLICY"] },
      { actions: "x:A", policy_types: ["IDENTITY_POLICY"], severity: "low" },
    ),
    findings: [{ issue_type: "action_detected", severity: "low" }],
  },
  {
    name: "a requirement has its own ignore patterns",
    statement: [
      { ...allow("x:A"), Sid: "Old" },
      { ...allow("x:A"), Sid: "New" },
    ],
    options: rules(
      {
        actions: "x:A",
        required_conditions: [{ condition_key: "a:b" }],
        ignore_patterns: [{ sid: "Old" }],
      },
      {
        actions: "x:A",
        severity: "low",
        ignore_patterns: [{ condition_key: "x" }, { action: "^x:" }],
      },
    ),
    findings: [{ ...missing, statement_sid: "New" }],
  },
  {
    name: "Deny and NotAction statements are passed over",
    statement: [
      { ...passRole(), Effect: "Deny" },
      { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "own requirements hold for NotAction too, for the entries that it does not cover",
    statement: [
      { Effect: "Allow", NotAction: "iam:PassRole", Resource: "*" },
      { Effect: "Allow", NotAction: ["IAM:*"], Resource: "*" },
      { Effect: "Allow", NotAction: ["x:A", "iam:*"], Resource: "*" },
      { Effect: "Allow", NotAction: ["*"], Resource: "*" },
    ],
    options: rules(
      { actions: ["iam:Pass*"], required_conditions: [{ condition_key: "a:b" }] },
      { actions: { none_of: ["x:A", "x:B"] } },
      { actions: { all_of: ["x:A", "x:B"] }, severity: "low" },
    ),
    findings: [
      { ...missing, at: 0, action: "iam:Pass*", path: "/Statement/0/NotAction" },
      { at: 0, issue_type: "forbidden_action", action: "x:A, x:B" },
      { at: 1, issue_type: "forbidden_action", action: "x:A, x:B" },
      { at: 2, issue_type: "forbidden_action", action: "x:B" },
      { at: 0, issue_type: "action_detected", action: "x:A, x:B" },
    ],
  },
  {
    name: "SCPs grant nothing",
    statement: passRole(),
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
]);

test("a requirement whose ignore pattern tests the label alone is off for that policy, if labels are trusted", async () => {
  const own = { actions: ["iam:PassRole"], ignore_patterns: [{ filepath: "^legacy/" }] };
  const section = { merge_strategy: "per_action_override", policy_level_requirements: [own] };
  const typesUnder = async (label: string, trust: boolean) => {
    const engine = engineFor([actionConditionEnforcement], {
      settings: { trust_policy_names: trust },
      action_condition_enforcement: section,
    });
    const document = await parseDocument({ Version: "2012-10-17", Statement: passRole() });
    const input = { document, name: label, declaredType: null, label };
    return (await validatePolicy(input, engine)).findings.map(({ issue_type }) => issue_type);
  };
  // Off or not, it still replaces the default requirement of the same action.
  expect(await typesUnder("legacy/a.json", true)).toEqual([]);
  expect(await typesUnder("legacy/a.json", false)).toEqual(["action_detected"]);
  expect(await typesUnder("new/a.json", true)).toEqual(["action_detected"]);
});

test("a requirement that is off for one policy holds for the others of the same call", async () => {
  const engine = engineFor([actionConditionEnforcement], {
    settings: { trust_policy_names: true },
    action_condition_enforcement: {
      merge_strategy: "append",
      requirements: [],
      action_condition_requirements: [
        { actions: ["iam:PassRole"], ignore_patterns: [{ filepath: "^legacy/" }] },
      ],
      policy_level_requirements: [
        { actions: ["s3:GetObject"] },
        { actions: ["s3:PutObject"], ignore_patterns: [{ sid: "Old" }, { filepath: "^drafts/" }] },
        { actions: ["s3:DeleteObject"], ignore_patterns: [{ filepath: "^legacy/", sid: "Old" }] },
      ],
    },
  });
  const document = await parseDocument({
    Version: "2012-10-17",
    Statement: [passRole(), allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"])],
  });
  const actionsUnder = async (label: string) => {
    const input = { document, name: label, declaredType: null, label };
    return (await validatePolicy(input, engine)).findings.map(({ action }) => action);
  };
  const all = ["iam:PassRole", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"];
  expect(await actionsUnder("legacy/a.json")).toEqual(all.slice(1));
  expect(await actionsUnder("new/a.json")).toEqual(all);
  expect(await actionsUnder("drafts/a.json")).toEqual([...all.slice(0, 2), "s3:DeleteObject"]);
  expect(await actionsUnder("legacy/b.json")).toEqual(all.slice(1));
});

test("requirements for some policy types hold for these, with the same engine", async () => {
  const engine = engineFor([actionConditionEnforcement], {
    action_condition_enforcement: {
      requirements: [],
      policy_level_requirements: [
        { actions: ["s3:GetObject"], policy_types: ["RESOURCE_POLICY"] },
        { actions: ["s3:PutObject"] },
      ],
    },
  });
  const typesOf = async (declaredType: "IDENTITY_POLICY" | "RESOURCE_POLICY") => {
    const document = await parseDocument({
      Version: "2012-10-17",
      Statement: [allow(["s3:GetObject", "s3:PutObject"])],
    });
    const input = { document, name: null, declaredType, label: "policy" };
    return (await validatePolicy(input, engine)).findings.map(({ action }) => action);
  };
  expect(await typesOf("IDENTITY_POLICY")).toEqual(["s3:PutObject"]);
  expect(await typesOf("RESOURCE_POLICY")).toEqual(["s3:GetObject", "s3:PutObject"]);
  expect(await typesOf("IDENTITY_POLICY")).toEqual(["s3:PutObject"]);
});

test.each([
  ["a condition without a key", { actions: "x:A", required_conditions: [{ operator: "Bool" }] }],
  [
    "a group in a plain list",
    { actions: "x:A", required_conditions: [{ all_of: [{ condition_key: "a" }] }] },
  ],
  ["no actions at all", { required_conditions: [{ condition_key: "a:b" }] }],
  ["empty lists of actions", { actions: { any_of: [] }, action_patterns: [] }],
  ["an expression that does not compile", { action_patterns: ["("] }],
  ["a broken ignore pattern", { actions: "x:A", ignore_patterns: [{ action: "(" }] }],
  ["an unknown severity", { actions: "x:A", severity: "terrible" }],
])("the configuration is refused for %s", (_, requirement) => {
  expect(
    actionConditionEnforcement.options.safeParse({ requirements: [requirement] }).success,
  ).toBe(false);
});
