import { expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { failing, findingsByPlace } from "../../../test/support/place-findings.ts";
import { terraformFile } from "../terraform/file.ts";

const module = (input: string, value: string) =>
  `module "jobs" {\n  source = "example/jobs/aws"\n  ${input} = ${value}\n}\n`;

const read = async (text: string) => (await placesIn(terraformFile, text, "main.tf")) ?? [];

const statement = `{
    sid       = "Read"
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::jobs/&{aws:username}/*"]
    condition = [{ test = "StringEquals", variable = "aws:ResourceAccount", values = [var.account] }]
  }`;

it.each([
  ["a list", `[${statement}]`],
  ["a map", `{ read = ${statement} }`],
])("statements in %s are a policy", async (_title, value) => {
  const [place, ...others] = await read(module("policy_statements", value));
  expect(others).toEqual([]);
  expect(place).toMatchObject({
    address: "module.jobs.policy_statements",
    type: "IDENTITY_POLICY",
    state: "read",
    line: 3,
  });
  expect(place?.documents).toEqual([
    {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Sid: "Read",
          Action: ["s3:GetObject"],
          Resource: ["arn:aws:s3:::jobs/${aws:username}/*"],
          Condition: { StringEquals: { "aws:ResourceAccount": ["${var.account}"] } },
        },
      ],
    },
  ]);
});

it.each([
  ["queue_policy_statements", "sqs:SendMessage", "RESOURCE_POLICY"],
  ["assume_role_policy_statements", "sts:AssumeRole", "TRUST_POLICY"],
])("principals in %s are of a %s", async (input, action, type) => {
  const principals = '[{ type = "AWS", identifiers = ["*"] }]';
  const value = `[{ actions = ["${action}"], principals = ${principals} }]`;
  const [found] = await findingsByPlace(module(input, value), "main.tf");
  expect(found?.place.policyType).toBe(type);
  expect(failing(found?.findings ?? [])).toContain("critical no_public_access");
});

it.each([
  ["statements of another module", "policy_statements", "module.other.statements"],
  ["objects with other members", "rate_statements", '[{ limit = 5, action = "block" }]'],
  ["no statements", "policy_statements", "[]"],
])("%s are no policy", async (_title, input, value) => {
  expect(await read(module(input, value))).toEqual([]);
});

it.each([
  [
    "inline_policy_permissions",
    `{ read = ${statement} }`,
    "inline_policy_permissions",
    "IDENTITY_POLICY",
  ],
  [
    "trust_policy_permissions",
    '{ a = { actions = ["sts:AssumeRole"], principals = [] } }',
    "trust_policy_permissions",
    "TRUST_POLICY",
  ],
  [
    "iam_policy",
    `[{ statements = [${statement}] }]`,
    "iam_policy[0].statements",
    "IDENTITY_POLICY",
  ],
  ["iam_policy", `{ statements = [${statement}] }`, "iam_policy.statements", "IDENTITY_POLICY"],
])("statements of the input %s are a policy: %s", async (input, value, where, type) => {
  const places = await read(module(input, value));
  expect(places.map((place) => [place.address, place.type, place.state])).toEqual([
    [`module.jobs.${where}`, type, "read"],
  ]);
});

test("statements beside a list that is not known are read in part", async () => {
  const [place] = await read(module("iam_statements", `concat([${statement}], var.others)`));
  expect(place).toMatchObject({ state: "partly_read" });
  const value = `concat([{ actions = ["*"], resources = ["*"] }], var.others)`;
  const [found] = await findingsByPlace(module("iam_statements", value), "main.tf");
  expect(failing(found?.findings ?? [])).toContain("critical full_wildcard");
});

test("each outcome of a condition in statements is read", async () => {
  const value = `[{ actions = ["s3:GetObject"], resources = var.all ? ["*"] : ["arn:aws:s3:::a/*"] }]`;
  const [place] = await read(module("iam_statements", value));
  expect(place?.documents).toHaveLength(2);
});
