import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyPatch } from "../../src/fixes/patch.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { findingsOf, validated } from "../support/validate.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

/** Repairs a file in which one part is wrong, as a client does. @returns the file. */
async function repaired(name: string, text: string): Promise<unknown> {
  const call = async (policy: unknown, fix: readonly string[]) => {
    const args = { policies: [{ policy, name }], fix, policy_type: "IDENTITY_POLICY" };
    const { output } = await validated(target, args);
    return output.results;
  };
  const [before] = await call(text, []);
  expect(before?.is_valid).toBe(false);
  const [after] = await call(text, ["repairs"]);
  expect(after?.is_valid).toBe(true);
  const fixed = after?.fixed_policy;
  const again = await call(fixed, ["repairs"]);
  expect(again.map((one) => one.is_valid)).toEqual([true]);
  expect(again.map((one) => one.fixed_policy ?? null)).toEqual([null]);
  return fixed;
}

const slips = [
  {
    name: "joined actions",
    json: ['"Action": "s3:GetObject,s3:PutObject"', '"Action": ["s3:GetObject", "s3:PutObject"]'],
    yaml: [
      "Action: s3:GetObject,s3:PutObject",
      "Action:\n      - s3:GetObject\n      - s3:PutObject",
    ],
    blocks: ['["s3:GetObject,s3:PutObject"]', '["s3:GetObject", "s3:PutObject"]'],
    encoded: ['"s3:GetObject,s3:PutObject"', '["s3:GetObject", "s3:PutObject"]'],
  },
  {
    name: "lists in a list",
    json: ['"Action": [["s3:GetObject"]]', '"Action": ["s3:GetObject"]'],
    yaml: ["Action: [[s3:GetObject]]", "Action: [s3:GetObject]"],
    blocks: ['[["s3:GetObject"]]', '["s3:GetObject"]'],
    encoded: ['[["s3:GetObject"]]', '["s3:GetObject"]'],
  },
  {
    name: "an action with the prefix of ARNs",
    json: ['"Action": "aws:s3:GetObject"', '"Action": "s3:GetObject"'],
    yaml: ["Action: aws:s3:GetObject", "Action: s3:GetObject"],
    blocks: ['["aws:s3:GetObject"]', '["s3:GetObject"]'],
    encoded: ['"aws:s3:GetObject"', '"s3:GetObject"'],
  },
] as const;

const files = {
  json: (action: string) =>
    `{\n  "Version": "2012-10-17",\n  "Statement": [\n    { "Effect": "Allow", ${action}, "Resource": "arn:aws:s3:::jobs/*" }\n  ]\n}\n`,
  yaml: (action: string) =>
    `Version: "2012-10-17" # language\nStatement:\n  - Effect: Allow\n    ${action}\n    Resource: arn:aws:s3:::jobs/* # jobs\n`,
  blocks: (actions: string) =>
    `data "aws_iam_policy_document" "jobs" {\n  statement {\n    actions   = ${actions} # jobs\n    resources = ["arn:aws:s3:::jobs/*"]\n  }\n}\nresource "aws_iam_policy" "jobs" {\n  policy = data.aws_iam_policy_document.jobs.json\n}\n`,
  encoded: (action: string) =>
    `resource "aws_iam_policy" "jobs" {\n  policy = jsonencode({\n    Version   = "2012-10-17"\n    Statement = [{ Effect = "Allow", Action = ${action}, Resource = "\${aws_s3_bucket.jobs.arn}/*" }]\n  })\n}\n`,
};

describe.each(slips)("$name", (slip) => {
  test.each([
    ["json", "policy.json"],
    ["yaml", "policy.yaml"],
    ["blocks", "main.tf"],
    ["encoded", "main.tf"],
  ] as const)("are repaired in text: %s", async (form, name) => {
    const [wrong, right] = slip[form];
    expect(await repaired(name, files[form](wrong))).toBe(files[form](right));
  });
});

test.each([
  ["a condition in a list", { Condition: [{ Bool: { "aws:SecureTransport": "true" } }] }],
  ["a key without its prefix", { Condition: { StringEquals: { PrincipalOrgID: "o-a1b2c3d4e5" } } }],
  [
    "a Region with letters that changed places",
    { Action: "sqs:SendMessage", Resource: "arn:aws:sqs:us-esat-1:111122223333:jobs" },
  ],
])("the patch for %s repairs the document", async (_title, members) => {
  const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::jobs/*" };
  const policy = { Version: "2012-10-17", Statement: [{ ...statement, ...members }] };
  const resultOf = async (one: unknown) => {
    const { output } = await validated(target, { policies: [{ policy: one }] });
    return output.results;
  };
  const [before] = await resultOf(policy);
  const [fix] = before
    ? findingsOf(before).flatMap((one) => (one.fix?.effect === "repairs" ? [one.fix] : []))
    : [];
  expect(before?.is_valid).toBe(false);
  expect(fix?.needs_input).toEqual([]);
  const [after] = await resultOf(applyPatch(policy, fix?.patch ?? []));
  expect(after?.is_valid).toBe(true);
});
