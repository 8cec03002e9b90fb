import { describe, expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { openAll } from "../containers/open.ts";
import { embeddedServices } from "../services/embedded.ts";
import { fixEntry } from "./fix-entry.ts";
import { validatePolicy } from "./run.ts";

const engine = engineFor(builtinChecks, {}, embeddedServices());
const effects = new Set(["repairs"] as const);

async function fixed(submitted: string, maxBytes = 1_000_000) {
  const about = { name: null, label: "policy-0", declaredType: null, entry: 0 };
  const { policy, results } = await fixEntry(await openAll(submitted, null), about, engine, {
    submitted,
    maxBytes,
    effects,
    validate: validatePolicy,
  });
  return {
    policy,
    left: results.flatMap(({ validated }) => validated.findings.map((one) => one.issue_type)),
  };
}

/** Of the template as it is: no fix has room. */
const issuesOf = async (submitted: string) => (await fixed(submitted, 0)).left;

interface Grant {
  readonly type?: string;
  readonly bucket?: string;
  readonly action?: string;
  readonly resource?: string;
  readonly condition?: string;
}

const template = ({
  type = "S3::BucketPolicy",
  bucket = "reports",
  action = "s3:GetObject",
  resource = "arn:aws:s3:::reports/*",
  condition = '{Bool: {"aws:SecureTransport": "true"}}',
}: Grant) => `
Resources:
  Bucket: {Type: AWS::S3::Bucket}
  Policy:
    Type: AWS::${type}
    Properties:
      Bucket: ${bucket}
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {AWS: "arn:aws:iam::123456789012:role/reader"}
            Action: ${action}
            Resource: ${resource}
            Condition: ${condition}
`;

const star = '"*"';

describe("the policy that a template gives a bucket", () => {
  test.each<[string, Grant, string[]]>([
    ["its objects", {}, []],
    ["everything", { resource: star }, ["unsupported_resource_arn_in_policy"]],
    [
      "everything, for a bucket of the template",
      { bucket: "!Ref Bucket", resource: star },
      ["unsupported_resource_arn_in_policy"],
    ],
    [
      "an action of another service",
      { action: "[s3:GetObject, sqs:SendMessage]" },
      ["unsupported_action_in_policy"],
    ],
    [
      "the account of the resource",
      { condition: '{StringEquals: {"s3:ResourceAccount": "123456789012"}}' },
      ["irrelevant_condition_key_in_policy"],
    ],
  ])("with %s", async (_, grant, expected) => {
    const found = await issuesOf(template(grant));
    expect(found.filter((issue) => issue.endsWith("_in_policy"))).toEqual(expected);
  });

  test("a policy of a queue may have the resource `*`", async () => {
    const queue = template({ type: "SQS::QueuePolicy", action: "sqs:SendMessage", resource: star });
    expect(await issuesOf(queue)).not.toContain("unsupported_resource_arn_in_policy");
  });
});

describe("a fix", () => {
  test.each([
    ["s3:GetObject", "arn:aws:s3:::reports/*"],
    ["s3:ListBucket", "arn:aws:s3:::reports"],
  ])("names what %s works on in place of `*`", async (action, arn) => {
    const before = template({ action, resource: star });
    const { policy, left } = await fixed(before);
    expect(policy).toBe(before.replace(star, `"${arn}"`));
    expect(left).toEqual([]);
  });

  test("names the bucket and its objects for actions of both", async () => {
    const { policy } = await fixed(template({ action: "s3:*", resource: star }));
    expect(policy).toContain("- arn:aws:s3:::reports\n              - arn:aws:s3:::reports/*");
  });

  test("removes the actions of the other service, and never the last action", async () => {
    const before = template({ action: "[s3:GetObject, sqs:SendMessage, sqs:GetQueueUrl]" });
    expect((await fixed(before)).policy).toBe(
      before.replace(", sqs:SendMessage, sqs:GetQueueUrl", ""),
    );
    const only = template({ action: "[sqs:SendMessage]" });
    expect((await fixed(only)).policy ?? only).toBe(only);
  });
});
