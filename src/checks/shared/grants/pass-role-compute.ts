import { type PassRoleRow, reference, templates } from "./pass-role-row.ts";

/** Services that run programs, deploy them or start others: instances, functions, containers, builds, workflows. */
export const computeRows: readonly PassRoleRow[] = [
  {
    services: ["ec2.amazonaws.com"],
    actions: [
      "ec2:RunInstances",
      "ec2:RequestSpotInstances",
      "ec2:AssociateIamInstanceProfile",
      "ec2:ReplaceIamInstanceProfileAssociation",
      "iam:AddRoleToInstanceProfile",
      "autoscaling:CreateAutoScalingGroup",
      "autoscaling:UpdateAutoScalingGroup",
    ],
    page: `${reference}/list_amazonec2.html`,
    rests: "reference",
  },
  {
    services: ["lambda.amazonaws.com"],
    actions: ["lambda:CreateFunction"],
    page: `${reference}/list_awslambda.html`,
    rests: "reference",
  },
  // Takes a Role; the reference lists no dependent iam:PassRole.
  {
    services: ["lambda.amazonaws.com"],
    actions: ["lambda:UpdateFunctionConfiguration"],
    page: "https://docs.aws.amazon.com/lambda/latest/api/API_UpdateFunctionConfiguration.html",
    rests: "observed",
  },
  // Reference: RunTask, StartTask and the actions of Express services. RegisterTaskDefinition takes taskRoleArn and executionRoleArn (public denials name it).
  {
    services: ["ecs-tasks.amazonaws.com"],
    actions: [
      "ecs:RegisterTaskDefinition",
      "ecs:RunTask",
      "ecs:StartTask",
      "ecs:CreateService",
      "ecs:UpdateService",
      "ecs:CreateExpressGatewayService",
      "ecs:UpdateExpressGatewayService",
    ],
    page: `${reference}/list_amazonelasticcontainerservice.html`,
    rests: "reference",
  },
  {
    services: ["cloudformation.amazonaws.com"],
    actions: [
      "cloudformation:CreateStack",
      "cloudformation:UpdateStack",
      "cloudformation:DeleteStack",
      "cloudformation:CreateChangeSet",
      "cloudformation:CreateStackSet",
      "cloudformation:UpdateStackSet",
    ],
    page: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html",
    rests: "verified",
  },
  // StartBuild can override the service role.
  {
    services: ["codebuild.amazonaws.com"],
    actions: ["codebuild:CreateProject", "codebuild:UpdateProject", "codebuild:StartBuild"],
    page: `${templates}/aws-resource-codebuild-project.html`,
    rests: "observed",
  },
  {
    services: ["states.amazonaws.com"],
    actions: ["states:CreateStateMachine", "states:UpdateStateMachine", "states:TestState"],
    page: `${reference}/list_awsstepfunctions.html`,
    rests: "reference",
  },
  {
    services: ["scheduler.amazonaws.com"],
    actions: ["scheduler:CreateSchedule", "scheduler:UpdateSchedule"],
    page: `${reference}/list_amazoneventbridgescheduler.html`,
    rests: "reference",
  },
  {
    services: ["pipes.amazonaws.com"],
    actions: ["pipes:CreatePipe", "pipes:UpdatePipe"],
    page: `${reference}/list_amazoneventbridgepipes.html`,
    rests: "reference",
  },
  {
    services: ["events.amazonaws.com"],
    actions: ["events:PutTargets", "events:PutRule"],
    page: "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-identity-based.html",
    rests: "observed",
  },
  {
    services: ["pods.eks.amazonaws.com"],
    actions: ["eks:CreatePodIdentityAssociation", "eks:UpdatePodIdentityAssociation"],
    page: "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-association.html",
    rests: "verified",
  },
  {
    services: ["eks.amazonaws.com", "ec2.amazonaws.com", "eks-fargate-pods.amazonaws.com"],
    actions: ["eks:CreateCluster", "eks:CreateNodegroup", "eks:CreateFargateProfile"],
    page: `${templates}/aws-resource-eks-cluster.html`,
    rests: "observed",
  },
  {
    services: ["datapipeline.amazonaws.com", "elasticmapreduce.amazonaws.com", "ec2.amazonaws.com"],
    actions: ["datapipeline:PutPipelineDefinition"],
    page: "https://docs.aws.amazon.com/datapipeline/latest/DeveloperGuide/dp-iam-roles.html",
    rests: "observed",
  },
  {
    services: ["elasticmapreduce.amazonaws.com", "ec2.amazonaws.com"],
    actions: ["elasticmapreduce:RunJobFlow"],
    page: `${reference}/list_amazonelasticmapreduce.html`,
    rests: "reference",
  },
  {
    services: ["emr-serverless.amazonaws.com"],
    actions: ["emr-serverless:StartJobRun"],
    page: `${reference}/list_amazonemrserverless.html`,
    rests: "reference",
  },
  {
    services: ["ecs-tasks.amazonaws.com", "batch.amazonaws.com"],
    actions: ["batch:RegisterJobDefinition", "batch:CreateComputeEnvironment"],
    page: `${templates}/aws-resource-batch-jobdefinition.html`,
    rests: "observed",
  },
  {
    services: ["codepipeline.amazonaws.com"],
    actions: ["codepipeline:CreatePipeline", "codepipeline:UpdatePipeline"],
    page: `${templates}/aws-resource-codepipeline-pipeline.html`,
    rests: "observed",
  },
  {
    services: ["codedeploy.amazonaws.com"],
    actions: ["codedeploy:CreateDeploymentGroup", "codedeploy:UpdateDeploymentGroup"],
    page: "https://docs.aws.amazon.com/codedeploy/latest/userguide/getting-started-create-service-role.html",
    rests: "observed",
  },
  {
    services: ["tasks.apprunner.amazonaws.com", "build.apprunner.amazonaws.com"],
    actions: ["apprunner:CreateService", "apprunner:UpdateService"],
    page: "https://docs.aws.amazon.com/apprunner/latest/dg/security_iam_service-with-iam.html",
    rests: "observed",
  },
  // SendCommand passes a role only for SNS notifications; the escalation runs with the instance's own role.
  {
    services: ["ssm.amazonaws.com"],
    actions: ["ssm:StartAutomationExecution", "ssm:SendCommand", "ssm:CreateAssociation"],
    page: "https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-setup-iam.html",
    rests: "observed",
  },
  {
    services: ["imagebuilder.amazonaws.com", "ec2.amazonaws.com"],
    actions: [
      "imagebuilder:CreateInfrastructureConfiguration",
      "imagebuilder:UpdateInfrastructureConfiguration",
      "imagebuilder:CreateImage",
      "imagebuilder:CreateImagePipeline",
    ],
    page: `${reference}/list_amazonec2imagebuilder.html`,
    rests: "reference",
  },
  {
    services: ["gamelift.amazonaws.com"],
    actions: ["gamelift:CreateFleet", "gamelift:CreateBuild"],
    page: `${reference}/list_amazongamelift.html`,
    rests: "reference",
  },
  {
    services: ["config.amazonaws.com", "ssm.amazonaws.com"],
    actions: ["config:PutConfigurationRecorder", "config:PutRemediationConfigurations"],
    page: `${reference}/list_awsconfig.html`,
    rests: "reference",
  },
  {
    services: ["rolesanywhere.amazonaws.com"],
    actions: ["rolesanywhere:CreateProfile", "rolesanywhere:UpdateProfile"],
    page: `${reference}/list_awsiamrolesanywhere.html`,
    rests: "reference",
  },
  {
    services: ["amplify.amazonaws.com"],
    actions: ["amplify:CreateApp", "amplify:UpdateApp"],
    page: "https://docs.aws.amazon.com/amplify/latest/APIReference/API_CreateApp.html",
    rests: "observed",
  },
  // ExecutionRoleArn of an environment: https://docs.aws.amazon.com/mwaa/latest/userguide/access-policies.html
  {
    services: ["airflow-env.amazonaws.com", "airflow.amazonaws.com"],
    actions: ["airflow:CreateEnvironment", "airflow:UpdateEnvironment"],
    page: `${templates}/aws-resource-mwaa-environment.html`,
    rests: "observed",
  },
  // AWSElasticBeanstalkRoleCore passes to these services.
  {
    services: ["elasticbeanstalk.amazonaws.com", "ec2.amazonaws.com"],
    actions: ["elasticbeanstalk:CreateEnvironment", "elasticbeanstalk:UpdateEnvironment"],
    page: "https://docs.aws.amazon.com/elasticbeanstalk/latest/dg/AWSHowTo.iam.managed-policies.html",
    rests: "observed",
  },
  // CloudWatchSyntheticsFullAccess passes to these services.
  {
    services: ["lambda.amazonaws.com", "synthetics.amazonaws.com"],
    actions: ["synthetics:CreateCanary", "synthetics:UpdateCanary"],
    page: "https://docs.aws.amazon.com/AmazonSynthetics/latest/APIReference/API_CreateCanary.html",
    rests: "observed",
  },
  // An integration calls any action of AWS with the role.
  {
    services: ["apigateway.amazonaws.com"],
    actions: ["apigateway:PATCH", "apigateway:POST", "apigateway:PUT"],
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html",
    rests: "verified",
  },
  {
    services: ["ec2.amazonaws.com"],
    actions: ["ec2:CreateFleet"],
    page: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-fleet-prerequisites.html",
    rests: "observed",
  },
  {
    services: ["spotfleet.amazonaws.com", "ec2.amazonaws.com"],
    actions: ["ec2:RequestSpotFleet"],
    page: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-fleet-prerequisites.html",
    rests: "observed",
  },
  {
    services: ["fis.amazonaws.com"],
    actions: ["fis:CreateExperimentTemplate", "fis:UpdateExperimentTemplate"],
    page: "https://docs.aws.amazon.com/fis/latest/APIReference/API_CreateExperimentTemplate.html",
    rests: "observed",
  },
  {
    services: ["ssm.amazonaws.com"],
    actions: ["ssm:RegisterTaskWithMaintenanceWindow", "ssm:UpdateMaintenanceWindowTask"],
    page: "https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterTaskWithMaintenanceWindow.html",
    rests: "observed",
  },
  // The machine that registers with the activation gets the credentials of the role.
  {
    services: ["ssm.amazonaws.com"],
    actions: ["ssm:CreateActivation", "ssm:UpdateManagedInstanceRole"],
    page: `${reference}/list_ssm.html`,
    rests: "reference",
  },
  {
    services: ["airflow-serverless.amazonaws.com"],
    actions: ["airflow-serverless:CreateWorkflow", "airflow-serverless:UpdateWorkflow"],
    page: `${reference}/list_mwaa-serverless.html`,
    rests: "reference",
  },
  {
    services: ["appstream.amazonaws.com"],
    actions: ["appstream:CreateFleet", "appstream:CreateImageBuilder"],
    page: `${reference}/list_appstream.html`,
    rests: "reference",
  },
  // The reference lists iam:PassRole for both; the guide says which service assumes the roles.
  {
    services: ["lambda.amazonaws.com"],
    actions: ["lambda:RunMicrovm", "lambda:CreateMicrovmImage"],
    page: "https://docs.aws.amazon.com/lambda/latest/dg/microvms-security.html",
    rests: "verified",
  },
];
