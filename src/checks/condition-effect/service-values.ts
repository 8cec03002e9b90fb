import type { ValueForm } from "./value-form.ts";
import type { ValueList } from "./value-list.ts";

// The facts of this file were last compared with the pages they name on 2026-11-27.

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";
const ec2 = `${reference}/list_amazonec2.html`;
const rds = "https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html";
const acm = "https://docs.aws.amazon.com/acm/latest/userguide/acm-conditions.html";
const cloudFormation =
  "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/control-access-with-iam.html";
const ses = `${reference}/list_amazonses.html`;

/** Values of keys of services that are listed. */
export const serviceLists: readonly ValueList[] = [
  { key: "ec2:rootdevicetype", values: ["ebs", "instance-store"], grows: false, page: ec2 },
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

/** Values of keys of services that have a form. */
export const serviceForms: readonly ValueForm[] = [
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
    page: "https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/IAM.ConditionKeys.html",
  },
  {
    // Apps of a domain have the type `system`.
    keys: ["sagemaker:instancetypes"],
    words: "instance types, which begin with `ml.`",
    value: /^(?:ml\.|system$)/,
    prefixes: ["ml.", "system"],
    code: null,
    page: `${reference}/list_amazonsagemaker.html`,
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
