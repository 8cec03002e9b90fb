import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containers } from "./registry.ts";
import { readSource } from "./source.ts";
import type { Place } from "./types.ts";
import { Unknowns } from "./unknowns.ts";

const document =
  '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:Get*", "Resource": "arn:aws:s3:::${x}/*"}]}';

/** A file of each kind. */
const files: readonly (readonly [name: string, text: string])[] = [
  [
    "main.tf",
    `locals {\n  p = jsonencode({ Statement = [{ Effect = "Allow", Action = local.a }] })\n}\ndata "aws_iam_policy_document" "d" {\n  statement {\n    actions = ["s3:*"]\n    condition {\n      test = "StringLike"\n      variable = "aws:PrincipalArn"\n      values = [var.x]\n    }\n  }\n}\nresource "aws_iam_policy" "a" {\n  policy = <<-EOF\n    ${document}\n  EOF\n}\nresource "aws_iam_policy" "b" {\n  policy = var.y ? local.p : data.aws_iam_policy_document.d.json\n}\n`,
  ],
  ["p.json.tftpl", document.replace('"s3:Get*"', '[%{ for a in b ~}"${a}",%{ endfor ~}]')],
  [
    "plan.json",
    JSON.stringify({
      format_version: "1.2",
      resource_changes: [
        {
          address: 'aws_iam_role.r["a"]',
          mode: "managed",
          type: "aws_iam_role",
          change: {
            actions: ["create"],
            after: { assume_role_policy: document, inline_policy: [{ policy: document }] },
            after_unknown: { inline_policy: [{ policy: true }] },
          },
        },
      ],
      configuration: { root_module: { resources: [], module_calls: {}, outputs: {} } },
    }),
  ],
  [
    "role.yaml",
    `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec:\n  inlinePolicies:\n    a: '${document}'\n`,
  ],
  [
    "serverless.yml",
    "service: s\nprovider:\n  name: aws\n  iamRoleStatements:\n  - Effect: Allow\n    Action: ${self:custom.a}\n    Resource: !Sub '${AWS::Region}-${opt:x}'\ncustom:\n  a: [s3:Get*]\n",
  ],
  [
    "answer.json",
    JSON.stringify({ Roles: [{ AssumeRolePolicyDocument: encodeURIComponent(document) }] }),
  ],
  ["cdk.tf.json", JSON.stringify({ resource: { aws_iam_policy: { p: { policy: document } } } })],
];

/** Cuts, repeats and inserts what parsers stumble over. */
const edit = fc.record({
  at: fc.nat(),
  length: fc.integer({ min: 0, max: 40 }),
  insert: fc.oneof(
    fc.constantFrom(
      "${",
      "}",
      "%{",
      "%{ if x }",
      '"',
      "'",
      "\\",
      "\n",
      "{",
      "[",
      "]]",
      "<<EOF\n",
      "*a",
      "&a ",
      "!Sub ",
      "\u0000",
      "\ue000",
      "\ud800",
      "__proto__",
      "${self:custom.a}",
      "%7B",
      "null",
      "true",
      "- ",
      ": ",
      "\t",
    ),
    fc.string({ maxLength: 10, unit: "binary" }),
  ),
});

function applied(
  text: string,
  edits: readonly { at: number; length: number; insert: string }[],
): string {
  return edits.reduce((before, { at, length, insert }) => {
    const from = at % (before.length + 1);
    return before.slice(0, from) + insert + before.slice(from + length);
  }, text);
}

describe("mutated files", () => {
  it.each(files)("%s is read or not read, and never an error", async (name, text) => {
    const property = fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const source = await readSource({ name, text: applied(text, edits) });
        const container = containers.find((one) => one.recognises(source));
        if (!container) return;
        const reading = { unknowns: new Unknowns(), maxPlaces: 100 };
        for (const place of await container.read(source, reading)) check(place, source.text ?? "");
      }),
      { numRuns: 150 },
    );
    await expect(property).resolves.toBeUndefined();
  });
});

/** Spans lie in the file, and a place that is not read says why. */
function check({ span, state, reason, alternatives, address }: Place, text: string): void {
  const spans = [span, ...alternatives.map(({ root }) => root)].filter((one) => one !== null);
  for (const { start, end } of spans) {
    const isInside = start >= 0 && start <= end && end <= text.length;
    if (!isInside) throw new Error(`${address} is at ${start} to ${end} of ${text.length}.`);
  }
  if (state !== "read" && !reason) throw new Error(`${address} gives no reason.`);
  if (state === "read" && alternatives.length === 0) throw new Error(`${address} is empty.`);
}
