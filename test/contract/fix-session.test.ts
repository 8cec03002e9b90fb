import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Fix } from "../../spec/finding.ts";
import { applyPatch } from "../../src/fixes/patch.ts";
import { type AnyClient, connect } from "../support/clients.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let target: InProcess;
let client: AnyClient;

beforeAll(async () => {
  target = await startInProcess({});
  client = await connect(target, "SDK 2 on 2026-07-28");
});
afterAll(async () => {
  await client.close();
  await target.stop();
});

const Version = "2012-10-17";

/** Five policies that fail, each for other reasons. */
const broken = [
  {
    name: "misspelt",
    policy: {
      version: Version,
      Statement: [
        {
          effect: "Alow",
          Actions: ["s3:GetObjct", "s3:PutObject"],
          Resource: "arn:aws:s3:::reports/*",
          Description: "reads and writes reports",
          Condition: { StringEqual: { "aws:PrincipalOrgI": "o-a1b2c3d4e5" } },
        },
      ],
    },
  },
  {
    name: "text with a comment",
    policy: `# what the report job may do
${stringify({
  Version,
  Statement: [
    {
      Sid: "read reports",
      Effect: "Allow",
      Action: ["sqs:ReceiveMessage", "sqs:Receive*", "sqs:DeleteMesage"],
      Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
      Condition: { NullIfExists: { "aws:PrincipalTag/team": "false" } },
    },
  ],
})}`,
  },
  {
    name: "service control policy",
    policy_type: "SERVICE_CONTROL_POLICY",
    policy: {
      Version: "2012-10-18",
      Statement: [
        {
          Effect: "deny",
          Principal: "*",
          Action: "ec2:TerminateInstances",
          Resource: "*",
          Condition: { StringEquals: { "aws:RequestedRegion": "eu-west1" } },
        },
      ],
    },
  },
  {
    name: "queue policy",
    policy_type: "RESOURCE_POLICY",
    policy: {
      Version,
      Statement: [
        {
          Effect: "Allow",
          Principal: { service: "sns.amazonaws.com", AWS: [] },
          Action: "sqs:SendMessage",
          Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
        },
      ],
    },
  },
  {
    name: "deployment",
    policy: {
      Statement: [
        {
          Effect: "Allow",
          Action: "iam:PassRole",
          Resource: "arn:aws:iam:eu-west-1:111122223333:role/orders-task",
        },
      ],
    },
  },
];

interface Entry {
  readonly is_valid: boolean;
  readonly fixed_policy?: unknown;
  readonly fixes_applied?: Readonly<Record<string, number>>;
  readonly issues: readonly { readonly message: string; readonly fix: Fix | null }[];
}

async function validate(policies: readonly object[], fix: readonly string[]): Promise<Entry[]> {
  const answer = await client.callTool({
    name: "validate_policies",
    arguments: { policies, fix, detail: "fix" },
  });
  return (answer.structuredContent as { results: Entry[] }).results;
}

/** What the author of a policy gives for the placeholders; here, the examples of the fix. */
function filledIn(fix: Fix): Fix["patch"] {
  const written = fix.needs_input.reduce(
    (text, { placeholder, example }) => text.replaceAll(placeholder, example),
    JSON.stringify(fix.patch),
  );
  return JSON.parse(written) as Fix["patch"];
}

test("an agent takes five policies to valid: one call for what is mechanical, one after the placeholders", async () => {
  const first = await validate(broken, ["equivalent", "repairs", "narrows"]);
  expect(first.map(({ is_valid }) => is_valid)).toEqual([true, true, true, false, true]);
  for (const { fixes_applied } of first) expect(fixes_applied).not.toEqual({});
  expect(first[1]?.fixed_policy).toContain("# what the report job may do");

  const second = first.map(({ fixed_policy, issues }, index) => ({
    ...broken[index],
    policy: issues.reduce<unknown>(
      (policy, { fix }) =>
        fix && fix.needs_input.length > 0 && typeof policy === "object"
          ? applyPatch(policy, filledIn(fix))
          : policy,
      fixed_policy,
    ),
  }));
  const last = await validate(second, []);
  expect(last.map(({ is_valid }) => is_valid)).toEqual([true, true, true, true, true]);
});
