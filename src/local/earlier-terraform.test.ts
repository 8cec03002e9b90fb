import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { noNewAccess } from "../checks/no-new-access.ts";
import { validateText } from "./validate-text.ts";

const { runtime: bare } = bareRuntime();
const runtime = { ...bare, engine: engineFor([noNewAccess]) };

/** For each policy its address, how it has changed, and the answer; then the policies that are gone. */
async function compare(before: string, now: string, label = "main.tf"): Promise<string[]> {
  const gone: string[] = [];
  const documents = await validateText({ label, text: now, baseline: { text: before } }, runtime, {
    ...{ declaredType: null, maxFileBytes: 100_000, maxDocuments: 100, asksOfNew: true },
    onRemoved: (_file, places) => gone.push(...places.map(({ address }) => `${address} gone`)),
  });
  const answers = documents.map(({ unwrapped, answers: [answer] }) => {
    const { address = "", change = "" } = unwrapped ?? {};
    return `${address} ${change} ${answer?.verdict}`;
  });
  return [...answers, ...gone];
}

const document = (
  resource: string,
  { name = "p", more = "", actions = '["s3:GetObject"]' } = {},
) => `
data "aws_iam_policy_document" "${name}" {
  statement {
    actions   = ${actions}
    resources = [${resource}]
  }
}
resource "aws_iam_policy" "${name}" { policy = data.aws_iam_policy_document.${name}.json }
${more}`;
const address = "data.aws_iam_policy_document.p";

test.each([
  [
    "the same attribute",
    '"${aws_s3_bucket.a.arn}/*"',
    '"${aws_s3_bucket.a.arn}/*"',
    "unchanged holds",
  ],
  [
    "the attribute of another",
    '"${aws_s3_bucket.a.arn}/*"',
    '"${aws_s3_bucket.b.arn}/*"',
    "changed violated",
  ],
  [
    "the id of the bucket in place of its ARN",
    '"${aws_s3_bucket.a.arn}/*"',
    '"arn:aws:s3:::${aws_s3_bucket.a.id}/*"',
    "changed holds",
  ],
  ["a part of the same", '"${var.arn}/*"', '"${var.arn}/2026/*"', "changed holds"],
  ["a wildcard", '"${var.arn}/*"', '"*"', "changed violated"],
])("a document of Terraform with %s", async (_title, before, now, expected) => {
  expect(await compare(document(before), document(now))).toEqual([`${address} ${expected}`]);
});

test.each([
  ["the default of a variable", (one: string) => ["var.x", `variable "x" { default = "${one}" }`]],
  ["a local", (one: string) => ["local.x", `locals { x = "${one}" }`]],
  [
    "a local that is not known",
    (one: string) => ["local.x", `locals { x = lookup(var.all, "${one}") }`],
  ],
  [
    "the arguments of a data source",
    (one: string) => ["data.aws_s3_bucket.b.arn", `data "aws_s3_bucket" "b" { bucket = "${one}" }`],
  ],
])("a name has another value if %s has changed", async (_title, give) => {
  const [before, same, now] = ["arn:aws:s3:::a", "arn:aws:s3:::a", "arn:aws:s3:::b"].map((one) => {
    const [resource = "", more = ""] = give(one);
    return document(resource, { more });
  });
  expect(await compare(before ?? "", `${same}\n# comment\n`)).toEqual([
    `${address} unchanged holds`,
  ]);
  expect((await compare(before ?? "", now ?? ""))[0]).not.toContain("holds");
});

test("a loop over another collection gives other values", async () => {
  const looped = (list: string) =>
    document("each.value", { more: "" }).replace(
      "{\n  statement",
      `{\n  for_each = ${list}\n  statement`,
    );
  expect(await compare(looped("var.a"), `${looped("var.a")}\n# comment`)).toEqual([
    `${address} unchanged holds`,
  ]);
  expect((await compare(looped("var.a"), looped("var.b")))[0]).not.toContain("holds");
});

test("blocks are found by their names", async () => {
  const policy = (name: string, action: string) =>
    `  inline_policy {\n    name = "${name}"\n    policy = jsonencode({Version = "2012-10-17", Statement = [{Effect = "Allow", Action = "${action}", Resource = "*"}]})\n  }\n`;
  const role = (...policies: string[]) => `resource "aws_iam_role" "r" {\n${policies.join("")}}\n`;
  const [a, b] = [policy("a", "s3:GetObject"), policy("b", "s3:PutObject")];
  expect(await compare(role(a, b), role(b, a))).toEqual([
    "aws_iam_role.r.inline_policy[0].policy unchanged holds",
    "aws_iam_role.r.inline_policy[1].policy unchanged holds",
  ]);
  expect(await compare(role(a), role(policy("c", "s3:GetObject")))).toEqual([
    "aws_iam_role.r.inline_policy[0].policy new violated",
    "aws_iam_role.r.inline_policy[0].policy gone",
  ]);
});

test("outcomes of a condition are compared with those of the same", async () => {
  const choice = (yes: string, no: string) => document(`var.wide ? "${yes}" : "${no}"`);
  const before = choice("arn:aws:s3:::a/*", "arn:aws:s3:::b/*");
  expect(await compare(before, choice("arn:aws:s3:::a/x", "arn:aws:s3:::b/x"))).toEqual([
    `${address} changed holds`,
  ]);
  expect(await compare(before, choice("arn:aws:s3:::b/*", "arn:aws:s3:::a/*"))).toEqual([
    `${address} changed violated`,
  ]);
});

/** A plan with one role for each policy, and the expression of its document. */
function plan(roles: Record<string, string>, reference = "aws_s3_bucket.a"): string {
  const resource_changes: unknown[] = Object.entries(roles).map(([name, action]) => ({
    ...{ address: `aws_iam_role_policy.${name}`, mode: "managed", type: "aws_iam_role_policy" },
    change: {
      actions: ["no-op"],
      after: {
        name,
        policy: JSON.stringify({
          Version: "2012-10-17",
          Statement: [{ Effect: "Allow", Action: action, Resource: "*" }],
        }),
      },
      after_unknown: {},
    },
  }));
  resource_changes.push(
    {
      ...{
        address: "data.aws_iam_policy_document.d",
        mode: "data",
        type: "aws_iam_policy_document",
      },
      change: {
        actions: ["read"],
        after: { statement: [{ effect: "Allow", actions: ["s3:GetObject"], resources: [null] }] },
        after_unknown: { statement: [{ resources: [true] }] },
      },
    },
    {
      ...{ address: "aws_iam_policy.unknown", mode: "managed", type: "aws_iam_policy" },
      change: { actions: ["create"], after: { name: "u" }, after_unknown: { policy: true } },
    },
  );
  const resources = [
    {
      address: "aws_iam_policy.unknown",
      expressions: { policy: { references: ["data.aws_iam_policy_document.d.json"] } },
    },
    {
      address: "data.aws_iam_policy_document.d",
      expressions: { statement: [{ resources: { references: [`${reference}.arn`, reference] } }] },
    },
  ];
  return JSON.stringify({
    ...{ format_version: "1.2", resource_changes, configuration: { root_module: { resources } } },
  });
}

test("resources of a plan are found by their addresses", async () => {
  const before = plan({ a: "s3:GetObject", b: "s3:PutObject", c: "s3:GetObject" });
  const now = plan({ c: "s3:*", a: "s3:GetObject", d: "s3:PutObject" });
  expect((await compare(before, now, "plan.json")).toSorted()).toEqual([
    "aws_iam_policy.unknown.policy unchanged holds",
    "aws_iam_role_policy.a.policy unchanged holds",
    "aws_iam_role_policy.b.policy gone",
    "aws_iam_role_policy.c.policy changed violated",
    "aws_iam_role_policy.d.policy new violated",
  ]);
});

test("a value known after apply is the same if its expression is", async () => {
  const [before, now] = [plan({}), plan({}, "aws_s3_bucket.b")];
  const [answer] = await compare(before, now, "plan.json");
  expect(answer).toBe("aws_iam_policy.unknown.policy changed violated");
});

test("instances with one document are compared each with its own", async () => {
  const instances = (...actions: string[]) =>
    plan(Object.fromEntries(actions.map((action, index) => [`r[${index}]`, action])));
  const before = instances("s3:GetObject", "s3:PutObject");
  const answers = await compare(before, instances("s3:GetObject", "s3:GetObject"), "plan.json");
  expect(answers).toContain("aws_iam_role_policy.r[0].policy changed violated");
  const same = await compare(before, instances("s3:GetObject", "s3:PutObject"), "plan.json");
  expect(same.filter((one) => one.includes("unchanged holds"))).toHaveLength(3);
});

test("manifests are found by kind and name", async () => {
  const manifest = (name: string, action: string) => `apiVersion: iam.services.k8s.aws/v1alpha1
kind: Policy
metadata: {name: ${name}}
spec:
  name: ${name}
  policyDocument: |
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "${action}", "Resource": "*"}]}
`;
  const [a, b] = [manifest("a", "s3:GetObject"), manifest("b", "s3:PutObject")];
  expect(await compare(`${a}---\n${b}`, `${b}---\n${a}`, "all.yaml")).toEqual([
    "Policy/b spec.policyDocument unchanged holds",
    "Policy/a spec.policyDocument unchanged holds",
  ]);
  expect(
    await compare(a, `${manifest("c", "s3:*")}---\n${manifest("a", "s3:*")}`, "all.yaml"),
  ).toEqual([
    "Policy/c spec.policyDocument new violated",
    "Policy/a spec.policyDocument changed violated",
  ]);
});
