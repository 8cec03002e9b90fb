import type { ValueForm } from "./value-form.ts";
import type { ValueList } from "./value-list.ts";

// The facts of this file were last compared with the pages they name on 2026-11-27.

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";
const ec2 = `${reference}/list_amazonec2.html`;
const rds = "https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html";
const acm = "https://docs.aws.amazon.com/acm/latest/userguide/acm-conditions.html";
const cloudFormation =
  "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/control-access-with-iam.html";
const autoScaling = `${reference}/list_amazonec2autoscaling.html`;
const s3 = `${reference}/list_amazons3.html`;
const lambda = "https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html";
const glue = "https://docs.aws.amazon.com/glue/latest/dg/using-identity-based-policies.html";
const sageMaker = `${reference}/list_amazonsagemaker.html`;
const elastiCache =
  "https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/IAM.ConditionKeys.html";
const ses = `${reference}/list_amazonses.html`;

/** Values of keys of services that are listed. */
export const serviceLists: readonly ValueList[] = [
  { key: "ec2:rootdevicetype", values: ["ebs", "instance-store"], grows: false, page: ec2 },
  { key: "ec2:instancemarkettype", values: ["spot", "capacity-block"], grows: true, page: ec2 },
  { key: "ec2:instancemetadatatags", values: ["enabled", "disabled"], grows: false, page: ec2 },
  {
    key: "autoscaling:metadatahttptokens",
    values: ["optional", "required"],
    grows: false,
    page: autoScaling,
  },
  {
    key: "autoscaling:metadatahttpendpoint",
    values: ["enabled", "disabled"],
    grows: false,
    page: autoScaling,
  },
  { key: "s3:object-lock-legal-hold", values: ["ON", "OFF"], grows: false, page: s3 },
  {
    key: "s3:x-amz-object-ownership",
    values: ["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"],
    grows: false,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/ensure-object-ownership.html",
  },
  {
    key: "s3:accesspointnetworkorigin",
    values: ["Internet", "VPC"],
    grows: false,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html",
  },
  {
    key: "dynamodb:returnconsumedcapacity",
    values: ["INDEXES", "TOTAL", "NONE"],
    grows: false,
    page: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html",
  },
  {
    key: "elasticache:enginetype",
    values: ["memcached", "redis", "valkey"],
    grows: true,
    written: /^[a-z]+$/,
    page: elastiCache,
  },
  {
    key: "eks:authenticationmode",
    values: ["API", "API_AND_CONFIG_MAP", "CONFIG_MAP"],
    grows: true,
    written: /^[A-Z_]+$/,
    page: "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAccessConfigRequest.html",
  },
  {
    key: "eks:supporttype",
    values: ["STANDARD", "EXTENDED"],
    grows: true,
    written: /^[A-Z_]+$/,
    page: "https://docs.aws.amazon.com/eks/latest/APIReference/API_UpgradePolicyRequest.html",
  },
  ...["sagemaker:directinternetaccess", "sagemaker:rootaccess"].map((key) => ({
    key,
    values: ["Enabled", "Disabled"],
    grows: false,
    page: sageMaker,
  })),
  {
    key: "sagemaker:appnetworkaccesstype",
    values: ["PublicInternetOnly", "VpcOnly"],
    grows: false,
    page: sageMaker,
  },
  ...["apigateway:request/endpointtype", "apigateway:resource/endpointtype"].map((key) => ({
    key,
    values: ["EDGE", "REGIONAL", "PRIVATE"],
    grows: false,
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/security_iam_service-with-iam.html",
  })),
  {
    key: "acm:certificatetransparencylogging",
    values: ["ENABLED", "DISABLED"],
    grows: false,
    page: acm,
  },
  {
    key: "rds:databaseengine",
    values: [
      "aurora",
      "aurora-mysql",
      "aurora-postgresql",
      "custom-oracle-ee",
      "custom-oracle-ee-cdb",
      "custom-oracle-se2",
      "custom-oracle-se2-cdb",
      "custom-sqlserver-ee",
      "custom-sqlserver-se",
      "custom-sqlserver-web",
      "custom-sqlserver-dev",
      "db2-ae",
      "db2-se",
      "docdb",
      "mariadb",
      "mysql",
      "neptune",
      "oracle-ee",
      "oracle-ee-cdb",
      "oracle-se",
      "oracle-se1",
      "oracle-se2",
      "oracle-se2-cdb",
      "postgres",
      "sqlserver-ee",
      "sqlserver-ex",
      "sqlserver-se",
      "sqlserver-web",
    ],
    grows: true,
    names: { postgresql: "postgres", aurorapostgres: "aurora-postgresql" },
    written: /^[a-z0-9-]+$/,
    page: rds,
  },
  { key: "acm:validationmethod", values: ["DNS", "EMAIL", "HTTP"], grows: true, page: acm },
  {
    key: "elasticloadbalancing:listenerprotocol",
    values: ["HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP", "SSL", "GENEVE", "QUIC", "TCP_QUIC"],
    grows: true,
    written: /^[A-Z_]+$/,
    page: "https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/security_iam_service-with-iam.html",
  },
  {
    key: "organizations:policytype",
    values: [
      "SERVICE_CONTROL_POLICY",
      "RESOURCE_CONTROL_POLICY",
      "TAG_POLICY",
      "BACKUP_POLICY",
      "AISERVICES_OPT_OUT_POLICY",
      "CHATBOT_POLICY",
      "DECLARATIVE_POLICY_EC2",
      "SECURITYHUB_POLICY",
      "INSPECTOR_POLICY",
      "UPGRADE_ROLLOUT_POLICY",
      "BEDROCK_POLICY",
      "S3_POLICY",
    ],
    grows: true,
    names: {
      scp: "SERVICE_CONTROL_POLICY",
      rcp: "RESOURCE_CONTROL_POLICY",
      tag: "TAG_POLICY",
      backup: "BACKUP_POLICY",
    },
    written: /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/,
    page: "https://docs.aws.amazon.com/organizations/latest/APIReference/API_PolicySummary.html",
  },
];

/** Keys whose values are ids, not ARNs or names, by what the ids begin with. */
const ids: readonly (readonly [prefix: string, page: string, keys: readonly string[]])[] = [
  ["i-", ec2, ["ec2:instanceid"]],
  ["ami-", ec2, ["ec2:imageid"]],
  ["ami-", autoScaling, ["autoscaling:imageid"]],
  ["vol-", ec2, ["ec2:volumeid"]],
  ["snap-", ec2, ["ec2:snapshotid"]],
  ["eni-", ec2, ["ec2:networkinterfaceid"]],
  ["igw-", ec2, ["ec2:internetgatewayid"]],
  ["rtb-", ec2, ["ec2:routetableid"]],
  ["acl-", ec2, ["ec2:networkaclid"]],
  ["dopt-", ec2, ["ec2:dhcpoptionsid"]],
  ["vpc-", ec2, ["ec2:vpcid"]],
  ["subnet-", ec2, ["ec2:subnetid"]],
  ["sg-", ec2, ["ec2:securitygroupid"]],
  ["vpc-", lambda, ["lambda:vpcids"]],
  ["subnet-", lambda, ["lambda:subnetids"]],
  ["sg-", lambda, ["lambda:securitygroupids"]],
  ["vpc-", glue, ["glue:vpcids"]],
  ["subnet-", glue, ["glue:subnetids"]],
  ["sg-", glue, ["glue:securitygroupids"]],
  ["subnet-", sageMaker, ["sagemaker:vpcsubnets"]],
  ["sg-", sageMaker, ["sagemaker:vpcsecuritygroupids"]],
];

/** Values of keys of services that have a form. */
export const serviceForms: readonly ValueForm[] = [
  ...ids.map(([prefix, page, keys]) => ({
    keys,
    words: `ids, which begin with \`${prefix}\``,
    value: new RegExp(`^${prefix}[0-9a-z]`),
    prefixes: [prefix],
    characters: /^[0-9a-z-]*$/,
    code: null,
    page,
  })),
  {
    keys: ["cloudformation:templateurl", "cloudformation:stackpolicyurl"],
    words: "addresses, which begin with `https://` or `http://`",
    value: /^https?:\/\//,
    prefixes: ["https://", "http://"],
    code: null,
    page: cloudFormation,
  },
  {
    keys: ["rds:databaseclass"],
    words: "instance classes, which begin with `db.`",
    value: /^db\./,
    prefixes: ["db."],
    code: null,
    page: rds,
  },
  {
    keys: ["elasticache:cachenodetype"],
    words: "node types, which begin with `cache.`",
    value: /^cache\./,
    prefixes: ["cache."],
    code: null,
    page: elastiCache,
  },
  {
    // Apps of a domain have the type `system`.
    keys: ["sagemaker:instancetypes"],
    words: "instance types, which begin with `ml.`",
    value: /^(?:ml\.|system$)/,
    prefixes: ["ml.", "system"],
    code: null,
    page: sageMaker,
  },
  {
    keys: ["cloudformation:resourcetypes", "cloudformation:importresourcetypes"],
    words: "types of resources, such as `AWS::S3::Bucket`",
    value: /^\w+::[\w@:-]+$/,
    prefixes: [],
    impossible: /(?<!:):(?!:)|:::/,
    code: null,
    page: cloudFormation,
  },
  {
    keys: ["ec2:availabilityzone"],
    words: "zones such as `eu-west-1a`, with a letter after the Region",
    value: /^[a-z]{2}(?:-[a-z]+)+-\d.+$/,
    prefixes: [],
    characters: /^[a-z0-9-]*$/,
    code: null,
    page: ec2,
  },
  {
    keys: ["ses:fromaddress", "ses:feedbackaddress", "ses:recipients"],
    words: "addresses with an `@`",
    value: /@/,
    prefixes: [],
    impossible: /^[^@*?]*$/,
    code: null,
    page: ses,
  },
];
