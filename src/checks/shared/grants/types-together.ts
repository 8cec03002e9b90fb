import { globMatches } from "../../../policy/wildcard.ts";
import type { Action } from "../../../services/model.ts";

const commandTypes = [["instance", "managed-instance"], ["document"]];

/**
 * Actions that work on resources of several types in one call, all of which must be granted. The call
 * then reaches no further than the narrowest of them; types that are left out decide nothing.
 * @see https://docs.aws.amazon.com/redshift/latest/mgmt/generating-iam-credentials-role-permissions.html
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/getting-started-restrict-access-quickstart.html
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command-setting-up.html
 * @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSQuickSetupPatchPolicyLambdaExecutionPolicy.html
 */
const typesOf: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["redshift:GetClusterCredentials", [["dbuser"]]],
  ["ssm:CreateAssociation", commandTypes],
  ["ssm:CreateAssociationBatch", commandTypes],
  ["ssm:SendCommand", commandTypes],
  ["ssm:StartSession", [["instance", "managed-instance", "task"]]],
  ["ssm:UpdateAssociation", [["association"], ...commandTypes]],
]);

/** @returns the types of one call by kind, for actions that need one resource of each kind. */
export function typesTogether({ qualified }: Action): readonly (readonly string[])[] | undefined {
  return typesOf.get(qualified);
}

/**
 * Documents of AWS that run whatever the caller writes, so that their name limits nothing.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-command-ssm-plugin-reference.html
 */
const runsAnything = [
  "AWS-ApplyAnsiblePlaybooks",
  "AWS-ApplyChefRecipes",
  "AWS-InstallApplication",
  "AWS-RunAnsiblePlaybook",
  "AWS-RunDockerAction",
  "AWS-RunDocument",
  "AWS-RunPowerShellScript",
  "AWS-RunRemoteScript",
  "AWS-RunSaltState",
  "AWS-RunShellScript",
];

/** @returns whether the ARN of a document, or a pattern of it, is of one that runs what its caller sends. */
export function runsAnyCommand(text: string): boolean {
  const [, pattern] = text.split(":document/");
  return pattern !== undefined && runsAnything.some((name) => globMatches(pattern, name));
}
