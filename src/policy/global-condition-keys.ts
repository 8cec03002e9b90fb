import type { ConditionType } from "./condition-operator.ts";

/** A condition key that can be used with any action. */
export interface GlobalConditionKey {
  /** AWS's spelling; for a principal tag, the key as given. */
  readonly name: string;
  /** Null: not documented by AWS, so types are not checked. */
  readonly type: ConditionType | null;
  readonly multivalued: boolean;
  /** Every request has this key. */
  readonly alwaysPresent: boolean;
  /** Commonly used as a security boundary, so a request without this key must not be allowed. */
  readonly securitySensitive: boolean;
}

type Trait = "multivalued" | "always" | "sensitive";

/** Name, type and traits, grouped by subject. */
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
  // No longer documented, but used in AWS managed policies.
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
  ["aws:UserAgent", "String", "always"],
  ["aws:ViaAWSMCPService", "Bool"],
  ["aws:ViaAWSService", "Bool"],
  ["aws:ViaCustomerDomain", null],
  // Predecessor of aws:SourceAccount; still used in policies of SNS topics and SES identities.
  ["aws:SourceOwner", "String"],
];

/** All global keys with a fixed name, that is, without principal tags. */
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

/** By AWS's spelling, which policies nearly always use. */
const bySpelling = new Map(globalConditionKeys.map((key) => [key.name, key]));

const slash = 47;
const principalTagSlash = "aws:PrincipalTag".length;
const ascii = /^[\0-\x7f]*$/;
/** Without the `u` flag, `i` does not match the Kelvin sign for `k`. */
const principalTag = /^aws:PrincipalTag\/(.*)$/is;
const tagKey = /^[\p{L}\p{N} +\-=._:/@]{1,128}$/u;

/** @returns whether the text can be the key of a tag: 1 to 128 letters, digits, spaces, `+-=._:/@`. */
export function isTagKey(text: string): boolean {
  return tagKey.test(text);
}

/**
 * @param name In any letter case. `aws:RequestTag/…` and `aws:ResourceTag/…` are not global: only
 * actions that list them support them.
 * @returns undefined if the key is unknown.
 */
export function globalConditionKey(name: string): GlobalConditionKey | undefined {
  const asWritten = bySpelling.get(name);
  if (asWritten) return asWritten;
  const known = byName.get(name.toLowerCase());
  if (known && ascii.test(name)) return known;
  if (name.charCodeAt(principalTagSlash) !== slash) return undefined;
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
