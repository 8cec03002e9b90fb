import { PolicyType, policyTypes } from "../../spec/policy.ts";

/**
 * What AWS lets a policy of each type contain, where it goes, and which checks run on it. A new
 * type is one row here and one in `spec/policy.ts`.
 */
export interface PolicyTypeFacts {
  /**
   * The elements that say who is meant. `refused`: neither `Principal` nor `NotPrincipal`;
   * `required`: one of them; `trust`: `Principal`; `everyone`: `"Principal": "*"` and nothing else.
   */
  readonly principal: "refused" | "required" | "trust" | "everyone";
  /** `Resource` or `NotResource`. `by service`: the service of the resource decides. */
  readonly resource: "required" | "refused" | "by service" | "own rules";
  /** What a missing `Version` amounts to; null: AWS's own policies of the type have none. */
  readonly missingVersion: "error" | "warning" | null;
  /** `Sid` takes letters and digits only. */
  readonly plainSids: boolean;
  /** Row of the size table; null: the service of the resource decides. */
  readonly size: SizeWord | null;
  /** Who refuses a document that breaks the rules of the type. */
  readonly refusedBy: "IAM" | "AWS" | "Organizations";
  /** Whose rules of evaluation hold for a statement: see `src/access/`. */
  readonly access: "identity" | "resource" | "trust" | "scp" | "rcp";
  /** Groups of checks that run on the type, beside those that run on every type. */
  readonly checks: readonly CheckGroup[];
  /** The type in calls of IAM Access Analyzer, which has fewer of them. */
  readonly accessAnalyzer: {
    readonly policyType:
      | "IDENTITY_POLICY"
      | "RESOURCE_POLICY"
      | "SERVICE_CONTROL_POLICY"
      | "RESOURCE_CONTROL_POLICY";
    readonly validatePolicyResourceType?: "AWS::IAM::AssumeRolePolicyDocument";
  };
}

/**
 * `grants`: checks of what the policy grants; `sensitive`: sensitive actions and escalation;
 * `principals`: checks of who is let in; `rcp`: practices for resource control policies.
 */
export type CheckGroup = "grants" | "sensitive" | "principals" | "rcp";

/** Rows of the size table of `policy_size`. */
export type SizeWord =
  | "managed"
  | "inline_user"
  | "inline_group"
  | "inline_role"
  | "inline_role_trust"
  | "scp"
  | "rcp"
  | "session"
  | "endpoint";

export const policyTypeFacts: Readonly<Record<PolicyType, PolicyTypeFacts>> = {
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_identity-vs-resource.html
  IDENTITY_POLICY: {
    principal: "refused",
    resource: "required",
    missingVersion: "warning",
    plainSids: true,
    size: "managed",
    refusedBy: "IAM",
    access: "identity",
    checks: ["grants", "sensitive", "principals"],
    accessAnalyzer: { policyType: "IDENTITY_POLICY" },
  },
  RESOURCE_POLICY: {
    principal: "required",
    resource: "by service",
    missingVersion: "warning",
    plainSids: false,
    size: null,
    refusedBy: "AWS",
    access: "resource",
    checks: ["grants", "sensitive", "principals"],
    accessAnalyzer: { policyType: "RESOURCE_POLICY" },
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_update-role-trust-policy.html
  TRUST_POLICY: {
    principal: "trust",
    resource: "refused",
    missingVersion: "warning",
    plainSids: false,
    size: "inline_role_trust",
    refusedBy: "IAM",
    access: "trust",
    checks: ["grants", "principals"],
    accessAnalyzer: {
      policyType: "RESOURCE_POLICY",
      validatePolicyResourceType: "AWS::IAM::AssumeRolePolicyDocument",
    },
  },
  // https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_syntax.html
  SERVICE_CONTROL_POLICY: {
    principal: "refused",
    resource: "required",
    missingVersion: "error",
    plainSids: true,
    size: "scp",
    refusedBy: "Organizations",
    access: "scp",
    checks: ["principals"],
    accessAnalyzer: { policyType: "SERVICE_CONTROL_POLICY" },
  },
  // https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_syntax.html
  RESOURCE_CONTROL_POLICY: {
    principal: "everyone",
    resource: "own rules",
    missingVersion: "error",
    plainSids: true,
    size: "rcp",
    refusedBy: "Organizations",
    access: "rcp",
    checks: ["rcp"],
    accessAnalyzer: { policyType: "RESOURCE_CONTROL_POLICY" },
  },
  // A managed policy that only limits: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
  PERMISSIONS_BOUNDARY: {
    principal: "refused",
    resource: "required",
    missingVersion: "warning",
    plainSids: true,
    size: "managed",
    refusedBy: "IAM",
    access: "identity",
    checks: [],
    accessAnalyzer: { policyType: "IDENTITY_POLICY" },
  },
  // The parameter Policy of https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
  SESSION_POLICY: {
    principal: "refused",
    resource: "required",
    missingVersion: "warning",
    plainSids: true,
    size: "session",
    refusedBy: "AWS",
    access: "identity",
    checks: [],
    accessAnalyzer: { policyType: "IDENTITY_POLICY" },
  },
  // https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
  ENDPOINT_POLICY: {
    principal: "required",
    resource: "required",
    missingVersion: null,
    plainSids: false,
    size: "endpoint",
    refusedBy: "AWS",
    access: "resource",
    checks: [],
    accessAnalyzer: { policyType: "RESOURCE_POLICY" },
  },
};

/** @returns the types that a group of checks runs on, for `applies_to_policy_types`. */
export function typesChecked(group: CheckGroup): readonly PolicyType[] {
  return PolicyType.options.filter((type) => policyTypeFacts[type].checks.includes(group));
}

/** @returns whether a policy of this type grants something; the other types only limit grants. */
export function grantsAccess(type: PolicyType): boolean {
  return policyTypeFacts[type].checks.includes("grants");
}

/** @returns whether a policy of this type lets in the callers that it names: it belongs to a resource and grants something. */
export function letsInCallers(type: PolicyType): boolean {
  return grantsAccess(type) && policyTypeFacts[type].principal !== "refused";
}

/** @returns the name of a type in texts, with its article: `an identity policy`. */
export function typeInWords(type: PolicyType): string {
  const { label } = policyTypes[type];
  return `${/^[aeio]/i.test(label) ? "an" : "a"} ${label}`;
}
