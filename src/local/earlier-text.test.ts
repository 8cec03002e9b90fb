import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { noNewAccess } from "../checks/no-new-access.ts";
import { validateText } from "./validate-text.ts";

const { runtime: bare } = bareRuntime();
const runtime = { ...bare, engine: engineFor([noNewAccess]) };

interface Compared {
  /** For each policy its address, how it has changed, and the answer. */
  readonly answers: readonly string[];
  /** Severity, issue type and line of each finding. */
  readonly findings: readonly string[];
  readonly messages: readonly string[];
  /** Addresses of policies that are gone. */
  readonly removed: readonly string[];
}

async function compare(before: string, now: string, label = "template.yaml"): Promise<Compared> {
  const removed: string[] = [];
  const documents = await validateText({ label, text: now, baseline: { text: before } }, runtime, {
    ...{ declaredType: null, maxFileBytes: 100_000, maxDocuments: 100, asksOfNew: true },
    onRemoved: (_file, places) => removed.push(...places.map(({ address }) => address)),
  });
  const findings = documents.flatMap((one) => one.findings);
  return {
    answers: documents.map(({ unwrapped, answers: [answer] }) => {
      const { address = "", change = "" } = unwrapped ?? {};
      return `${address.replaceAll(/^Resources\.|Properties\./g, "")} ${change} ${answer?.verdict}`;
    }),
    findings: findings.map(
      ({ severity, issue_type, location }) =>
        `${severity} ${issue_type} ${location?.start.line ?? null}`,
    ),
    messages: findings.map(({ message }) => message),
    removed,
  };
}

/** A managed policy with these statements, one in a line from line 6 on. */
const managed = (
  statements: readonly string[],
  { id = "Shared", before = "" } = {},
) => `${before}Resources:
  ${id}:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: {Version: "2012-10-17", Statement: [
        ${statements.join(",\n        ")}]}
`;
const allow = (action: string, resource: string, more = "") =>
  `{Effect: Allow, Action: ${action}, Resource: ${resource}${more}}`;
const reports = '!Sub "arn:aws:s3:::${Bucket}/*"';
const parameters = (...names: string[]) =>
  `Parameters: {${names.map((name) => `${name}: {Type: String}`).join(", ")}}\n`;
const bucket = { before: parameters("Bucket", "Other") };

test("a policy of a template is compared with the one in the same place", async () => {
  const before = managed([allow("s3:GetObject", reports)], bucket);
  const now = managed([allow("[s3:GetObject, s3:PutObject]", reports)], bucket);
  expect(await compare(before, now)).toMatchObject({
    answers: ["Shared.PolicyDocument changed violated"],
    findings: ["high new_access 7"],
    messages: [expect.stringContaining("`arn:aws:s3:::${Bucket}/example`")],
    removed: [],
  });
  expect((await compare(now, before)).answers).toEqual(["Shared.PolicyDocument changed holds"]);
  expect((await compare(now, now)).answers).toEqual(["Shared.PolicyDocument unchanged holds"]);
});

const role = (id: string, ...policies: (readonly [name: string, statement: string])[]) => `  ${id}:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Principal: {Service: ec2.amazonaws.com}, Action: "sts:AssumeRole"}]}
      Policies:
${policies.map(([name, statement]) => `        - {PolicyName: ${name}, PolicyDocument: {Version: "2012-10-17", Statement: [${statement}]}}\n`).join("")}`;
const read = allow("s3:GetObject", '"arn:aws:s3:::a/*"');
const write = allow("s3:PutObject", '"arn:aws:s3:::a/*"');

test("the order of resources and of inline policies does not matter", async () => {
  const before = `Resources:\n${role("A", ["x", read], ["y", write])}${role("B", ["x", write])}`;
  const now = `Resources:\n${role("B", ["x", write])}${role("A", ["y", write], ["x", read])}`;
  const { answers, removed } = await compare(before, now);
  expect(answers).toHaveLength(5);
  expect(new Set(answers.map((one) => one.replace(/^\S+ /, "")))).toEqual(
    new Set(["unchanged holds"]),
  );
  expect(removed).toEqual([]);
});

test("an inline policy is found by its name", async () => {
  const before = `Resources:\n${role("A", ["x", read], ["y", write])}`;
  const now = `Resources:\n${role("A", ["y", read], ["z", read])}`;
  expect(await compare(before, now)).toMatchObject({
    answers: [
      "A.AssumeRolePolicyDocument unchanged holds",
      "A.Policies[0].PolicyDocument changed violated",
      "A.Policies[1].PolicyDocument new violated",
    ],
    removed: ["Resources.A.Properties.Policies[0].PolicyDocument"],
  });
});

test("a policy in a new place is new access, and one that is gone is listed", async () => {
  const before = managed([read], { id: "Old" });
  const now = managed([read], { id: "New" });
  expect(await compare(before, now)).toEqual({
    answers: ["New.PolicyDocument new violated"],
    findings: ["high new_access 6"],
    messages: [expect.stringContaining("the old version has no policy in this place")],
    removed: ["Resources.Old.Properties.PolicyDocument"],
  });
});

test("a policy that sets limits is no new access, and its removal is reported", async () => {
  const boundary = `Resources:
  Limit: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Version: "2012-10-17", Statement: [${allow("s3:*", '"*"')}]}}}
  Role: {Type: AWS::IAM::User, Properties: {PermissionsBoundary: !Ref Limit}}
`;
  const open = boundary.replace("Action: s3:*", "Action: !Ref Actions");
  const without = "Resources:\n  Role: {Type: AWS::IAM::User}\n";
  for (const limit of [boundary, open]) {
    expect((await compare(without, limit)).answers).toEqual(["Limit.PolicyDocument new holds"]);
  }
  expect(await compare(boundary, without)).toMatchObject({
    answers: ["  undefined", "Limit.PolicyDocument removed violated"],
    findings: ["high removed_limit null"],
    messages: [expect.stringContaining("a permissions boundary in this place")],
  });
});

test("a boundary that is attached grants what it limited before", async () => {
  const template = (attached: string) => `Resources:
  Limit: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Version: "2012-10-17", Statement: [${read}]}}}
  Role: {Type: AWS::IAM::User, Properties: {PermissionsBoundary: !Ref Limit, ManagedPolicyArns: [${attached}]}}
`;
  expect((await compare(template(""), template("!Ref Limit"))).answers).toEqual([
    "Limit.PolicyDocument new violated",
    "Limit.PolicyDocument removed violated",
  ]);
});

test.each([
  ["the same parameter", reports, reports, "unchanged holds"],
  ["another parameter", reports, '!Sub "arn:aws:s3:::${Other}/*"', "changed violated"],
  ["a part of the same", reports, '!Sub "arn:aws:s3:::${Bucket}/2026/*"', "changed holds"],
  [
    "a function of the same",
    '!Select [0, !Split ["|", !Ref Bucket]]',
    '!Select [0, !Split ["|", !Ref Bucket]]',
    "unchanged holds",
  ],
  [
    "a function of another",
    '!Select [0, !Split ["|", !Ref Bucket]]',
    '!Select [0, !Split ["|", !Ref Other]]',
    "changed violated",
  ],
  ["a name in place of a parameter", reports, '"arn:aws:s3:::reports/*"', "changed violated"],
  [
    "the account of the deployment in place of its number",
    '"arn:aws:sqs:eu-west-1:111122223333:jobs"',
    '!Sub "arn:aws:sqs:eu-west-1:${AWS::AccountId}:jobs"',
    "changed undecided",
  ],
  [
    "the region of the deployment in place of one",
    '"arn:aws:sqs:eu-west-1:111122223333:jobs"',
    '!Sub "arn:aws:sqs:${AWS::Region}:111122223333:jobs"',
    "changed undecided",
  ],
  [
    "the partition in place of its name",
    '"arn:aws:s3:::reports/*"',
    '!Sub "arn:${AWS::Partition}:s3:::reports/*"',
    "changed holds",
  ],
])("a resource with %s", async (_title, before, now, expected) => {
  const template = (resource: string) => managed([allow("'*'", resource)], bucket);
  const { answers } = await compare(template(before), template(now));
  expect(answers).toEqual([`Shared.PolicyDocument ${expected}`]);
});

test("what holds for some values of a parameter only is undecided", async () => {
  const [wide, narrow] = [true, false].map((isWide) =>
    managed(
      [
        allow("'s3:*'", '"*"'),
        `{Effect: Deny, Action: "s3:*", Resource: ${isWide ? reports : '"arn:aws:s3:::a/*"'}}`,
      ],
      bucket,
    ),
  );
  expect((await compare(narrow ?? "", wide ?? "")).answers).toEqual([
    "Shared.PolicyDocument changed violated",
  ]);
  const excluded = managed([`{Effect: Allow, Action: "s3:*", NotResource: ${reports}}`], bucket);
  const one = managed([allow("'s3:*'", '"arn:aws:s3:::a/*"')], bucket);
  expect(await compare(excluded, one)).toMatchObject({
    answers: ["Shared.PolicyDocument changed undecided"],
    findings: ["high new_access_undecided 6"],
  });
});

test("a bucket by its name and by its ARN is the same", async () => {
  const template = (resource: string) =>
    `Resources:\n  Data: {Type: AWS::S3::Bucket}\n${managed([allow("s3:GetObject", resource)]).replace("Resources:\n", "")}`;
  const now = template('!Sub "${Data.Arn}/*"');
  const { answers } = await compare(template('!Sub "arn:aws:s3:::${Data}/*"'), now);
  expect(answers).toEqual(["Shared.PolicyDocument changed holds"]);
});

const stages = `Parameters: {Stage: {Type: String}}
Conditions: {IsProduction: !Equals [!Ref Stage, production]}
`;
const branch = (yes: string, no: string, before = stages) =>
  managed([`!If [IsProduction, ${yes}, ${no}]`], { before });

test("forms of a policy are compared with those of the same condition", async () => {
  const before = branch(read, write);
  expect((await compare(before, branch(read, write))).answers).toEqual([
    "Shared.PolicyDocument unchanged holds",
  ]);
  const both = `{Effect: Allow, Action: [s3:GetObject, s3:PutObject], Resource: "arn:aws:s3:::a/*"}`;
  expect(await compare(before, branch(both, write))).toMatchObject({
    answers: ["Shared.PolicyDocument changed violated"],
    findings: ["high new_access 8"],
    messages: [expect.stringContaining("if the condition `IsProduction` is true")],
  });
  expect((await compare(before, branch(write, read))).answers).toEqual([
    "Shared.PolicyDocument changed violated",
  ]);
});

test("forms of conditions that are defined in another way may be any of the earlier ones", async () => {
  const others = stages.replace("Equals [!Ref Stage, production]", 'Equals [!Ref Stage, "prod"]');
  const { answers } = await compare(branch(read, write), branch(read, write, others));
  expect(answers).toEqual(["Shared.PolicyDocument changed violated"]);
  const opaque = stages.replace("Equals [!Ref Stage, production]", "Condition Other");
  const same = await compare(branch(read, write, opaque), branch(read, write, opaque));
  expect(same.answers).toEqual(["Shared.PolicyDocument unchanged holds"]);
  const changed = opaque.replace("Other", "Another");
  expect(await compare(branch(read, write, opaque), branch(read, write, changed))).toMatchObject({
    answers: ["Shared.PolicyDocument changed undecided"],
    findings: ["high new_access_undecided 7"],
  });
});

test("a policy that no longer depends on a condition is compared with all earlier forms", async () => {
  const narrow = managed([read], { before: stages });
  const both = `{Effect: Allow, Action: [s3:GetObject, s3:PutObject], Resource: "arn:aws:s3:::a/*"}`;
  expect((await compare(branch(read, both), narrow)).answers).toEqual([
    "Shared.PolicyDocument changed holds",
  ]);
  expect(
    (await compare(branch(read, write), managed([write], { before: stages }))).answers,
  ).toEqual(["Shared.PolicyDocument changed undecided"]);
});

test("a branch that was not read is never passed", async () => {
  const conditions = `Parameters: {A: {Type: String}, B: {Type: String}}
Conditions: {IsA: !Equals [!Ref A, x], IsB: !Equals [!Ref B, y]}
`;
  const nested = (inner: string) =>
    managed([`!If [IsA, {"Fn::If": [IsB, ${inner}, ${read}]}, ${read}]`], { before: conditions });
  const { answers } = await compare(nested(read), nested(write));
  expect(answers).toEqual(["Shared.PolicyDocument changed undecided"]);
});

test("a part of a new policy that was not read is never passed", async () => {
  const deny = '{Effect: Deny, Action: "s3:*", Resource: "*"}';
  const template = (...transforms: string[]) =>
    managed([deny], { before: `Transform: [${transforms.join(", ")}]\n` });
  const none = "Resources: {T: {Type: AWS::SNS::Topic}}\n";
  expect((await compare(none, template())).answers).toEqual(["Shared.PolicyDocument new holds"]);
  expect((await compare(none, template("Own"))).answers).toEqual([
    "Shared.PolicyDocument new undecided",
  ]);
});

test("the default of a parameter may be new access", async () => {
  const withDefault = (value: string) =>
    managed([allow("s3:GetObject", "!Ref Which")], {
      before: `Parameters: {Which: {Type: String, Default: "${value}"}}\n`,
    });
  const { answers } = await compare(withDefault("arn:aws:s3:::a/*"), withDefault("*"));
  expect(answers).toEqual(["Shared.PolicyDocument changed violated"]);
});

test("of a statement whose action is not known only its equal is known", async () => {
  const open = allow("!Ref Bucket", '"*"');
  const template = (...statements: string[]) => managed(statements, bucket);
  const answersOf = async (before: string, now: string) => (await compare(before, now)).answers[0];
  expect(await answersOf(template(open, read, write), template(read, open))).toContain("holds");
  expect(await answersOf(template(open, read), template(open, read, write))).toContain("undecided");
  expect(await answersOf(template(read), template(read, open))).toContain("undecided");
  expect(await answersOf(template(read, open), template(read))).toContain("holds");
  const deny = '{Effect: Deny, Action: !Ref Bucket, Resource: "*"}';
  expect(await answersOf(template(read, deny), template(read))).toContain("undecided");
  expect(await answersOf(template(read), template(read, deny))).toContain("holds");
  const other = allow("!Ref Other", '"arn:aws:s3:::b/*"');
  const more = template(other, allow("s3:GetObject", '"arn:aws:s3:::c/*"'));
  expect(await answersOf(template(other), more)).toContain("violated");
});

test("a Deny that is gone may have denied what a statement allows whose action is not known", async () => {
  const open = allow("!Ref Bucket", '"*"');
  const deny = '{Effect: Deny, Action: "s3:DeleteObject", Resource: "*"}';
  const answer = ["Shared.PolicyDocument changed undecided"];
  expect((await compare(managed([open, deny], bucket), managed([open], bucket))).answers).toEqual(
    answer,
  );
  const partly = (actions: string) => `{Effect: Deny, Action: [${actions}], Resource: "*"}`;
  const both = managed([open, partly("!Ref Other, s3:DeleteObject")], bucket);
  expect((await compare(both, managed([open, partly("!Ref Other")], bucket))).answers).toEqual(
    answer,
  );
});

test("a resource that the template does not give may be one that the action works on", async () => {
  const before = managed([allow("sqs:SendMessage", '!Sub "${Bucket}/index/*"')], bucket);
  const now = managed([allow("sqs:SendMessage", "!Ref Bucket")], bucket);
  expect(await compare(before, now)).toMatchObject({
    findings: ["high new_access 7"],
    messages: [expect.stringMatching(/may call `sqs:SendMessage` on `\$\{Bucket\}`\.$/)],
  });
});

test("a policy that cannot be read is the same if it has not changed", async () => {
  const broken = managed(['{Action: "s3:*", Resource: "*"}', read]);
  expect((await compare(broken, broken)).answers).toEqual([
    "Shared.PolicyDocument unchanged holds",
  ]);
  const now = managed(['{Action: "s3:Get*", Resource: "*"}', read]);
  expect((await compare(broken, now)).answers).toEqual(["Shared.PolicyDocument changed undecided"]);
});

const key = (
  principal: string,
  more = "",
) => `Parameters: {Admin: {Type: String}, Other: {Type: String}}
Resources:
  Topic:
    Type: AWS::SNS::TopicPolicy
    Properties:
      Topics: [!Sub "arn:aws:sns:eu-west-1:111122223333:t"]
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - {Effect: Allow, Principal: {AWS: ${principal}}, Action: "sns:Publish", Resource: "*"}${more}
`;

test("a caller that is not known is itself and no other", async () => {
  const answersOf = async (before: string, now: string) => (await compare(before, now)).answers[0];
  expect(await answersOf(key("[!Ref Admin, !Ref Other]"), key("!Ref Admin"))).toContain("holds");
  expect(await answersOf(key("!Ref Admin"), key("!Ref Other"))).toContain("violated");
  expect(await answersOf(key('"*"'), key("!Ref Other"))).toContain("holds");
  const deny = `\n          - {Effect: Deny, Principal: {AWS: "arn:aws:iam::111122223333:role/a"}, Action: "sns:*", Resource: "*"}`;
  expect(await answersOf(key('"*"', deny), key("!Ref Other"))).toContain("undecided");
  const others = `, Condition: {ArnNotEquals: {"aws:PrincipalArn": "arn:aws:iam::111122223333:role/a"}}`;
  const notA = key('"*"').replace('Resource: "*"}', `Resource: "*"${others}}`);
  expect(await answersOf(notA, key("!Ref Other"))).toContain("undecided");
  const inAccount = `, Condition: {StringEquals: {"aws:PrincipalAccount": "444455556666"}}`;
  const limited = key("!Ref Other").replace('Resource: "*"}', `Resource: "*"${inAccount}}`);
  expect(await answersOf(key('"arn:aws:iam::111122223333:root"'), limited)).not.toContain("holds");
});

test("a policy that is a parameter is not compared, and only a change of it fails", async () => {
  const given = (name: string) => `${parameters("Document", "Other")}Resources:
  P: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: !Ref ${name}}}
`;
  expect(await compare(given("Document"), given("Document"))).toMatchObject({
    answers: ["P.PolicyDocument changed undecided"],
    findings: ["warning new_access_undecided 3"],
  });
  expect((await compare(given("Document"), given("Other"))).findings).toEqual([
    "high new_access_undecided 3",
  ]);
});

test("inline documents of SAM have no names, so equal ones are pairs", async () => {
  const sam = (...statements: string[]) => `Transform: AWS::Serverless-2016-10-31
Resources:
  Handler:
    Type: AWS::Serverless::Function
    Properties:
      Policies:
        - AmazonDynamoDBReadOnlyAccess
${statements.map((one) => `        - Statement: [${one}]\n`).join("")}`;
  expect((await compare(sam(read, write), sam(write, read))).answers).toEqual([
    "Handler.Policies[1] unchanged holds",
    "Handler.Policies[2] unchanged holds",
  ]);
  const added = await compare(sam(read), sam(write, read));
  expect(added.answers).toEqual([
    "Handler.Policies[1] new violated",
    "Handler.Policies[2] unchanged holds",
  ]);
});

test("a policy that a macro no longer changes is undecided, since the macro may have added a Deny", async () => {
  const transform = (more: string) =>
    managed([allow("s3:GetObject", reports)], bucket).replace(
      'PolicyDocument: {Version: "2012-10-17"',
      `PolicyDocument: {${more}Version: "2012-10-17"`,
    );
  const before = transform("Fn::Transform: {Name: Guard, Parameters: {}}, ");
  expect((await compare(before, transform(""))).answers).toEqual([
    "Shared.PolicyDocument changed undecided",
  ]);
});
