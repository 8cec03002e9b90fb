import { describe, expect, test } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";
import { createValidator } from "../library/index.ts";

const repairs = "repairs" as const;

describe("ARNs of resources", () => {
  const read = (Resource: string) => ({ Effect: "Allow", Action: "s3:GetObject", Resource });
  const arns: readonly (readonly [string, string | null])[] = [
    ["arn:aws:s3:reports/*", "arn:aws:s3:::reports/*"],
    ["arn:aws:s3::::reports/*", "arn:aws:s3:::reports/*"],
    ["arn:s3:::reports/*", "arn:aws:s3:::reports/*"],
    ["s3://reports/*", "arn:aws:s3:::reports/*"],
    ["s3://reports/daily/", "arn:aws:s3:::reports/daily/*"],
    ["arn:aws-gov:s3:::reports/*", "arn:aws-us-gov:s3:::reports/*"],
    ["arn:aws-china:s3:::reports/*", "arn:aws-cn:s3:::reports/*"],
    ["arn:aws:s3:::reports/*\n", "arn:aws:s3:::reports/*"],
    ["arn:aws:s3:eu-west-1", null],
    ["arn:amazon:s3:::reports/*", null],
    ["reports/*", null],
  ];
  fixCases([
    {
      name: "moves no action under a condition that its requests never meet",
      of: "action_resource_matching/resource_mismatch",
      before: {
        Effect: "Allow",
        Action: ["ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"],
        Resource: "arn:aws:ec2:*:*:network-interface/*",
        Condition: { StringEquals: { "ec2:ResourceTag/managed": "true" } },
      },
    },
    {
      name: "gives both kinds of actions their resources in one edit",
      of: "action_resource_matching/statement_never_applies",
      before: {
        Effect: "Allow",
        Action: ["appflow:DescribeConnectorProfiles", "appflow:UseConnectorProfile"],
        Resource: "arn:aws:appflow:*:*:connector-profile/*",
      },
      after: [
        {
          Effect: "Allow",
          Action: ["appflow:UseConnectorProfile"],
          Resource: "arn:aws:appflow:*:*:connectorprofile/*",
        },
        { Effect: "Allow", Action: "appflow:DescribeConnectorProfiles", Resource: "*" },
      ],
      effect: "changes",
    },
    {
      name: "names the API rather than a custom domain",
      of: "wildcard_resource/overly_permissive",
      before: { Effect: "Allow", Action: "execute-api:Invoke", Resource: "*" },
      after: {
        Effect: "Allow",
        Action: "execute-api:Invoke",
        Resource:
          "arn:aws:execute-api:<region>:<account-id>:<api-id>/<stage>/<method>/<api-specific-resource-path>",
      },
      asks: [
        "<region>",
        "<account-id>",
        "<api-id>",
        "<stage>",
        "<method>",
        "<api-specific-resource-path>",
      ],
      effect: "narrows",
    },
    ...arns.map(([from, to]) => ({
      name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
      of: "resource_validation/invalid_resource",
      before: read(from),
      ...(to === null ? {} : { after: read(to), effect: repairs }),
    })),
    {
      name: "writes the ARN of a queue for its address",
      of: "resource_validation/invalid_resource",
      before: {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "https://sqs.eu-west-1.amazonaws.com/111122223333/jobs",
      },
      after: {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
      },
      effect: repairs,
    },
    {
      name: "corrects an ARN in a condition",
      of: "condition_type_mismatch/invalid_value_format",
      before: {
        ...read("arn:aws:s3:::reports/*"),
        Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:iam:111122223333:role/Reader" } },
      },
      after: {
        ...read("arn:aws:s3:::reports/*"),
        Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/Reader" } },
      },
      effect: repairs,
    },
  ]);
});

describe("ARNs that the actions do not work on", () => {
  const onMachine = (Resource: string) => ({
    Effect: "Allow",
    Action: "states:StartExecution",
    Resource,
  });
  const invoke = (Resource: string) => ({
    Effect: "Allow",
    Action: "lambda:InvokeFunction",
    Resource,
  });
  const neverApplies = "action_resource_matching/statement_never_applies";
  const orders = "eu-west-1:111122223333:stateMachine:orders";
  fixCases([
    {
      name: "writes the service of the action for one that does not exist",
      of: neverApplies,
      before: onMachine(`arn:aws:stepfunctions:${orders}`),
      after: onMachine(`arn:aws:states:${orders}`),
      effect: repairs,
    },
    {
      name: "writes the service of the actions for one that does not exist",
      of: "arn_fields/unknown_service",
      before: {
        Effect: "Allow",
        Action: ["dynamodb:GetItem", "dynamodb:Query"],
        Resource: [
          "arn:aws:dynamodb:eu-west-1:111122223333:table/orders",
          "arn:aws:dynamo:eu-west-1:111122223333:table/customers",
        ],
      },
      after: {
        Effect: "Allow",
        Action: ["dynamodb:GetItem", "dynamodb:Query"],
        Resource: [
          "arn:aws:dynamodb:eu-west-1:111122223333:table/orders",
          "arn:aws:dynamodb:eu-west-1:111122223333:table/customers",
        ],
      },
      effect: repairs,
    },
    {
      name: "leaves a service that shares neither name nor format with the action",
      of: "arn_fields/unknown_service",
      before: {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "arn:aws:warehouse:eu-west-1:111122223333:orders",
      },
    },
    ...(
      [
        ["events:PutEvents", "events", "default", "event-bus/default"],
        ["ec2:StopInstances", "ec2", "i-0123456789abcdef0", "instance/i-0123456789abcdef0"],
        ["ecs:RunTask", "ecs", "taskdefinition/orders:*", "task-definition/orders:*"],
        ["states:StartExecution", "states", "statemachine:orders", "stateMachine:orders"],
        ["ssm:GetParameter", "ssm", "/orders/key", "parameter/orders/key"],
        ["dynamodb:Query", "dynamodb", "table:orders", "table/orders"],
        ["logs:CreateLogGroup", "logs", "/aws/lambda/orders", "log-group:/aws/lambda/orders"],
        ["logs:PutLogEvents", "logs", "/aws/lambda/orders", "log-group:/aws/lambda/orders:*"],
      ] as const
    ).map(([Action, service, from, to]) => {
      const on = (resource: string) => ({
        Effect: "Allow",
        Action,
        Resource: `arn:aws:${service}:eu-west-1:111122223333:${resource}`,
      });
      return {
        name: `writes ${to} for ${from}`,
        of: neverApplies,
        before: on(from),
        after: on(to),
        effect: repairs,
      };
    }),
    {
      name: "adds the ARN beside one of another type",
      of: neverApplies,
      before: onMachine("arn:aws:states:eu-west-1:111122223333:activity:orders"),
      after: {
        ...onMachine(""),
        Resource: [
          "arn:aws:states:eu-west-1:111122223333:activity:orders",
          "arn:aws:states:eu-west-1:111122223333:stateMachine:<state-machine-name>",
        ],
      },
      asks: ["<state-machine-name>"],
    },
    {
      name: "asks for the Region where the ARNs have several",
      of: neverApplies,
      before: {
        ...onMachine(""),
        Resource: [
          "arn:aws:states:eu-west-1:111122223333:activity:orders",
          "arn:aws:states:eu-west-2:111122223333:activity:orders",
        ],
      },
      after: {
        ...onMachine(""),
        Resource: [
          "arn:aws:states:eu-west-1:111122223333:activity:orders",
          "arn:aws:states:eu-west-2:111122223333:activity:orders",
          "arn:aws:states:<region>:111122223333:stateMachine:<state-machine-name>",
        ],
      },
      asks: ["<region>", "<state-machine-name>"],
    },
    {
      name: "writes the service whose type the ARN names",
      of: neverApplies,
      before: {
        Effect: "Allow",
        Action: "firehose:PutRecord",
        Resource: "arn:aws:kinesis:eu-west-1:111122223333:deliverystream/orders",
      },
      after: {
        Effect: "Allow",
        Action: "firehose:PutRecord",
        Resource: "arn:aws:firehose:eu-west-1:111122223333:deliverystream/orders",
      },
      effect: repairs,
    },
    {
      name: "writes the role of a session",
      of: neverApplies,
      before: {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Resource: "arn:aws:sts::111122223333:assumed-role/Deploy/build",
      },
      after: {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Resource: "arn:aws:iam::111122223333:role/Deploy",
      },
      effect: repairs,
    },
    {
      name: "asks for the Region and the account that a function has",
      of: neverApplies,
      before: invoke("arn:aws:lambda:::function:orders"),
      after: invoke("arn:aws:lambda:<region>:<account-id>:function:orders"),
      effect: "changes",
      asks: ["<region>", "<account-id>"],
    },
    {
      name: "asks for the Region alone where the format has no account",
      of: "arn_fields/missing_field",
      before: {
        Effect: "Allow",
        Action: "apigateway:GET",
        Resource: "arn:aws:apigateway:::/restapis/abc",
      },
      after: {
        Effect: "Allow",
        Action: "apigateway:GET",
        Resource: "arn:aws:apigateway:<region>::/restapis/abc",
      },
      effect: "changes",
      asks: ["<region>"],
    },
    {
      name: "asks for both empty fields",
      of: "arn_fields/missing_field",
      before: invoke("arn:aws:lambda:::function:orders"),
      after: invoke("arn:aws:lambda:<region>:<account-id>:function:orders"),
      effect: "changes",
      asks: ["<region>", "<account-id>"],
    },
  ]);
});

describe("actions of the policy of one resource that work on no single one", () => {
  const queue = {
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::111122223333:role/Sender" },
    Action: ["sqs:SendMessage", "sqs:ListQueues"],
    Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
  };
  fixCases([
    {
      name: "are removed, because a statement on * would not grant them either",
      of: "action_resource_matching/resource_mismatch",
      type: "RESOURCE_POLICY",
      before: queue,
      after: { ...queue, Action: ["sqs:SendMessage"] },
      effect: "narrows",
    },
    {
      name: "stay where they are all of the statement",
      of: "action_resource_matching/statement_never_applies",
      type: "RESOURCE_POLICY",
      before: { ...queue, Action: ["sqs:ListQueues"] },
    },
  ]);
});

describe("principals", () => {
  const trust = (Principal: unknown, Action = "sts:AssumeRole") => ({
    Effect: "Allow",
    Action,
    Principal,
  });
  const of = "policy_type_validation/invalid_principal_value";
  const root = "arn:aws:iam::111122223333:root";
  const github = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com";
  const web = "sts:AssumeRoleWithWebIdentity";
  fixCases([
    {
      name: "an account under Service",
      of,
      type: "TRUST_POLICY",
      before: trust({ Service: root }),
      after: trust({ AWS: root }),
      effect: repairs,
    },
    {
      name: "an identity provider under AWS",
      of,
      type: "TRUST_POLICY",
      before: trust({ AWS: github }, web),
      after: trust({ Federated: github }, web),
      effect: repairs,
    },
    {
      name: "an account under Service beside a service",
      of,
      type: "TRUST_POLICY",
      before: trust({ Service: [root, "ec2.amazonaws.com"] }),
    },
    ...(
      [
        [
          "a service with white space",
          { Service: "sns.amazonaws.com " },
          { Service: "sns.amazonaws.com" },
        ],
        [
          "a product with white space",
          { Service: " stepfunctions.amazonaws.com" },
          { Service: "states.amazonaws.com" },
        ],
        [
          "a service in another domain",
          { Service: "sns.awsamazon.com" },
          { Service: "sns.amazonaws.com" },
        ],
        [
          "a service by the name of its product",
          { Service: "eventbridge.amazonaws.com" },
          { Service: "events.amazonaws.com" },
        ],
        ["a type that does not exist", { IAM: root }, { AWS: root }],
        [
          "a service under a type that does not exist",
          { Svc: "sns.amazonaws.com" },
          { Service: "sns.amazonaws.com" },
        ],
        [
          "an empty text beside a service",
          { AWS: "", Service: "sns.amazonaws.com" },
          { Service: "sns.amazonaws.com" },
        ],
        ["an empty text in a list", { AWS: ["", root] }, { AWS: [root] }],
        [
          "all sessions of a role",
          { AWS: "arn:aws:sts::111122223333:assumed-role/Deploy/*" },
          { AWS: "arn:aws:iam::111122223333:role/Deploy" },
        ],
      ] as const
    ).map(([name, from, to]) => ({
      name,
      of,
      type: "TRUST_POLICY" as const,
      before: trust(from),
      after: trust(to),
      effect: repairs,
    })),
    {
      name: "`sts:*` for a service, which sends no claims",
      of: "trust_policy_validation/missing_required_condition_for_assume_action",
      type: "TRUST_POLICY",
      before: trust({ Service: "lambda.amazonaws.com" }, "sts:*"),
    },
    {
      name: "principals of two types under one that does not exist",
      of,
      type: "TRUST_POLICY",
      before: trust({ Who: [root, "sns.amazonaws.com"] }),
    },
    {
      name: "a pattern of roles",
      of,
      type: "TRUST_POLICY",
      before: trust({ AWS: "arn:aws:iam::111122223333:role/Build*" }),
      after: {
        ...trust({ AWS: root }),
        Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/Build*" } },
      },
      effect: repairs,
    },
    {
      name: "a pattern of roles beside another principal",
      of,
      type: "TRUST_POLICY",
      before: trust({ AWS: ["arn:aws:iam::111122223333:role/Build*", root] }),
    },
    ...(
      [
        ["arn:aws:iam::1111222233:root", "arn:aws:iam::<account-id>:root"],
        ["1111222233", "<account-id>"],
        ["role/Build", "arn:aws:iam::<account-id>:role/Build"],
      ] as const
    ).map(([from, to]) => ({
      name: `asks for the account in ${from}`,
      of,
      type: "TRUST_POLICY" as const,
      before: trust({ AWS: from }),
      after: trust({ AWS: to }),
      effect: repairs,
      asks: ["<account-id>"],
    })),
    {
      name: "a provider by its issuer alone",
      of: "trust_policy_validation/invalid_provider_format",
      type: "TRUST_POLICY",
      before: trust({ Federated: "https://token.actions.githubusercontent.com" }, web),
      after: trust(
        {
          Federated: "arn:aws:iam::<account-id>:oidc-provider/token.actions.githubusercontent.com",
        },
        web,
      ),
      asks: ["<account-id>"],
    },
    {
      name: "a provider whose type is misspelt",
      of: "trust_policy_validation/invalid_provider_format",
      type: "TRUST_POLICY",
      before: trust(
        { Federated: "arn:aws:iam::111122223333:saml-providers/Staff" },
        "sts:AssumeRoleWithSAML",
      ),
      after: trust(
        { Federated: "arn:aws:iam::111122223333:saml-provider/Staff" },
        "sts:AssumeRoleWithSAML",
      ),
      effect: repairs,
    },
    {
      name: "a provider with the scheme of its address",
      of: "trust_policy_validation/invalid_provider_format",
      type: "TRUST_POLICY",
      before: trust({ Federated: github.replace("token", "https://token") }, web),
      after: trust({ Federated: github }, web),
      effect: repairs,
    },
  ]);
});

describe("principals that a policy cannot have", () => {
  const deny = { Effect: "Deny", Action: "ec2:RunInstances", Resource: "*" };
  const admin = "arn:aws:iam::111122223333:role/Admin";
  const scp = { type: "SERVICE_CONTROL_POLICY", effect: repairs } as const;
  fixCases([
    {
      name: "everyone is removed from an SCP",
      of: "policy_type_validation/invalid_principal",
      ...scp,
      before: { ...deny, Principal: { AWS: "*" } },
      after: deny,
    },
    {
      name: "a role goes to a condition",
      of: "policy_type_validation/invalid_principal",
      ...scp,
      before: { ...deny, Principal: { AWS: admin } },
      after: { ...deny, Condition: { ArnEquals: { "aws:PrincipalArn": admin } } },
    },
    {
      name: "accounts go to a condition",
      of: "policy_type_validation/invalid_principal",
      ...scp,
      before: { ...deny, Principal: { AWS: ["111122223333", "arn:aws:iam::444455556666:root"] } },
      after: {
        ...deny,
        Condition: { StringEquals: { "aws:PrincipalAccount": ["111122223333", "444455556666"] } },
      },
    },
    {
      name: "the roles that a Deny spares stay spared",
      of: "policy_type_validation/invalid_not_principal",
      ...scp,
      before: { ...deny, NotPrincipal: { AWS: [admin, "arn:aws:iam::111122223333:root"] } },
      after: { ...deny, Condition: { ArnNotEquals: { "aws:PrincipalArn": admin } } },
    },
    {
      name: "services have no condition that says the same",
      of: "policy_type_validation/invalid_principal",
      ...scp,
      before: { ...deny, Principal: { Service: "ec2.amazonaws.com" } },
    },
    {
      name: "an Allow for all but some says nothing certain",
      of: "policy_type_validation/invalid_not_principal",
      before: {
        Effect: "Allow",
        Action: "ec2:StartInstances",
        Resource: "arn:aws:ec2:eu-west-1:111122223333:instance/*",
        NotPrincipal: { AWS: admin },
      },
    },
  ]);
});

describe("documents", () => {
  const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
  const policy = { Version: "2012-10-17", Statement: [statement] };

  test.each([
    ["a statement alone", statement],
    ["a statement with a Version", { Version: "2012-10-17", ...statement }],
    ["a list of statements", [statement]],
  ])("%s becomes a policy", async (_, document) => {
    const validator = await createValidator();
    const text = JSON.stringify(document, null, 2);
    const { results } = await validator.validate(text, { fix: ["equivalent", "repairs"] });
    expect(JSON.parse(String(results[0]?.fixed_policy))).toEqual(policy);
    expect(results[0]?.is_valid).toBe(true);
  });

  test("JSON in a fence of Markdown stays as it is inside", async () => {
    const validator = await createValidator();
    const text = JSON.stringify(policy, null, 4);
    const fenced = `\`\`\`json\n${text}\n\`\`\`\n`;
    const { results } = await validator.validate(fenced, { fix: ["repairs"] });
    expect(results[0]?.fixed_policy).toBe(`${text}\n`);
  });
});
