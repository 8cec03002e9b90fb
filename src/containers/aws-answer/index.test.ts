import { describe, expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { wrapper } from "../wrapper.ts";
import { awsAnswer } from "./index.ts";

const document = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
};
const text = JSON.stringify(document);
const encoded = encodeURIComponent(text);

const read = async (value: unknown, container = awsAnswer) =>
  (await placesIn(container, JSON.stringify(value)))?.map(({ address, type, place }) => [
    address,
    type,
    place.service,
  ]);

describe("answers of aws commands", () => {
  it.each([
    [
      "iam get-policy-version",
      { PolicyVersion: { Document: document, VersionId: "v1" } },
      ["PolicyVersion.Document", "IDENTITY_POLICY", null],
    ],
    [
      "iam get-role",
      { Role: { RoleName: "r", AssumeRolePolicyDocument: document } },
      ["Role.AssumeRolePolicyDocument", "TRUST_POLICY", null],
    ],
    [
      "iam list-roles",
      { Roles: [{}, { AssumeRolePolicyDocument: encoded }] },
      ["Roles[1].AssumeRolePolicyDocument", "TRUST_POLICY", null],
    ],
    [
      "iam get-role-policy",
      { RoleName: "r", PolicyName: "p", PolicyDocument: document },
      ["PolicyDocument", "IDENTITY_POLICY", null],
    ],
    ["s3api get-bucket-policy", { Policy: text }, ["Policy", "RESOURCE_POLICY", null]],
    [
      "lambda get-policy",
      { Policy: text, RevisionId: "1" },
      ["Policy", "RESOURCE_POLICY", "lambda"],
    ],
    [
      "secretsmanager get-resource-policy",
      {
        ARN: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:s",
        Name: "s",
        ResourcePolicy: text,
      },
      ["ResourcePolicy", "RESOURCE_POLICY", "secretsmanager"],
    ],
    [
      "ecr get-repository-policy",
      { registryId: "1", repositoryName: "r", policyText: text },
      ["policyText", "RESOURCE_POLICY", "ecr"],
    ],
    [
      "sqs get-queue-attributes",
      { Attributes: { QueueArn: "arn:aws:sqs:eu-west-1:123456789012:q", Policy: text } },
      ["Attributes.Policy", "RESOURCE_POLICY", "sqs"],
    ],
    [
      "opensearch describe-domain",
      { DomainStatus: { AccessPolicies: text } },
      ["DomainStatus.AccessPolicies", "RESOURCE_POLICY", "es"],
    ],
    [
      "organizations describe-policy",
      { Policy: { PolicySummary: { Type: "RESOURCE_CONTROL_POLICY" }, Content: text } },
      ["Policy.Content", "RESOURCE_CONTROL_POLICY", null],
    ],
    [
      "ec2 describe-vpc-endpoints",
      { VpcEndpoints: [{ PolicyDocument: text }] },
      ["VpcEndpoints[0].PolicyDocument", "ENDPOINT_POLICY", null],
    ],
    [
      "apigateway get-rest-apis",
      { items: [{ name: "a" }, { policy: text.replaceAll('"', '\\"') }] },
      ["items[1].policy", "RESOURCE_POLICY", "execute-api"],
    ],
  ])("%s", async (_command, answer, place) => {
    expect(await read(answer)).toEqual([place]);
    const [found] = (await placesIn(awsAnswer, JSON.stringify(answer))) ?? [];
    expect(found?.documents).toEqual([document]);
  });

  it("iam get-account-authorization-details", async () => {
    const inline = [{ PolicyName: "p", PolicyDocument: encoded }];
    const versions = [
      { VersionId: "v2", IsDefaultVersion: true, Document: document },
      { VersionId: "v1", IsDefaultVersion: false, Document: document },
    ];
    const details = {
      UserDetailList: [{ UserName: "u", UserPolicyList: inline }],
      GroupDetailList: [{ GroupName: "g", GroupPolicyList: inline }],
      RoleDetailList: [
        { RoleName: "r", AssumeRolePolicyDocument: document, RolePolicyList: inline },
      ],
      Policies: [
        { Arn: "arn:aws:iam::123456789012:policy/own", PolicyVersionList: versions },
        { Arn: "arn:aws:iam::aws:policy/ReadOnlyAccess", PolicyVersionList: versions },
        {
          Arn: "arn:aws:iam::123456789012:policy/limit",
          PermissionsBoundaryUsageCount: 2,
          AttachmentCount: 0,
          PolicyVersionList: versions,
        },
      ],
    };
    expect(await read(details)).toEqual([
      ["UserDetailList[0].UserPolicyList[0].PolicyDocument", "IDENTITY_POLICY", null],
      ["GroupDetailList[0].GroupPolicyList[0].PolicyDocument", "IDENTITY_POLICY", null],
      ["RoleDetailList[0].AssumeRolePolicyDocument", "TRUST_POLICY", null],
      ["RoleDetailList[0].RolePolicyList[0].PolicyDocument", "IDENTITY_POLICY", null],
      ["Policies[0].PolicyVersionList[0].Document", "IDENTITY_POLICY", null],
      ["Policies[2].PolicyVersionList[0].Document", "PERMISSIONS_BOUNDARY", null],
    ]);
  });

  it("keep the positions of the answer, through its escapes", async () => {
    const answer = JSON.stringify({ Policy: text });
    const [found] = (await placesIn(awsAnswer, answer)) ?? [];
    const action = found?.place.alternatives[0]?.root?.members
      ?.get("Statement")
      ?.value.items?.[0]?.members?.get("Action")?.value;
    expect(answer.slice(action?.start, action?.end)).toBe('\\"s3:GetObject\\"');
  });

  it("do not hide a policy whose text is not JSON", async () => {
    const [found] =
      (await placesIn(awsAnswer, JSON.stringify({ Policy: '{"Statement":[}' }))) ?? [];
    expect(found?.place.alternatives[0]?.faults[0]?.kind).toBe("syntax");
  });
});

describe("wrappers", () => {
  it.each([
    ["a document", { PolicyDocument: document }, null],
    ["a named document", { PolicyName: "p", PolicyDocument: text }, null],
    ["a role", { RoleName: "r", AssumeRolePolicyDocument: encoded }, "TRUST_POLICY"],
  ])("of %s", async (_title, value, type) => {
    const [found] = (await placesIn(wrapper, JSON.stringify(value))) ?? [];
    expect(found).toMatchObject({ type, documents: [document], state: "read" });
  });

  it("are URL-encoded documents too", async () => {
    const [found] = (await placesIn(wrapper, encoded)) ?? [];
    expect(found).toMatchObject({ documents: [document], place: { form: "url_encoded" } });
  });
});

describe("what is not an answer", () => {
  it.each([
    ["a policy", document],
    [
      "an event of CloudTrail",
      { eventName: "PutRolePolicy", requestParameters: { policyDocument: text } },
    ],
    [
      "a model of an API",
      { shapes: { PolicyDocument: { type: "string" } }, PolicyDocument: { type: "structure" } },
    ],
    ["a filter of Cloud Custodian", { policies: [{ name: "x", resource: "s3" }] }],
    ["a policy of Azure", { properties: { policyRule: { effect: "deny" } } }],
    ["an attribute that is not IAM", { Attributes: { EffectiveDeliveryPolicy: '{"http":{}}' } }],
    ["a tag policy", { Policy: { PolicySummary: { Type: "TAG_POLICY" }, Content: "{}" } }],
    ["rules of WAF", { Rules: [{ Statement: { ByteMatchStatement: {} } }] }],
    ["a JSON Schema", { type: "object", properties: { Policy: { type: "string" } } }],
  ])("%s", async (_title, value) => {
    expect((await read(value)) ?? []).toEqual([]);
    expect(await read(value, wrapper)).toBeUndefined();
  });
});
