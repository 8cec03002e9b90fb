import type { SizeWord } from "../../policy/type-facts.ts";

export interface SizeLimit {
  /** What the limit belongs to, for messages. */
  readonly label: string;
  readonly bytes: number;
  /** White space counts too. */
  readonly asWritten?: boolean;
}

/** A row of the table below. */
export interface SizeRow extends SizeLimit {
  /** What Access Analyzer reports of a policy over it; null: nothing. */
  readonly code: string | null;
}

/** Of identity policies, which Access Analyzer measures against the largest quota, that of roles. */
export const identityQuotaCode = "POLICY_SIZE_EXCEEDS_IDENTITY_POLICY_QUOTA";
const ofIdentities = { code: identityQuotaCode } as const;

/** Quotas of IAM and Organizations, by the words of the option `policy_type`. */
export const sizeLimits = {
  managed: { label: "a managed policy", bytes: 6144, ...ofIdentities },
  // The three inline quotas are sums over all inline policies of one user, group or role.
  inline_user: { label: "the inline policies of a user", bytes: 2048, ...ofIdentities },
  inline_group: { label: "the inline policies of a group", bytes: 5120, ...ofIdentities },
  inline_role: { label: "the inline policies of a role", bytes: 10_240, ...ofIdentities },
  // Raised to 8,192 on request.
  inline_role_trust: {
    label: "a role trust policy",
    bytes: 2048,
    code: "POLICY_SIZE_EXCEEDS_ROLE_TRUST_POLICY_QUOTA",
  },
  // 5,120 until May 2026.
  scp: {
    label: "a service control policy",
    bytes: 10_240,
    asWritten: true,
    code: "POLICY_SIZE_EXCEEDS_SCP_QUOTA",
  },
  rcp: {
    label: "a resource control policy",
    bytes: 5120,
    asWritten: true,
    code: "POLICY_SIZE_EXCEEDS_RCP_QUOTA",
  },
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
  session: { label: "the session policies of a session", bytes: 2048, ...ofIdentities },
  // https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
  endpoint: { label: "a VPC endpoint policy", bytes: 20_480, asWritten: true, code: null },
} as const satisfies Record<SizeWord, SizeRow>;

/** Quotas of resource policies, by the prefix of the service that keeps them. */
export const resourcePolicyLimits: ReadonlyMap<
  string,
  SizeLimit & { readonly whiteSpaceCounts: boolean }
> = new Map([
  ["s3", { label: "a bucket policy", bytes: 20_480, whiteSpaceCounts: false }],
  ["kms", { label: "a key policy", bytes: 32_768, whiteSpaceCounts: false }],
  ["sns", { label: "a topic policy", bytes: 30_720, whiteSpaceCounts: false }],
  ["lambda", { label: "a function's policy", bytes: 20_480, whiteSpaceCounts: false }],
  ["dynamodb", { label: "a DynamoDB resource policy", bytes: 20_480, whiteSpaceCounts: true }],
  ["ecr", { label: "a repository policy", bytes: 10_240, whiteSpaceCounts: true }],
  ["ecr-public", { label: "a public repository policy", bytes: 10_240, whiteSpaceCounts: true }],
]);
