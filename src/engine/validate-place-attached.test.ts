import { describe, expect, test } from "vitest";
import type { Fix } from "../../spec/finding.ts";
import { finding, known, placed, validated } from "../../test/support/place-runs.ts";

describe("the resource that a policy is attached to", () => {
  const bucketPolicy = (type: string, property: string) => `Resources:
  Shop: {Type: AWS::S3::Bucket}
  Access:
    Type: ${type}
    Properties:
      ${property}
      PolicyDocument: {Version: "2012-10-17", Statement: [${known}]}
`;

  test.each<[string, string, object | null]>([
    ["AWS::S3::BucketPolicy", "Bucket: shop", { service: "s3", name: "shop" }],
    ["AWS::S3::BucketPolicy", "Bucket: 'arn:aws:s3:::shop'", null],
    ["AWS::SQS::QueuePolicy", "Queues: ['https://sqs.eu-west-1.amazonaws.com/1/q']", null],
    [
      "AWS::SNS::TopicPolicy",
      "Topics: ['arn:aws:sns:eu-west-1:111122223333:news']",
      { service: "sns", name: "news" },
    ],
    ["AWS::IAM::ManagedPolicy", "ManagedPolicyName: shop", null],
    ["AWS::S3::BucketPolicy", "Bucket: 'http-logs'", { service: "s3", name: "http-logs" }],
    ["AWS::S3::BucketPolicy", "Bucket: 'my-arn:'", { service: "s3", name: "my-arn:" }],
    ["AWS::S3::BucketPolicy", "Bucket: 'http://shop'", null],
    ["AWS::S3Express::BucketPolicy", "Bucket: shop", null],
  ])("of %s with %s", async (type, property, expected) => {
    const { runs } = await placed(bucketPolicy(type, property), () => ({}));
    expect(runs[0]?.input.attached).toEqual(expected);
  });

  test.each([
    ["Bucket: !Ref Shop", "On ${Shop}."],
    ["Bucket: !Sub 'shop-${AWS::AccountId}'", "On shop-${AWS::AccountId}."],
    ["Bucket: shop", "On shop."],
  ])("is shown as the template says it: %s", async (property, message) => {
    const text = bucketPolicy("AWS::S3::BucketPolicy", property);
    const { result } = await placed(
      text.replace('"*"', "!Sub 'arn:aws:s3:::${AWS::StackName}/*'"),
      (_text, _document, { attached }) => ({
        findings: [{ ...finding, message: `On ${attached?.name}.` }],
      }),
    );
    expect(result.findings.map((one) => one.message)).toEqual([message]);
  });
});

test.each([
  "'arn:aws:sns:eu-west-1:111122223333:news-orders'",
  "!Sub 'arn:aws:sns:${AWS::Region}:111122223333:news-orders'",
])("an ARN is not written in place of the name that it has: %s", async (attached) => {
  const topic = "arn:aws:sns:eu-west-1:111122223333:news-orders";
  const { result } = await placed(
    `Resources:
  Access:
    Type: AWS::SNS::TopicPolicy
    Properties:
      Topics: [${attached}]
      PolicyDocument: {Version: "2012-10-17", Statement: [${known}, !Ref Other]}
`,
    () => ({ findings: [{ ...finding, message: `On \`${topic}\`.` }] }),
  );
  expect(result.findings.map(({ message }) => message)).toEqual([`On \`${topic}\`.`]);
});

describe("a fix", () => {
  const fix = (value: unknown): Fix => ({
    title: "t",
    effect: "narrows",
    needs_input: [],
    patch: [{ op: "replace", path: "/Statement/0/Action", value }],
  });
  const path = "/Resources/Access/Properties/PolicyDocument/Statement/0/Action";

  test("is one of the template", async () => {
    const checks = () => ({ findings: [{ ...finding, fix: fix("s3:GetObjectAcl") }] });
    const { result, runs } = await validated([known], checks, { fixes: true });
    expect(runs[0]?.input.fixes).toBe(true);
    expect(result.findings[0]?.fix?.patch).toContainEqual({
      op: "replace",
      path,
      value: "s3:GetObjectAcl",
    });
  });

  test("does not write the sample of an unknown value", async () => {
    const { result } = await placed(
      `Resources:
  Shop: {Type: AWS::S3::Bucket}
  Access:
    Type: AWS::S3::BucketPolicy
    Properties:
      Bucket: !Ref Shop
      PolicyDocument: {Version: "2012-10-17", Statement: [${known}]}
`,
      (_text, _document, { attached }) => ({
        findings: [{ ...finding, fix: fix(attached?.name) }],
      }),
      { fixes: true },
    );
    expect(result.findings).toMatchObject([{ fix: null }]);
  });

  test("is not asked for where the caller wants none", async () => {
    const { runs } = await validated([known], () => ({}), { fixes: false });
    expect(runs[0]?.input.fixes).toBe(false);
  });
});
