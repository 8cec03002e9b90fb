import { type PassRoleRow, reference, templates } from "./pass-role-row.ts";

/** Services for data, machine learning, devices and files. */
export const dataRows: readonly PassRoleRow[] = [
  // Public denials for CreateJob and UpdateJob; AWSGlueConsoleFullAccess passes to glue.amazonaws.com.
  {
    services: ["glue.amazonaws.com"],
    actions: [
      "glue:CreateJob",
      "glue:UpdateJob",
      "glue:CreateDevEndpoint",
      "glue:CreateCrawler",
      "glue:UpdateCrawler",
      "glue:CreateSession",
      "glue:CreateMLTransform",
    ],
    page: "https://docs.aws.amazon.com/glue/latest/dg/create-an-iam-role.html",
    rests: "observed",
  },
  {
    services: ["sagemaker.amazonaws.com"],
    actions: [
      "sagemaker:CreateNotebookInstance",
      "sagemaker:CreateTrainingJob",
      "sagemaker:CreateProcessingJob",
      "sagemaker:CreateModel",
      "sagemaker:CreateEndpointConfig",
      "sagemaker:CreateDomain",
      "sagemaker:CreateUserProfile",
      "sagemaker:CreatePipeline",
      "sagemaker:CreateAutoMLJob",
      "sagemaker:CreateHyperParameterTuningJob",
    ],
    page: `${reference}/list_amazonsagemaker.html`,
    rests: "reference",
  },
  // CreateCodeInterpreter: AWS::BedrockAgentCore::CodeInterpreterCustom takes ExecutionRoleArn; the reference lists no dependent action.
  {
    services: ["bedrock-agentcore.amazonaws.com"],
    actions: [
      "bedrock-agentcore:CreateCodeInterpreter",
      "bedrock-agentcore:CreateAgentRuntime",
      "bedrock-agentcore:UpdateAgentRuntime",
      "bedrock-agentcore:CreateGateway",
      "bedrock-agentcore:CreateBrowser",
      "bedrock-agentcore:CreateHarness",
      "bedrock-agentcore:UpdateHarness",
    ],
    page: `${reference}/list_amazonbedrockagentcore.html`,
    rests: "reference",
  },
  {
    services: ["iot.amazonaws.com", "credentials.iot.amazonaws.com"],
    actions: [
      "iot:CreateTopicRule",
      "iot:ReplaceTopicRule",
      "iot:CreateRoleAlias",
      "iot:UpdateRoleAlias",
      "iot:CreateProvisioningTemplate",
    ],
    page: `${reference}/list_awsiot.html`,
    rests: "reference",
  },
  {
    services: ["transfer.amazonaws.com"],
    actions: [
      "transfer:CreateUser",
      "transfer:UpdateUser",
      "transfer:CreateAccess",
      "transfer:UpdateAccess",
      "transfer:CreateServer",
      "transfer:UpdateServer",
    ],
    page: `${reference}/list_awstransferfamily.html`,
    rests: "reference",
  },
  {
    services: ["backup.amazonaws.com"],
    actions: ["backup:CreateBackupSelection", "backup:StartBackupJob", "backup:StartRestoreJob"],
    page: `${reference}/list_awsbackup.html`,
    rests: "reference",
  },
  {
    services: ["omics.amazonaws.com"],
    actions: ["omics:StartRun"],
    page: `${reference}/list_awshealthomics.html`,
    rests: "reference",
  },
  {
    services: ["osis-pipelines.amazonaws.com"],
    actions: ["osis:CreatePipeline", "osis:UpdatePipeline"],
    page: `${reference}/list_amazonopensearchingestion.html`,
    rests: "reference",
  },
  {
    services: ["dms.amazonaws.com"],
    actions: ["dms:CreateEndpoint", "dms:ModifyEndpoint"],
    page: "https://docs.aws.amazon.com/dms/latest/APIReference/API_CreateEndpoint.html",
    rests: "observed",
  },
  {
    services: ["firehose.amazonaws.com"],
    actions: ["firehose:CreateDeliveryStream", "firehose:UpdateDestination"],
    page: "https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html",
    rests: "observed",
  },
  // BucketAccessRoleArn of the location; AWSDataSyncFullAccess passes to datasync.amazonaws.com.
  {
    services: ["datasync.amazonaws.com"],
    actions: ["datasync:CreateLocationS3", "datasync:UpdateLocationS3"],
    page: "https://docs.aws.amazon.com/datasync/latest/userguide/API_CreateLocationS3.html",
    rests: "observed",
  },
  // agentResourceRoleArn; AmazonBedrockFullAccess passes to bedrock.amazonaws.com.
  {
    services: ["bedrock.amazonaws.com"],
    actions: ["bedrock:CreateAgent", "bedrock:UpdateAgent"],
    page: `${templates}/aws-resource-bedrock-agent.html`,
    rests: "observed",
  },
  {
    services: ["braket.amazonaws.com"],
    actions: ["braket:CreateJob"],
    page: "https://docs.aws.amazon.com/braket/latest/APIReference/API_CreateJob.html",
    rests: "observed",
  },
  // AwsGlueDataBrewFullAccessPolicy passes to databrew.amazonaws.com.
  {
    services: ["databrew.amazonaws.com"],
    actions: [
      "databrew:CreateProfileJob",
      "databrew:CreateProject",
      "databrew:CreateRecipeJob",
      "databrew:UpdateProfileJob",
      "databrew:UpdateProject",
      "databrew:UpdateRecipeJob",
    ],
    page: "https://docs.aws.amazon.com/databrew/latest/dg/API_CreateRecipeJob.html",
    rests: "observed",
  },
  // serviceRoleArn; AWSAppSyncAdministrator passes to appsync.amazonaws.com.
  {
    services: ["appsync.amazonaws.com"],
    actions: ["appsync:CreateDataSource", "appsync:UpdateDataSource"],
    page: "https://docs.aws.amazon.com/appsync/latest/APIReference/API_CreateDataSource.html",
    rests: "observed",
  },
  {
    services: ["kinesisanalytics.amazonaws.com"],
    actions: ["kinesisanalytics:CreateApplication", "kinesisanalytics:UpdateApplication"],
    page: `${reference}/list_amazonkinesisanalytics.html`,
    rests: "reference",
  },
  // ExecutionRole of Spark sessions.
  {
    services: ["athena.amazonaws.com"],
    actions: ["athena:CreateWorkGroup", "athena:StartSession", "athena:UpdateWorkGroup"],
    page: "https://docs.aws.amazon.com/athena/latest/APIReference/API_WorkGroupConfiguration.html",
    rests: "verified",
  },
  {
    services: ["redshift.amazonaws.com"],
    actions: ["redshift:CreateCluster", "redshift:ModifyClusterIamRoles"],
    page: "https://docs.aws.amazon.com/redshift/latest/mgmt/authorizing-redshift-service.html",
    rests: "observed",
  },
  {
    services: ["rds.amazonaws.com"],
    actions: ["rds:AddRoleToDBCluster", "rds:AddRoleToDBInstance"],
    page: `${reference}/list_rds.html`,
    rests: "reference",
  },
  {
    services: ["redshift-serverless.amazonaws.com", "redshift.amazonaws.com"],
    actions: ["redshift-serverless:CreateNamespace", "redshift-serverless:UpdateNamespace"],
    page: "https://docs.aws.amazon.com/redshift-serverless/latest/APIReference/API_CreateNamespace.html",
    rests: "observed",
  },
  {
    services: ["batchoperations.s3.amazonaws.com"],
    actions: ["s3:CreateJob"],
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-iam-role-policies.html",
    rests: "observed",
  },
  {
    services: ["sagemaker.amazonaws.com"],
    actions: ["sagemaker:CreateCluster", "sagemaker:UpdateNotebookInstance"],
    page: "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateCluster.html",
    rests: "observed",
  },
];
