import { expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { configItems } from "./config-items.ts";

const document = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
};
const text = JSON.stringify(document);
const encoded = encodeURIComponent(text);

const item = (resourceType: string, configuration: unknown, supplementaryConfiguration = {}) => ({
  version: "1.3",
  resourceType,
  resourceId: "x",
  configuration,
  supplementaryConfiguration,
});
const read = async (value: unknown) =>
  (await placesIn(configItems, JSON.stringify(value)))?.map(({ address, type, documents }) => ({
    address,
    type,
    documents,
  }));

it.each([
  [
    item("AWS::IAM::Role", { assumeRolePolicyDocument: encoded, rolePolicyList: [] }),
    "configuration.assumeRolePolicyDocument",
    "TRUST_POLICY",
  ],
  [
    item("AWS::IAM::User", { userPolicyList: [{ policyName: "p", policyDocument: encoded }] }),
    "configuration.userPolicyList[0].policyDocument",
    "IDENTITY_POLICY",
  ],
  [
    item("AWS::IAM::Policy", {
      permissionsBoundaryUsageCount: 1,
      attachmentCount: 0,
      policyVersionList: [
        { isDefaultVersion: false, document: encoded },
        { isDefaultVersion: true, document: encoded },
      ],
    }),
    "configuration.policyVersionList[1].document",
    "PERMISSIONS_BOUNDARY",
  ],
  [
    item("AWS::S3::Bucket", {}, { BucketPolicy: { policyText: text } }),
    "supplementaryConfiguration.BucketPolicy.policyText",
    "RESOURCE_POLICY",
  ],
  [
    item("AWS::S3::Bucket", {}, { BucketPolicy: JSON.stringify({ policyText: text }) }),
    "supplementaryConfiguration.BucketPolicy.policyText",
    "RESOURCE_POLICY",
  ],
  [
    item("AWS::ECR::Repository", { RepositoryPolicyText: document }),
    "configuration.RepositoryPolicyText",
    "RESOURCE_POLICY",
  ],
  [
    item("AWS::SQS::Queue", JSON.stringify({ Policy: text })),
    "configuration.Policy",
    "RESOURCE_POLICY",
  ],
])("the policy of an item: %#", async (value, address, type) => {
  expect(await read(value)).toEqual([{ address, type, documents: [document] }]);
});

test("snapshots, histories and events have items", async () => {
  const role = item("AWS::IAM::Role", { assumeRolePolicyDocument: encoded });
  const inList = async (name: string) => (await read({ [name]: [role] }))?.[0]?.address;
  expect(await inList("configurationItems")).toBe(
    "configurationItems[0].configuration.assumeRolePolicyDocument",
  );
  expect(await inList("baseConfigurationItems")).toBe(
    "baseConfigurationItems[0].configuration.assumeRolePolicyDocument",
  );
  const [event] = (await read({ configurationItem: role })) ?? [];
  expect(event?.address).toBe("configurationItem.configuration.assumeRolePolicyDocument");
});

test("an item without a policy is one", async () => {
  expect(await read(item("AWS::EC2::Instance", { instanceId: "i" }))).toEqual([]);
});
