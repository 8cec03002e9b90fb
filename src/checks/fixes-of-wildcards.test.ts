import { fixCases } from "../../test/support/fix-cases.ts";

const inIreland = { StringEquals: { "aws:RequestedRegion": "eu-west-1" } };

fixCases([
  {
    name: "asks for the whole name of a secret, with an example that matches one",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: "secretsmanager:PutSecretValue", Resource: "*" },
    after: {
      Effect: "Allow",
      Action: "secretsmanager:PutSecretValue",
      Resource: "arn:aws:secretsmanager:<region>:<account-id>:secret:<secret-id>",
    },
    asks: ["<region>", "<account-id>", "<secret-id>"],
    effect: "narrows",
  },
  {
    name: "writes the one Region that the condition requires",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: "kms:Decrypt", Resource: "*", Condition: inIreland },
    after: {
      Effect: "Allow",
      Action: "kms:Decrypt",
      Resource: "arn:aws:kms:eu-west-1:<account-id>:key/<key-id>",
      Condition: inIreland,
    },
    asks: ["<account-id>", "<key-id>"],
    effect: "narrows",
  },
  {
    name: "does not move actions away from those that send a key of the condition",
    of: "wildcard_resource/overly_permissive",
    before: {
      Effect: "Allow",
      Action: ["codebuild:StartBuild", "cloudwatch:GetMetricStatistics"],
      Resource: "*",
      Condition: { StringNotEquals: { "aws:ResourceTag/Status": "Secret" } },
    },
  },
  {
    name: "names resources, and keeps the wildcard for actions that need it",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: ["kms:Decrypt", "kms:ListKeys"], Resource: "*" },
    after: [
      {
        Effect: "Allow",
        Action: ["kms:Decrypt"],
        Resource: "arn:aws:kms:<region>:<account-id>:key/<key-id>",
      },
      { Effect: "Allow", Action: "kms:ListKeys", Resource: "*" },
    ],
    asks: ["<region>", "<account-id>", "<key-id>"],
    effect: "narrows",
  },
  {
    name: "names the bucket of the objects for an action that may have the wildcard",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: ["s3:GetObject", "s3:ListBucket"], Resource: ["*"] },
    after: {
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:ListBucket"],
      Resource: ["arn:aws:s3:::<bucket-name>/*", "arn:aws:s3:::<bucket-name>"],
    },
    asks: ["<bucket-name>"],
    effect: "narrows",
  },
  {
    name: "moves no action to a statement under whose condition it never works",
    of: "wildcard_resource/overly_permissive",
    before: {
      Effect: "Allow",
      Action: ["ec2:DeleteSecurityGroup", "ec2:DescribeInstances"],
      Resource: "*",
      Condition: { StringLike: { "ec2:ResourceTag/eks": "*" } },
    },
  },
  {
    name: "names service-linked roles with their path",
    of: "wildcard_resource/overly_permissive",
    before: {
      Effect: "Allow",
      Action: "iam:CreateServiceLinkedRole",
      Resource: "*",
    },
    after: {
      Effect: "Allow",
      Action: "iam:CreateServiceLinkedRole",
      Resource: "arn:aws:iam::<account-id>:role/aws-service-role/<service-principal>/*",
    },
    asks: ["<account-id>", "<service-principal>"],
    effect: "narrows",
  },
  {
    name: "names the paths of a search domain beside the domain",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: ["es:DescribeDomain", "es:ESHttpGet"], Resource: "*" },
    after: {
      Effect: "Allow",
      Action: ["es:DescribeDomain", "es:ESHttpGet"],
      Resource: [
        "arn:aws:es:<region>:<account-id>:domain/<domain-name>",
        "arn:aws:es:<region>:<account-id>:domain/<domain-name>/*",
      ],
    },
    asks: ["<region>", "<account-id>", "<domain-name>"],
    effect: "narrows",
  },
  {
    name: "names the queue",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" },
    after: {
      Effect: "Allow",
      Action: "sqs:SendMessage",
      Resource: "arn:aws:sqs:<region>:<account-id>:<queue-name>",
    },
    asks: ["<region>", "<account-id>", "<queue-name>"],
    effect: "narrows",
  },
  {
    name: "does not guess what a pattern with actions of both kinds means",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: "kms:*", Resource: "*" },
  },
  {
    name: "names the resources of a pattern whose actions all have some",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: "kms:ReEncrypt*", Resource: "*" },
    after: {
      Effect: "Allow",
      Action: "kms:ReEncrypt*",
      Resource: "arn:aws:kms:<region>:<account-id>:key/<key-id>",
    },
    asks: ["<region>", "<account-id>", "<key-id>"],
    effect: "narrows",
  },
  {
    name: "leaves an action that may have the wildcard where its resource would be asked for",
    of: "wildcard_resource/overly_permissive",
    before: { Effect: "Allow", Action: ["kms:Decrypt", "s3:ListBucket"], Resource: "*" },
    after: [
      {
        Effect: "Allow",
        Action: ["kms:Decrypt"],
        Resource: "arn:aws:kms:<region>:<account-id>:key/<key-id>",
      },
      { Effect: "Allow", Action: "s3:ListBucket", Resource: "*" },
    ],
    asks: ["<region>", "<account-id>", "<key-id>"],
    effect: "narrows",
  },
  {
    name: "asks for the Region where the condition names several",
    of: "wildcard_resource/overly_permissive",
    before: {
      Effect: "Allow",
      Action: "kms:Decrypt",
      Resource: "*",
      Condition: { StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-west-2"] } },
    },
    after: {
      Effect: "Allow",
      Action: "kms:Decrypt",
      Resource: "arn:aws:kms:<region>:<account-id>:key/<key-id>",
      Condition: { StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-west-2"] } },
    },
    asks: ["<region>", "<account-id>", "<key-id>"],
    effect: "narrows",
  },
  {
    name: "does not split where nothing is left with `*`",
    of: "wildcard_resource/overly_permissive",
    before: {
      Effect: "Allow",
      Action: ["kms:Decrypt", "kms:ListKeys"],
      Resource: "arn:aws:kms:*:*:*",
    },
  },
]);
