import { describe, expect, test } from "vitest";
import { defaultEngine } from "../../../scripts/verdicts/measure.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { validatePolicy } from "../../engine/run.ts";
import { objectDocument, parseDocument } from "../../policy/document.ts";

const engine = defaultEngine();
const Version = "2012-10-17";
const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const write = { ...read, Action: "s3:PutObject" };
const account = "111122223333";
const role = `arn:aws:iam::${account}:role/app`;

describe("statements outside of a policy", () => {
  const of = "policy_structure/invalid_document_type";
  fixCases([
    {
      name: "are written as a policy where they stand in a list",
      of,
      policy: [read, write],
      policyAfter: { Version, Statement: [read, write] },
      effect: "repairs",
    },
    {
      name: "are written as a policy where one stands alone",
      of: "policy_structure/missing_statement",
      policy: read,
      policyAfter: { Version, Statement: [read] },
    },
    {
      name: "keep Version and Id",
      of: "policy_structure/unknown_policy_field",
      policy: { Version: "2008-10-17", Id: "reports", ...read },
      policyAfter: { Version: "2008-10-17", Id: "reports", Statement: [read] },
    },
    { name: "stay where the list is empty", of, policy: [] },
    { name: "stay where an entry is none", of, policy: [read, "s3:GetObject"] },
    { name: "stay where an entry has no Effect", of, policy: [read, { Action: "s3:GetObject" }] },
    { name: "stay where an entry has other members", of, policy: [{ ...read, Actions: "s3:*" }] },
    {
      name: "stay where the Effect is not a text",
      of: "policy_structure/missing_statement",
      policy: { ...read, Effect: true },
    },
    { name: "stay above 200", of, policy: Array.from({ length: 201 }, () => read) },
  ]);
});

describe("members of the document", () => {
  fixCases([
    {
      name: "corrects a misspelt Version",
      of: "policy_structure/missing_version",
      policy: { Verison: Version, Statement: [read] },
      policyAfter: { Version, Statement: [read] },
    },
    {
      name: "corrects a misspelt Statement",
      of: "policy_structure/missing_statement",
      policy: { Version, Statements: [read] },
      policyAfter: { Version, Statement: [read] },
    },
    {
      name: "does not correct a misspelt Statement beside a member that it does not know",
      of: "policy_structure/missing_statement",
      policy: { Version, Statements: [read], Owner: "data" },
    },
    {
      name: "does not guess a Statement from a name that is far from it",
      of: "policy_structure/missing_statement",
      policy: { Version, Rules: [read] },
    },
    {
      name: "removes a comment and corrects a name at once",
      of: "policy_structure/unknown_policy_field",
      policy: { Version, ID: "reports", Comment: "for the auditors", Statement: [read] },
      policyAfter: { Version, Id: "reports", Statement: [read] },
    },
    {
      name: "does not give two members one name",
      of: "policy_structure/unknown_policy_field",
      policy: { Version, Statement: [read], statement: [write] },
    },
    {
      name: "writes a numeric Id as text",
      of: "policy_structure/invalid_element_type",
      policy: { Version, Id: 7, Statement: [read] },
      policyAfter: { Version, Id: "7", Statement: [read] },
    },
    {
      name: "leaves an Id that is an object to the author",
      of: "policy_structure/invalid_element_type",
      policy: { Version, Id: { name: "reports" }, Statement: [read] },
    },
    {
      name: "writes the current version for one that does not exist",
      of: "policy_structure/invalid_version",
      policy: { Version: "2012-10-18", Statement: [read] },
      policyAfter: { Version, Statement: [read] },
      effect: "repairs",
    },
  ]);
});

describe("members of a statement", () => {
  fixCases([
    {
      name: "corrects a misspelt Effect member",
      of: "policy_structure/missing_effect",
      before: { Efect: "Allow", Action: "s3:GetObject", Resource: read.Resource },
      after: read,
    },
    {
      name: "corrects a misspelt Action member",
      of: "policy_structure/missing_action",
      before: { Effect: "Allow", Actions: "s3:GetObject", Resource: read.Resource },
      after: read,
    },
    {
      name: "corrects a misspelt NotResource member",
      of: "policy_structure/missing_resource",
      before: { Effect: "Deny", Action: "s3:GetObject", NotResources: read.Resource },
      after: { Effect: "Deny", Action: "s3:GetObject", NotResource: read.Resource },
    },
    {
      name: "allows a short name fewer differences",
      of: "policy_structure/unknown_field",
      before: { ...read, Sed: "Reports" },
      after: { ...read, Sid: "Reports" },
    },
    {
      name: "does not take a short name for one that has two other letters",
      of: "policy_structure/unknown_field",
      before: { ...read, Tag: "Reports" },
    },
    {
      name: "writes a numeric Sid as text",
      of: "policy_structure/invalid_sid_type",
      before: { Sid: 5, ...read },
      after: { Sid: "5", ...read },
    },
    {
      name: "leaves a Sid that is a list to the author",
      of: "policy_structure/invalid_sid_type",
      before: { Sid: ["Read"], ...read },
    },
    {
      name: "takes a misspelt Effect out of a list",
      of: "policy_structure/invalid_effect",
      before: { ...read, Effect: [" alow "] },
      after: read,
    },
    {
      name: "does not choose of two effects in a list",
      of: "policy_structure/invalid_effect",
      before: { ...read, Effect: ["Alow", "Alow"] },
    },
    {
      name: "adds the only resource of an action that lists",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: "s3:ListAllMyBuckets" },
      after: { Effect: "Allow", Action: "s3:ListAllMyBuckets", Resource: "*" },
    },
    {
      name: "does not allow a write on everything",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: ["s3:ListAllMyBuckets", "s3:CreateJob"] },
    },
    {
      name: "denies a write on everything, its only resource",
      of: "policy_structure/missing_resource",
      before: { Effect: "Deny", Action: "s3:CreateJob" },
      after: { Effect: "Deny", Action: "s3:CreateJob", Resource: "*" },
    },
    {
      name: "leaves actions of both kinds, and patterns, to the author",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: ["s3:ListAllMyBuckets", "s3:GetObject"] },
    },
    {
      name: "leaves patterns of actions to the author",
      of: "policy_structure/missing_resource",
      before: { Effect: "Deny", Action: "s3:List*" },
    },
    {
      name: "adds the format of the resource that actions work on",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: "sqs:SendMessage" },
      after: {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:<region>:<account-id>:<queue-name>",
      },
      asks: ["<region>", "<account-id>", "<queue-name>"],
    },
  ]);
});

describe("lists of statements", () => {
  const of = "policy_structure/invalid_statement_type";
  const flat = (count: number) => Array.from({ length: count }, () => read);
  fixCases([
    {
      name: "stay where an inner list has something else",
      of,
      policy: { Version, Statement: [read, [write, "s3:*"]] },
    },
    { name: "stay where they are empty", of, policy: { Version, Statement: [[], []] } },
    { name: "stay above 200", of, policy: { Version, Statement: [flat(100), flat(101)] } },
  ]);
});

describe("principals", () => {
  const type = "RESOURCE_POLICY";
  const grant = (Principal: unknown) => ({ ...read, Principal });
  const of = "policy_structure/invalid_element_type";
  fixCases([
    {
      name: "get their type where they are a list of accounts and ARNs",
      of,
      type,
      before: grant([account, role]),
      after: grant({ AWS: [account, role] }),
    },
    {
      name: "stay where the list has a service",
      of,
      type,
      before: grant([role, "s3.amazonaws.com"]),
    },
    {
      name: "stay where the list has an ARN of no principal",
      of,
      type,
      before: grant([role, "arn:aws:s3:::reports"]),
    },
    {
      name: "stay where the list has a number that is too short",
      of,
      type,
      before: grant([role, "1234"]),
    },
    { name: "stay where the list has a number", of, type, before: grant([role, 111122223333]) },
    {
      name: "get quotes where an account id is a number of twelve digits",
      of,
      type,
      before: grant({ AWS: 111122223333 }),
      after: grant({ AWS: account }),
    },
    {
      name: "stay where the number of an account lacks a digit",
      of,
      type,
      before: grant({ AWS: 11122223333 }),
    },
    {
      name: "stay where the number of an account has one digit too many",
      of,
      type,
      before: grant({ AWS: 1111222233334 }),
    },
    {
      name: "take their Allow with them where every type lists none",
      of: "policy_structure/empty_element",
      type,
      before: [grant({ AWS: [] }), grant({ AWS: role })],
      after: grant({ AWS: role }),
    },
    {
      name: "leave a Deny where every type lists none",
      of: "policy_structure/empty_element",
      type,
      before: { ...grant({ AWS: [] }), Effect: "Deny" },
    },
  ]);
});

describe("operators outside of the Condition", () => {
  const of = "policy_structure/unknown_field";
  const organization = { "aws:PrincipalOrgID": "o-a1b2c3d4e5" };
  const tls = { "aws:SecureTransport": "true" };
  fixCases([
    {
      name: "are moved into a new one",
      of,
      before: { ...read, StringEquals: organization },
      after: { ...read, Condition: { StringEquals: organization } },
      effect: "repairs",
    },
    {
      name: "are moved beside those that are there",
      of,
      before: { ...read, Condition: { Bool: tls }, StringEquals: organization },
      after: { ...read, Condition: { Bool: tls, StringEquals: organization } },
    },
    {
      name: "are moved while other elements are corrected",
      of,
      before: { ...read, StringEquals: organization, Comment: "ours" },
      after: { ...read, Condition: { StringEquals: organization } },
    },
    {
      name: "stay where the Condition has the operator already",
      of,
      before: { ...read, Condition: { StringEquals: organization }, StringEquals: organization },
    },
    {
      name: "stay beside a misspelt Condition",
      of,
      before: { ...read, Conditions: { Bool: tls }, StringEquals: organization },
    },
    {
      name: "stay beside a member that the fix does not know",
      of,
      before: { ...read, StringEquals: organization, Owner: "data" },
    },
  ]);
});

describe("keys without an operator", () => {
  const of = "policy_structure/invalid_element_type";
  const under = (Condition: unknown, Effect = "Allow") => ({ ...read, Effect, Condition });
  fixCases([
    ...[
      ["aws:PrincipalOrgID", "o-a1b2c3d4e5", "StringEquals"],
      ["aws:PrincipalArn", role, "ArnLike"],
      ["aws:SourceIp", "192.0.2.0/24", "IpAddress"],
      ["aws:SecureTransport", "true", "Bool"],
      ["aws:PrincipalTag/team", "data-*", "StringLike"],
      ["aws:ResourceTag/team", ["data", "web"], "StringEquals"],
    ].map(([key, value, operator]) => ({
      name: `get the operator of their type: ${key} ${operator}`,
      of,
      before: under({ [String(key)]: value }),
      after: under({ [String(operator)]: { [String(key)]: value } }),
    })),
    {
      name: "join an operator that is there",
      of,
      before: under({
        StringEquals: { "aws:PrincipalTag/team": "data" },
        "aws:PrincipalOrgID": "o-a1b2c3d4e5",
      }),
      after: under({
        StringEquals: { "aws:PrincipalTag/team": "data", "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
      }),
    },
    {
      name: "stay where the operator has the key already",
      of,
      before: under({
        StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
        "aws:PrincipalOrgID": "o-zzzzzzzzzz",
      }),
    },
    ...[
      ["of a service", { "s3:prefix": "reports/" }],
      ["with several values in a request", { "aws:TagKeys": "team" }],
      ["whose value has another type", { "aws:SourceIp": "the office" }],
      ["whose list is empty", { "aws:PrincipalOrgID": [] }],
      ["whose value is a number", { "aws:PrincipalOrgID": 5 }],
      ["of a tag without a name", { "aws:PrincipalTag/": "data" }],
      ["of another namespace that ends like a tag", { "x:aws:PrincipalTag/team": "data" }],
    ].map(([name, Condition]) => ({
      name: `stay ${name}`,
      of,
      before: under(Condition),
    })),
    {
      name: "get Bool in a Deny, which has no negation",
      of,
      before: under({ "aws:SecureTransport": "false" }, "Deny"),
      after: under({ Bool: { "aws:SecureTransport": "false" } }, "Deny"),
    },
    {
      name: "stay in a Deny, where the value may be the one that is spared",
      of,
      before: under({ "aws:PrincipalOrgID": "o-a1b2c3d4e5" }, "Deny"),
    },
  ]);
});

describe("a text that is no JSON", () => {
  const policy = JSON.stringify({ Version, Statement: [read] }, null, 2);
  const titleOf = async (text: string) => {
    const { findings } = await validatePolicy(
      { document: await parseDocument(text), name: null, declaredType: null, label: "policy" },
      engine,
    );
    return [findings[0]?.issue_type, findings[0]?.fix?.title, findings[0]?.fix?.effect];
  };

  test.each([
    [
      "a comma too many",
      policy.replace("\n  ]", ",\n  ]"),
      "Write the text as JSON: no comments, the right commas, quotes and brackets",
    ],
    [
      "a Markdown fence",
      `\`\`\`json\n${policy}\n\`\`\`\n`,
      "Write the text as JSON, without the Markdown fence around it",
    ],
  ])("is repaired: %s", async (_, text, title) => {
    expect(await titleOf(text)).toEqual(["invalid_syntax", title, "repairs"]);
  });

  test("stays where it breaks off within a text", async () => {
    expect(await titleOf(policy.slice(0, 60))).toEqual(["invalid_syntax", undefined, undefined]);
  });
});

describe("titles", () => {
  test.each([
    [{ ...read, Comment: "x" }, "Remove the remarks, which a policy cannot have"],
    [{ ...read, Sidd: "x" }, "Correct the names of the elements"],
    [
      { ...read, Sidd: "x", Comment: "x" },
      "Correct the names of the elements and remove the remarks",
    ],
    [
      { ...read, StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      "Move the operators into the Condition",
    ],
    [
      { ...read, StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" }, Comment: "x" },
      "Move the operators into the Condition and correct the other elements",
    ],
  ])("of the fix of %j say what it does", async (statement, title) => {
    const document = objectDocument({ Version, Statement: [statement] });
    const { findings } = await validatePolicy(
      { document, name: null, declaredType: "IDENTITY_POLICY", label: "policy" },
      engine,
    );
    const found = findings.find(({ issue_type }) => issue_type === "unknown_field");
    expect(found?.fix?.title).toBe(title);
  });
});

describe("members that only look right", () => {
  const of = "policy_structure/unknown_field";
  fixCases([
    { name: "do not both become Sid", of, before: { ...read, Sidd: "a", Siid: "b" } },
    {
      name: "keep their place where two are each near to another element",
      of,
      before: { Efect: "Allow", Acton: "s3:GetObject", Resource: read.Resource },
      after: read,
    },
  ]);
});
