import type { Severity } from "../../../spec/severity.ts";
import { credentialExposureActions } from "./actions/credential-exposure.ts";
import { dataAccessActions } from "./actions/data-access.ts";
import { privilegeEscalationActions } from "./actions/privilege-escalation.ts";
import { resourceExposureActions } from "./actions/resource-exposure.ts";

export type SensitiveCategoryId =
  | "credential_exposure"
  | "data_access"
  | "priv_esc"
  | "resource_exposure";

export interface SensitiveCategory {
  readonly id: SensitiveCategoryId;
  /** For people. */
  readonly name: string;
  /** Other words for the id. */
  readonly aliases: readonly string[];
  /** What the actions have in common, one line. */
  readonly description: string;
  /** Default severity of a finding about one of the actions. */
  readonly severity: Severity;
  /** `service:Name` in AWS's spelling. */
  readonly actions: readonly string[];
}

/** Turns `service: Name Name` lines into `service:Name`. */
function read(lines: string): string[] {
  return lines
    .trim()
    .split(/\n(?! )/)
    .flatMap((line) => {
      const [service = "", names = ""] = line.split(": ");
      return names.split(/\s+/).map((name) => `${service}:${name}`);
    });
}

/**
 * Sensitive actions by category. Some actions are in two categories; the earlier one counts for them.
 * The list goes back to the crowd-sourced `primeharbor/sensitive_iam_actions`, without the names AWS
 * does not have and with newer ones.
 */
export const sensitiveCategories: readonly SensitiveCategory[] = [
  {
    id: "credential_exposure",
    name: "Credential Exposure",
    aliases: [],
    description: "Hands out, creates or resets credentials, tokens, keys or secrets.",
    severity: "critical",
    actions: read(credentialExposureActions),
  },
  {
    id: "data_access",
    name: "Data Access",
    aliases: [],
    description: "Reads business or customer data.",
    severity: "medium",
    actions: read(dataAccessActions),
  },
  {
    id: "priv_esc",
    name: "Privilege Escalation",
    aliases: ["privilege_escalation"],
    description: "Lets a caller raise permissions, its own or those of another identity.",
    severity: "critical",
    actions: read(privilegeEscalationActions),
  },
  {
    id: "resource_exposure",
    name: "Resource Exposure",
    aliases: [],
    description: "Changes who can reach a resource, or removes the resource or its protection.",
    severity: "high",
    actions: read(resourceExposureActions),
  },
];

/**
 * Actions that are less than their category says, with the AWS page that grants them on `*`.
 *
 * - Tokens with no more rights than the caller has, or for calls that IAM does not authorize:
 *   https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_getfederationtoken.html
 *   https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_bearer.html
 *   https://docs.aws.amazon.com/codeartifact/latest/ug/tokens-authentication.html
 *   https://docs.aws.amazon.com/AmazonECR/latest/public/public-registry-auth.html
 *   https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html
 *   https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html
 *   https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sign-in.html
 * - Without its credentials a service can no longer sign in elsewhere, and nothing is opened:
 *   https://docs.aws.amazon.com/codebuild/latest/APIReference/API_DeleteSourceCredentials.html
 *   https://docs.aws.amazon.com/chime-sdk/latest/APIReference/API_voice-chime_DeleteVoiceConnectorTerminationCredentials.html
 * - A topic that is created is a new one, and a change of the password policy opens nothing by itself:
 *   https://docs.aws.amazon.com/autoscaling/application/userguide/security_iam_id-based-policy-examples.html
 *   https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_iam_set-account-pass-policy.html
 * - A virtual MFA device can be deleted only after it was deactivated for its user:
 *   https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteVirtualMFADevice.html
 * - IAM deletes a service-linked role only while its service does not use it, and power users may:
 *   https://docs.aws.amazon.com/aws-managed-policy/latest/reference/PowerUserAccess.html
 * - Backup tools expire the snapshots that they took, and snapshots carry no name to write in an ARN:
 *   https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSDataLifecycleManagerServiceRole.html
 * - It takes `iam:PassRole` on the role of the profile as well, and the two together are reported:
 *   https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/iam-roles-for-amazon-ec2.html
 * - Controllers of load balancers and users of the console open the ports of groups that they create:
 *   https://docs.aws.amazon.com/eks/latest/userguide/lbc-manifest.html
 *   https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/iam-policies-ec2-console.html
 * - Only accounts that AWS has authorized can be let use a network interface:
 *   https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateNetworkInterfacePermission.html
 *   https://docs.aws.amazon.com/sagemaker/latest/dg/host-vpc.html
 * - The password comes encrypted, and only the holder of the private key of the key pair can read it:
 *   https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_GetPasswordData.html
 * - A policy of CloudWatch Logs lets services deliver logs; a role that sets up delivery needs it on `*`:
 *   https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 *   https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 * - That of X-Ray is about traces, for services and accounts, and has no resource to name either:
 *   https://docs.aws.amazon.com/xray/latest/api/API_PutResourcePolicy.html
 * - A runbook has the rights of its caller, or of a role that the caller passes with `iam:PassRole`:
 *   https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-setup.html
 */
const milder: ReadonlySet<string> = new Set([
  "chime:DeleteVoiceConnectorTerminationCredentials",
  "codeartifact:GetAuthorizationToken",
  "codebuild:DeleteSourceCredentials",
  "cognito-identity:GetCredentialsForIdentity",
  "cognito-identity:GetId",
  "cognito-identity:GetOpenIdToken",
  "ecr-public:GetAuthorizationToken",
  "eks-auth:AssumeRoleForPodIdentity",
  "ec2:AssociateIamInstanceProfile",
  "ec2:AuthorizeSecurityGroupIngress",
  "ec2:CreateNetworkInterfacePermission",
  "ec2:DeleteNetworkInterfacePermission",
  "ec2:DeleteSnapshot",
  "ec2:GetPasswordData",
  "ec2:ReplaceIamInstanceProfileAssociation",
  "iam:CreateUser",
  "iam:DeleteAccountPasswordPolicy",
  "iam:DeleteServiceLinkedRole",
  "iam:DeleteVirtualMFADevice",
  "iam:UpdateAccountPasswordPolicy",
  "logs:PutResourcePolicy",
  "signin:CreateOAuth2Token",
  "sns:CreateTopic",
  "ssm:StartAutomationExecution",
  "sts:GetFederationToken",
  "sts:GetServiceBearerToken",
  "sts:GetSessionToken",
  "xray:PutResourcePolicy",
]);

/** What the catalogue says of one action. */
export interface SensitiveAction {
  readonly category: SensitiveCategoryId;
  readonly severity: Severity;
  /** The category's name for people. */
  readonly name: string;
}

const byName = new Map<string, SensitiveAction>();
const byLowerName = new Map<string, SensitiveAction>();
for (const { id, name, severity, actions } of sensitiveCategories) {
  for (const action of actions) {
    // Categories come in look-up order: the first one stays.
    if (byName.has(action)) continue;
    const own = milder.has(action) ? "medium" : severity;
    const entry: SensitiveAction = { category: id, severity: own, name };
    byName.set(action, entry);
    byLowerName.set(action.toLowerCase(), entry);
  }
}

/** @param name `service:Name` in AWS's very spelling. */
export function sensitiveActionOf(name: string): SensitiveAction | undefined {
  return byName.get(name);
}

/** @param name `service:Name` in any letter case. */
export function sensitiveActionIgnoringCase(name: string): SensitiveAction | undefined {
  return byLowerName.get(name.toLowerCase());
}
