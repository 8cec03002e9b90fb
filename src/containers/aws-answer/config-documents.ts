import type { PolicyType } from "../../../spec/policy.ts";
import type { Path } from "../values.ts";

/** A document of a configuration item. */
export interface ConfigDocument {
  readonly path: Path;
  readonly policyType: PolicyType;
  readonly service: string | null;
}

type ValueAt = (path: Path) => unknown;
type Documents = (at: ValueAt) => readonly ConfigDocument[];

const at = (path: Path, policyType: PolicyType, service: string | null = null): ConfigDocument => ({
  path,
  policyType,
  service,
});

const inline =
  (list: string): Documents =>
  (valueAt) =>
    indexes(valueAt(["configuration", list])).map((index) =>
      at(["configuration", list, index, "policyDocument"], "IDENTITY_POLICY"),
    );

const resource =
  (service: string, ...paths: Path[]): Documents =>
  (valueAt) =>
    paths
      .filter((path) => valueAt(path) !== undefined)
      .map((path) => at(path, "RESOURCE_POLICY", service));

/**
 * The types whose items do not have the properties of CloudFormation. Documents are URL-encoded in those of IAM.
 * https://github.com/awslabs/aws-config-resource-schema
 */
const byType: ReadonlyMap<string, Documents> = new Map<string, Documents>([
  [
    "AWS::IAM::Role",
    (valueAt) => [
      at(["configuration", "assumeRolePolicyDocument"], "TRUST_POLICY"),
      ...inline("rolePolicyList")(valueAt),
    ],
  ],
  ["AWS::IAM::User", inline("userPolicyList")],
  ["AWS::IAM::Group", inline("groupPolicyList")],
  ["AWS::IAM::Policy", managed],
  ["AWS::S3::Bucket", resource("s3", ["supplementaryConfiguration", "BucketPolicy", "policyText"])],
  ["AWS::KMS::Key", resource("kms", ["supplementaryConfiguration", "Policy"])],
  ["AWS::SQS::Queue", resource("sqs", ["configuration", "Policy"])],
  ["AWS::SNS::Topic", resource("sns", ["configuration", "Policy"])],
  ["AWS::Lambda::Function", resource("lambda", ["supplementaryConfiguration", "Policy"])],
  ["AWS::Elasticsearch::Domain", resource("es", ["configuration", "accessPolicies"])],
]);

/** Older versions grant nothing. A policy that only limits is a boundary. */
function managed(valueAt: ValueAt): readonly ConfigDocument[] {
  const limits = valueAt(["configuration", "permissionsBoundaryUsageCount"]);
  const attached = valueAt(["configuration", "attachmentCount"]);
  const isBoundary = typeof limits === "number" && limits > 0 && attached === 0;
  const list = ["configuration", "policyVersionList"];
  return indexes(valueAt(list))
    .filter((index) => valueAt([...list, index, "isDefaultVersion"]) !== false)
    .map((index) =>
      at([...list, index, "document"], isBoundary ? "PERMISSIONS_BOUNDARY" : "IDENTITY_POLICY"),
    );
}

const indexes = (list: unknown): number[] => (Array.isArray(list) ? [...list.keys()] : []);

/** @param valueAt Gives the value at a path of the item. */
export function configDocuments(type: string, valueAt: ValueAt): readonly ConfigDocument[] {
  return byType.get(type)?.(valueAt) ?? [];
}
