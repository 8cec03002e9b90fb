import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { readDocument } from "./document.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { QuestionKeys } from "./keys.ts";

const services = embeddedServices();
const object = "arn:aws:s3:::example/home/alice/a.txt";

interface Asked {
  readonly action?: string;
  readonly resource?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly placeholders?: Readonly<Record<string, string>>;
}

function evaluation(
  statements: readonly object[],
  { action = "s3:GetObject", resource = object, context = {}, placeholders }: Asked = {},
  Version = "2012-10-17",
): Evaluation {
  const document = readDocument({ Version, Statement: statements }, "identity");
  const conditions = document.statements.flatMap((statement) => statement.conditions);
  const principal = {
    type: "AWS",
    arn: "arn:aws:iam::111122223333:user/alice",
  } as const;
  const request = { principal, action, resource, context, ...(placeholders && { placeholders }) };
  return evaluate(document, "identity", request, new QuestionKeys(conditions, services));
}

const allow = (element: object) => ({ Effect: "Allow", Action: "*", Resource: "*", ...element });
const outcomeOf = (element: object, asked: Asked = {}, Version?: string) => {
  const [found] = evaluation([allow(element)], asked, Version).statements;
  return found?.outcome === "maybe" ? `maybe: ${found.construct}` : found?.outcome;
};

describe("an action", () => {
  test.each([
    ["s3:GetObject", "yes"],
    ["S3:getobject", "yes"],
    ["s3:Get*", "yes"],
    ["s3:*Object", "yes"],
    ["s3:G*t*t", "yes"],
    ["s3:GetObjec?", "yes"],
    ["s3:GetObject?", "no"],
    ["s3:GetObjectAcl", "no"],
    ["s3:Get", "no"],
    ["*", "yes"],
    ["*:*", "yes"],
    ["*:GetObject", "yes"],
    ["s3", "no"],
    ["", "no"],
    ["s3:${aws:username}", "no"],
  ])("%j: %s", (Action, wanted) => {
    expect(outcomeOf({ Action })).toBe(wanted);
    const { Effect, Resource } = allow({});
    const [found] = evaluation([{ Effect, Resource, NotAction: Action }]).statements;
    expect(found?.outcome).toBe(wanted === "yes" ? "no" : "yes");
  });

  test("an empty list matches nothing, and its negation everything", () => {
    expect(outcomeOf({ Action: [] })).toBe("no");
    const statement = { Effect: "Allow", NotAction: [], Resource: "*" };
    expect(evaluation([statement]).outcome).toBe("allowed");
  });
});

const queue = "arn:aws:sqs:us-east-1:111122223333:q:x/y";

describe("a resource", () => {
  test.each([
    ["*", object, "yes"],
    ["*", "*", "yes"],
    ["?", "*", "yes"],
    ["arn:*", "*", "no"],
    [object, object, "yes"],
    [object.toUpperCase(), object, "no"],
    ["arn:aws:s3:::example", object, "no"],
    ["arn:aws:s3:::example/*", object, "yes"],
    ["arn:aws:s3:::example/*/a.txt", object, "yes"],
    ["arn:aws:s3:::example/*/b.txt", object, "no"],
    ["arn:aws:s3:::exampl?/home/alice/?.txt", object, "yes"],
    ["arn:aws:sqs:*:*:q*", queue, "yes"],
    ["arn:aws:sqs:us-east-1:111122223333:*y", queue, "yes"],
    ["arn:aws:sqs:*:q:x/y", queue, "yes"],
    ["arn:aws:sqs:*:1*:x/y", queue, "no"],
    ["arn:aws:sqs:us-*-1:1111????3333:q:*", queue, "yes"],
    ["arn:aws:sqs:us-east-1:1111????333:q:*", queue, "no"],
    ["arn:aws:sqs:us-east-1:aws:q:*", queue, "no"],
    ["arn:aws:*:x/y", queue, "yes"],
    ["urn:*:x/y", queue, "no"],
    ["a*:sqs:us-east-1:111122223333:q:x/y", queue, "yes"],
    ["arn:aws:sqs:US-*:*:x/y", queue, "no"],
    ["arn:aws:sqs:*:111122223333:q:x/y", "arn:aws:sqs:us-east-1:z:111122223333:q:x/y", "no"],
    ["arn:aws:sqs:us-*:111122223333:q", "arn:aws:sqs:us-east-1:z:111122223333:q", "no"],
    ["arn:aws:sqs:*A::q", "arn:aws:sqs:us-east-1:111122223333:A::q", "yes"],
    ["arn:aws:sqs:*:a:q", "arn:aws:sqs:us-east-1:111122223333:a:q", "yes"],
    ["arn:aws:iam:*:aws:policy/x", "arn:aws:iam:a:b:aws:policy/x", "no"],
    ["urn:aws:sqs:*:1*:q", "urn:aws:sqs:us-east-1:z:1:q", "yes"],
  ])("%j takes %s: %s", (Resource, resource, wanted) => {
    expect(outcomeOf({ Resource }, { resource })).toBe(wanted);
    const statement = { Effect: "Allow", Action: "*", NotResource: Resource };
    const [found] = evaluation([statement], { resource }).statements;
    expect(found?.outcome).toBe(wanted === "yes" ? "no" : "yes");
  });

  test("a missing one is every resource", () => {
    expect(evaluation([{ Effect: "Allow", Action: "*" }]).outcome).toBe("allowed");
  });
});

describe("a variable", () => {
  const home = (path: string) => `arn:aws:s3:::example/home/${path}`;
  const alice = { context: { "aws:username": ["alice"] } };
  const star = { context: { "aws:username": ["*"] } };

  test.each([
    ["its value", home("${aws:username}/a.txt"), alice, "yes"],
    ["its key in another letter case", home("${ AWS:UserName }/a.txt"), alice, "yes"],
    [
      "another value",
      home("${aws:username}/a.txt"),
      { context: { "aws:username": ["bob"] } },
      "no",
    ],
    ["a value that looks like a wildcard", home("${aws:username}/a.txt"), star, "no"],
    ["a missing key", home("${aws:username}/a.txt"), {}, "no"],
    ["a missing key with a default", home("${aws:username, 'alice'}/a.txt"), {}, "yes"],
    ["a key with a default that is not used", home("${aws:username, 'bob'}/a.txt"), alice, "yes"],
    ["an empty default", home("${aws:username, ''}alice/a.txt"), {}, "yes"],
    ["a wildcard in a default", home("${aws:username, '*'}/a.txt"), {}, "no"],
    [
      "a key with several values",
      home("${aws:TagKeys}/a.txt"),
      { context: { "aws:TagKeys": ["alice"] } },
      "no",
    ],
    ["a star as a character", "arn:aws:s3:::example/${*}", {}, "no"],
    ["a star as a character in the resource", home("${*}"), { resource: home("*") }, "yes"],
    ["a question mark", home("${?}"), { resource: home("?") }, "yes"],
    ["a dollar sign", home("${$}"), { resource: home("$") }, "yes"],
    ["a placeholder", home("${User}/a.txt"), {}, "maybe: placeholder"],
    ["a placeholder of CloudFormation", home("${AWS::AccountId}/a.txt"), {}, "maybe: placeholder"],
    ["a placeholder in braces", home("{{ user }}/a.txt"), {}, "maybe: placeholder"],
    [
      "a variable in braces, which is a placeholder",
      home("{{aws:username}}/a.txt"),
      alice,
      "maybe: placeholder",
    ],
    ["one quote as default", home("${aws:username, '}/a.txt"), {}, "maybe: placeholder"],
    [
      "a default that only ends in a quote",
      home("${aws:username, x'}/a.txt"),
      {},
      "maybe: placeholder",
    ],
    [
      "a key with a prefix of one letter",
      home("${x:y}/a.txt"),
      { context: { "x:y": ["alice"] } },
      "yes",
    ],
    [
      "two values where one is expected",
      home("${aws:username}/a.txt"),
      { context: { "aws:username": ["alice", "bob"] } },
      "no",
    ],
    ["an unfinished default", home("${aws:username, 'alice}/a.txt"), alice, "maybe: placeholder"],
    ["a quote in a default", home("${aws:username, 'a'b'}/a.txt"), alice, "maybe: placeholder"],
    [
      "a placeholder with a text",
      home("${User}/a.txt"),
      { placeholders: { "${User}": "alice" } },
      "yes",
    ],
  ])("%s", (_, Resource, asked: Asked, wanted) => {
    expect(outcomeOf({ Resource }, asked)).toBe(wanted);
  });

  const beyond = "arn:aws:sqs:us-east-1:z:111122223333:q";
  const home1 = {
    context: { "aws:RequestedRegion": ["us-east-1"], "aws:userid": ["111122223333"] },
  };
  test.each([
    ["Region", "arn:aws:sqs:${aws:RequestedRegion}:*:q"],
    ["Region of a template", "arn:aws:sqs:{{Region}}:*:q"],
    ["account", "arn:aws:sqs:*:${aws:userid}:q"],
    ["account of a template", "arn:aws:sqs:*:{{Account}}:q"],
  ])("as %s leaves an ARN an ARN, compared by field", (_, Resource) => {
    const placeholders = { "{{Region}}": "us-east-1", "{{Account}}": "111122223333" };
    expect(outcomeOf({ Resource }, { ...home1, placeholders, resource: beyond })).toBe("no");
    const queue = beyond.replace(":z:", ":");
    expect(outcomeOf({ Resource }, { ...home1, placeholders, resource: queue })).toBe("yes");
  });

  test("whose key is absent is told", () => {
    const { absentKeys } = evaluation([allow({ Resource: home("${aws:username}") })]);
    expect(absentKeys).toEqual(["aws:username"]);
    const context = { "aws:username": ["alice"] };
    expect(
      evaluation([allow({ Resource: home("${aws:username}") })], { context }).absentKeys,
    ).toEqual([]);
  });

  test("is plain text in an older version", () => {
    const Resource = home("${aws:username}");
    expect(outcomeOf({ Resource }, { ...alice, resource: home("alice") }, "2008-10-17")).toBe("no");
    expect(outcomeOf({ Resource }, { resource: Resource }, "2008-10-17")).toBe("yes");
  });

  test("may be in a condition, too", () => {
    const Condition = { StringEquals: { "aws:PrincipalTag/o": "${aws:PrincipalTag/p}" } };
    const tags = (o: string, p: string) => ({
      context: { "aws:PrincipalTag/o": [o], "aws:PrincipalTag/p": [p] },
    });
    expect(outcomeOf({ Condition }, tags("x", "x"))).toBe("yes");
    expect(outcomeOf({ Condition }, tags("x", "y"))).toBe("no");
  });
});

describe("a document", () => {
  const fuzzy = { Condition: { StringFuzzy: { "aws:PrincipalTag/t": "a" } } };
  const deny = (element: object) => ({ ...allow(element), Effect: "Deny" });

  test.each([
    ["an Allow", [allow({})], "allowed"],
    ["nothing", [], "not_allowed"],
    ["an Allow of something else", [allow({ Action: "iam:*" })], "not_allowed"],
    ["an Allow and a Deny", [allow({}), deny({})], "denied"],
    ["a Deny alone", [deny({})], "denied"],
    ["a Deny of something else", [allow({}), deny({ Action: "iam:*" })], "allowed"],
    ["an Allow that may match", [allow(fuzzy)], "unknown"],
    ["a Deny that may match", [allow({}), deny(fuzzy)], "unknown"],
    ["a Deny that may match without an Allow", [deny(fuzzy)], "not_allowed"],
    ["an Allow and a Deny that may match", [allow(fuzzy), deny(fuzzy)], "unknown"],
    ["an Allow that may match beside one that does", [allow(fuzzy), allow({})], "allowed"],
    ["a Deny that matches beside one that may", [allow({}), deny(fuzzy), deny({})], "denied"],
    ["a statement without an effect", [{ Action: "*", Resource: "*" }], "unknown"],
    ["one that cannot be read beside an Allow", [allow({}), { Effect: "Allow" }], "allowed"],
    ["a Deny that cannot be read", [allow({}), { Effect: "Deny" }], "unknown"],
  ])("with %s", (_, statements, wanted) => {
    expect(evaluation(statements).outcome).toBe(wanted);
  });

  test("tells per statement the first element that did not match, and the keys that are absent", () => {
    const found = evaluation([
      { Sid: "One", ...allow({ Action: "iam:*" }) },
      deny({ Resource: "arn:aws:s3:::other/*" }),
      allow({ Condition: { StringEquals: { "aws:PrincipalTag/Team": "a" } } }),
      { Sid: "Broken", Effect: "Allow" },
      allow({}),
    ]);
    const shared = { sid: null, effect: "allow", outcome: "no", construct: null };
    expect(found.statements).toEqual([
      { ...shared, index: 0, sid: "One", element: "action" },
      { ...shared, index: 1, effect: "deny", element: "resource" },
      { ...shared, index: 2, element: "condition" },
      {
        ...shared,
        index: 3,
        sid: "Broken",
        outcome: "maybe",
        element: "readable",
        construct: "invalid_statement",
      },
      { ...shared, index: 4, outcome: "yes", element: null },
    ]);
    expect(found.absentKeys).toEqual(["aws:PrincipalTag/Team"]);
  });
});
