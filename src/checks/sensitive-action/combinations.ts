import type { Severity } from "../../../spec/severity.ts";
import { servicesThatAssume } from "../shared/grants/pass-role.ts";

/** Actions that are dangerous together. */
export interface Combination {
  readonly allOf: readonly string[];
  /** The same in lower case. */
  readonly lowerActions: readonly string[];
  /** The services that assume the role it passes on; empty where it passes none. */
  readonly passedTo: readonly string[];
  readonly severity: Severity;
  /** What the holder may do; follows "May" at the start of a sentence. */
  readonly may: string;
  readonly suggestion: string;
  /** The member whose resources decide the severity. */
  readonly deciding: string;
  /** Whether a named resource of the deciding member limits the rights that are gained. */
  readonly nameLimits: boolean;
  /** A condition on one of these keys at the deciding member ends the combination. */
  readonly endedBy: readonly string[];
}

/** The first member decides. */
function combination(
  allOf: readonly [string, ...string[]],
  severity: Severity,
  may: string,
  suggestion: string,
  rest: Partial<Pick<Combination, "nameLimits" | "endedBy">> = {},
): Combination {
  const [deciding] = allOf;
  return {
    allOf,
    lowerActions: allOf.map((action) => action.toLowerCase()),
    passedTo: allOf.includes("iam:PassRole") ? [...new Set(allOf.flatMap(servicesThatAssume))] : [],
    severity,
    may,
    suggestion,
    deciding,
    nameLimits: true,
    endedBy: [],
    ...rest,
  };
}

/**
 * What a policy attached to an identity gives does not depend on the identity's name.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
const attaches = { nameLimits: false, endedBy: ["iam:PolicyARN", "iam:PermissionsBoundary"] };
/** The text of an inline policy is free, so only a boundary limits it. */
const writes = { nameLimits: false, endedBy: ["iam:PermissionsBoundary"] };

/** A service runs what the caller gives it, with a role that the caller passes on. */
function passRole(actions: readonly string[], may: string, more = ""): Combination {
  return combination(["iam:PassRole", ...actions], "high", may, `${limitPassRole}${more}`);
}

export const limitPassRole =
  "Name the roles that may be passed in `Resource`, and the service in `iam:PassedToService`.";

const attachLimited =
  "Ask for a permissions boundary with `iam:PermissionsBoundary`, limit the policies that may be attached with `iam:PolicyARN`, or give the two actions to different identities.";
const writeLimited =
  "Ask for a permissions boundary on both actions with `iam:PermissionsBoundary`, or give them to different identities.";

/** Built-in combinations, in the order of their findings. */
export const combinations: readonly Combination[] = [
  combination(
    ["iam:AttachUserPolicy", "iam:CreateUser"],
    "critical",
    "create a user and attach any managed policy to it",
    attachLimited,
    attaches,
  ),
  combination(
    ["iam:AttachRolePolicy", "iam:CreateRole"],
    "high",
    "create a role and attach any managed policy to it",
    attachLimited,
    attaches,
  ),
  combination(
    ["lambda:CreateFunction", "lambda:InvokeFunction"],
    "medium",
    "create a function and run its code",
    "Limit the names of the functions, or ask for tags on the request and the function. Better give creation and invocation to different identities.",
  ),
  combination(
    ["lambda:UpdateFunctionCode", "lambda:InvokeFunction"],
    "medium",
    "replace the code of a function and run it with the function's role",
    "Limit the functions by ARN or tag, and have their code signed.",
  ),
  passRole(
    ["ec2:RunInstances"],
    "start an instance with a role that it passes",
    " Limit images, instance types and subnets too.",
  ),
  passRole(
    ["glue:CreateDevEndpoint"],
    "run code on a development endpoint with a role that it passes",
    " Remove `glue:CreateDevEndpoint` if it is not used.",
  ),
  passRole(
    ["cloudformation:CreateStack"],
    "create a stack that changes whatever a passed role may change",
    " Limit the templates with `cloudformation:TemplateUrl` too.",
  ),
  passRole(
    ["sagemaker:CreateNotebookInstance"],
    "run code in a notebook with a role that it passes",
  ),
  combination(
    ["iam:PassRole", "ssm:SendCommand"],
    "high",
    "run commands on instances with their roles, and pass on roles",
    "Limit the instances by tag and the roles that may be passed by name.",
  ),
  passRole(
    ["codebuild:CreateProject"],
    "create a build project that runs with a role that it passes",
  ),
  passRole(
    ["datapipeline:CreatePipeline", "datapipeline:PutPipelineDefinition"],
    "create a pipeline that runs commands with a role that it passes",
    " The service is closed to new customers: remove the permissions if you do not use it.",
  ),
  combination(
    ["iam:PutUserPolicy", "iam:CreateUser"],
    "critical",
    "create a user and write any policy into it",
    writeLimited,
    writes,
  ),
  combination(
    ["iam:AddUserToGroup", "iam:CreateUser"],
    "high",
    "create a user and add it to groups",
    "Name the groups that users may be added to, or give the two actions to different identities.",
  ),
  combination(
    ["iam:PutRolePolicy", "iam:CreateRole"],
    "high",
    "create a role and write any policy into it",
    writeLimited,
    writes,
  ),
  combination(
    ["iam:UpdateAssumeRolePolicy", "sts:AssumeRole"],
    "critical",
    "let itself into a role and take it",
    "Name the roles whose trust policy may be changed, and keep administrators' roles out.",
  ),
  combination(
    ["iam:AttachRolePolicy", "sts:AssumeRole"],
    "high",
    "attach any managed policy to a role and take it",
    attachLimited,
    attaches,
  ),
  passRole(["lambda:CreateFunction"], "create a function with a role that it passes"),
  passRole(
    ["ecs:RegisterTaskDefinition", "ecs:RunTask"],
    "run its own task with a role that it passes",
  ),
  passRole(["glue:CreateJob", "glue:StartJobRun"], "run a Glue job with a role that it passes"),
  passRole(["sagemaker:CreateTrainingJob"], "run a training job with a role that it passes"),
  passRole(["sagemaker:CreateProcessingJob"], "run a processing job with a role that it passes"),
  passRole(
    ["states:CreateStateMachine", "states:StartExecution"],
    "run a state machine with a role that it passes",
  ),
  passRole(["scheduler:CreateSchedule"], "have a schedule call any API with a role that it passes"),
  passRole(["eks:CreatePodIdentityAssociation"], "give pods of a cluster a role that it passes"),
  passRole(
    ["bedrock-agentcore:CreateCodeInterpreter", "bedrock-agentcore:InvokeCodeInterpreter"],
    "run code in an interpreter with a role that it passes",
  ),
  combination(
    ["cloudformation:CreateStackSet", "cloudformation:CreateStackInstances"],
    "medium",
    "roll a stack out to other accounts with the rights of the StackSets roles",
    "Name the stack sets, and limit the templates with `cloudformation:TemplateUrl`.",
  ),
];
