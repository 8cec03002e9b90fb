import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { validatePolicyLean } from "../engine/run.ts";
import { validateContainer } from "../engine/validate-container.ts";
import { embeddedServices } from "../services/embedded.ts";
import { openAll } from "./open.ts";

const engine = engineFor(builtinChecks, {}, embeddedServices());

const template = readFileSync(new URL("../../test/support/template.yaml", import.meta.url), "utf8");

async function validateText(
  text: string,
  file: string | null = null,
): Promise<{ errors: string[]; policies: number }> {
  const errors: string[] = [];
  let policies = 0;
  for (const opened of await openAll(text, file)) {
    const input = { opened, name: null, label: "t", declaredType: null, entry: 0 };
    for await (const { validated } of validateContainer(input, engine, validatePolicyLean)) {
      policies++;
      for (const { severity, issue_type, message } of validated.findings) {
        if (severity === "error") errors.push(`${issue_type}: ${message}`);
      }
    }
  }
  return { errors, policies };
}

test("a template in order has no error", async () => {
  expect(await validateText(template)).toEqual({ errors: [], policies: 6 });
});

/** Functions that give any value; a template may have them in place of every scalar of a policy. */
const functions = [
  "!Ref Given",
  "!GetAtt Given.Value",
  "!ImportValue Given",
  '!Sub "${Given}"',
  '!Select [0, !Split [",", !Ref Given]]',
  '!FindInMap [Given, !Ref "AWS::Region", value]',
  '!Join ["", [!Ref Given, !Ref "AWS::StackName"]]',
  '"{{resolve:ssm:given}}"',
];

/** Scalars of policies: what follows an element name, and entries of its lists. */
const scalar = /(?<=^ +(?:- )?(?:Action|Resource|Service|AWS|aws:[A-Za-z]+|s3:prefix): ).+$/gm;

test("a function in place of a scalar makes no error", async () => {
  const places = [...template.matchAll(scalar)];
  expect(places.length).toBeGreaterThan(5);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom(...functions),
      async ({ 0: text, index }, call) => {
        const changed = template.slice(0, index) + call + template.slice(index + text.length);
        expect((await validateText(changed)).errors).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
  // 6 s on busy cores.
}, 60_000);

test("a damaged template makes no exception", async () => {
  const property = fc.assert(
    fc.asyncProperty(
      fc.nat(template.length),
      fc.nat(60),
      fc.constantFrom(
        "",
        "!If [",
        "{",
        "- ",
        "&a [*a]",
        "Fn::Sub: ",
        "\u0000",
        "!Ref ",
        "<<: ",
        "Fn::ForEach::X:",
      ),
      async (at, length, insert) => {
        await validateText(template.slice(0, at) + insert + template.slice(at + length));
      },
    ),
    { numRuns: 60 },
  );
  await expect(property).resolves.toBeUndefined();
});

test("aliases cannot make a template large, and references cannot make it endless", async () => {
  const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [name, before] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"].map((two) => [...two])) {
    laughs.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
  }
  const bomb = `${laughs.join("\n")}\nResources: {R: {Type: AWS::IAM::Policy, Properties: {PolicyDocument: *h}}}\n`;
  expect((await validateText(bomb)).policies).toBe(0);
  const cyclic = `Conditions: {A: !Not [!Condition B], B: !Not [!Condition A]}
Resources:
  Bucket: {Type: AWS::S3::Bucket, Properties: {BucketName: !Ref Other}}
  Other: {Type: AWS::S3::Bucket, Properties: {BucketName: !Ref Bucket}}
  R:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement: !If [A, {Effect: Allow, Action: s3:GetObject, Resource: !Sub "\${Bucket.Arn}/*"}, {Effect: Allow, Action: s3:GetObject, Resource: !Sub "\${Other.Arn}/*"}]
`;
  expect(await validateText(cyclic)).toEqual({ errors: [], policies: 1 });
});

test("names that are made of other names twice do not multiply", async () => {
  const names = Array.from(
    { length: 55 },
    (_, at) =>
      `  B${at}: {Type: AWS::S3::Bucket, Properties: {BucketName: !Sub "\${B${at + 1}}\${B${at + 1}}"}}`,
  );
  const doubling = `Resources:
  P:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "s3:GetObject", Resource: !Sub "\${B0.Arn}/*"}]}
${names.join("\n")}
  B55: {Type: AWS::S3::Bucket}
`;
  expect(await validateText(doubling)).toEqual({ errors: [], policies: 1 });
});

/** A template with a value in that many calls of functions. */
function inCalls(levels: number, call: (inner: unknown) => unknown): string {
  let Resource: unknown = { Ref: "Given" };
  for (let level = 0; level < levels; level++) Resource = call(Resource);
  return JSON.stringify(templateOf({ ...s3Read, Resource }));
}

const s3Read = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };

function templateOf(statement: object, others: object = {}): object {
  const PolicyDocument = { Version: "2012-10-17", Statement: [statement] };
  return {
    AWSTemplateFormatVersion: "2010-09-09",
    ...others,
    Resources: { P: { Type: "AWS::IAM::ManagedPolicy", Properties: { PolicyDocument } } },
  };
}

test.each<[string, number, (inner: unknown) => unknown]>([
  ["Fn::Join", 28, (inner) => ({ "Fn::Join": ["", ["a", inner]] })],
  ["Fn::Join of Fn::Split", 21, (inner) => ({ "Fn::Join": ["", { "Fn::Split": ["a", inner] }] })],
  ["Fn::Sub with a map", 18, (inner) => ({ "Fn::Sub": ["${A}${A}", { A: inner }] })],
])("each call of %s in itself is worked out once", async (_, levels, call) => {
  // Worked out twice in each call, it would have more characters than are read.
  const [opened] = await openAll(inCalls(levels, call), null);
  expect(opened?.places[0]).toMatchObject({ state: "read" });
});

test("a policy that becomes too large is read in part, and says so", async () => {
  const Resource = Array.from({ length: 1_000 }, () => ({ Ref: "Given" }));
  const Parameters = { Given: { Type: "String", Default: "x".repeat(100_000) } };
  const text = JSON.stringify(templateOf({ ...s3Read, Resource }, { Parameters }));
  const [opened] = await openAll(text, null);
  expect(opened?.places[0]).toMatchObject({
    state: "partly_read",
    reason: "The values of its functions have more than 8388608 characters together.",
  });
});

test.each<[string, (name: string) => string]>([
  ["texts", (name) => `"${`\${local.${name}}`.repeat(20)}"`],
  ["lists", (name) => `concat(${Array(20).fill(`local.${name}`).join(", ")})`],
  ["lists in lists", (name) => `[${Array(20).fill(`local.${name}`).join(", ")}]`],
])(
  "Terraform locals that name each other many times give no endless value: %s",
  async (_, uses) => {
    const locals = Array.from({ length: 9 }, (__, at) => `  a${at + 1} = ${uses(`a${at}`)}\n`);
    const text = `locals {
  a0 = ["arn:aws:s3:::reports"]
${locals.join("")}}
data "aws_iam_policy_document" "reports" {
  statement {
    actions   = ["s3:ListBucket"]
    resources = flatten([local.a0, local.a9])
  }
}
`;
    expect(await validateText(text, "main.tf")).toEqual({ errors: [], policies: 1 });
  },
);

test("a local is known however often it is used", async () => {
  const text = `locals {
  bucket = "arn:aws:s3:::*"
}
data "aws_iam_policy_document" "reports" {
  statement {
    actions   = ["s3:PutBucketPolicyy"]
    resources = [${Array(2_000).fill("local.bucket").join(", ")}]
  }
}
`;
  expect((await validateText(text, "main.tf")).errors).toEqual([
    expect.stringContaining("`s3:PutBucketPolicyy`"),
  ]);
});
