import { documentedCallers } from "../../policy/called-via.ts";
import type { PolicyDocument } from "../../policy/model.ts";
import { mayBePrincipalArn } from "./principal-arn-pattern.ts";
import { serviceForms } from "./service-values.ts";
import { subjectForm } from "./subject-forms.ts";
import type { ValueForm } from "./value-form.ts";

// The facts of this file were last compared with the pages they name on 2026-11-22.

const globalKeys =
  "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html";
const policyChecks =
  "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html";

const serviceSuffix =
  "\\.(?:amazonaws\\.com(?:\\.cn)?|amazon\\.com|amazonaws\\.eu|aws\\.internal|c2s\\.ic\\.gov|sc2s\\.sgov\\.gov)";

/** Only forms that AWS documents; a key that is not here can have any value. */
const valueForms: readonly ValueForm[] = [
  {
    keys: [
      "aws:principalaccount",
      "aws:resourceaccount",
      "aws:sourceaccount",
      "aws:vpceaccount",
      "kms:calleraccount",
      "ram:shareowneraccountid",
      "s3:dataaccesspointaccount",
      "s3:resourceaccount",
      "ssm:nodeaccountid",
    ],
    words: "account ids of 12 digits",
    value: /^\d{12}$/,
    prefixes: [],
    code: null,
    page: globalKeys,
  },
  {
    keys: ["aws:principalorgid", "aws:resourceorgid", "aws:sourceorgid", "aws:vpceorgid"],
    words: "organization ids, which begin with `o-` (roots begin with `r-`, units with `ou-`)",
    value: /^o-./,
    prefixes: ["o-"],
    // The path of a unit is a value of the keys that end with `OrgPaths`.
    impossible: /\//,
    code: null,
    page: globalKeys,
  },
  {
    keys: [
      "aws:principalorgpaths",
      "aws:resourceorgpaths",
      "aws:sourceorgpaths",
      "aws:vpceorgpaths",
    ],
    words:
      "paths such as `o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/`, which begin with the organization and end with a slash",
    value: /^o-[^/]+\/(?:.*\/)?$/,
    prefixes: ["o-"],
    code: null,
    page: globalKeys,
  },
  {
    keys: ["aws:sourcevpc"],
    words: "`vpc-` and 8 or 17 letters and digits",
    value: /^vpc-(?:[0-9A-Za-z]{8}|[0-9A-Za-z]{17})$/,
    prefixes: ["vpc-"],
    code: "INVALID_VPC_FORMAT",
    page: policyChecks,
  },
  {
    keys: ["aws:sourcevpce"],
    words: "`vpce-` and 8 or 17 letters and digits",
    value: /^vpce-(?:[0-9A-Za-z]{8}|[0-9A-Za-z]{17})$/,
    prefixes: ["vpce-"],
    code: "INVALID_VPCE_FORMAT",
    page: policyChecks,
  },
  {
    keys: ["aws:calledvia", "aws:calledviafirst", "aws:calledvialast"],
    words: "service principals of one name and a suffix, such as `athena.amazonaws.com`",
    value: new RegExp(
      `^(?:[a-z0-9-]+${serviceSuffix}|${[...documentedCallers].join("|").replaceAll(".", "\\.")})$`,
    ),
    prefixes: [],
    code: "INVALID_SERVICE_PRINCIPAL_FORMAT",
    page: policyChecks,
  },
  {
    keys: ["iam:passedtoservice", "iam:awsservicename"],
    words: "service principals such as `ecs-tasks.amazonaws.com`",
    value: new RegExp(`^[a-z0-9.-]+${serviceSuffix}$`),
    prefixes: [],
    characters: /^[a-z0-9.-]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html",
  },
  {
    keys: ["iam:policyarn", "iam:permissionsboundary"],
    words: "ARNs of policies, such as `arn:aws:iam::111122223333:policy/Example`",
    // Policies of partners, as in AccountManagementFromVercel, have `partner` as their account.
    value: /^arn:[^:]*:iam::(?:\d{12}|aws|partner):policy\/./,
    prefixes: ["arn:"],
    // What comes after the account begins with `policy/`.
    impossible: /^arn:[^:*?]*:iam::[^:]*:(?!(?:policy\/|p?o?l?i?c?y?[*?]))/,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html",
  },
  {
    keys: ["kms:requestalias", "kms:resourcealiases"],
    words: "names of aliases, such as `alias/orders`",
    value: /^alias\/./,
    prefixes: ["alias/"],
    code: null,
    page: "https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html",
  },
  {
    keys: ["ec2:instancetype"],
    words: "types such as `t3.micro`",
    value: /^[a-z0-9-]+\.[a-z0-9-]+$/,
    prefixes: [],
    characters: /^[a-z0-9.-]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-types.html",
  },
  {
    keys: ["ec2:owner"],
    words: "account ids of 12 digits and names such as `amazon` and `aws-marketplace`",
    value: /./,
    prefixes: [],
    impossible: /^(?!\d{12}$)\d+$/,
    code: null,
    page: "https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html",
  },
  {
    keys: ["ec2:createaction", "elasticloadbalancing:createaction"],
    words: "names of actions without their service, such as `RunInstances`",
    value: /^[A-Z][A-Za-z0-9]*$/,
    prefixes: [],
    hasCapitals: true,
    characters: /^[A-Za-z0-9]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html",
  },
  {
    keys: ["kms:viaservice"],
    words: "a service and a Region, such as `s3.eu-west-1.amazonaws.com`",
    value: new RegExp(`^(?:[a-z0-9-]+\\.)+[a-z]+(?:-[a-z]+)+-\\d+${serviceSuffix}$`),
    prefixes: [],
    impossible: /\.[a-z0-9-]+(?<!\.amazonaws)\.com$/,
    characters: /^[a-z0-9.-]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html",
  },
  {
    keys: ["route53:changeresourcerecordsetsnormalizedrecordnames"],
    words: "names of records in lower case, without a dot at the end",
    value: /./,
    prefixes: [],
    impossible: /[A-Z]|\.$/,
    code: null,
    page: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/specifying-rrset-conditions.html",
  },
  {
    keys: ["s3:prefix"],
    words: "the beginnings of keys, without the bucket",
    value: /^/,
    prefixes: [],
    impossible: /^(?:arn:[a-z-]+:s3:|s3:\/\/)/,
    code: null,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html",
  },
  {
    keys: ["sts:externalid"],
    words: "2 to 1,224 letters, digits and characters of `_+=,.@:/-`",
    value: /^[\w+=,.@:/-]{2,1224}$/,
    prefixes: [],
    characters: /^[\w+=,.@:/-]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html",
  },
  {
    // The Recipient of the assertion, not its Audience (`urn:amazon:webservices`).
    keys: ["saml:aud"],
    words: "sign-in endpoints of AWS, such as `https://signin.aws.amazon.com/saml`",
    value:
      /^https:\/\/(?:[a-z0-9-]+\.)?signin\.(?:aws\.amazon\.com|amazonaws\.cn|amazonaws-us-gov\.com|amazonaws-eusc\.eu|[a-z0-9.]+\.gov)\/saml(?:\/acs\/[^/]+)?$/,
    prefixes: ["https://"],
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_saml_assertions.html",
  },
  {
    keys: ["aws:principaltype"],
    words: "`Account`, `User`, `FederatedUser`, `AssumedRole` and `Anonymous`",
    value: /^(?:Account|User|FederatedUser|AssumedRole|Anonymous)$/,
    prefixes: ["Account", "User", "FederatedUser", "AssumedRole", "Anonymous"],
    hasCapitals: true,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html",
  },
  {
    keys: ["aws:userid"],
    words:
      "unique ids, such as `AIDACKCEVSQ6C2EXAMPLE` of a user, `AROADBQP57FF2AEXAMPLE:session` of a role or an account id; `aws:username` has the name of a user",
    value: /^(?:[A-Z0-9]+(?::.*)?|anonymous)$/s,
    prefixes: [],
    // Sessions are those of roles and of federated users, whose ids begin otherwise.
    impossible: /^(?:AROA[A-Z0-9]*$|AIDA[A-Z0-9]*:|A[KS]IA|(?!anonymous$)[A-Z0-9]*[^A-Z0-9:*?])/,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html#principaltable",
  },
  {
    keys: ["aws:username"],
    words: "names of IAM users, without path or ARN",
    value: /^[\w+=,.@-]+$/,
    prefixes: [],
    characters: /^[\w+=,.@-]*$/,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html",
  },
  {
    // A role session has the ARN of its role here, never that of the session.
    keys: ["aws:principalarn"],
    words:
      "ARNs of IAM roles, users and account roots, and of federated users of STS; a role session has the ARN of its role, and a role of IAM Identity Center the path `aws-reserved/sso.amazonaws.com/`",
    value: /^arn:[^:]*:(?:iam::\d{12}:(?:root$|user\/|role\/)|sts:[^:]*:[^:]*:federated-user\/)/,
    prefixes: ["arn:"],
    // Several ARNs in one text, or a role of IAM Identity Center without its path:
    // https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
    impossible: /[,;\s]arn:|^arn:[^:]*:iam::[^:]*:role\/AWSReservedSSO_/,
    code: null,
    page: globalKeys,
  },
];

const byKey = new Map(
  [...valueForms, ...serviceForms].flatMap((form) => form.keys.map((key) => [key, form])),
);

/** @returns the form of the key's values; undefined where any value is possible. */
export function valueFormOf(keyLower: string): ValueForm | undefined {
  return byKey.get(keyLower) ?? audienceForm(keyLower) ?? subjectForm(keyLower);
}

/** The audience is the identity pool. A user pool has an underscore: `eu-west-1_AbCdEfGhI`. */
const identityPools: Omit<ValueForm, "keys"> = {
  words: "ids of identity pools, such as `eu-west-1:12345678-abcd-abcd-abcd-123456790ab`",
  value: /^[a-z0-9-]+:[0-9A-Za-z-]+$/,
  prefixes: [],
  impossible: /_/,
  code: null,
  page: "https://docs.aws.amazon.com/cognito/latest/developerguide/role-trust-and-permissions.html",
};

/**
 * Workloads that want a role ask for a token for STS. Other audiences are possible, a misspelt name of STS is not meant.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html
 */
function audienceForm(keyLower: string): ValueForm | undefined {
  if (!keyLower.endsWith(":aud") || keyLower === "saml:aud") return undefined;
  if (keyLower === "cognito-identity.amazonaws.com:aud")
    return { ...identityPools, keys: [keyLower] };
  return {
    keys: [keyLower],
    words: "audiences that tokens are issued for, of which STS is `sts.amazonaws.com`",
    value: /./,
    prefixes: [],
    impossible:
      /^sts\.(?:amazon|aws|aws\.amazon|amazonaws|amazonws|amazonaw|amazoneaws)\.co(?:m)?$(?<!^sts\.amazonaws\.com)/,
    code: null,
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html",
  };
}

/**
 * Whether the key can have a value that the text matches.
 * @param isPattern The operator reads `*` and `?` as wildcards.
 */
export function isPossible(form: ValueForm, text: string, isPattern: boolean): boolean {
  // What a variable, a template or an author puts there is not known.
  if (/\$\{|\{\{|<[a-z][a-z0-9-]*>/.test(text)) return true;
  const wildcard = text.search(/[*?]/);
  if (form.impossible?.test(text) || form.refuses?.(text)) return false;
  if (wildcard < 0) return form.value.test(text);
  if (!isPattern) return true;
  if (form.characters && !form.characters.test(text.replace(/[*?]/g, ""))) return false;
  const head = text.slice(0, wildcard);
  if (form.keys.includes("aws:principalarn")) return mayBePrincipalArn(text);
  if (form.prefixes.length === 0) return true;
  return form.prefixes.some((prefix) => prefix.startsWith(head) || head.startsWith(prefix));
}

/**
 * The same for a value of a template, in which a part that the template does not give may be any text.
 * @param read The value as the operator compares it.
 */
export function isPossibleIn(
  { openTexts }: Pick<PolicyDocument, "openTexts">,
  form: ValueForm,
  text: string,
  isPattern: boolean,
  read: (text: string) => string = String,
): boolean {
  const pattern = openTexts?.get(text);
  return pattern === undefined
    ? isPossible(form, read(text), isPattern)
    : isPossible(form, read(pattern), true);
}
