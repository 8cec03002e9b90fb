import { expect, test } from "vitest";
import { findingsByPlace } from "../../../test/support/place-findings.ts";
import { openText } from "../open.ts";
import type { Place } from "../types.ts";

async function placesOf(text: string): Promise<readonly Place[]> {
  return (await openText({ text }))?.places ?? [];
}

/** Findings of every policy of a template, as `severity issue_type line`. */
async function findingsOf(text: string, ...severities: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { findings } of await findingsByPlace(text, null)) {
    for (const { severity, issue_type, location } of findings) {
      if (severities.length > 0 && !severities.includes(severity)) continue;
      found.push(`${severity} ${issue_type} ${location?.start.line}`);
    }
  }
  return found;
}

/** A bucket policy whose statement has these members. */
const bucketPolicy = (statement: string, before = "") => `${before}Resources:
  Reports: {Type: AWS::S3::Bucket}
  Policy:
    Type: AWS::S3::BucketPolicy
    Properties:
      Bucket: !Ref Reports
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - ${statement.replaceAll("\n", "\n            ")}
`;

/** A managed policy with this document as text or object. */
const managed = (document: string, before = "") => `${before}Resources:
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: ${document}
`;

test("finds each property with its policy type", async () => {
  const places = await placesOf(`
Resources:
  Role:
    Type: AWS::IAM::Role
    Metadata: {"aws:cdk:path": App/Role/Resource}
    Properties:
      AssumeRolePolicyDocument: {Statement: []}
      Policies:
        - {PolicyName: a, PolicyDocument: {Statement: []}}
  Key: {Type: AWS::KMS::Key, Properties: {KeyPolicy: {Statement: []}}}
  Topic: {Type: AWS::SNS::Topic, Properties: {ArchivePolicy: {Statement: []}}}
  Endpoint: {Type: AWS::EC2::VPCEndpoint, Properties: {PolicyDocument: {Statement: []}}}
  Guard:
    Type: AWS::Organizations::Policy
    Properties: {Type: SERVICE_CONTROL_POLICY, Content: {Statement: []}}
  Tags: {Type: AWS::Organizations::Policy, Properties: {Type: TAG_POLICY, Content: {tags: {}}}}
`);
  expect(places.map(({ label, policyType, service }) => [label, policyType, service])).toEqual([
    ["App/Role/Resource", "TRUST_POLICY", null],
    ["App/Role/Resource", "IDENTITY_POLICY", null],
    ["Resources.Key.Properties.KeyPolicy", "RESOURCE_POLICY", "kms"],
    ["Resources.Endpoint.Properties.PolicyDocument", "ENDPOINT_POLICY", null],
    ["Resources.Guard.Properties.Content", "SERVICE_CONTROL_POLICY", null],
  ]);
});

test("a managed policy that is only a boundary is validated as one", async () => {
  const template = (attached: string) => `
Resources:
  Limit: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Statement: []}}}
  Role:
    Type: AWS::IAM::Role
    Properties: {PermissionsBoundary: !Ref Limit, ManagedPolicyArns: [${attached}]}
`;
  expect((await placesOf(template("")))[0]?.policyType).toBe("PERMISSIONS_BOUNDARY");
  expect((await placesOf(template("!Ref Limit")))[0]?.policyType).toBe("IDENTITY_POLICY");
});

test("a managed policy named as a boundary is validated as one unless it is attached", async () => {
  const typeOf = async (id: string, attached: string) => {
    const [place] = await placesOf(`
Resources:
  ${id}: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Statement: []}}}
  Role: {Type: AWS::IAM::Role, Properties: {ManagedPolicyArns: [${attached}]}}
`);
    return place?.policyType;
  };
  expect(await typeOf("PermissionsBoundaryPolicy", "")).toBe("PERMISSIONS_BOUNDARY");
  expect(await typeOf("Boundary", "!Ref Boundary")).toBe("IDENTITY_POLICY");
  expect(await typeOf("BoundaryManagers", "")).toBe("IDENTITY_POLICY");
});

test("no error on intrinsic functions, references and parameters", async () => {
  const text = bucketPolicy(
    `Sid: !Sub "\${AWS::StackName}-read"
Effect: Allow
Principal: {AWS: [!Ref Reader, !Sub "arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root", !ImportValue Shared]}
Action: !If [Wide, ["s3:GetObject", "s3:PutObject"], "s3:GetObject"]
Resource: !Join ["", [!GetAtt Reports.Arn, /, !Ref Prefix, "*"]]
Condition:
  StringEquals: {"aws:SourceAccount": !Ref "AWS::AccountId", "aws:SourceVpc": !Ref Vpc}
  IpAddress: {"aws:VpcSourceIp": !Ref Office}
  DateLessThan: {"aws:CurrentTime": "{{resolve:ssm:until}}"}
  NumericLessThan: {"s3:signatureAge": !FindInMap [Keys, !Ref "AWS::Region", most]}
  Bool: {"aws:SecureTransport": true}`,
    `Parameters:
  Reader: {Type: String}
  Prefix: {Type: String, Default: ""}
  Vpc: {Type: "AWS::EC2::VPC::Id"}
  Office: {Type: CommaDelimitedList}
  Stage: {Type: String}
Conditions: {Wide: !Equals [!Ref Stage, production]}
`,
  );
  expect(await findingsOf(text, "error", "warning")).toEqual([]);
});

test("faults in known parts beside unknown ones are reported at their line", async () => {
  const text = bucketPolicy(`Effect: Allow
Principal: {AWS: !Ref Reader}
Action: [s3:GetObjct, !Ref More]
Resource: !Sub "\${Reports.Arn}/*"`);
  expect(await findingsOf(text, "error")).toEqual(["error invalid_action 12"]);
});

test("both branches of a condition are validated", async () => {
  const text = managed(`
        Version: "2012-10-17"
        Statement:
          - Fn::If:
              - Wide
              - {Effect: Allow, Action: s3:GetObjct, Resource: "arn:aws:s3:::reports/*"}
              - {Effect: Allow, Action: s3:PutObjct, Resource: "arn:aws:s3:::reports/*"}`);
  expect((await findingsOf(text, "error")).toSorted()).toEqual([
    "error invalid_action 10",
    "error invalid_action 11",
  ]);
});

test("branches that exclude each other do not stand in one document", async () => {
  const text = managed(
    `
        Version: "2012-10-17"
        Statement:
          - !If [Wide, {Sid: A, Effect: Allow, Action: s3:GetObject, Resource: "arn:aws:s3:::a/*"}, !Ref "AWS::NoValue"]
          - !If [Narrow, {Sid: A, Effect: Allow, Action: s3:GetObject, Resource: "arn:aws:s3:::b/*"}, !Ref "AWS::NoValue"]`,
    `Parameters: {Stage: {Type: String}}
Conditions: {Wide: !Equals [!Ref Stage, production], Narrow: !Not [!Condition Wide]}
`,
  );
  expect(await findingsOf(text, "error")).toEqual([]);
});

test("text policies have positions in the file, also inside Fn::Sub", async () => {
  const text = managed(`
        Fn::Sub: |
          {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "sqs:SendMesage",
             "Resource": "arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:jobs"}]}`);
  expect(await findingsOf(text, "error")).toEqual(["error invalid_action 8"]);
});

test("a policy variable in Fn::Sub is reported, and an escaped one is not", async () => {
  const statement = (resource: string) =>
    managed(`
        Version: "2012-10-17"
        Statement: {Effect: Allow, Action: s3:GetObject, Resource: !Sub "${resource}"}`);
  expect(await findingsOf(statement("arn:aws:s3:::home/${aws:username}/*"), "error")).toEqual([
    "error invalid_policy_variable 7",
  ]);
  expect(await findingsOf(statement("arn:aws:s3:::home/${!aws:username}/*"), "error")).toEqual([]);
});

test("a bucket policy that names another bucket is refused", async () => {
  const text = (resource: string) =>
    bucketPolicy(`Effect: Deny
Principal: "*"
Action: s3:DeleteObject
Resource: ${resource}`);
  expect(await findingsOf(text("arn:aws:s3:::other/*"), "error")).toEqual([
    "error resource_mismatch 13",
  ]);
  expect(await findingsOf(text('!Sub "${Reports.Arn}/*"'), "error")).toEqual([]);
  expect(await findingsOf(text('!Sub "arn:aws:s3:::${Reports}/*"'), "error")).toEqual([]);
  expect(await findingsOf(text('!Sub "arn:aws:s3:::${Elsewhere}/*"'), "error")).toEqual([]);
});

test("a document that is a parameter is not read, and hides no other", async () => {
  const places = await placesOf(`
Parameters: {Given: {Type: String}}
Resources:
  A: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: !Ref Given}}
  B: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Statement: []}}}
`);
  expect(places.map(({ state }) => state)).toEqual(["not_read", "read"]);
  expect(places[0]?.reason).toContain("`Given`");
});

test("a finding that needs a default says so and is not an error", async () => {
  const text = managed(
    `
        Version: "2012-10-17"
        Statement: {Effect: Allow, Action: s3:GetObject, Resource: !Ref Which}`,
    "Parameters: {Which: {Type: String, Default: reports}}\n",
  );
  expect(await findingsOf(text, "error")).toEqual([]);
  expect(await findingsOf(text, "warning")).toEqual(["warning invalid_resource 8"]);
});

test("SAM: documents are validated, names and policy templates are references", async () => {
  const places = await placesOf(`
Transform: AWS::Serverless-2016-10-31
Resources:
  Handler:
    Type: AWS::Serverless::Function
    Properties:
      Policies:
        - AmazonDynamoDBReadOnlyAccess
        - DynamoDBCrudPolicy: {TableName: !Ref Table}
        - Statement: {Effect: Allow, Action: s3:GetObject, Resource: "arn:aws:s3:::a/*"}
  Api:
    Type: AWS::Serverless::Api
    Properties:
      Auth: {ResourcePolicy: {CustomStatements: [{Effect: Allow, Principal: "*", Action: execute-api:Invoke, Resource: "execute-api:/*"}]}}
      Policy: {Statement: [{Effect: Allow, Principal: "*", Action: execute-api:Invoke, Resource: "execute-api:/*"}]}
      Domain:
        Policy: {Statement: [{Effect: Allow, Principal: "*", Action: execute-api:Invoke, Resource: "execute-api:/*"}]}
`);
  expect(places.map(({ address, form }) => [address, form])).toEqual([
    ["Resources.Handler.Properties.Policies[2]", "object"],
    ["Resources.Api.Properties.Auth.ResourcePolicy.CustomStatements", "statements"],
    ["Resources.Api.Properties.Policy", "object"],
    ["Resources.Api.Properties.Domain.Policy", "object"],
  ]);
});

test("a template inside a template has positions of the outer file", async () => {
  const text = `
Resources:
  Set:
    Type: AWS::CloudFormation::StackSet
    Properties:
      TemplateBody: |
        Resources:
          Shared:
            Type: AWS::IAM::ManagedPolicy
            Properties:
              PolicyDocument:
                Version: "2012-10-17"
                Statement:
                  - {Effect: Allow, Action: s3:GetObjct, Resource: "arn:aws:s3:::a/*"}
`;
  expect(await findingsOf(text, "error")).toEqual(["error invalid_action 14"]);
});

test("takes the ARN of a resource apart, as the CDK does", async () => {
  const task = (at: number) => `{"Fn::Select": [${at}, {"Fn::Split": [":", {Ref: Task}]}]}`;
  const last = (at: number) => `{"Fn::Select": [${at}, {"Fn::Split": ["/", ${task(5)}]}]}`;
  const resource = (
    type: string,
  ) => `{"Fn::Join": ["", ["arn:", ${task(1)}, ":", ${task(2)}, ":", ${task(3)}, ":",
    ${task(4)}, ":", ${type}, "/", ${last(1)}, ":*"]]}`;
  const template = (type: string) => `Resources:
  Task: {Type: AWS::ECS::TaskDefinition}
  Run:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action: ecs:RunTask
            Resource: ${resource(type)}
`;
  expect(await findingsOf(template(last(0)), "error")).toEqual([]);
  expect(await findingsOf(template("cluster"), "error")).toEqual([
    expect.stringContaining("statement_never_applies"),
  ]);
});

test("documents of custom resources are seen, and not validated", async () => {
  const document = `{ Statement: [{ Effect: Allow, Action: "s3:*", Resource: "{bucket_arn}/*" }] }`;
  const places = await placesOf(`Resources:
  Shared:
    Type: Custom::Bucket
    Properties:
      ServiceToken: !GetAtt Handler.Arn
      PolicyDocument: ${document}
  Guard:
    Type: AWS::CloudFormation::CustomResource
    Properties:
      Policy: !Sub
        - '{"Version": "2012-10-17", "Statement": [\${Statements}]}'
        - Statements: "{}"
      DataProtection: { Statement: [{ Operation: {} }] }
`);
  expect(places.map(({ address, state }) => [address, state])).toEqual([
    ["Resources.Shared.Properties.PolicyDocument", "not_read"],
    ["Resources.Guard.Properties.Policy", "not_read"],
  ]);
});
