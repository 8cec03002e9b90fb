import { describe, expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { serverless } from "./index.ts";

const read = async (yaml: string) => (await placesIn(serverless, yaml)) ?? [];
const statement = "- Effect: Allow\n  Action: s3:GetObject\n  Resource: ";
const indented = (text: string, by: number) => text.replaceAll(/^/gm, " ".repeat(by));

const file = (statements: string, rest = "") =>
  `service: jobs\nprovider:\n  name: aws\n  iam:\n    role:\n      statements:\n${indented(statements, 8)}\n${rest}`;

const resourceOf = (document: unknown) =>
  (document as { Statement: { Resource: unknown }[] }).Statement[0]?.Resource;

describe("serverless.yml", () => {
  it("has statements in its places", async () => {
    const places = await read(`service: jobs
provider:
  name: aws
  iamRoleStatements:
${indented(`${statement}"*"`, 4)}
  apiGateway:
    resourcePolicy:
    - Effect: Allow
      Principal: "*"
      Action: execute-api:Invoke
      Resource: execute-api:/*
functions:
  hello:
    iamRoleStatements:
${indented(`${statement}"*"`, 6)}
  own:
    iam:
      role:
        statements:
${indented(`${statement}"*"`, 8)}
fargate:
  iamRoleStatements:
${indented(`${statement}"*"`, 4)}
resources:
  Resources:
    Role:
      Type: AWS::IAM::Role
      Properties:
        AssumeRolePolicyDocument:
          Statement: []
`);
    expect(places.map(({ address, type, line }) => [address, type, line])).toEqual([
      ["provider.iamRoleStatements", "IDENTITY_POLICY", 5],
      ["provider.apiGateway.resourcePolicy", "RESOURCE_POLICY", 10],
      ["functions.hello.iamRoleStatements", "IDENTITY_POLICY", 17],
      ["functions.own.iam.role.statements", "IDENTITY_POLICY", 24],
      ["fargate.iamRoleStatements", "IDENTITY_POLICY", 29],
      ["resources.Resources.Role.Properties.AssumeRolePolicyDocument", "TRUST_POLICY", 38],
    ]);
    expect(places[0]?.documents).toEqual([
      {
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
      },
    ]);
  });

  it.each([
    ["a value of the file", "arn:aws:s3:::${self:custom.bucket}/*", "arn:aws:s3:::files/*"],
    [
      "a value that is not in the file",
      "arn:aws:s3:::${opt:stage, 'dev'}/*",
      "arn:aws:s3:::${opt:stage, 'dev'}/*",
    ],
    [
      "the account",
      "arn:aws:sqs:eu-west-1:${aws:accountId}:q",
      "arn:aws:sqs:eu-west-1:${aws:accountId}:q",
    ],
    ["a policy variable", "arn:aws:s3:::b/${aws:username}", "arn:aws:s3:::b/${aws:username}"],
    ["a list of the file", "${self:custom.list}", ["a", "b"]],
    [
      "a variable in a variable",
      "${self:custom.${self:custom.key}}-${self:custom.key}",
      "files-bucket",
    ],
    ["the fallback of a value that the file does not have", "${self:custom.none, 'all'}", "all"],
    ["a value that has a fallback", '${self:custom.bucket, "all"}/*', "files/*"],
    [
      "that another file may have the value",
      "${self:custom.other.name, 'all'}",
      "${self:custom.other.name, 'all'}",
    ],
    [
      "that an option decides about a value",
      "${self:custom.${opt:key}, 'all'}",
      "${self:custom.${opt:key}, 'all'}",
    ],
  ])("knows %s", async (_title, written, resource) => {
    const rest =
      "custom:\n  bucket: files\n  key: bucket\n  list: [a, b]\n  other: ${file(other.yml)}\n";
    const [place] = await read(file(`${statement}${JSON.stringify(written)}`, rest));
    expect(place?.documents.map(resourceOf)).toEqual([resource]);
    expect(place?.state).toBe("read");
  });

  it("knows the parameters of serverless-pseudo-parameters", async () => {
    const table = "resources:\n  Resources:\n    Jobs:\n      Type: AWS::SQS::Queue\n";
    const resource = `"arn:aws:sqs:#{AWS::Region}:#{AWS::AccountId}:\${self:custom.name}-\${aws:username}"`;
    const rest = `custom:\n  name: jobs\n${table}`;
    const [place, queue] = await read(
      file(`${statement}${resource}\n${statement}"#{Jobs.Arn}"`, rest),
    );
    expect(queue).toBeUndefined();
    expect(place?.documents.map(resourceOf)).toEqual([
      "arn:aws:sqs:${AWS::Region}:${AWS::AccountId}:jobs-${aws:username}",
    ]);
  });

  it("leaves variables in functions of CloudFormation unknown", async () => {
    const [place] = await read(
      file(`${statement}!Sub "arn:aws:s3:::\${self:x.y}-\${AWS::Region}"`),
    );
    const text = JSON.stringify(place?.documents);
    expect(text).toContain("${self:x.y}");
    expect(place?.state).toBe("read");
  });

  it("says that statements of other files were not read", async () => {
    const text = "service: jobs\nprovider:\n  name: aws\n  iamRoleStatements: ${file(iam.yml)}\n";
    expect(await read(text)).toMatchObject([{ state: "not_read" }]);
    const [place] = await read(file(`- \${file(iam.yml):one}\n${statement}"*"`));
    expect(place?.documents).toHaveLength(1);
    expect(place?.state).not.toBe("not_read");
  });

  it("may have its statements in their own file", async () => {
    const resource = "arn:aws:sqs:${self:custom.region}:${aws:accountId}:q";
    const text = `# of the jobs\n${statement}"${resource}"\n`;
    const places = await placesIn(serverless, text, "iam/jobs.yml");
    expect(places?.map(({ type, line, documents }) => [type, line, documents])).toEqual([
      [
        "IDENTITY_POLICY",
        2,
        [
          {
            Version: "2012-10-17",
            Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resource }],
          },
        ],
      ],
    ]);
    expect(await placesIn(serverless, '[{"Effect": "Allow", "Action": "*"}]', "a.json")).toBeNull();
    expect(await placesIn(serverless, text)).toBeNull();
  });

  it("ends where variables refer to themselves", async () => {
    const rest = "custom:\n  a: ${self:custom.b}\n  b: ${self:custom.a}\n";
    const [place] = await read(file(`${statement}\${self:custom.a}`, rest));
    expect(place?.address).toBe("provider.iam.role.statements");
  });

  it.each([
    ["another cloud", "service: x\nprovider:\n  name: google\n"],
    ["a compose file", "services:\n  web:\n    image: x\n"],
    ["a package", '{"name": "x", "provider": "aws"}'],
  ])("is not %s", async (_title, text) => {
    expect(await placesIn(serverless, text)).toBeNull();
  });
});
