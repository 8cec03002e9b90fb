import type { Severity } from "../../../spec/severity.ts";
import { snippet } from "../shared/texts.ts";

/** Actions that are dangerous together. */
export interface Combination {
  readonly allOf: readonly string[];
  readonly severity: Severity;
  /** What the holder gains; ends a sentence. */
  readonly enables: string;
  readonly suggestion: string;
  readonly example: string;
}

function combination(
  allOf: readonly string[],
  severity: Severity,
  enables: string,
  suggestion: string,
  condition: object,
): Combination {
  return { allOf, severity, enables, suggestion, example: snippet({ Condition: condition }) };
}

const ownFunctions = {
  StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" },
};

/** A service runs what the caller gives it, with a role that the caller hands over. */
function passRoleTo(
  service: string,
  actions: readonly string[],
  enables: string,
  suggestion: string,
): Combination {
  return combination([...actions, "iam:PassRole"], "high", enables, suggestion, {
    StringEquals: { "iam:PassedToService": `${service}.amazonaws.com` },
  });
}

const limitPassRole =
  "Name the roles that may be passed in `Resource`, and the service in `iam:PassedToService`.";

/** Built-in combinations, in the order of their findings. */
export const combinations: readonly Combination[] = [
  combination(
    ["iam:CreateUser", "iam:AttachUserPolicy"],
    "critical",
    "privilege escalation: a new user can be given any managed policy",
    "Limit the policies that may be attached with `iam:PolicyARN`, ask for a permissions boundary, or give the two actions to different identities.",
    { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" } },
  ),
  combination(
    ["iam:CreateRole", "iam:AttachRolePolicy"],
    "high",
    "privilege escalation: a new role can be given any managed policy",
    "Ask for a permissions boundary on both actions with `iam:PermissionsBoundary`, or limit the policies that may be attached with `iam:PolicyARN`.",
    { StringEquals: { "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/boundary" } },
  ),
  combination(
    ["lambda:CreateFunction", "lambda:InvokeFunction"],
    "medium",
    "code execution: new code can be run with a function's role",
    "Limit the names of the functions, or ask for tags on the request and the function. Better give creation and invocation to different identities.",
    ownFunctions,
  ),
  combination(
    ["lambda:UpdateFunctionCode", "lambda:InvokeFunction"],
    "medium",
    "code injection: existing functions can be given other code and run",
    "Limit the functions by ARN or tag, and have their code signed.",
    ownFunctions,
  ),
  passRoleTo(
    "ec2",
    ["ec2:RunInstances"],
    "privilege escalation: an instance can be launched with a stronger role",
    `${limitPassRole} Limit images, instance types and subnets too.`,
  ),
  passRoleTo(
    "glue",
    ["glue:CreateDevEndpoint"],
    "privilege escalation: code on a development endpoint acts with the passed role",
    `${limitPassRole} Drop \`glue:CreateDevEndpoint\` if it is not used.`,
  ),
  passRoleTo(
    "cloudformation",
    ["cloudformation:CreateStack"],
    "privilege escalation: a template can change whatever the passed role may change",
    `${limitPassRole} Limit the templates with \`cloudformation:TemplateUrl\` too.`,
  ),
  passRoleTo(
    "sagemaker",
    ["sagemaker:CreateNotebookInstance"],
    "privilege escalation: code in a notebook acts with the passed role",
    limitPassRole,
  ),
  combination(
    ["ssm:SendCommand", "iam:PassRole"],
    "high",
    "privilege escalation: commands run with the instance's role, and roles can be put on resources",
    "Limit the instances by tag and the roles that may be passed by name.",
    { StringEquals: { "aws:ResourceTag/environment": "sandbox" } },
  ),
  passRoleTo(
    "codebuild",
    ["codebuild:CreateProject"],
    "privilege escalation: build commands run with the passed role",
    limitPassRole,
  ),
  passRoleTo(
    "datapipeline",
    ["datapipeline:CreatePipeline", "datapipeline:PutPipelineDefinition"],
    "privilege escalation: pipelines run shell commands with the passed role",
    `${limitPassRole} The service is closed to new customers: drop the permissions if you do not use it.`,
  ),
];
