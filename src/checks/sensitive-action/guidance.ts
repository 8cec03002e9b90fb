import { snippet } from "../shared/texts.ts";
import type { SensitiveCategoryId } from "./catalogue.ts";

/** What to do about a sensitive action. */
export interface Guidance {
  readonly suggestion: string;
  readonly example: string;
}

function guidance(suggestion: string, condition: object): Guidance {
  return { suggestion, example: snippet({ Condition: condition }) };
}

const ownersTag = "${aws:PrincipalTag/owner}";
const mfa = { "aws:MultiFactorAuthPresent": "true" };

/** By category, for actions without guidance of their own. */
export const categoryGuidance: Readonly<Record<SensitiveCategoryId, Guidance>> = {
  credential_exposure: guidance(
    "Secrets or credentials leave with this call. Let callers have those that carry their own tag, ask for MFA, limit the network (`aws:SourceIp`, `aws:SourceVpce`), and for temporary work the time (`aws:CurrentTime`).",
    { StringEquals: { "aws:ResourceTag/owner": ownersTag }, Bool: mfa },
  ),
  data_access: guidance(
    "This reads data. Limit it to resources whose owner or team tag is the caller's, to classification levels that the caller is cleared for, or to your own network.",
    {
      StringEquals: {
        "aws:ResourceTag/owner": ownersTag,
        "aws:ResourceTag/data-classification": ["public", "internal"],
      },
    },
  ),
  priv_esc: guidance(
    "With this the caller can gain more permissions. Ask for an administrator's tag on the caller and for MFA, and let only identities with a permissions boundary be made or changed. Request tags can be pinned too.",
    {
      StringEquals: {
        "aws:PrincipalTag/role": "security-admin",
        "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/boundary",
      },
      Bool: mfa,
    },
  ),
  resource_exposure: guidance(
    "This opens, changes or destroys a resource. Limit it to resources that the caller's team manages or to one environment, keep it inside the organisation, or ask for a tag that says the change was approved.",
    {
      StringEquals: {
        "aws:ResourceTag/managed-by": ownersTag,
        "aws:ResourceOrgID": "${aws:PrincipalOrgID}",
      },
    },
  ),
};

/** By action, in lower case. */
export const actionGuidance: ReadonlyMap<string, Guidance> = new Map([
  [
    "iam:createaccesskey",
    guidance(
      "This makes long-lived credentials. Leave it to administrators, told by a tag, with MFA and from your own network; a tag can also say that the key was approved.",
      {
        StringEquals: { "aws:PrincipalTag/role": "security-admin" },
        Bool: mfa,
        IpAddress: { "aws:SourceIp": ["203.0.113.0/24"] },
      },
    ),
  ],
  [
    "s3:deleteobject",
    guidance(
      "Deleted objects are lost for good unless the bucket keeps versions. Keep it inside the organisation and the account, ask for MFA, and leave production out by tag.",
      {
        StringEquals: {
          "aws:ResourceOrgID": "${aws:PrincipalOrgID}",
          "aws:ResourceAccount": "${aws:PrincipalAccount}",
        },
        Bool: mfa,
      },
    ),
  ],
  [
    "s3:putbucketpolicy",
    guidance(
      "A bucket policy can open the bucket to anybody. Leave it to administrators, told by a tag, with MFA, for buckets of the organisation and the account.",
      {
        StringEquals: {
          "aws:ResourceOrgID": "${aws:PrincipalOrgID}",
          "aws:PrincipalTag/role": "security-admin",
        },
        Bool: mfa,
      },
    ),
  ],
  [
    "ec2:runinstances",
    guidance(
      "Instances cost money and can be reached. Ask for tags that tell owner and environment, and limit instance types, VPCs and unencrypted volumes.",
      {
        StringEquals: {
          "aws:RequestTag/owner": ownersTag,
          "ec2:InstanceType": ["t3.micro", "t3.small"],
        },
      },
    ),
  ],
]);

/** For actions of the operator's own. */
export const fallbackGuidance: Guidance = guidance(
  "Limit it to resources whose tag is the caller's, keep it inside the organisation (`aws:ResourceOrgID`), ask for MFA, or limit the network (`aws:SourceIp`, `aws:SourceVpc`, `aws:SourceVpce`).",
  { StringEquals: { "aws:ResourceTag/owner": ownersTag } },
);
