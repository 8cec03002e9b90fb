import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { runCheck } from "../../test/support/run-check.ts";
import { policyStructure } from "./policy-structure.ts";

const read = {
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::example-bucket/*",
};
const trust = {
  Effect: "Allow",
  Principal: { Service: "lambda.amazonaws.com" },
  Action: "sts:AssumeRole",
};
const document = (members: object) => ({ Version: "2012-10-17", Statement: [read], ...members });

checkCases(policyStructure, [
  { name: "accepts a plain policy", statement: [read], findings: [] },
  {
    name: "accepts every element of a statement, an Id and a null Sid",
    policy: document({
      Id: "x",
      Statement: [{ ...read, Sid: null, Condition: { Bool: { "aws:SecureTransport": true } } }],
    }),
    findings: [],
  },
  {
    name: "accepts one statement in place of a list",
    policy: { Version: "2012-10-17", Statement: read },
    findings: [],
  },
  {
    name: "reports text that is neither JSON nor YAML, with line and column, and nothing else",
    text: '{\n  "Version": "2012-10-17",\n  "Statement": [}\n}',
    findings: [
      {
        at: -1,
        issue_type: "invalid_syntax",
        severity: "error",
        message: /line 3, column 17/,
        location: {
          start: { line: 3, column: 16, offset: 45 },
          end: { line: 3, column: 17, offset: 46 },
        },
        aws_issue_code: "JSON_SYNTAX_ERROR",
      },
    ],
  },
  {
    name: "reports text that nests too deeply",
    text: `{"Statement": ${"[".repeat(101)}${"]".repeat(101)}}`,
    findings: [{ at: -1, issue_type: "invalid_syntax", message: /100/ }],
  },
  ...[null, 5, true, [read]].map((policy) => ({
    name: `reports a policy that is ${JSON.stringify(policy).slice(0, 5)}, and nothing else`,
    policy,
    findings: [{ at: -1, issue_type: "invalid_document_type", severity: "error" as const }],
  })),
  ...[
    ["policies/app.json", "the name of a file"],
    ["/home/dev/role.yaml", "the name of a file"],
    ["C:\\work\\trust", "the name of a file"],
    ["./trust", "the name of a file"],
    ["arn:aws:iam::aws:policy/ReadOnlyAccess", "an ARN"],
    ["https://example.com/policy.json", "an address"],
  ].map(([text = "", what = ""]) => ({
    name: `says what to send in place of ${what}: ${text}`,
    text: JSON.stringify(text),
    findings: [
      {
        at: -1,
        issue_type: "invalid_document_type",
        severity: "error" as const,
        message: new RegExp(`^The policy is ${what}`),
        suggestion: /^Send the content/,
      },
    ],
  })),
  {
    name: "does not take prose for the name of a file",
    text: "Read the file app.json",
    findings: [
      { at: -1, issue_type: "invalid_document_type", message: /a policy is a JSON object/ },
    ],
  },
  {
    name: "reports a member that appears twice once per object, in a statement with its Sid",
    text: `{
  "Version": "2012-10-17", "Version": "2012-10-17", "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": "s3:GetObject", "Resource": "*", "Sid": "Old", "Sid": "New" },
    { "Effect": "Deny", "Action": "s3:GetObject", "Resource": "*",
      "Condition": { "Bool": { "aws:SecureTransport": "true" }, "Bool": { "aws:SecureTransport": "false" } } }
  ]
}`,
    findings: [
      { at: -1, issue_type: "duplicate_element", message: /`Version`/, path: "/Version" },
      {
        at: 0,
        issue_type: "duplicate_element",
        statement_sid: "New",
        message: /`Sid`/,
        path: "/Statement/0/Sid",
      },
      { at: 1, issue_type: "duplicate_element", message: /`Bool`/ },
    ],
  },
  {
    name: "names all unknown members of the document in one finding, sorted",
    policy: document({ Statements: [], Comment: "x" }),
    findings: [
      {
        at: -1,
        issue_type: "unknown_policy_field",
        severity: "error",
        message: /`Comment` and `Statements`/,
        path: "/Statements",
        aws_issue_code: "INVALID_POLICY_ELEMENT",
      },
    ],
  },
  {
    name: "takes names of the prototype for what they are: unknown members",
    text: `{"Version": "2012-10-17", "__proto__": 1, "toString": 2, "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "constructor": 1}}`,
    findings: [
      { at: -1, issue_type: "unknown_policy_field", message: /`__proto__` and `toString`/ },
      { at: 0, issue_type: "unknown_field", message: /`constructor`/ },
    ],
  },
  {
    name: "warns of a missing Version",
    policy: { Statement: [read] },
    findings: [
      { at: -1, issue_type: "missing_version", severity: "warning", message: /2008-10-17/ },
    ],
  },
  {
    name: "accepts an endpoint policy without Version, as AWS's own default is",
    type: "ENDPOINT_POLICY",
    policy: { Statement: [{ ...read, Principal: "*" }] },
    findings: [],
  },
  ...(["SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY"] as const).map((type) => ({
    name: `reports a missing Version as an error for ${type}`,
    type,
    policy: { Statement: [{ ...read, Principal: "*" }] },
    findings: [{ at: -1, issue_type: "missing_version", severity: "error" as const }],
  })),
  ...["2012-10-18", null, 2012].map((Version) => ({
    name: `reports the Version ${JSON.stringify(Version)}`,
    policy: document({ Version }),
    findings: [
      { at: -1, issue_type: "invalid_version", severity: "error" as const, path: "/Version" },
    ],
  })),
  {
    name: "warns of the old Version, in which policy variables stay text",
    policy: document({ Version: "2008-10-17" }),
    findings: [
      { at: -1, issue_type: "outdated_version", severity: "warning", message: /policy variables/ },
    ],
  },
  {
    name: "reports an empty object like any other document",
    policy: {},
    findings: [
      { at: -1, issue_type: "missing_version" },
      { at: -1, issue_type: "missing_statement", severity: "error" },
    ],
  },
  {
    name: "reports an empty list of statements",
    policy: document({ Statement: [] }),
    findings: [{ at: -1, issue_type: "empty_statement", path: "/Statement" }],
  },
  ...[null, "x", 3].map((Statement) => ({
    name: `reports a Statement that is ${JSON.stringify(Statement)}`,
    policy: document({ Statement }),
    findings: [{ at: -1, issue_type: "invalid_statement_type", path: "/Statement" }],
  })),
  {
    name: "reports each entry of Statement that is not an object, with its index",
    policy: document({ Statement: [read, "x", read, null] }),
    findings: [
      { at: 1, issue_type: "invalid_statement_type", path: "/Statement/1", statement_sid: null },
      { at: 3, issue_type: "invalid_statement_type", path: "/Statement/3" },
    ],
  },
  {
    name: "reports an Id that is not a string",
    policy: document({ Id: 7 }),
    findings: [{ at: -1, issue_type: "invalid_element_type", path: "/Id" }],
  },
  {
    name: "names all unknown members of a statement in one finding, lower-case element names among them",
    statement: [{ ...read, Sid: "S", effect: "Deny", Actions: "x" }],
    findings: [
      {
        at: 0,
        issue_type: "unknown_field",
        statement_sid: "S",
        field_name: null,
        message: /`Actions` and `effect`/,
      },
    ],
  },
  {
    name: "reports a statement without Effect",
    statement: [{ Action: "s3:GetObject", Resource: "*" }],
    findings: [{ at: 0, issue_type: "missing_effect", field_name: "effect", path: "/Statement/0" }],
  },
  ...["allow", " Deny", "Permit", null, true, ["Allow"]].map((Effect) => ({
    name: `reports the Effect ${JSON.stringify(Effect)}`,
    statement: [{ ...read, Effect }],
    findings: [
      {
        at: 0,
        issue_type: "invalid_effect",
        severity: "error" as const,
        field_name: "effect" as const,
        path: "/Statement/0/Effect",
      },
    ],
  })),
  {
    name: "reports a Sid that is not a string, and gives no Sid",
    statement: [{ ...read, Sid: 5 }],
    findings: [{ at: 0, issue_type: "invalid_sid_type", field_name: "sid", statement_sid: null }],
  },
  {
    name: "reports Principal beside NotPrincipal",
    statement: [{ ...read, Principal: "*", NotPrincipal: { AWS: "*" } }],
    findings: [{ at: 0, issue_type: "principal_conflict", field_name: "principal" }],
  },
  ...[
    [111122223333, /`AWS` in `Principal` is `111122223333`/],
    [{ id: "111122223333" }, /is an object/],
    [null, /is `null`/],
    [[["111122223333"]], /holds a list/],
    [["111122223333", 444455556666], /holds `444455556666`/],
  ].map(([AWS, message]) => ({
    name: `reports a principal that is ${JSON.stringify(AWS)}`,
    statement: [{ ...read, Principal: { AWS } }],
    findings: [
      {
        at: 0,
        issue_type: "invalid_element_type",
        message: message as RegExp,
        aws_issue_code: "DATA_TYPE_MISMATCH",
      },
    ],
  })),
  ...[["*"], 5, null].map((Principal) => ({
    name: `reports a Principal that is ${JSON.stringify(Principal)}`,
    statement: [{ ...read, Principal }],
    findings: [{ at: 0, issue_type: "invalid_element_type", field_name: "principal" as const }],
  })),
  {
    name: "reports Action beside NotAction",
    statement: [{ ...read, NotAction: "iam:*" }],
    findings: [
      { at: 0, issue_type: "action_conflict", aws_issue_code: "UNSUPPORTED_ELEMENT_COMBINATION" },
    ],
  },
  {
    name: "reports a statement without actions",
    statement: [{ Effect: "Allow", Resource: "*" }],
    findings: [{ at: 0, issue_type: "missing_action", field_name: "action" }],
  },
  {
    name: "reports wrong types of actions once per element, never as missing, and points at the entry",
    statement: [{ Effect: "Allow", Action: ["s3:GetObject", 5, {}], NotAction: 7, Resource: "*" }],
    findings: [
      { at: 0, issue_type: "action_conflict" },
      {
        at: 0,
        issue_type: "invalid_element_type",
        field_name: "action",
        path: "/Statement/0/Action/1",
        message: /`5` and an object/,
      },
      { at: 0, issue_type: "invalid_element_type", field_name: "not_action" },
    ],
  },
  {
    name: "reports empty lists of actions and resources",
    statement: [{ Effect: "Allow", Action: [], Resource: [] }],
    findings: [
      { at: 0, issue_type: "empty_element", field_name: "action" },
      { at: 0, issue_type: "empty_element", field_name: "resource" },
    ],
  },
  {
    name: "reports wrong types of resources",
    statement: [{ Effect: "Allow", Action: "s3:GetObject", NotResource: { a: 1 } }],
    findings: [{ at: 0, issue_type: "invalid_element_type", field_name: "not_resource" }],
  },
  {
    name: "reports Resource beside NotResource",
    statement: [{ ...read, NotResource: "arn:aws:s3:::x" }],
    findings: [{ at: 0, issue_type: "resource_conflict", field_name: "resource" }],
  },
  ...(["IDENTITY_POLICY", "SERVICE_CONTROL_POLICY"] as const).map((type) => ({
    name: `reports a missing resource as an error for ${type}`,
    type,
    statement: [{ Effect: "Allow", Action: "s3:GetObject" }],
    findings: [
      {
        at: 0,
        issue_type: "missing_resource",
        severity: "error" as const,
        field_name: "resource" as const,
      },
    ],
  })),
  {
    name: "mentions a missing resource in a resource policy",
    type: "RESOURCE_POLICY",
    statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject" }],
    findings: [{ at: 0, issue_type: "missing_resource", severity: "info" }],
  },
  {
    name: "leaves a missing resource in an RCP to policy_type_validation",
    type: "RESOURCE_CONTROL_POLICY",
    statement: [{ Effect: "Deny", Principal: "*", Action: "s3:*" }],
    findings: [],
  },
  { name: "wants no resource in a trust policy", statement: [trust], findings: [] },
  {
    name: "reports Resource and NotResource of a trust policy in one finding",
    type: "TRUST_POLICY",
    statement: [{ ...trust, Resource: "*", NotResource: "*" }],
    findings: [
      {
        at: 0,
        issue_type: "unexpected_resource",
        severity: "error",
        message: /`Resource` and `NotResource`/,
        path: "/Statement/0/Resource",
      },
    ],
  },
  {
    name: "reports a Condition that is not an object",
    statement: [{ ...read, Condition: [] }],
    findings: [{ at: 0, issue_type: "invalid_element_type", field_name: "condition" }],
  },
  {
    name: "reports operators that hold no keys once per statement",
    statement: [{ ...read, Condition: { Bool: "true", StringEquals: 1, Null: {} } }],
    findings: [
      {
        at: 0,
        issue_type: "invalid_element_type",
        message: /`Bool` and `StringEquals`/,
        path: "/Statement/0/Condition/Bool",
      },
    ],
  },
  {
    name: "keeps its severities whatever the config says",
    statement: [{ ...read, Effect: "allow" }],
    options: { severity: "low" },
    findings: [{ at: 0, issue_type: "invalid_effect", severity: "error" }],
  },
  {
    name: "keeps back-ticks and line breaks of the policy out of its Markdown",
    statement: [{ ...read, Effect: "`\n# Allow" }],
    findings: [{ at: 0, message: /^`Effect` is ``"`\\n# Allow"``;/ }],
  },
  {
    name: "reports empty lists of principals and condition values (5.12), but leaves ForAllValues alone",
    type: "RESOURCE_POLICY",
    statement: {
      Effect: "Allow",
      Principal: { AWS: [] },
      Action: "s3:GetObject",
      Resource: "arn:aws:s3:::b/*",
      Condition: {
        StringEquals: { "aws:PrincipalTag/team": [] },
        "ForAllValues:StringEquals": { "aws:TagKeys": [] },
      },
    },
    findings: [
      { issue_type: "empty_element", aws_issue_code: "EMPTY_ARRAY_PRINCIPAL" },
      { issue_type: "empty_element", aws_issue_code: "EMPTY_ARRAY_CONDITION" },
    ],
  },
  {
    name: "reports condition values that are objects or lists of lists, at the value",
    statement: [
      { StringEquals: { "aws:PrincipalTag/team": { a: "b" } } },
      { StringEquals: { "aws:PrincipalTag/team": ["a", ["b"]] } },
    ].map((Condition) => ({
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: "arn:aws:s3:::b/*",
      Condition,
    })),
    findings: [
      { at: 0, issue_type: "invalid_element_type" },
      {
        at: 1,
        issue_type: "invalid_element_type",
        path: "/Statement/1/Condition/StringEquals/aws:PrincipalTag~1team/1",
      },
    ],
  },
  {
    name: "needs no Resource in an ECR policy, and `*` in a key policy",
    type: "RESOURCE_POLICY",
    statement: [
      { Effect: "Allow", Principal: "*", Action: "ecr:BatchGetImage" },
      { Effect: "Allow", Principal: "*", Action: "kms:Decrypt" },
    ],
    findings: [
      { at: 1, issue_type: "missing_resource", severity: "error", example: /"Resource": "\*"/ },
    ],
  },
]);

test("a duplicate member points at its last key in the text", async () => {
  const text = '{"Version": "2012-10-17",\n "Version": "2012-10-17", "Statement": []}';
  const [finding] = await runCheck(policyStructure, { text });
  expect(finding).toMatchObject({
    issue_type: "duplicate_element",
    location: { start: { line: 2, column: 1 } },
  });
});
