import { type CheckCase, checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionConditionEnforcement } from "../action-condition-enforcement.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const allow = (Action: unknown, Resource: unknown, Condition?: object) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition ? { Condition } : {}),
});
const deny = (Action: unknown, Resource: unknown) => ({ Effect: "Deny", Action, Resource });
const missing = { issue_type: "missing_condition" } as const;
const users = "arn:aws:iam::111122223333:user";
const redshift = "arn:aws:redshift:eu-west-1:111122223333";
const instances = "arn:aws:ec2:eu-west-1:111122223333:instance/*";
const associations = "arn:aws:ssm:eu-west-1:111122223333:association/*";
const documents = "arn:aws:ssm:eu-west-1::document";
const tagKeys = (key: string) => ({ "ForAllValues:StringLike": { "aws:TagKeys": [key] } });
const peers = [actionConditionEnforcement];
const permissionSet = [
  "arn:aws:sso:::instance/ssoins-1111111111111111",
  "arn:aws:sso:::permissionSet/ssoins-1111111111111111/ps-2222222222222222",
];
const accessEntry =
  "arn:aws:eks:eu-central-1:111122223333:access-entry/app/role/111122223333/dev/*";

const withinBoundary = (operator: string) =>
  allow("iam:PutRolePolicy", "arn:aws:iam::111122223333:role/app/*", {
    [operator]: { "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/AppBoundary" },
  });

const cases: readonly CheckCase[] = [
  {
    name: "a boundary that may be missing limits nothing",
    statement: [withinBoundary("StringEqualsIfExists"), withinBoundary("StringEquals")],
    findings: [
      {
        ...missing,
        at: 0,
        severity: "high",
        message: /`StringEqualsIfExists` holds without a boundary too/,
      },
    ],
  },
  {
    name: "everything has the severity of the category, a name medium, the caller nothing",
    statement: [
      allow("iam:CreateAccessKey", "*"),
      allow("iam:CreateAccessKey", `${users}/*`),
      allow("iam:CreateAccessKey", `${users}/ci-*`),
      allow("iam:CreateAccessKey", `${users}/\${aws:username}`),
      allow("iam:CreateAccessKey", [`${users}/\${aws:username}`, `${users}/ci`]),
      allow("iam:CreateAccessKey", "arn:aws:s3:::bucket"),
    ],
    findings: [
      { ...missing, at: 0, severity: "critical" },
      { ...missing, at: 1, severity: "critical" },
      { ...missing, at: 2, severity: "medium", message: / on named resources without any / },
      { ...missing, at: 4, severity: "medium" },
    ],
  },
  {
    name: "actions that grant rights are high on a name, and not excused by the caller's own name",
    statement: [
      allow("iam:PutUserPolicy", `${users}/\${aws:username}`),
      allow("iam:PutUserPolicy", `${users}/ci`),
      allow("iam:CreatePolicyVersion", "arn:aws:iam::111122223333:policy/app"),
      allow("iam:AttachUserPolicy", `${users}/ci`, {
        ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" },
      }),
      ...["arn:aws-cn:iam::aws:policy/AdministratorAccess", "arn:aws:iam::aws:policy/IAM*"].map(
        (policy) =>
          allow("iam:AttachUserPolicy", `${users}/ci`, { ArnLike: { "iam:PolicyARN": policy } }),
      ),
    ],
    findings: [
      { ...missing, at: 0, severity: "critical" },
      { ...missing, at: 1, severity: "high", example: /"iam:PermissionsBoundary"/ },
      { ...missing, at: 2, severity: "high" },
      { ...missing, at: 4, severity: "high", message: /admits the policy `AdministratorAccess`/ },
      { ...missing, at: 5, severity: "high", message: /admits the policy `IAMFullAccess`/ },
    ],
  },
  {
    name: "a call on several kinds of resources reaches as far as the narrowest; some documents name nothing",
    statement: [
      allow("redshift:GetClusterCredentials", [
        `${redshift}:dbuser:*/report`,
        `${redshift}:dbname:*`,
      ]),
      allow("redshift:GetClusterCredentials", `${redshift}:dbuser:*/*`),
      allow("ssm:SendCommand", [instances, `${documents}/AWS-RunPatchBaseline`]),
      allow("ssm:SendCommand", [instances, `${documents}/AWS-RunShellScript`]),
      allow("ssm:SendCommand", [instances, `${documents}/AWS-Run*`]),
      allow("ssm:CreateAssociation", [
        `${instances.slice(0, -1)}i-0123456789abcdef0`,
        `${documents}/*`,
      ]),
      allow("ssm:UpdateAssociation", [associations, `${documents}/AWSQuickSetup-*`]),
      allow("ssm:UpdateAssociation", [associations, `${documents}/*`]),
      allow("ssm:CreateAssociationBatch", [instances, `${documents}/AWS-GatherSoftwareInventory`]),
    ],
    findings: [
      { ...missing, at: 0, severity: "medium" },
      { ...missing, at: 1, severity: "critical" },
      { ...missing, at: 2, severity: "medium" },
      { ...missing, at: 3, severity: "critical" },
      { ...missing, at: 4, severity: "critical" },
      { ...missing, at: 5, severity: "medium" },
      { ...missing, at: 6, severity: "medium" },
      { ...missing, at: 7, severity: "critical" },
      { ...missing, at: 8, severity: "medium" },
    ],
  },
  {
    name: "named tag keys limit actions that set or remove tags, and no others",
    statement: [
      allow(["iam:TagRole", "iam:UntagRole"], "*", tagKeys("team")),
      allow("iam:TagRole", "*", tagKeys("*")),
      allow("sagemaker:CreatePresignedDomainUrl", "*", tagKeys("team")),
    ],
    findings: [
      { ...missing, at: 1, severity: "critical" },
      { ...missing, at: 2, severity: "critical" },
    ],
  },
  {
    name: "who writes a permission set or picks an access policy decides the rights, so a name does not limit them",
    statement: [
      allow("sso:PutInlinePolicyToPermissionSet", permissionSet),
      allow("sso:AttachManagedPolicyToPermissionSet", permissionSet),
      allow("eks:AssociateAccessPolicy", accessEntry),
      allow("eks:AssociateAccessPolicy", accessEntry, {
        ArnEquals: {
          "eks:policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy",
        },
      }),
      allow("sso:CreateAccountAssignment", permissionSet),
      allow("eks:CreateAccessEntry", "arn:aws:eks:eu-central-1:111122223333:cluster/app"),
    ],
    findings: [
      { ...missing, at: 0, severity: "high" },
      { ...missing, at: 1, severity: "high" },
      { ...missing, at: 2, severity: "high", suggestion: /`eks:policyArn`/ },
      { ...missing, at: 4, severity: "medium" },
      { ...missing, at: 5, severity: "medium" },
    ],
  },
  {
    name: "the example replaces a test of the same key that every request passes",
    statement: allow("iam:AttachGroupPolicy", "arn:aws:iam::111122223333:group/developers", {
      ArnLikeIfExists: { "iam:PolicyARN": "*" },
    }),
    findings: [
      {
        ...missing,
        example:
          /^(?!.*ArnLikeIfExists).*"iam:PolicyARN": "arn:aws:iam::aws:policy\/ReadOnlyAccess"/s,
      },
    ],
  },
  {
    name: "AWS's own policies and service-linked roles cannot be changed, so nothing is granted",
    statement: [
      allow("iam:CreatePolicyVersion", "arn:aws:iam::aws:policy/AdministratorAccess"),
      allow("iam:DeleteRole", "arn:aws:iam::*:role/aws-service-role/ecs.amazonaws.com/*"),
      allow("iam:TagRole", "arn:aws:iam::111122223333:role/aws-service-role/x/y"),
    ],
    findings: [{ ...missing, at: 2, severity: "medium", action: "iam:TagRole" }],
  },
  {
    name: "customers' data is high on everything and left to the default boundary on names (5.16)",
    statement: [
      allow("s3:GetObject", "*"),
      allow("s3:PutObject", "arn:aws:s3:::*/*"),
      allow(["s3:GetObject", "s3:PutObject"], "arn:aws:s3:::reports/*"),
      allow(["dynamodb:PutItem", "dynamodb:Scan"], "arn:aws:dynamodb:*:*:table/*"),
      allow("dynamodb:PutItem", "arn:aws:dynamodb:us-east-1:111122223333:table/orders"),
      allow("sts:AssumeRole", "*"),
      allow("sts:AssumeRole", "arn:aws:iam::111122223333:role/deploy"),
      allow("ssm:GetParameter*", "*"),
    ],
    peers,
    findings: [
      { ...missing, at: 0, severity: "high" },
      { ...missing, at: 1, severity: "high" },
      { ...missing, at: 3, severity: "high" },
      {
        ...missing,
        at: 5,
        severity: "high",
        escalation_paths: [{ id: "sts-001", url: "https://pathfinding.cloud/paths/sts-001" }],
      },
      { ...missing, at: 7, severity: "high" },
    ],
  },
  ...[
    ["dynamodb:PutItem", /It changes business or customer data\.$/],
    ["dynamodb:PutResourcePolicy", /changes who can reach a resource, /],
    ["s3:PutAccessGrantsInstanceResourcePolicy", /changes who can reach a resource, /],
    ["s3:PutAccessPointPolicyForObjectLambda", /changes who can reach a resource, /],
  ].map(([action, message]) => ({
    name: `the message says what the action changes: ${action}`,
    statement: allow(action, "*"),
    findings: [{ ...missing, severity: "high" as const, message: message as RegExp }],
  })),
  {
    name: "tests that say neither who nor what do not excuse, and the message says why",
    statement: [
      { Bool: { "aws:SecureTransport": "true" } },
      { StringEquals: { "aws:RequestedRegion": "eu-west-1" } },
      { StringLike: { "aws:UserAgent": "my-tool/*" } },
      { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
      { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      { DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
      { DateLessThan: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } },
      { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
      { StringEquals: { "aws:ResourceAccount": "111122223333" } },
      { StringEquals: { "aws:PrincipalTag/team": "data" } },
      { Null: { "aws:ResourceTag/team": "false" } },
      { DateGreaterThan: { "aws:TokenIssueTime": "2020-01-01T00:00:00Z" } },
      { DateGreaterThan: { "aws:TokenIssueTime": "2099-01-01T00:00:00Z" } },
    ].map((condition) => allow("secretsmanager:GetSecretValue", "*", condition)),
    findings: [
      { ...missing, at: 0, message: /asks only for an encrypted connection/ },
      { ...missing, at: 1, message: /limits the Region, not who or what/ },
      { ...missing, at: 2, message: /has a value that the caller chooses/ },
      { ...missing, at: 3, message: /the same value for everyone who holds this policy/ },
      { ...missing, at: 4, severity: "critical" },
      { ...missing, at: 5, message: /the start date of `aws:CurrentTime` has passed/ },
      { ...missing, at: 11, message: /the start date of `aws:TokenIssueTime` has passed/ },
    ],
  },
  {
    name: "an unconditional Deny that covers the grant ends it; one with a condition, or on less, does not",
    statement: [
      allow(["iam:CreateAccessKey", "iam:CreateLoginProfile"], "*"),
      deny("IAM:Create*Key", "*"),
      allow("iam:UpdateLoginProfile", [`${users}/a`, `${users}/b`]),
      deny("iam:*", `${users}/a`),
      { ...deny("iam:*", "*"), Condition: { Bool: { "aws:ViaAWSService": "false" } } },
    ],
    findings: [
      { ...missing, at: 0, action: "iam:CreateLoginProfile" },
      { ...missing, at: 2, action: "iam:UpdateLoginProfile" },
    ],
  },
  {
    name: "what an operator set is used as it is; breadth lowers built-in severities only",
    statement: [
      allow("iam:CreateAccessKey", `${users}/ci`),
      allow("s3:PutBucketPolicy", "arn:aws:s3:::reports"),
      allow("iam:CreateAccessKey", `${users}/\${aws:username}`),
    ],
    options: { category_severities: { credential_exposure: "critical" } },
    findings: [
      { ...missing, at: 0, severity: "critical" },
      { ...missing, at: 1, severity: "medium" },
    ],
  },
  {
    name: "the configured severity of the check comes after that of the category",
    statement: [allow("iam:CreateAccessKey", `${users}/ci`), allow("s3:PutBucketPolicy", "*")],
    options: { severity: "warning", category_severities: { credential_exposure: "low" } },
    findings: [
      { ...missing, at: 0, severity: "low" },
      { ...missing, at: 1, severity: "warning" },
    ],
  },
  {
    name: "own severities for named resources replace the built-in lowering",
    statement: [
      allow("iam:CreateAccessKey", `${users}/ci`),
      allow("s3:PutBucketPolicy", "arn:aws:s3:::reports"),
      allow("iam:CreateAccessKey", "*"),
    ],
    options: { scoped_resource_severities: { credential_exposure: "low" } },
    findings: [
      { ...missing, at: 0, severity: "low" },
      { ...missing, at: 1, severity: "high" },
      { ...missing, at: 2, severity: "critical" },
    ],
  },
  {
    name: "own texts of the check have {action} and {actions}; those of a category come first",
    statement: [
      allow(["iam:CreateAccessKey", "iam:CreateUser"], "*"),
      allow("s3:PutBucketPolicy", "*"),
    ],
    options: {
      suggestion: "Ask about {action} ({actions}).",
      example: "",
      category_suggestions: { resource_exposure: { suggestion: "Ask the storage team." } },
    },
    findings: [
      {
        at: 0,
        suggestion: "Ask about iam:CreateAccessKey (iam:CreateAccessKey, iam:CreateUser).",
        example: null,
      },
      { at: 1, suggestion: "Ask the storage team." },
    ],
  },
  {
    name: "a whole account must not change the policy of a resource that is not its own",
    statement: [
      { ...allow("secretsmanager:*", "*"), Principal: { AWS: "arn:aws:iam::444455556666:root" } },
      {
        ...allow("secretsmanager:PutResourcePolicy", "*"),
        Principal: { AWS: "arn:aws:iam::444455556666:role/a" },
      },
      {
        ...allow("sqs:*", "arn:aws:sqs:us-east-1:444455556666:q"),
        Principal: { AWS: "444455556666" },
      },
      { ...allow("kms:PutKeyPolicy", "*"), Principal: { AWS: "444455556666" } },
      { ...allow("secretsmanager:GetSecretValue", "*"), Principal: "*" },
    ],
    findings: [{ ...missing, at: 0, severity: "high", message: / to a whole account / }],
  },
  ...["dynamodb:PutResourcePolicy", "kinesis:*", "codeartifact:PutRepositoryPermissionsPolicy"].map(
    (action) => ({
      name: `a whole account must not change the policy of a resource that names itself: ${action}`,
      statement: { ...allow(action, "*"), Principal: { AWS: "444455556666" } },
      findings: [{ ...missing, severity: "high" as const, message: / to a whole account / }],
    }),
  ),
  ...[
    {
      Action: "dynamodb:PutResourcePolicy",
      Principal: { AWS: "arn:aws:iam::444455556666:role/a" },
    },
    { Action: "dynamodb:GetResourcePolicy", Principal: { AWS: "444455556666" } },
    { Action: "dynamodb:PutItem", Principal: { AWS: "444455556666" } },
    { Action: "kinesis:GetRecords", Principal: { AWS: "444455556666" } },
    {
      Action: "dynamodb:PutResourcePolicy",
      Principal: { AWS: "111122223333" },
      Resource: "arn:aws:dynamodb:eu-west-1:111122223333:table/orders",
    },
  ].map((more) => ({
    name: `sharing a resource is its policy's purpose: ${more.Action} for ${more.Principal.AWS}`,
    statement: { ...allow("*", "*"), ...more },
    findings: [],
  })),
  ...[
    ["secretsmanager:DeleteSecret", "*", /deletes the resource\.$/],
    ["s3:PutBucketAcl", "arn:aws:s3:::reports", /decides who else may use the resource\.$/],
    [
      "lambda:UpdateFunctionCode",
      "arn:aws:lambda:eu-west-1:111122223333:function:f",
      /runs other code with the rights of the function\.$/,
    ],
  ].map(([action, resource, message]) => ({
    name: `a whole account must not take a resource over: ${action}`,
    statement: { ...allow(String(action), String(resource)), Principal: { AWS: "444455556666" } },
    findings: [{ ...missing, severity: "high" as const, message: message as RegExp }],
  })),
  {
    name: "a second account must not end a key",
    statement: [
      { ...allow("kms:*", "*"), Principal: { AWS: "111122223333" } },
      { ...allow("kms:ScheduleKeyDeletion", "*"), Principal: { AWS: "444455556666" } },
    ],
    findings: [
      {
        ...missing,
        at: 1,
        severity: "high",
        message: /deletes the resource\.$/,
        suggestion: /or leave it to the account that owns the resource\.$/,
      },
    ],
  },
  {
    name: "the account of a key may end it, and a role may do what it is trusted with",
    statement: [
      {
        ...allow(["kms:PutKeyPolicy", "kms:ScheduleKeyDeletion"], "*"),
        Principal: { AWS: "111122223333" },
      },
      {
        ...allow("kms:ScheduleKeyDeletion", "*"),
        Principal: { AWS: "arn:aws:iam::444455556666:role/a" },
      },
      {
        ...allow("secretsmanager:DeleteSecret", "*"),
        Principal: { AWS: "arn:aws:iam::444455556666:role/a" },
      },
      { ...allow("s3:DeleteObject", "arn:aws:s3:::reports/*"), Principal: { AWS: "444455556666" } },
      {
        ...allow("lambda:DeleteFunction", "arn:aws:lambda:eu-west-1:111122223333:function:f"),
        Principal: { AWS: "111122223333" },
      },
    ],
    findings: [],
  },
  {
    name: "the advice names the ARN forms first, then keys that all the actions support",
    statement: [
      allow("kms:Decrypt", "*"),
      allow(["iam:CreateLoginProfile", "iam:UpdateLoginProfile"], "*"),
      allow("organizations:LeaveOrganization", "*"),
    ],
    findings: [
      {
        at: 0,
        suggestion:
          /^Name the resources in `Resource`, such as `arn:aws:kms:.*:key\/.*`\. Or limit the action with a condition on `aws:ResourceTag\/…`/,
      },
      { at: 1, suggestion: /ask for MFA as well/ },
      { at: 2, suggestion: /^Limit the actions? with a condition on/ },
    ],
  },
];

checkCases(sensitiveAction, cases, embeddedServices());
