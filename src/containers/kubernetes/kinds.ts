import type { PolicyType } from "../../../spec/policy.ts";
import { type PolicyAttribute, policyAttributes, resourceTypes } from "../terraform/attributes.ts";

/** A member of a manifest that holds a policy document. */
export interface ManifestMember {
  /** `[]` is every entry of a list or a single object, `*` every member of an object. */
  readonly path: readonly string[];
  readonly policyType: PolicyType | "by type";
  readonly service: string | null;
}

/** AWS Controllers for Kubernetes, by group and kind. https://aws-controllers-k8s.github.io/community/reference/ */
const controllers: Readonly<Record<string, readonly ManifestMember[] | undefined>> = {
  "iam Role": [
    member("spec.assumeRolePolicyDocument", "TRUST_POLICY"),
    member("spec.inlinePolicies.*", "IDENTITY_POLICY"),
  ],
  "iam Policy": [member("spec.policyDocument", "IDENTITY_POLICY")],
  "iam User": [member("spec.inlinePolicies.*", "IDENTITY_POLICY")],
  "iam Group": [member("spec.inlinePolicies.*", "IDENTITY_POLICY")],
  "sqs Queue": [member("spec.policy", "RESOURCE_POLICY", "sqs")],
  "sns Topic": [member("spec.policy", "RESOURCE_POLICY", "sns")],
  "s3 Bucket": [member("spec.policy", "RESOURCE_POLICY", "s3")],
  "kms Key": [member("spec.policy", "RESOURCE_POLICY", "kms")],
  "ecr Repository": [member("spec.policy", "RESOURCE_POLICY", "ecr")],
  "efs FileSystem": [member("spec.policy", "RESOURCE_POLICY", "elasticfilesystem")],
  "dynamodb Table": [member("spec.resourcePolicy", "RESOURCE_POLICY", "dynamodb")],
  "s3control AccessPoint": [member("spec.policy", "RESOURCE_POLICY", "s3")],
  "apigateway RestAPI": [member("spec.policy", "RESOURCE_POLICY", "execute-api")],
  "opensearchservice Domain": [member("spec.accessPolicies", "RESOURCE_POLICY", "es")],
  "ec2 VPCEndpoint": [member("spec.policyDocument", "ENDPOINT_POLICY")],
  "eks PodIdentityAssociation": [member("spec.policy", "SESSION_POLICY")],
};

/** The older provider of Crossplane. https://marketplace.upbound.io/providers/crossplane-contrib/provider-aws */
const crossplane: Readonly<Record<string, readonly ManifestMember[] | undefined>> = {
  "iam Role": [member("spec.forProvider.assumeRolePolicyDocument", "TRUST_POLICY")],
  "iam Policy": [member("spec.forProvider.document", "IDENTITY_POLICY")],
  "iam RolePolicy": [member("spec.forProvider.document", "IDENTITY_POLICY")],
  "iam UserPolicy": [member("spec.forProvider.document", "IDENTITY_POLICY")],
  "iam GroupPolicy": [member("spec.forProvider.document", "IDENTITY_POLICY")],
  "iot Policy": [member("spec.forProvider.policyDocument", "IDENTITY_POLICY")],
  "s3 Bucket": [member("spec.forProvider.policy", "RESOURCE_POLICY", "s3")],
  "s3 BucketPolicy": bothForms("s3"),
  "apigateway RestAPI": [member("spec.forProvider.policy", "RESOURCE_POLICY", "execute-api")],
  "cloudsearch Domain": [
    member("spec.forProvider.accessPolicies", "RESOURCE_POLICY", "cloudsearch"),
  ],
  "cloudwatchlogs ResourcePolicy": [
    member("spec.forProvider.policyDocument", "RESOURCE_POLICY", "logs"),
  ],
  "opensearchservice Domain": [member("spec.forProvider.accessPolicies", "RESOURCE_POLICY", "es")],
  "secretsmanager Secret": [
    member("spec.forProvider.resourcePolicy", "RESOURCE_POLICY", "secretsmanager"),
  ],
  "sns Topic": [member("spec.forProvider.policy", "RESOURCE_POLICY", "sns")],
  "sqs Queue": [member("spec.forProvider.policy", "RESOURCE_POLICY", "sqs")],
  "kms Key": [member("spec.forProvider.policy", "RESOURCE_POLICY", "kms")],
  "ecr RepositoryPolicy": bothForms("ecr"),
  "efs FileSystemPolicy": [
    member("spec.forProvider.policy", "RESOURCE_POLICY", "elasticfilesystem"),
  ],
  "ec2 VPCEndpoint": [member("spec.forProvider.policyDocument", "ENDPOINT_POLICY")],
};

/** Clusters of eksctl. https://docs.aws.amazon.com/eks/latest/eksctl/pod-identity-associations.html */
const eksctl: Readonly<Record<string, readonly ManifestMember[] | undefined>> = {
  ClusterConfig: [
    member("iam.serviceAccounts.[].attachPolicy", "IDENTITY_POLICY"),
    member("iam.podIdentityAssociations.[].permissionPolicy", "IDENTITY_POLICY"),
    member("addons.[].attachPolicy", "IDENTITY_POLICY"),
    member("addons.[].podIdentityAssociations.[].permissionPolicy", "IDENTITY_POLICY"),
    member("nodeGroups.[].iam.attachPolicy", "IDENTITY_POLICY"),
    member("managedNodeGroups.[].iam.attachPolicy", "IDENTITY_POLICY"),
  ],
};

function bothForms(service: string): ManifestMember[] {
  return [
    member("spec.forProvider.rawPolicy", "RESOURCE_POLICY", service),
    member("spec.forProvider.policy", "RESOURCE_POLICY", service),
  ];
}

function member(
  path: string,
  policyType: ManifestMember["policyType"],
  service: string | null = null,
): ManifestMember {
  return { path: path.split("."), policyType, service };
}

/** @returns The places of policies in a manifest of this group and kind. */
export function manifestMembers(apiVersion: string, kind: string): readonly ManifestMember[] {
  const [group = ""] = apiVersion.split("/");
  if (group === "eksctl.io") return eksctl[kind] ?? [];
  const [, service = "", family] =
    /^([a-z0-9-]+)\.(services\.k8s\.aws|aws\.crossplane\.io|aws(?:\.m)?\.upbound\.io)$/.exec(
      group,
    ) ?? [];
  if (family === "services.k8s.aws") return controllers[`${service} ${kind}`] ?? [];
  if (family === "aws.crossplane.io") return crossplane[`${service} ${kind}`] ?? [];
  return family ? upboundMembers(service, kind) : [];
}

/** Groups of Upbound whose resource types begin with another word. */
const otherNames: Readonly<Record<string, string | undefined>> = { kafka: "msk" };

/** Kinds of Upbound are resource types of Terraform: `iam` and `RolePolicy` is `aws_iam_role_policy`. */
function upboundMembers(service: string, kind: string): ManifestMember[] {
  const own = otherNames[service] ?? service;
  const names = [`${own}${kind}`, `${service.replace(/s$/, "")}${kind}`, kind];
  const attributes = names.map((name) => byLetters.get(name.toLowerCase())).find((one) => one);
  return (attributes ?? []).flatMap(({ path, policyType, service: owner }) =>
    ["forProvider", "initProvider"].map((provider) => ({
      path: ["spec", provider, ...path.map(camelCase)],
      policyType,
      service: owner,
    })),
  );
}

const byLetters = new Map<string, readonly PolicyAttribute[]>(
  [...resourceTypes].map((type) => [
    type.replace(/^aws_/, "").replaceAll("_", ""),
    policyAttributes(type),
  ]),
);

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
