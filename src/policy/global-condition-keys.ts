import type { ConditionType } from "./condition-operator.ts";

/** A condition key that any action may carry. */
export interface GlobalConditionKey {
  /** AWS's spelling; for a principal tag the key as asked for. */
  readonly name: string;
  /** Null: not confirmed by AWS, so types are not judged. */
  readonly type: ConditionType | null;
  readonly multivalued: boolean;
  /** Every request has it. */
  readonly alwaysPresent: boolean;
  /** A boundary is commonly drawn with it, so its absence must not let a request through. */
  readonly securitySensitive: boolean;
}

type Trait = "multivalued" | "always" | "sensitive";

/** Name, type and traits, by what the key tells about. */
const table: readonly (readonly [string, ConditionType | null, ...Trait[]])[] = [
  // The principal.
  ["aws:PrincipalAccount", "String", "always"],
  ["aws:PrincipalArn", "ARN", "sensitive"],
  ["aws:PrincipalIsAWSService", "Bool"],
  ["aws:PrincipalOrgID", "String", "sensitive"],
  ["aws:PrincipalOrgPaths", "String", "multivalued", "sensitive"],
  ["aws:PrincipalServiceName", "String"],
  ["aws:PrincipalServiceNamesList", "String", "multivalued"],
  ["aws:PrincipalType", "String", "always"],
  ["aws:userid", "String", "always"],
  ["aws:username", "String"],
  // Gone from the documentation, alive in policies that AWS wrote.
  ["aws:PrincipalOrgMasterAccountId", "String"],
  // The session, and what issued its credentials. The keys of services are sent with any action.
  ["aws:AssumedRoot", "Bool"],
  ["aws:ChatbotSourceArn", "ARN"],
  ["aws:Ec2InstanceSourcePrivateIPv4", "IPAddress"],
  ["aws:Ec2InstanceSourceVpc", "String"],
  ["aws:FederatedProvider", "String"],
  ["aws:MultiFactorAuthAge", "Numeric"],
  ["aws:MultiFactorAuthPresent", "Bool"],
  ["aws:SignInSessionArn", "ARN"],
  ["aws:SourceIdentity", "String"],
  ["aws:TokenIssueTime", "Date"],
  ["ec2:RoleDelivery", "Numeric"],
  ["ec2:SourceInstanceArn", "ARN"],
  ["glue:CredentialIssuingService", "String"],
  ["glue:RoleAssumedBy", "String"],
  ["identitystore:UserId", "String"],
  ["lambda:SourceFunctionArn", "ARN"],
  ["ssm:SourceInstanceArn", "ARN"],
  // The network.
  ["aws:SourceIp", "IPAddress", "sensitive"],
  ["aws:SourceVpc", "String", "sensitive"],
  ["aws:SourceVpcArn", "ARN"],
  ["aws:SourceVpce", "String", "sensitive"],
  ["aws:VpcSourceIp", "IPAddress", "sensitive"],
  ["aws:VpceAccount", "String"],
  ["aws:VpceOrgID", "String"],
  ["aws:VpceOrgPaths", "String", "multivalued"],
  // The resource.
  ["aws:ResourceAccount", "String", "sensitive"],
  ["aws:ResourceOrgID", "String", "sensitive"],
  ["aws:ResourceOrgPaths", "String", "multivalued", "sensitive"],
  // The request.
  ["aws:CalledVia", "String", "multivalued"],
  ["aws:CalledViaAWSMCP", "String"],
  ["aws:CalledViaFirst", "String"],
  ["aws:CalledViaLast", "String"],
  ["aws:CurrentTime", "Date", "always"],
  ["aws:EpochTime", "Date", "always"],
  ["aws:IsMcpServiceAction", "Bool"],
  ["aws:referer", "String"],
  ["aws:RequestedRegion", "String", "always"],
  ["aws:SecureTransport", "Bool", "always"],
  ["aws:SourceAccount", "String", "sensitive"],
  ["aws:SourceArn", "ARN", "sensitive"],
  ["aws:SourceOrgID", "String", "sensitive"],
  ["aws:SourceOrgPaths", "String", "multivalued", "sensitive"],
  ["aws:TagKeys", "String", "multivalued"],
  ["aws:UserAgent", "String"],
  ["aws:ViaAWSMCPService", "Bool"],
  ["aws:ViaAWSService", "Bool", "always"],
  ["aws:ViaCustomerDomain", null],
  // Older than aws:SourceAccount; policies of topics and of mail identities still hold it.
  ["aws:SourceOwner", "String"],
];

/** All global keys with a name of their own; principal tags come on top. */
export const globalConditionKeys: readonly GlobalConditionKey[] = table.map(
  ([name, type, ...traits]) => ({
    name,
    type,
    multivalued: traits.includes("multivalued"),
    alwaysPresent: traits.includes("always"),
    securitySensitive: traits.includes("sensitive"),
  }),
);

const byName = new Map(globalConditionKeys.map((key) => [key.name.toLowerCase(), key]));

const ascii = /^[\0-\x7f]*$/;
/** Without the `u` flag, `i` folds ASCII letters only among those named here. */
const principalTag = /^aws:PrincipalTag\/(.*)$/is;
const tagKey = /^[\p{L}\p{N} +\-=._:/@]{1,128}$/u;

/** @returns whether the text can be the key of a tag: 1 to 128 letters, digits, blanks, `+-=._:/@`. */
export function isTagKey(text: string): boolean {
  return tagKey.test(text);
}

/**
 * @param name In any letter case. `aws:RequestTag/…` and `aws:ResourceTag/…` are not global: only
 * actions that list them carry them.
 * @returns undefined when no such key is known.
 */
export function globalConditionKey(name: string): GlobalConditionKey | undefined {
  const known = ascii.test(name) ? byName.get(name.toLowerCase()) : undefined;
  if (known) return known;
  const tag = principalTag.exec(name)?.[1];
  if (tag === undefined || !isTagKey(tag)) return undefined;
  return {
    name,
    type: "String",
    multivalued: false,
    alwaysPresent: false,
    securitySensitive: false,
  };
}
