import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const account = "111122223333";
const at = (service: string) => `arn:aws:${service}:eu-west-1:${account}:`;
const grant = (Action: unknown, Resource: unknown, elements: object = {}) => ({
  Effect: "Allow",
  Principal: { AWS: `arn:aws:iam::${account}:role/app` },
  Action,
  Resource,
  ...elements,
});
const type = "RESOURCE_POLICY" as const;
const foreign = {
  issue_type: "resource_mismatch",
  field_name: "resource",
  aws_issue_code: "UNSUPPORTED_RESOURCE_ARN_IN_POLICY",
} as const;

const pairs: readonly (readonly [string, string, string, string])[] = [
  ["buckets", "s3:GetObject", "arn:aws:s3:::a/x/*", "arn:aws:s3:::b/*"],
  ["queues", "sqs:SendMessage", `${at("sqs")}a`, `${at("sqs")}b`],
  ["topics", "sns:Publish", `${at("sns")}a`, `${at("sns")}b:0a1b`],
  [
    "secrets",
    "secretsmanager:GetSecretValue",
    `${at("secretsmanager")}secret:a-0a1b2c`,
    `${at("secretsmanager")}secret:b-0a1b2c`,
  ],
  ["tables", "dynamodb:Query", `${at("dynamodb")}table/a/index/x`, `${at("dynamodb")}table/b`],
  ["streams", "kinesis:GetRecords", `${at("kinesis")}stream/a`, `${at("kinesis")}stream/b`],
  ["event buses", "events:PutEvents", `${at("events")}event-bus/a`, `${at("events")}event-bus/b`],
  ["vaults", "glacier:GetJobOutput", `${at("glacier")}vaults/a`, `${at("glacier")}vaults/b`],
  ["domains", "es:ESHttpGet", `${at("es")}domain/a/x`, `${at("es")}domain/b/*`],
  ["keys", "kms:Decrypt", `${at("kms")}key/a`, `${at("kms")}key/b`],
  [
    "functions",
    "lambda:InvokeFunction",
    `${at("lambda")}function:a:live`,
    `${at("lambda")}function:b`,
  ],
];

checkCases(
  actionResourceMatching,
  [
    ...pairs.map(([noun, action, one, other]) => ({
      name: `reports the second of two ${noun}`,
      type,
      statement: grant(action, [one, other]),
      findings: [
        {
          ...foreign,
          severity: "error" as const,
          resource: other,
          message: new RegExp(
            `^The policy names two ${noun}, .* and .*, but it is attached to one of them and applies to that one alone\\.$`,
          ),
          suggestion:
            "Name the resource that this policy is attached to. Declare the policy type ENDPOINT_POLICY where this is the policy of a VPC endpoint.",
        },
      ],
    })),
    {
      name: "names the two resources",
      type,
      statement: [
        grant("s3:GetObject", "arn:aws:s3:::a/x/*"),
        grant("s3:ListBucket", "arn:aws:s3:::b"),
        grant("s3:ListBucket", "arn:aws:s3:::c"),
      ],
      findings: [
        {
          ...foreign,
          at: 1,
          message:
            "The policy names two buckets, `a` and `b`, but it is attached to one of them and applies to that one alone.",
        },
      ],
    },
    ...[
      ["two parts of a bucket", "s3:GetObject", ["arn:aws:s3:::a/x", "arn:aws:s3:::a/y/*"]],
      [
        "a bucket and a pattern of buckets",
        "s3:GetObject",
        ["arn:aws:s3:::a/*", "arn:aws:s3:::b*/*"],
      ],
      [
        "a bucket and a placeholder",
        "s3:GetObject",
        ["arn:aws:s3:::a/*", "arn:aws:s3:::${Bucket}/*"],
      ],
      [
        "a bucket and a value of a template",
        "s3:GetObject",
        ["arn:aws:s3:::a/*", "arn:aws:s3:::{{bucket}}/*"],
      ],
      ["a topic and its subscription", "sns:Publish", [`${at("sns")}a`, `${at("sns")}a:0a1b`]],
      [
        "a table and its index",
        "dynamodb:Query",
        [`${at("dynamodb")}table/a`, `${at("dynamodb")}table/a/index/x`],
      ],
      [
        "the replicas of a table",
        "dynamodb:Query",
        [`${at("dynamodb")}table/a`, `arn:aws:dynamodb:us-east-1:${account}:table/a`],
      ],
      [
        "versions of a function",
        "lambda:InvokeFunction",
        [`${at("lambda")}function:a`, `${at("lambda")}function:a:live`],
      ],
      ["everything", "s3:GetObject", "*"],
    ].map(([name, Action, Resource]) => ({
      name: `takes ${name}`,
      type,
      statement: grant(Action, Resource),
      findings: [],
    })),
    {
      name: "is milder where the type was found by content",
      statement: grant("s3:GetObject", ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"]),
      findings: [{ ...foreign, severity: "medium" }],
    },
    {
      name: "does not compare resources of an identity policy",
      type: "IDENTITY_POLICY",
      statement: {
        Effect: "Allow",
        Action: "s3:GetObject",
        Resource: ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"],
      },
      findings: [],
    },
    {
      name: "reports the ARN of another service",
      type,
      statement: grant("sqs:SendMessage", [`${at("sqs")}a`, `${at("sns")}a`]),
      findings: [
        {
          ...foreign,
          severity: "error",
          resource: `${at("sns")}a`,
          message: `\`${at("sns")}a\` is of the service \`sns\`, but the actions of the statement work on resources of \`sqs\`. A resource policy applies only to the resource it is attached to.`,
          suggestion: "Name the resource that this policy is attached to.",
        },
      ],
    },
    ...[
      ["a placeholder for the service", "arn:aws:${Service}:eu-west-1:111122223333:a"],
      ["a wildcard for the service", "arn:aws:s?s:eu-west-1:111122223333:a"],
      ["a text that is no ARN", "a"],
    ].map(([name, other]) => ({
      name: `does not compare ${name}`,
      type,
      statement: grant("sqs:SendMessage", [`${at("sqs")}a`, other]),
      findings: [],
    })),
    {
      name: "says that an alias is not the key",
      type,
      statement: grant("kms:Decrypt", [`${at("kms")}alias/a`, `${at("kms")}alias/b`]),
      findings: [
        {
          ...foreign,
          severity: "error",
          message: `\`${at("kms")}alias/a\` is an alias, and a key policy applies only to the key that it is attached to.`,
          suggestion: 'Write `"Resource": "*"`, which means this key.',
          example: '"*"',
        },
      ],
    },
    {
      name: "does not take a key for an alias",
      type,
      statement: grant("KMS:Decrypt", [`${at("kms")}key/a`]),
      findings: [],
    },
    ...[
      [
        "another bucket",
        "s3:GetObject",
        "arn:aws:s3:::other/*",
        "s3",
        "shop",
        "`arn:aws:s3:::other/*` is not in the bucket that this policy is attached to, `shop`. S3 refuses a bucket policy with a resource of another bucket.",
        "Name the bucket that the policy is attached to, or an object in it.",
      ],
      [
        "another queue",
        "sqs:SendMessage",
        `${at("sqs")}other`,
        "sqs",
        "orders",
        `\`${at("sqs")}other\` is not the queue that this policy is attached to, \`orders\`. The policy of a queue applies to that queue alone.`,
        "Name the queue that the policy is attached to.",
      ],
      [
        "another event bus",
        "events:PutEvents",
        `${at("events")}event-bus/other`,
        "events",
        "shop",
        `\`${at("events")}event-bus/other\` is not the event bus that this policy is attached to, \`shop\`. The policy of an event bus applies to that event bus alone.`,
        "Name the event bus that the policy is attached to.",
      ],
    ].map(([name, Action, Resource, service, own, message, suggestion]) => ({
      name: `reports ${name} than the one that a template attaches the policy to`,
      type,
      attached: { service: String(service), name: String(own) },
      statement: grant(Action, Resource),
      findings: [
        {
          ...foreign,
          severity: "error" as const,
          message: message ?? "",
          suggestion: suggestion ?? null,
        },
      ],
    })),
    ...[
      ["the bucket itself", "arn:aws:s3:::shop/*"],
      ["a pattern of buckets", "arn:aws:s3:::s*/*"],
      ["a placeholder", "arn:aws:s3:::${Bucket}/*"],
      ["everything", "*"],
    ].map(([name, Resource]) => ({
      name: `takes ${name} in the policy of a bucket`,
      type,
      attached: { service: "s3", name: "shop" },
      statement: grant("s3:GetObject", Resource),
      findings: [],
    })),
  ],
  embeddedServices(),
);
