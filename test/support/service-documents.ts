import type { AwsServiceDefinition } from "../../src/services/definition.ts";

/** A cut-down service reference for tests, in the layout of AWS's own: real names, a few of each. */

type Level = "read" | "list" | "write" | "tagging" | "permissions";

interface ActionSpec {
  readonly level?: Level;
  /** Names of resource types; absent: the action supports `*` only. */
  readonly on?: readonly string[];
  readonly keys?: readonly string[];
}

interface ServiceSpec {
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly resources?: Readonly<Record<string, { formats: readonly string[]; keys?: string[] }>>;
  /** Name to type. */
  readonly keys?: Readonly<Record<string, string>>;
}

const object = "arn:${Partition}:s3:::${BucketName}/${ObjectName}";
const role = "arn:${Partition}:iam::${Account}:role/${RoleNameWithPath}";
const requestTags = ["aws:RequestTag/${TagKey}", "aws:TagKeys"];
const tagTypes = {
  "aws:RequestTag/${TagKey}": "String",
  "aws:ResourceTag/${TagKey}": "String",
  "aws:TagKeys": "ArrayOfString",
};
const claims = ["token.actions.githubusercontent.com:sub"];

const specs: Readonly<Record<string, ServiceSpec>> = {
  s3: {
    actions: {
      CreateBucket: { on: ["bucket"], keys: ["s3:locationconstraint", ...requestTags] },
      DeleteObject: { on: ["object"] },
      GetBucketPolicy: { level: "read", on: ["bucket"] },
      GetObject: { level: "read", on: ["object"], keys: ["s3:ExistingObjectTag/<key>"] },
      GetObjectVersion: { level: "read", on: ["object"], keys: ["s3:ExistingObjectTag/<key>"] },
      ListAllMyBuckets: { level: "list" },
      ListBucket: { level: "list", on: ["bucket"], keys: ["s3:prefix", "s3:max-keys"] },
      PutBucketPolicy: { level: "permissions", on: ["bucket"] },
      PutObject: { on: ["object"], keys: ["s3:x-amz-acl"] },
    },
    resources: {
      bucket: { formats: ["arn:${Partition}:s3:::${BucketName}"] },
      object: { formats: [object] },
    },
    keys: {
      ...tagTypes,
      "s3:ExistingObjectTag/<key>": "String",
      "s3:authType": "String",
      "s3:locationconstraint": "String",
      "s3:max-keys": "Numeric",
      "s3:prefix": "String",
      "s3:x-amz-acl": "String",
      "s3:object-lock-retain-until-date": "Date",
    },
  },
  iam: {
    actions: {
      AttachRolePolicy: { level: "permissions", on: ["role"], keys: ["iam:PolicyARN"] },
      CreateAccessKey: { on: ["user"] },
      CreateRole: { level: "permissions", on: ["role"], keys: ["iam:PermissionsBoundary"] },
      GetUser: { level: "read", on: ["user"] },
      ListUsers: { level: "list" },
      PassRole: { on: ["role"], keys: ["iam:PassedToService", "iam:AssociatedResourceArn"] },
      TagRole: { level: "tagging", on: ["role"], keys: requestTags },
    },
    resources: {
      role: { formats: [role], keys: ["aws:ResourceTag/${TagKey}"] },
      user: {
        formats: ["arn:${Partition}:iam::${Account}:user/${UserNameWithPath}"],
        keys: ["aws:ResourceTag/${TagKey}"],
      },
    },
    keys: {
      ...tagTypes,
      "iam:AssociatedResourceArn": "ARN",
      "iam:PassedToService": "String",
      "iam:PermissionsBoundary": "ARN",
      "iam:PolicyARN": "ARN",
    },
  },
  sts: {
    actions: {
      AssumeRole: { on: ["role"], keys: ["sts:ExternalId", "sts:RoleSessionName"] },
      AssumeRoleWithSAML: { on: ["role"], keys: ["saml:aud"] },
      AssumeRoleWithWebIdentity: { on: ["role"], keys: claims },
      GetCallerIdentity: { level: "read" },
      SetSourceIdentity: { on: ["role"], keys: ["sts:SourceIdentity"] },
      TagSession: { level: "tagging", on: ["role"], keys: requestTags },
    },
    resources: { role: { formats: [role], keys: ["aws:ResourceTag/${TagKey}"] } },
    keys: {
      ...tagTypes,
      "saml:aud": "String",
      "sts:ExternalId": "String",
      "sts:RoleSessionName": "String",
      "sts:SourceIdentity": "String",
      "token.actions.githubusercontent.com:sub": "String",
    },
  },
  ec2: {
    actions: {
      CreateTags: { level: "tagging", on: ["instance"], keys: requestTags },
      DescribeInstances: { level: "list", keys: ["ec2:Region"] },
      RunInstances: { on: ["image", "instance"], keys: requestTags },
      TerminateInstances: { on: ["instance"] },
    },
    resources: {
      image: { formats: ["arn:${Partition}:ec2:${Region}::image/${ImageId}"] },
      instance: {
        formats: ["arn:${Partition}:ec2:${Region}:${Account}:instance/${InstanceId}"],
        keys: ["aws:ResourceTag/${TagKey}", "ec2:ResourceTag/${TagKey}", "ec2:EbsOptimized"],
      },
    },
    keys: {
      ...tagTypes,
      "ec2:Add/group": "String",
      "ec2:EbsOptimized": "Bool",
      "ec2:Region": "String",
      "ec2:ResourceTag/${TagKey}": "String",
    },
  },
  kms: {
    actions: {
      CreateGrant: { level: "permissions", on: ["key"], keys: ["kms:GrantIsForAWSResource"] },
      Decrypt: { on: ["key"], keys: ["kms:EncryptionContext:${EncryptionContextKey}"] },
      ListKeys: { level: "list" },
    },
    resources: {
      key: {
        formats: ["arn:${Partition}:kms:${Region}:${Account}:key/${KeyId}"],
        keys: ["aws:ResourceTag/${TagKey}"],
      },
    },
    keys: {
      ...tagTypes,
      "kms:EncryptionContext:${EncryptionContextKey}": "String",
      "kms:EncryptionContextKeys": "ArrayOfString",
      "kms:GrantIsForAWSResource": "Bool",
    },
  },
  lambda: {
    actions: {
      CreateFunction: { on: ["function"], keys: ["lambda:Layer", "lambda:VpcIds"] },
      InvokeFunction: { on: ["function"] },
      ListFunctions: { level: "list" },
    },
    resources: {
      function: { formats: ["arn:${Partition}:lambda:${Region}:${Account}:function:${Name}"] },
    },
    keys: { "lambda:Layer": "ArrayOfString", "lambda:VpcIds": "ArrayOfString" },
  },
  sqs: {
    actions: {
      ListQueues: { level: "list" },
      ReceiveMessage: { level: "read", on: ["queue"] },
      SendMessage: { on: ["queue"] },
    },
    resources: {
      queue: { formats: ["arn:${Partition}:sqs:${Region}:${Account}:${QueueName}"] },
    },
  },
  ssm: {
    actions: {
      GetParameter: { level: "read", on: ["parameter"] },
      SendCommand: { on: ["document", "instance"] },
    },
    resources: {
      document: { formats: ["arn:${Partition}:ssm:${Region}:${Account}:document/${DocumentName}"] },
      instance: { formats: ["arn:${Partition}:ec2:${Region}:${Account}:instance/${InstanceId}"] },
      parameter: { formats: ["arn:${Partition}:ssm:${Region}:${Account}:parameter/${Name}"] },
    },
    keys: { "ssm:resourceTag/tag-key": "String" },
  },
  glue: {
    actions: { GetTable: { level: "read", on: ["catalog", "table", "undescribed"] } },
    resources: {
      catalog: { formats: ["arn:${Partition}:glue:${Region}:${Account}:catalog"] },
      table: { formats: ["arn:${Partition}:glue:${Region}:${Account}:table/${Db}/${Table}"] },
    },
  },
  backup: {
    actions: { DeleteRecoveryPoint: { on: ["recoveryPoint"] } },
    resources: {
      // Recovery points have ARNs of the services they were taken from.
      recoveryPoint: {
        formats: ["arn:${Partition}:${Vendor}:${Region}:*:${ResourceType}:${RecoveryPointId}"],
      },
    },
  },
  "execute-api": {
    actions: { Invoke: { on: ["execute-api-general"] } },
    resources: {
      "execute-api-general": {
        formats: ["arn:${Partition}:execute-api:${Region}:${Account}:${ApiId}/${Stage}/${Path}"],
      },
    },
  },
};

function documentOf(name: string, spec: ServiceSpec): AwsServiceDefinition {
  return {
    Name: name,
    Version: "v1.4",
    Actions: Object.entries(spec.actions).map(([Name, { level = "write", on, keys = [] }]) => ({
      Name,
      ActionConditionKeys: [...keys],
      Annotations: {
        Properties: {
          IsList: level === "list",
          IsPermissionManagement: level === "permissions",
          IsTaggingOnly: level === "tagging",
          IsWrite: level === "write" || level === "permissions",
        },
      },
      ...(on ? { Resources: on.map((type) => ({ Name: type })) } : {}),
    })),
    Resources: Object.entries(spec.resources ?? {}).map(([Name, { formats, keys = [] }]) => ({
      Name,
      ARNFormats: [...formats],
      ConditionKeys: keys,
    })),
    ConditionKeys: Object.entries(spec.keys ?? {}).map(([Name, type]) => ({
      Name,
      Types: [type],
    })),
  };
}

/** By service prefix. */
export const serviceDocuments: Readonly<Record<string, AwsServiceDefinition>> = Object.fromEntries(
  Object.entries(specs).map(([name, spec]) => [name, documentOf(name, spec)]),
);
