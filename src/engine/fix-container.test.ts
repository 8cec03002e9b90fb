import { describe, expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { openAll } from "../containers/open.ts";
import { embeddedServices } from "../services/embedded.ts";
import { fixEntry } from "./fix-entry.ts";
import { validatePolicy } from "./run.ts";

const engine = engineFor(builtinChecks, {}, embeddedServices());
const effects = new Set(["equivalent", "repairs"] as const);

/** The entry with its fixes applied, and what is counted for each of its policies. */
async function fixed(submitted: unknown, maxBytes = 1_000_000) {
  const about = { name: null, label: "policy-0", declaredType: null, entry: 0 };
  const { policy, results } = await fixEntry(await openAll(submitted, null), about, engine, {
    submitted,
    maxBytes,
    effects,
    validate: validatePolicy,
  });
  return { policy, counts: results.map(({ counts }) => counts), results };
}

/** The fixes of all findings, of every effect. */
async function fixesOf(submitted: unknown) {
  const { results } = await fixed(submitted, 0);
  return results.flatMap(({ validated }) =>
    validated.findings.map(({ issue_type, fix }) => [issue_type, fix] as const),
  );
}

const role = (action: string, resource = '!Sub "${Bucket.Arn}/*"') => `# the report job
Resources:
  Bucket: {Type: AWS::S3::Bucket}
  Role:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: 2012-10-17  # the newest
        Statement:
          - Effect: Allow
            Action:
${action}
            Resource: ${resource}
`;

describe("the text of a container after its fixes", () => {
  test("keeps tags, comments and quotes of a YAML template", async () => {
    const before = role("              - s3:ListBuckt # typo\n              - 's3:GetObjct'");
    const { policy, counts } = await fixed(before);
    expect(policy).toBe(before.replace("ListBuckt", "ListBucket").replace("GetObjct", "GetObject"));
    expect(counts).toEqual([{ repairs: 2 }]);
  });

  test("keeps the layout of a JSON template, also in entries beside a function", async () => {
    const before = `{"Resources": {
  "P": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "allow", "Action": "sqs:SendMesage",
      "Resource": [{"Fn::GetAtt": ["Q", "Arn"]}, {"Fn::GetAtt": ["Q", "Arn"]}]}]}}},
  "Q": {"Type": "AWS::SQS::Queue"}}}
`;
    const { policy } = await fixed(before);
    expect(policy).toBe(
      before
        .replace('"allow"', '"Allow"')
        .replace("SendMesage", "SendMessage")
        .replace('[{"Fn::GetAtt": ["Q", "Arn"]}, {"Fn', '[{"Fn'),
    );
  });

  test("renames a member and replaces what is in it", async () => {
    const condition = (operator: string, value: string) =>
      `${role("              - s3:GetObject")}            Condition:
              ${operator}:
                aws:PrincipalTag/team: "${value}" # any
`;
    const { policy } = await fixed(condition("StringLike", "*"));
    expect(policy).toBe(condition('"Null"', "false"));
  });

  test("keeps the lines of a policy in a block of text, and of the other documents", async () => {
    const before = `apiVersion: v1
kind: Namespace
---
# the queue
apiVersion: iam.services.k8s.aws/v1alpha1
kind: Policy
metadata: {name: jobs}
spec:
  policyDocument: |
    {
      "Version": "2012-10-17",

      "Statement": [
        {"Effect": "allow", "Action": ["sqs:SendMesage"], "Resource": "\${QUEUE}"}
      ]
    }
  name: jobs
`;
    const { policy, counts } = await fixed(before);
    expect(policy).toBe(before.replace('"allow"', '"Allow"').replace("SendMesage", "SendMessage"));
    expect(counts).toEqual([{ repairs: 2 }]);
  });

  test("keeps a policy in a string of JSON a string", async () => {
    const statement = (effect: string) =>
      JSON.stringify({
        Policy: JSON.stringify({
          Version: "2012-10-17",
          Statement: [
            {
              Effect: effect,
              Principal: "*",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::b/*",
            },
          ],
        }),
      });
    expect((await fixed(statement("allow"))).policy).toBe(statement("Allow"));
  });

  test("is an object for an object, which stays as it was submitted", async () => {
    const entry = (Effect: string) => ({
      PolicyName: "p",
      PolicyDocument: {
        Version: "2012-10-17",
        Statement: {
          Effect,
          Action: "sqs:SendMessage",
          Resource: "arn:aws:sqs:eu-west-1:111122223333:q",
        },
      },
    });
    const submitted = entry("allow");
    expect((await fixed(submitted)).policy).toEqual(entry("Allow"));
    expect(submitted).toEqual(entry("allow"));
  });

  test("does not change again", async () => {
    const { policy } = await fixed(role("              - s3:GetObjct\n              - s3:*"));
    expect((await fixed(policy)).policy).toBeNull();
  });

  test("stays as it is where it would exceed the limit", async () => {
    const before = role("              - s3:GetObjct");
    expect((await fixed(before, Buffer.byteLength(before))).policy).toBeNull();
    expect((await fixed(before, Buffer.byteLength(before) + 1)).policy).not.toBeNull();
  });
});

describe("the fix of a finding in a container", () => {
  test("applies to the container, and tests what its file has", async () => {
    const [[, fix] = []] = await fixesOf(role("              - sqs:SendMesage", '"*"'));
    expect(fix).toMatchObject({
      effect: "repairs",
      patch: [
        { op: "test", value: "sqs:SendMesage" },
        {
          op: "replace",
          path: "/Resources/Role/Properties/PolicyDocument/Statement/0/Action/0",
          value: "sqs:SendMessage",
        },
      ],
    });
  });

  test("is missing where a function gives the value", async () => {
    const parameter = `Parameters:
  Action: {Type: String, Default: "sqs:SendMesage", AllowedValues: ["sqs:SendMesage"]}
`;
    const found = await fixesOf(parameter + role("              - !Ref Action"));
    expect(found.map(([type]) => type)).toContain("invalid_action");
    expect(found.find(([type]) => type === "invalid_action")?.[1]).toBeNull();
  });

  test("is missing where only one branch of a condition has the finding", async () => {
    const conditions = "Conditions: {IsTest: !Equals [!Ref AWS::Region, eu-west-1]}\n";
    const action = "              - !If [IsTest, 's3:GetObjct', 's3:PutObject']";
    const found = await fixesOf(conditions + role(action));
    expect(found.find(([type]) => type === "invalid_action")?.[1]).toBeNull();
  });

  test("is missing where the document is an anchor that another place repeats", async () => {
    const shared = role("              - s3:GetObjct").replace(
      "PolicyDocument:",
      "PolicyDocument: &shared",
    );
    const copy = `  Copy:
    Type: AWS::IAM::ManagedPolicy
    Properties: {PolicyDocument: *shared}
`;
    expect((await fixed(shared + copy)).policy).toBeNull();
  });

  test("copies a function and never the sample of its value", async () => {
    const action = "              - s3:GetObject\n              - s3:ListBucket";
    const resources = '[!GetAtt Bucket.Arn, !Sub "${Bucket.Arn}/*"]';
    const found = await fixesOf(role(action, resources));
    const patches = found.flatMap(([, fix]) => (fix ? [JSON.stringify(fix.patch)] : []));
    expect(patches.length).toBeGreaterThan(0);
    expect(patches.filter((patch) => patch.includes("arn:aws:s3:::"))).toEqual([]);
    expect(patches.some((patch) => patch.includes('{"Fn::GetAtt":"Bucket.Arn"}'))).toBe(true);
  });

  test("is missing in a plan, which Terraform computes", async () => {
    const policy = JSON.stringify({
      Statement: [{ Effect: "allow", Action: "s3:GetObjct", Resource: "*" }],
    });
    const plan = {
      format_version: "1.2",
      planned_values: {
        root_module: {
          resources: [
            {
              address: "aws_iam_policy.p",
              mode: "managed",
              type: "aws_iam_policy",
              name: "p",
              values: { policy },
            },
          ],
        },
      },
    };
    const found = await fixesOf(plan);
    expect(found.map(([type]) => type)).toContain("invalid_action");
    expect(found.every(([, fix]) => fix === null)).toBe(true);
  });
});
