// The pages named here were read on 2026-11-22.

const docs = "https://docs.aws.amazon.com";

/** A statement that a guide of AWS prints without a condition on the source. */
export interface DocumentedStatement {
  /** Service principals without their suffix. */
  readonly services: readonly string[];
  /** The only actions that the statement may have, in lower case. */
  readonly actions: readonly string[];
  readonly page: string;
}

export const documentedWithoutCondition: readonly DocumentedStatement[] = [
  {
    services: ["ram"],
    actions: ["glue:shareresource"],
    page: `${docs}/lake-formation/latest/dg/hybrid-cross-account.html`,
  },
  {
    services: ["events"],
    actions: ["sns:publish"],
    page: `${docs}/eventbridge/latest/userguide/eb-use-resource-based.html`,
  },
  {
    services: ["events", "delivery.logs"],
    actions: ["logs:createlogstream", "logs:putlogevents"],
    page: `${docs}/eventbridge/latest/userguide/eb-use-resource-based.html`,
  },
  {
    services: ["es"],
    actions: ["logs:createlogstream", "logs:putlogevents"],
    page: `${docs}/opensearch-service/latest/developerguide/createdomain-configure-slow-logs.html`,
  },
  {
    services: ["codebuild"],
    actions: ["ecr:batchchecklayeravailability", "ecr:batchgetimage", "ecr:getdownloadurlforlayer"],
    page: `${docs}/codebuild/latest/userguide/sample-ecr.html`,
  },
  {
    services: ["lambda"],
    actions: [
      "ecr:batchgetimage",
      "ecr:getdownloadurlforlayer",
      "ecr:getrepositorypolicy",
      "ecr:setrepositorypolicy",
      "ecr:deleterepositorypolicy",
    ],
    page: `${docs}/lambda/latest/dg/images-create.html`,
  },
  {
    services: ["osis", "osis-pipelines"],
    actions: [
      "kafka:createvpcconnection",
      "kafka:describecluster",
      "kafka:describeclusterv2",
      "kafka:getbootstrapbrokers",
    ],
    page: `${docs}/opensearch-service/latest/developerguide/configure-client-msk.html`,
  },
  {
    services: ["backup"],
    actions: ["sns:publish"],
    page: `${docs}/aws-backup/latest/devguide/backup-notifications.html`,
  },
  {
    services: ["codestar-notifications"],
    actions: ["sns:publish"],
    page: `${docs}/dtconsole/latest/userguide/set-up-sns.html`,
  },
];

/**
 * Log delivery of load balancers: the account in the path of the objects says whose logs they are.
 * Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/enable-access-logging.html
 */
export const loadBalancerLogs: ReadonlySet<string> = new Set([
  "logdelivery.elasticloadbalancing",
  "logdelivery.elb",
]);

/** The ARN that a service sends as `aws:SourceArn`, by the label of its principal. */
export const sourceArnForms: ReadonlyMap<string, { readonly form: string; readonly page: string }> =
  new Map(
    (
      [
        [
          "s3",
          "arn:aws:s3:::BUCKET",
          "AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html",
        ],
        [
          "sns",
          "arn:aws:sns:REGION:ACCOUNT:TOPIC",
          "sns/latest/dg/subscribe-sqs-queue-to-sns-topic.html",
        ],
        [
          "events",
          "arn:aws:events:REGION:ACCOUNT:rule/RULE",
          "eventbridge/latest/userguide/eb-use-resource-based.html",
        ],
        [
          "scheduler",
          "arn:aws:scheduler:REGION:ACCOUNT:schedule-group/GROUP",
          "scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html",
        ],
        [
          "cloudtrail",
          "arn:aws:cloudtrail:REGION:ACCOUNT:trail/TRAIL",
          "awscloudtrail/latest/userguide/create-s3-bucket-policy-for-cloudtrail.html",
        ],
        [
          "cloudfront",
          "arn:aws:cloudfront::ACCOUNT:distribution/ID",
          "AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html",
        ],
        [
          "delivery.logs",
          "arn:aws:logs:REGION:ACCOUNT:*",
          "AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html",
        ],
        [
          "config",
          "arn:aws:config:REGION:ACCOUNT:*",
          "config/latest/developerguide/s3-bucket-policy.html",
        ],
        [
          "logging.s3",
          "arn:aws:s3:::BUCKET",
          "AmazonS3/latest/userguide/enable-server-access-logging.html",
        ],
        [
          "states",
          "arn:aws:states:REGION:ACCOUNT:stateMachine:NAME",
          "step-functions/latest/dg/procedure-create-iam-role.html",
        ],
        [
          "apigateway",
          "arn:aws:execute-api:REGION:ACCOUNT:API/*",
          "lambda/latest/dg/services-apigateway.html",
        ],
        [
          "cloudwatch",
          "arn:aws:cloudwatch:REGION:ACCOUNT:alarm:ALARM",
          "AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html",
        ],
        [
          "ecs-tasks",
          "arn:aws:ecs:REGION:ACCOUNT:*",
          "AmazonECS/latest/developerguide/task-iam-roles.html",
        ],
        [
          "codebuild",
          "arn:aws:codebuild:REGION:ACCOUNT:project/PROJECT",
          "codebuild/latest/userguide/cross-service-confused-deputy-prevention.html",
        ],
        [
          "pipes",
          "arn:aws:pipes:REGION:ACCOUNT:pipe/PIPE",
          "eventbridge/latest/userguide/eb-pipes-permissions.html",
        ],
        [
          "bedrock",
          "arn:aws:bedrock:REGION:ACCOUNT:*",
          "bedrock/latest/userguide/cross-service-confused-deputy-prevention.html",
        ],
        [
          "lambda",
          "arn:aws:lambda:REGION:ACCOUNT:function:NAME",
          "lambda/latest/dg/images-create.html",
        ],
        [
          "cognito-idp",
          "arn:aws:cognito-idp:REGION:ACCOUNT:userpool/POOL",
          "cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html",
        ],
        [
          "connect",
          "arn:aws:connect:REGION:ACCOUNT:instance/INSTANCE",
          "connect/latest/adminguide/cross-service-confused-deputy-prevention.html",
        ],
        [
          "guardduty",
          "arn:aws:guardduty:REGION:ACCOUNT:detector/DETECTOR",
          "guardduty/latest/ug/guardduty_exportfindings.html",
        ],
        [
          "iot",
          "arn:aws:iot:REGION:ACCOUNT:rule/RULE",
          "iot/latest/developerguide/lambda-rule-action.html",
        ],
        [
          "lexv2",
          "arn:aws:lex:REGION:ACCOUNT:bot-alias/BOT/ALIAS",
          "lexv2/latest/dg/lambda-attach.html",
        ],
        ["ses", "arn:aws:ses:REGION:ACCOUNT:*", "ses/latest/dg/receiving-email-permissions.html"],
        [
          "firehose",
          "arn:aws:firehose:REGION:ACCOUNT:deliverystream/STREAM",
          "firehose/latest/dev/controlling-access.html",
        ],
        [
          "glue",
          "arn:aws:glue:REGION:ACCOUNT:*",
          "glue/latest/dg/cross-service-confused-deputy-prevention.html",
        ],
        [
          "sagemaker",
          "arn:aws:sagemaker:REGION:ACCOUNT:*",
          "sagemaker/latest/dg/security-confused-deputy-prevention.html",
        ],
      ] as const
    ).map(([label, form, page]) => [label, { form, page: `${docs}/${page}` }]),
  );
