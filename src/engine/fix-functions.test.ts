import { describe, expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { openAll } from "../containers/open.ts";
import { embeddedServices } from "../services/embedded.ts";
import { fixEntry } from "./fix-entry.ts";
import { validatePolicy } from "./run.ts";

const engine = engineFor(builtinChecks, {}, embeddedServices());

/** The template with all fixes applied that need no input. */
async function fixed(submitted: string) {
  const about = { name: null, label: "policy-0", declaredType: null, entry: 0 };
  const { policy } = await fixEntry(await openAll(submitted, null), about, engine, {
    submitted,
    maxBytes: 1_000_000,
    effects: new Set(["equivalent", "repairs", "changes"] as const),
    validate: validatePolicy,
  });
  return policy;
}

const template = (action: string, resource: string) => `Resources:
  Bucket: {Type: AWS::S3::Bucket}
  Policy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: 2012-10-17
        Statement:
          - Effect: Allow
            Action: ${action}
            Resource: ${resource}  # of the job
`;

describe("a text that a function composes", () => {
  test.each([
    ["!Sub 'arn:aws:SQS:${AWS::Region}:${AWS::AccountId}:jobs'", "SQS", "sqs"],
    ["!Sub arn:aws:SQS:${AWS::Region}:${AWS::AccountId}:jobs", "SQS", "sqs"],
    ['!Sub ["arn:aws:SQS:${R}:${AWS::AccountId}:jobs", {R: !Ref AWS::Region}]', "SQS", "sqs"],
    ["{'Fn::Sub': 'arn:aws:SQS:${AWS::Region}:${AWS::AccountId}:jobs'}", "SQS", "sqs"],
    ['[!Sub "arn:aws:sqss:${AWS::Region}:*:jobs"]', "sqss", "sqs"],
  ])("is edited where the author wrote it: %s", async (resource, wrong, right) => {
    const before = template("sqs:SendMessage", resource);
    expect(await fixed(before)).toBe(before.replace(wrong, right));
  });

  test("is edited in a block of its lines", async () => {
    const lines = "!Sub |-\n              arn:aws:SQS:${AWS::Region}:${AWS::AccountId}:jobs";
    const before = template("sqs:SendMessage", lines).replace("  # of the job", "");
    expect(await fixed(before)).toBe(before.replace("SQS", "sqs"));
  });

  test("loses the values of fields that an ARN does not have", async () => {
    const of = (fields: string) =>
      template("s3:ListBucket", `!Sub "arn:aws:s3:${fields}:\${Bucket}"`);
    expect(await fixed(of("${AWS::Region}:${AWS::AccountId}"))).toBe(of(":"));
  });

  test("keeps policy variables what they are to CloudFormation", async () => {
    const of = (variable: string) =>
      template("s3:GetObject", `!Sub "arn:aws:s3:::\${Bucket}/\${!${variable}}/*"`);
    expect(await fixed(of("aws:usernme"))).toBe(of("aws:username"));
  });

  test("is edited in the parts of a join", async () => {
    const of = (service: string) =>
      template(
        "sqs:SendMessage",
        `!Join ["", ["arn:aws:${service}:", !Ref AWS::Region, ":*:jobs"]]`,
      );
    expect(await fixed(of("SQS"))).toBe(of("sqs"));
  });

  test("is written again with other text beside it, as tags where the template has tags", async () => {
    const before = template("[s3:ListBucket, s3:GetObject]", '!Sub "${Bucket.Arn}/*"');
    const list =
      "Resource:\n              - !Sub ${Bucket.Arn}/*\n              - !Sub ${Bucket.Arn}";
    expect(await fixed(before)).toBe(before.replace('Resource: !Sub "${Bucket.Arn}/*"', list));
  });

  test("is written again in brackets, without the tag that stood before", async () => {
    const statement = (resource: string) => `Resources:
  Bucket: {Type: AWS::S3::Bucket}
  Policy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: 2012-10-17
        Statement: [{Effect: Allow, Action: [s3:ListBucket, s3:GetObject], Resource: ${resource}}]
`;
    expect(await fixed(statement("!GetAtt Bucket.Arn"))).toBe(
      statement('[!GetAtt "Bucket.Arn", !Sub "${Bucket.Arn}/*"]'),
    );
  });

  test("is left alone where the edit goes through a value, or would write one", async () => {
    // The name may contain a slash, so where the name of the bucket ends is not known.
    const before = `Parameters: {Path: {Type: String}}\n${template(
      "s3:ListBucket",
      '!Sub "arn:aws:s3:::${Path}-logs/*"',
    )}`;
    expect(await fixed(before)).toBeNull();
  });
});
