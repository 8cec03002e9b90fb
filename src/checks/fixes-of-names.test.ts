import { describe, expect, test } from "vitest";
import { engineFor } from "../../scripts/fixes/engine.ts";
import { fixCases } from "../../test/support/fix-cases.ts";
import { validatePolicy } from "../engine/run.ts";
import { applyPatch } from "../fixes/patch.ts";
import { objectDocument } from "../policy/document.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const trust = {
  Effect: "Allow",
  Action: "sts:AssumeRole",
  Principal: { AWS: "arn:aws:iam::111122223333:root" },
};

describe("names", () => {
  const key = (name: string, statement: object = read) => ({
    ...statement,
    Condition: { StringEquals: { [name]: "x" } },
  });
  const list = { ...read, Action: "s3:ListBucket", Resource: "arn:aws:s3:::reports" };
  const queue = (region: string) => ({
    Effect: "Allow",
    Action: "sqs:SendMessage",
    Resource: `arn:aws:sqs:${region}:111122223333:jobs`,
  });
  fixCases([
    {
      name: "removes the spaces around the name of a variable",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${ aws:username }/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:username}/*" },
      effect: "repairs",
    },
    {
      name: "keeps the default of a variable whose name has a space",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws: username, 'guest'}/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:username, 'guest'}/*" },
      effect: "repairs",
    },
    {
      name: "closes the quotes of a default",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws:PrincipalTag/team, 'none}/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:PrincipalTag/team, 'none'}/*" },
      effect: "repairs",
    },
    {
      name: "puts quotes around a default",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws:PrincipalTag/team, none}/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:PrincipalTag/team, 'none'}/*" },
      effect: "repairs",
    },
    {
      name: "does not know what a quote inside of a default means",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws:PrincipalTag/team, 'a'b}/*" },
    },
    {
      name: "removes an empty action beside others",
      of: "action_validation/invalid_action",
      before: { Action: ["", "sqs:SendMessage", ""] },
      after: { Action: ["sqs:SendMessage"] },
      effect: "repairs",
    },
    {
      name: "does not know what an empty action means that stands alone",
      of: "action_validation/invalid_action",
      before: { Action: [""] },
    },
    {
      name: "removes an empty resource beside others",
      of: "resource_validation/invalid_resource",
      before: { Resource: ["arn:aws:sqs:eu-west-1:111122223333:jobs", ""] },
      after: { Resource: ["arn:aws:sqs:eu-west-1:111122223333:jobs"] },
      effect: "repairs",
    },
    ...["us-esat-1", "us-eats-1", "useast1", "us_east_1", "US-EAST-1"].map((region) => ({
      name: `corrects the Region of an ARN: ${region}`,
      of: `resource_validation/invalid_${/_|US/.test(region) ? "resource" : "region"}`,
      before: queue(region),
      after: queue("us-east-1"),
      effect: "repairs" as const,
    })),
    ...["us-east", "su-east-1"].map((region) => ({
      name: `does not choose between Regions that are as near: ${region}`,
      of: "resource_validation/invalid_region",
      before: queue(region),
    })),
    {
      name: "moves all actions that send no tags at once",
      of: "condition_key_validation/invalid_condition_key",
      before: {
        Effect: "Allow",
        Action: ["sqs:SendMessage", "sqs:GetQueueAttributes", "sqs:CreateQueue"],
        Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
        Condition: { StringEquals: { "aws:RequestTag/team": "jobs" } },
      },
      after: [
        {
          Effect: "Allow",
          Action: ["sqs:CreateQueue"],
          Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
          Condition: { StringEquals: { "aws:RequestTag/team": "jobs" } },
        },
        {
          Effect: "Allow",
          Action: ["sqs:SendMessage", "sqs:GetQueueAttributes"],
          Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
        },
      ],
      effect: "changes",
    },
    {
      name: "corrects a Region with two letters that changed places in a condition",
      of: "condition_type_mismatch/invalid_region",
      before: { ...read, Condition: { StringEquals: { "aws:RequestedRegion": "eu-wset-1" } } },
      after: { ...read, Condition: { StringEquals: { "aws:RequestedRegion": "eu-west-1" } } },
      effect: "repairs",
    },
    ...["PrincipalOrgID", "principalorgid", "iam:PrincipalOrgID", "aws.PrincipalOrgID"].map(
      (name) => ({
        name: `writes the prefix of a global condition key: ${name}`,
        of: "condition_key_validation/invalid_condition_key",
        before: key(name),
        after: key("aws:PrincipalOrgID"),
        effect: "repairs" as const,
      }),
    ),
    {
      name: "writes the prefix of a key of the service",
      of: "condition_key_validation/invalid_condition_key",
      before: key("aws:prefix", list),
      after: key("s3:prefix", list),
      effect: "repairs",
    },
    {
      name: "does not write the prefix of a key that another action does not have",
      of: "condition_key_validation/invalid_condition_key",
      before: key("prefix", { ...list, Action: ["s3:ListBucket", "ec2:DescribeTags"] }),
    },
    {
      name: "leaves the key of another service to the author",
      of: "condition_key_validation/invalid_condition_key",
      before: key("ec2:Region"),
    },
    ...["s3::GetObject", "aws:s3:GetObject", "arn:aws:s3:GetObject", "s3:GetObject()"].map(
      (Action) => ({
        name: `corrects the form of an action: ${Action}`,
        of: "action_validation/invalid_action",
        before: { ...read, Action },
        after: read,
        effect: "repairs" as const,
      }),
    ),
    ...(
      [
        ["arn:aws:iam:111122223333:root", "root"],
        ["arn:aws:iam:::111122223333:root", "root"],
        ["arn:aws:iam::111122223333:Root", "root"],
        ["arn:aws:iam::111122223333:root/", "root"],
        ["arn:aws:iam::111122223333/root", "root"],
        ["arn:aws:iam::111122223333:roots", "root"],
        ["arn:aws:sts::111122223333:root", "root"],
        ["arn:aws:iam:us-east-1:111122223333:root", "root"],
        ["aws:iam::111122223333:root", "root"],
        ["arn:aws:iam::1111-2222-3333:root", "root"],
        [" arn:aws:iam::111122223333:root", "root"],
        ["arn:aws:iam::111122223333:role:jobs", "role/jobs"],
        ["arn:aws:iam::111122223333:Roles/team/jobs", "role/team/jobs"],
      ] as const
    ).map(([AWS, meant]) => ({
      name: `corrects the form of a principal: ${AWS}`,
      of: "policy_type_validation/invalid_principal_value",
      type: "TRUST_POLICY" as const,
      before: { ...trust, Principal: { AWS } },
      after: { ...trust, Principal: { AWS: `arn:aws:iam::111122223333:${meant}` } },
      effect: "repairs" as const,
    })),
    ...["arn:aws:iam::111122223333", "111122223333:root"].map((AWS) => ({
      name: `leaves a principal that may mean another one to the author: ${AWS}`,
      of: "policy_type_validation/invalid_principal_value",
      type: "TRUST_POLICY" as const,
      before: { ...trust, Principal: { AWS } },
    })),
    {
      name: "separates principals",
      of: "policy_type_validation/invalid_principal_value",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { AWS: ["111122223333,444455556666"] } },
      after: { ...trust, Principal: { AWS: ["111122223333", "444455556666"] } },
      effect: "repairs",
    },
    {
      name: "separates ARNs",
      of: "resource_validation/invalid_resource",
      before: { ...read, Resource: "arn:aws:s3:::a/*, arn:aws:s3:::b/*" },
      after: { ...read, Resource: ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"] },
      effect: "repairs",
    },
    {
      name: "puts an account id in quotes",
      of: "policy_structure/invalid_element_type",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { AWS: 111122223333 } },
      after: { ...trust, Principal: { AWS: "111122223333" } },
      effect: "repairs",
    },
    {
      name: "leaves an account id that has lost a zero to the author",
      of: "policy_structure/invalid_element_type",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { AWS: 11122223333 } },
    },
    {
      name: "takes principals out of an inner list",
      of: "policy_structure/invalid_element_type",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { AWS: [["111122223333"]] } },
      after: { ...trust, Principal: { AWS: ["111122223333"] } },
      effect: "repairs",
    },
    {
      name: "separates service principals",
      of: "policy_type_validation/invalid_principal_value",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { Service: "ec2.amazonaws.com, lambda.amazonaws.com" } },
      after: { ...trust, Principal: { Service: ["ec2.amazonaws.com", "lambda.amazonaws.com"] } },
      effect: "repairs",
    },
    {
      name: "adds the prefix of the only service that has the action",
      of: "action_validation/invalid_action",
      before: { Effect: "Deny", Action: ["RunInstances"], Resource: "*" },
      after: { Effect: "Deny", Action: ["ec2:RunInstances"], Resource: "*" },
      effect: "repairs",
    },
    {
      name: "does not choose between services that have the action",
      of: "action_validation/invalid_action",
      before: { ...read, Action: "TagResource", Resource: "*" },
    },
    {
      name: "corrects the separator of an action",
      of: "action_validation/invalid_action",
      before: { ...read, Action: "s3.GetObject" },
      after: read,
      effect: "repairs",
    },
    {
      name: "corrects a set prefix by one letter",
      of: "condition_type_mismatch/invalid_operator",
      before: { ...read, Condition: { "ForAnyValues:StringEquals": { "aws:TagKeys": "a" } } },
      after: { ...read, Condition: { "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } } },
      effect: "repairs",
    },
    {
      name: "does not choose a set prefix that is not there",
      of: "condition_type_mismatch/invalid_operator",
      before: { ...read, Condition: { "ForSome:StringEquals": { "aws:TagKeys": "a" } } },
    },
    {
      name: "corrects IfExists without its last letter",
      of: "condition_type_mismatch/invalid_operator",
      before: { ...read, Condition: { StringEqualIfExist: { "aws:PrincipalTag/a": "b" } } },
      after: { ...read, Condition: { StringEqualsIfExists: { "aws:PrincipalTag/a": "b" } } },
      effect: "repairs",
    },
    {
      name: "removes white space around an address",
      of: "condition_type_mismatch/invalid_value_format",
      before: { ...read, Condition: { IpAddress: { "aws:SourceIp": ["203.0.113.0/24 "] } } },
      after: { ...read, Condition: { IpAddress: { "aws:SourceIp": ["203.0.113.0/24"] } } },
      effect: "repairs",
    },
    {
      name: "removes the hyphens of an account id",
      of: "resource_validation/invalid_resource",
      before: {
        ...read,
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:eu-west-1:1111-2222-3333:jobs",
      },
      after: {
        ...read,
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:eu-west-1:111122223333:jobs",
      },
      effect: "repairs",
    },
    {
      name: "writes no ARN of a type whose format in the reference has a field too few",
      of: "wildcard_resource/overly_permissive",
      before: { ...read, Action: "mediaconnect:DescribeOffering", Resource: "*" },
    },
    {
      name: "does not let an action work for the first time that gives a service a role",
      of: "action_resource_matching/resource_mismatch",
      before: {
        ...read,
        Action: ["elasticmapreduce:DescribeCluster", "elasticmapreduce:RunJobFlow"],
        Resource: "arn:aws:elasticmapreduce:*:*:cluster/*",
      },
    },
    {
      name: "corrects the type of a principal",
      of: "policy_type_validation/invalid_principal_value",
      type: "TRUST_POLICY",
      before: { ...trust, Principal: { AWSS: "arn:aws:iam::111122223333:root" } },
      after: trust,
      effect: "repairs",
    },
    {
      name: "corrects a policy variable to the one nearest name",
      of: "policy_variables/invalid_policy_variable",
      before: { ...read, Resource: "arn:aws:s3:::reports/${aws:usernme}/*" },
      after: { ...read, Resource: "arn:aws:s3:::reports/${aws:username}/*" },
      effect: "repairs",
    },
    {
      name: "corrects the part of a condition key before the name of a tag",
      of: "condition_key_validation/invalid_condition_key",
      before: { ...read, Condition: { StringEquals: { "s3:ExistingObjectTags/team": "a" } } },
      after: { ...read, Condition: { StringEquals: { "s3:ExistingObjectTag/team": "a" } } },
      effect: "repairs",
    },
    {
      name: "removes the set prefix from Null",
      of: "set_operator_validation/null_with_qualifier",
      before: { ...read, Condition: { "ForAnyValue:Null": { "aws:TagKeys": "false" } } },
      after: { ...read, Condition: { Null: { "aws:TagKeys": "false" } } },
      effect: "repairs",
    },
    {
      name: "gives a missing element the misspelt one",
      of: "policy_structure/missing_action",
      before: { Effect: "Allow", Acton: "s3:GetObject", Resource: read.Resource },
      after: read,
      effect: "repairs",
    },
    {
      name: "gives a missing version the misspelt one",
      of: "policy_structure/missing_version",
      document: { Verson: "2012-10-17" },
      documentAfter: { Version: "2012-10-17" },
      before: read,
      after: read,
      effect: "repairs",
    },
  ]);
});

describe("resources", () => {
  fixCases([
    ...["S3:::reports/*", "s3:::reports/*", "aws:s3:::reports/*", "ARN:aws:S3:::reports/*"].map(
      (Resource) => ({
        name: `writes the ARN in place of ${Resource}`,
        of: "resource_validation/invalid_resource",
        before: { ...read, Resource },
        after: read,
        effect: "repairs" as const,
      }),
    ),
    {
      name: "takes the partition from the other ARNs",
      of: "resource_validation/invalid_resource",
      before: { ...read, Resource: ["arn:aws-cn:s3:::a/*", "s3:::b/*"] },
      after: { ...read, Resource: ["arn:aws-cn:s3:::a/*", "arn:aws-cn:s3:::b/*"] },
      effect: "repairs",
    },
    ...[
      ["sns:Publish", "arn:aws:sns:eu-west-1:111122223333:", "topic/orders", "orders"],
      ["sqs:SendMessage", "arn:aws:sqs:eu-west-1:111122223333:", "queue:jobs-*", "jobs-*"],
      ["s3:GetObject", "arn:aws:s3:::", "111122223333:reports/*", "reports/*"],
    ].map(([Action = "", prefix = "", wrong = "", right = ""]) => ({
      name: `writes the name alone in place of ${wrong}`,
      of: "resource_validation/invalid_resource",
      before: { Effect: "Allow", Action, Resource: `${prefix}${wrong}` },
      after: { Effect: "Allow", Action, Resource: `${prefix}${right}` },
      effect: "repairs" as const,
    })),
    ...["topic/*", "a/orders", "topic/a/b"].map((name) => ({
      name: `does not guess the name in ${name}`,
      of: "resource_validation/invalid_resource",
      before: {
        Effect: "Allow",
        Action: "sns:Publish",
        Resource: `arn:aws:sns:eu-west-1:111122223333:${name}`,
      },
    })),
    {
      name: "does not guess the fields of other ARNs",
      of: "resource_validation/invalid_resource",
      before: { Effect: "Allow", Action: "sqs:SendMessage", Resource: "sqs:::jobs" },
    },
    {
      name: "empties the Region and the account of a bucket",
      of: "action_resource_matching/statement_never_applies",
      before: { ...read, Resource: "arn:aws:s3:eu-west-1:111122223333:reports/*" },
      after: read,
      effect: "repairs",
    },
    {
      name: "names the key in place of its alias",
      of: "action_resource_matching/statement_never_applies",
      before: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "arn:aws:kms:eu-west-1:111122223333:alias/reports",
      },
      after: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "arn:aws:kms:eu-west-1:111122223333:key/<key-id>",
      },
      effect: "changes",
      asks: ["<key-id>"],
    },
    {
      name: "adds the only resource of actions that work on no other",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: "ec2:DescribeInstances" },
      after: { Effect: "Allow", Action: "ec2:DescribeInstances", Resource: "*" },
      effect: "repairs",
    },
    {
      name: "asks for the resources of other actions",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: "sqs:SendMessage" },
      after: {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:<region>:<account-id>:<queue-name>",
      },
      effect: "repairs",
      asks: ["<region>", "<account-id>", "<queue-name>"],
    },
    {
      name: "does not allow a powerful action on everything",
      of: "policy_structure/missing_resource",
      before: { Effect: "Allow", Action: "organizations:CreateAccount" },
    },
  ]);
});

describe("trust", () => {
  const github = "token.actions.githubusercontent.com";
  const web = {
    Effect: "Allow",
    Action: "sts:AssumeRoleWithWebIdentity",
    Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${github}` },
  };
  fixCases([
    {
      name: "narrows a subject that is every one of the provider",
      of: "trust_policy_validation/missing_required_condition_for_assume_action",
      type: "TRUST_POLICY",
      before: {
        ...web,
        Condition: {
          StringEquals: { [`${github}:aud`]: "sts.amazonaws.com" },
          StringLike: { [`${github}:sub`]: "*" },
        },
      },
      after: {
        ...web,
        Condition: {
          StringEquals: {
            [`${github}:aud`]: "sts.amazonaws.com",
            [`${github}:sub`]: "repo:<org>/<repo>:ref:refs/heads/<branch>",
          },
        },
      },
      effect: "narrows",
      asks: ["<org>", "<repo>", "<branch>"],
    },
  ]);
});

describe("conditions that the config requires", () => {
  const firstFix = async (checks: object, type: "TRUST_POLICY" | "RESOURCE_POLICY", of: string) => {
    const engine = engineFor({ ...checks }, { claims: new Map(), defects: [] });
    const policy = { Version: "2012-10-17", Statement: [trust] };
    const { findings } = await validatePolicy(
      { document: objectDocument(policy), name: null, declaredType: type, label: "policy" },
      engine,
    );
    const fix = findings.find(({ issue_type }) => issue_type === of)?.fix;
    return fix && { ...fix, after: applyPatch(policy, fix.patch) };
  };
  const conditioned = (Condition: object) => ({
    Version: "2012-10-17",
    Statement: [{ ...trust, Condition }],
  });

  test("asks for the external id of a role", async () => {
    const checks = {
      trust_policy_validation: {
        validation_rules: { "sts:AssumeRole": { required_conditions: ["sts:ExternalId"] } },
      },
    };
    const fix = await firstFix(
      checks,
      "TRUST_POLICY",
      "missing_required_condition_for_assume_action",
    );
    expect(fix?.after).toEqual(
      conditioned({ StringEquals: { "sts:ExternalId": "<external-id>" } }),
    );
    expect(fix?.needs_input.map(({ placeholder }) => placeholder)).toEqual(["<external-id>"]);
    expect(fix?.effect).toBe("narrows");
  });

  test.each([
    [{ condition_key: "aws:PrincipalOrgID", expected_value: "o-a1b2c3d4e5" }, "o-a1b2c3d4e5", []],
    [{ condition_key: "aws:PrincipalOrgID" }, "<principal-org-id>", ["<principal-org-id>"]],
  ])("adds the condition for a principal: %j", async (condition, value, asks) => {
    const requirement = { principals: ["*root"], required_conditions: [condition] };
    const checks = { principal_validation: { principal_condition_requirements: [requirement] } };
    const fix = await firstFix(checks, "RESOURCE_POLICY", "missing_principal_condition");
    expect(fix?.after).toEqual(conditioned({ StringEquals: { "aws:PrincipalOrgID": value } }));
    expect(fix?.needs_input.map(({ placeholder }) => placeholder)).toEqual(asks);
    expect(fix?.effect).toBe("narrows");
  });
});
