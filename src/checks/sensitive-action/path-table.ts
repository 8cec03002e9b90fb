/**
 * Documented privilege escalation paths: the actions that one principal needs. Ids, categories
 * and actions are those of the public catalogue pathfinding.cloud (DataDog/pathfinding.cloud,
 * Apache-2.0, state of 2025-12-17, and pages added since, read on 2026-11-27); `passedTo`, the services
 * that assume the passed role, is ours. The catalogue describes the path of ec2-004 as ec2-005 too, and
 * adds to omics-001 the `s3:GetObject` that reads what the run wrote. Its batch-002, `batch:SubmitJob` alone, is left out:
 * AWS's role for EventBridge starts jobs on every queue (managed policy AWSBatchServiceEventTargetRole).
 */
export interface EscalationPathRow {
  readonly id: string;
  readonly category: PathCategory;
  readonly actions: readonly string[];
  /** The same in lower case. */
  readonly lowerActions: readonly string[];
  /** Empty where no role is passed. */
  readonly passedTo: readonly string[];
}

/**
 * - `self-escalation`: the caller raises its own rights.
 * - `principal-access`: the caller gets the rights of another user or role.
 * - `new-passrole`: the caller starts a service with a role that it passes.
 * - `existing-passrole`: the caller changes or uses something that already runs with a role.
 */
type PathCategory = "self-escalation" | "principal-access" | "new-passrole" | "existing-passrole";

/** One path a line: id, category, actions, and the services that assume a passed role. */
const rows: readonly (readonly [
  id: string,
  category: PathCategory,
  actions: string,
  passedTo?: string,
])[] = [
  [
    "apprunner-001",
    "new-passrole",
    "iam:PassRole apprunner:CreateService",
    "tasks.apprunner.amazonaws.com",
  ],
  ["apprunner-002", "existing-passrole", "apprunner:UpdateService"],
  [
    "batch-001",
    "new-passrole",
    "iam:PassRole batch:RegisterJobDefinition batch:SubmitJob",
    "ecs-tasks.amazonaws.com batch.amazonaws.com",
  ],
  [
    "batch-003",
    "new-passrole",
    "iam:PassRole batch:CreateComputeEnvironment batch:CreateJobQueue batch:RegisterJobDefinition batch:SubmitJob",
    "ecs-tasks.amazonaws.com batch.amazonaws.com",
  ],
  [
    "bedrock-001",
    "new-passrole",
    "iam:PassRole bedrock-agentcore:CreateCodeInterpreter bedrock-agentcore:StartCodeInterpreterSession bedrock-agentcore:InvokeCodeInterpreter",
    "bedrock-agentcore.amazonaws.com",
  ],
  [
    "bedrock-002",
    "existing-passrole",
    "bedrock-agentcore:StartCodeInterpreterSession bedrock-agentcore:InvokeCodeInterpreter",
  ],
  [
    "bedrock-003",
    "new-passrole",
    "iam:PassRole bedrock-agentcore:CreateAgentRuntime bedrock-agentcore:CreateAgentRuntimeEndpoint bedrock-agentcore:CreateWorkloadIdentity bedrock-agentcore:InvokeAgentRuntimeCommand",
    "bedrock-agentcore.amazonaws.com",
  ],
  ["bedrock-004", "existing-passrole", "bedrock-agentcore:InvokeAgentRuntimeCommand"],
  [
    "bedrock-005",
    "new-passrole",
    "iam:PassRole bedrock-agentcore:CreateHarness bedrock-agentcore:CreateAgentRuntime bedrock-agentcore:CreateAgentRuntimeEndpoint bedrock-agentcore:CreateWorkloadIdentity bedrock-agentcore:GetAgentRuntime bedrock-agentcore:GetHarness bedrock-agentcore:InvokeAgentRuntimeCommand",
    "bedrock-agentcore.amazonaws.com",
  ],
  [
    "bedrock-006",
    "new-passrole",
    "iam:PassRole bedrock-agentcore:CreateBrowser bedrock-agentcore:StartBrowserSession bedrock-agentcore:ConnectBrowserAutomationStream",
    "bedrock-agentcore.amazonaws.com",
  ],
  [
    "bedrock-007",
    "existing-passrole",
    "bedrock-agentcore:StartBrowserSession bedrock-agentcore:ConnectBrowserAutomationStream",
  ],
  ["braket-001", "new-passrole", "iam:PassRole braket:CreateJob", "braket.amazonaws.com"],
  [
    "cloudformation-001",
    "new-passrole",
    "iam:PassRole cloudformation:CreateStack",
    "cloudformation.amazonaws.com",
  ],
  ["cloudformation-002", "existing-passrole", "cloudformation:UpdateStack"],
  [
    "cloudformation-003",
    "new-passrole",
    "iam:PassRole cloudformation:CreateStackSet cloudformation:CreateStackInstances",
    "cloudformation.amazonaws.com",
  ],
  [
    "cloudformation-004",
    "new-passrole",
    "iam:PassRole cloudformation:UpdateStackSet",
    "cloudformation.amazonaws.com",
  ],
  [
    "cloudformation-005",
    "new-passrole",
    "cloudformation:CreateChangeSet cloudformation:ExecuteChangeSet",
  ],
  [
    "codebuild-001",
    "new-passrole",
    "iam:PassRole codebuild:CreateProject codebuild:StartBuild",
    "codebuild.amazonaws.com",
  ],
  ["codebuild-002", "existing-passrole", "codebuild:StartBuild"],
  ["codebuild-003", "existing-passrole", "codebuild:StartBuildBatch"],
  [
    "codebuild-004",
    "new-passrole",
    "iam:PassRole codebuild:CreateProject codebuild:StartBuildBatch",
    "codebuild.amazonaws.com",
  ],
  [
    "codedeploy-001",
    "existing-passrole",
    "codedeploy:CreateDeployment codedeploy:RegisterApplicationRevision codedeploy:GetDeploymentConfig",
  ],
  [
    "cognitoidentity-001",
    "new-passrole",
    "iam:PassRole cognito-identity:SetIdentityPoolRoles",
    "cognito-identity.amazonaws.com",
  ],
  [
    "datapipeline-001",
    "new-passrole",
    "iam:PassRole datapipeline:CreatePipeline datapipeline:PutPipelineDefinition datapipeline:ActivatePipeline",
    "datapipeline.amazonaws.com elasticmapreduce.amazonaws.com ec2.amazonaws.com",
  ],
  [
    "ec2instanceconnect-003",
    "existing-passrole",
    "ec2-instance-connect:SendSSHPublicKey ec2:DescribeInstances",
  ],
  ["ec2-001", "new-passrole", "iam:PassRole ec2:RunInstances", "ec2.amazonaws.com"],
  [
    "ec2-002",
    "existing-passrole",
    "ec2:ModifyInstanceAttribute ec2:StopInstances ec2:StartInstances",
  ],
  ["ec2-003", "new-passrole", "iam:PassRole ec2:RequestSpotInstances", "ec2.amazonaws.com"],
  ["ec2-004", "existing-passrole", "ec2:CreateLaunchTemplateVersion ec2:ModifyLaunchTemplate"],
  [
    "ecs-001",
    "new-passrole",
    "iam:PassRole ecs:CreateCluster ecs:RegisterTaskDefinition ecs:CreateService",
    "ecs-tasks.amazonaws.com",
  ],
  [
    "ecs-002",
    "new-passrole",
    "iam:PassRole ecs:CreateCluster ecs:RegisterTaskDefinition ecs:RunTask",
    "ecs-tasks.amazonaws.com",
  ],
  [
    "ecs-003",
    "new-passrole",
    "iam:PassRole ecs:RegisterTaskDefinition ecs:CreateService",
    "ecs-tasks.amazonaws.com",
  ],
  [
    "ecs-004",
    "new-passrole",
    "iam:PassRole ecs:RegisterTaskDefinition ecs:RunTask",
    "ecs-tasks.amazonaws.com",
  ],
  [
    "ecs-005",
    "new-passrole",
    "iam:PassRole ecs:RegisterTaskDefinition ecs:StartTask",
    "ecs-tasks.amazonaws.com",
  ],
  ["ecs-006", "existing-passrole", "ecs:ExecuteCommand ecs:DescribeTasks"],
  [
    "ecs-007",
    "new-passrole",
    "iam:PassRole ecs:StartTask ecs:RegisterContainerInstance",
    "ecs-tasks.amazonaws.com",
  ],
  ["ecs-008", "new-passrole", "iam:PassRole ecs:RunTask", "ecs-tasks.amazonaws.com"],
  ["ecs-009", "new-passrole", "iam:PassRole ecs:StartTask", "ecs-tasks.amazonaws.com"],
  [
    "emr-001",
    "new-passrole",
    "iam:PassRole elasticmapreduce:RunJobFlow",
    "elasticmapreduce.amazonaws.com ec2.amazonaws.com",
  ],
  [
    "emrserverless-001",
    "new-passrole",
    "iam:PassRole emr-serverless:CreateApplication emr-serverless:StartJobRun",
    "emr-serverless.amazonaws.com",
  ],
  [
    "gamelift-001",
    "new-passrole",
    "iam:PassRole gamelift:CreateBuild gamelift:CreateFleet gamelift:RequestUploadCredentials",
    "gamelift.amazonaws.com",
  ],
  ["glue-001", "new-passrole", "iam:PassRole glue:CreateDevEndpoint", "glue.amazonaws.com"],
  ["glue-002", "existing-passrole", "glue:UpdateDevEndpoint"],
  [
    "glue-003",
    "new-passrole",
    "iam:PassRole glue:CreateJob glue:StartJobRun",
    "glue.amazonaws.com",
  ],
  [
    "glue-004",
    "new-passrole",
    "iam:PassRole glue:CreateJob glue:CreateTrigger",
    "glue.amazonaws.com",
  ],
  [
    "glue-005",
    "new-passrole",
    "iam:PassRole glue:UpdateJob glue:StartJobRun",
    "glue.amazonaws.com",
  ],
  [
    "glue-006",
    "new-passrole",
    "iam:PassRole glue:UpdateJob glue:CreateTrigger",
    "glue.amazonaws.com",
  ],
  [
    "glue-007",
    "new-passrole",
    "iam:PassRole glue:CreateSession glue:RunStatement",
    "glue.amazonaws.com",
  ],
  ["iam-001", "self-escalation", "iam:CreatePolicyVersion"],
  ["iam-002", "principal-access", "iam:CreateAccessKey"],
  ["iam-003", "principal-access", "iam:CreateAccessKey iam:DeleteAccessKey"],
  ["iam-004", "principal-access", "iam:CreateLoginProfile"],
  ["iam-005", "self-escalation", "iam:PutRolePolicy"],
  ["iam-006", "principal-access", "iam:UpdateLoginProfile"],
  ["iam-007", "self-escalation", "iam:PutUserPolicy"],
  ["iam-008", "self-escalation", "iam:AttachUserPolicy"],
  ["iam-009", "self-escalation", "iam:AttachRolePolicy"],
  ["iam-010", "self-escalation", "iam:AttachGroupPolicy"],
  ["iam-011", "self-escalation", "iam:PutGroupPolicy"],
  ["iam-012", "principal-access", "iam:UpdateAssumeRolePolicy"],
  ["iam-013", "self-escalation", "iam:AddUserToGroup"],
  ["iam-014", "principal-access", "iam:AttachRolePolicy sts:AssumeRole"],
  ["iam-015", "principal-access", "iam:AttachUserPolicy iam:CreateAccessKey"],
  ["iam-016", "principal-access", "iam:CreatePolicyVersion sts:AssumeRole"],
  ["iam-017", "principal-access", "iam:PutRolePolicy sts:AssumeRole"],
  ["iam-018", "principal-access", "iam:PutUserPolicy iam:CreateAccessKey"],
  ["iam-019", "principal-access", "iam:AttachRolePolicy iam:UpdateAssumeRolePolicy"],
  ["iam-020", "principal-access", "iam:CreatePolicyVersion iam:UpdateAssumeRolePolicy"],
  ["iam-021", "principal-access", "iam:PutRolePolicy iam:UpdateAssumeRolePolicy"],
  [
    "imagebuilder-001",
    "new-passrole",
    "iam:PassRole imagebuilder:CreateComponent imagebuilder:CreateImageRecipe imagebuilder:CreateInfrastructureConfiguration imagebuilder:CreateImage",
    "imagebuilder.amazonaws.com ec2.amazonaws.com",
  ],
  [
    "kinesisanalytics-001",
    "new-passrole",
    "iam:PassRole kinesisanalytics:CreateApplication kinesisanalytics:StartApplication",
    "kinesisanalytics.amazonaws.com",
  ],
  [
    "lambda-001",
    "new-passrole",
    "iam:PassRole lambda:CreateFunction lambda:InvokeFunction",
    "lambda.amazonaws.com",
  ],
  [
    "lambda-002",
    "new-passrole",
    "iam:PassRole lambda:CreateFunction lambda:CreateEventSourceMapping",
    "lambda.amazonaws.com",
  ],
  ["lambda-003", "existing-passrole", "lambda:UpdateFunctionCode"],
  ["lambda-004", "existing-passrole", "lambda:UpdateFunctionCode lambda:InvokeFunction"],
  ["lambda-005", "existing-passrole", "lambda:UpdateFunctionCode lambda:AddPermission"],
  [
    "lambda-006",
    "new-passrole",
    "iam:PassRole lambda:CreateFunction lambda:AddPermission",
    "lambda.amazonaws.com",
  ],
  [
    "omics-001",
    "new-passrole",
    "iam:PassRole omics:CreateWorkflow omics:StartRun",
    "omics.amazonaws.com",
  ],
  [
    "sagemaker-001",
    "new-passrole",
    "iam:PassRole sagemaker:CreateNotebookInstance",
    "sagemaker.amazonaws.com",
  ],
  [
    "sagemaker-002",
    "new-passrole",
    "iam:PassRole sagemaker:CreateTrainingJob",
    "sagemaker.amazonaws.com",
  ],
  [
    "sagemaker-003",
    "new-passrole",
    "iam:PassRole sagemaker:CreateProcessingJob",
    "sagemaker.amazonaws.com",
  ],
  ["sagemaker-004", "existing-passrole", "sagemaker:CreatePresignedNotebookInstanceUrl"],
  [
    "sagemaker-005",
    "existing-passrole",
    "sagemaker:CreateNotebookInstanceLifecycleConfig sagemaker:StopNotebookInstance sagemaker:UpdateNotebookInstance sagemaker:StartNotebookInstance",
  ],
  [
    "scheduler-001",
    "new-passrole",
    "iam:PassRole scheduler:CreateSchedule",
    "scheduler.amazonaws.com",
  ],
  ["ssm-001", "existing-passrole", "ssm:StartSession"],
  ["ssm-002", "existing-passrole", "ssm:SendCommand"],
  [
    "ssm-003",
    "new-passrole",
    "iam:PassRole ssm:CreateDocument ssm:StartAutomationExecution",
    "ssm.amazonaws.com",
  ],
  [
    "stepfunctions-001",
    "new-passrole",
    "iam:PassRole states:CreateStateMachine states:StartExecution",
    "states.amazonaws.com",
  ],
  ["stepfunctions-002", "existing-passrole", "states:UpdateStateMachine states:StartExecution"],
  ["sts-001", "principal-access", "sts:AssumeRole"],
];

export const escalationPaths: readonly EscalationPathRow[] = rows.map(
  ([id, category, actions, passedTo]) => ({
    id,
    category,
    actions: actions.split(" "),
    lowerActions: actions.toLowerCase().split(" "),
    passedTo: passedTo?.split(" ") ?? [],
  }),
);

/** @returns the address of the page that describes a path. */
export function pageOfPath(id: string): string {
  return `https://pathfinding.cloud/paths/${id}`;
}
