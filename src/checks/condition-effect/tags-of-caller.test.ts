import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionEffect } from "../condition-effect.ts";

const instances = "arn:aws:ec2:*:111122223333:instance/*";
const allow = (Action: string | readonly string[], Resource: string, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const owned = (value = "${aws:username}", key = "ec2:ResourceTag/owner") =>
  allow(["ec2:StopInstances", "ec2:TerminateInstances"], instances, {
    Condition: { StringEquals: { [key]: value } },
  });
const denyTags = { Effect: "Deny", Action: "ec2:*Tags", Resource: "*" };
const createTags = (key: string, value: string) =>
  allow("ec2:CreateTags", "*", {
    Condition: { "ForAllValues:StringEquals": { [key]: value }, Null: { [key]: "false" } },
  });
const tagged = { issue_type: "tag_set_by_caller" };

checkCases(
  conditionEffect,
  [
    ...["*", "arn:aws:ec2:*:111122223333:*/*", instances].map((resource) => ({
      name: `a tag of the caller beside ec2:CreateTags on ${resource}`,
      statement: [owned(), allow("ec2:CreateTags", resource)],
      findings: [
        {
          at: 0,
          ...tagged,
          severity: "high" as const,
          condition_key: "ec2:ResourceTag/owner",
          message:
            /^Statement 2 lets callers set any tag with `ec2:CreateTags` on `.*`, so they can/,
          suggestion: /`aws:TagKeys`, or by `ec2:CreateAction`/,
        },
      ],
    })),
    {
      name: "a fixed tag is medium, and so is a pattern of actions that set tags",
      statement: [owned("dev", "aws:ResourceTag/stage"), allow("ec2:Create*", "*")],
      findings: [{ ...tagged, severity: "medium" }],
    },
    {
      name: "another service, and one finding for several tests",
      statement: [
        ...["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"].map((action) =>
          allow(action, "*", {
            Condition: { StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
          }),
        ),
        allow("secretsmanager:TagResource", "*"),
      ],
      findings: [{ at: 0, ...tagged, severity: "high" }],
    },
    {
      name: "sessions on instances with a tag that callers can give any instance",
      statement: [
        allow("ssm:StartSession", instances, {
          Condition: { StringEquals: { "ssm:resourceTag/access": "dev" } },
        }),
        allow("ec2:CreateTags", instances),
      ],
      findings: [{ at: 0, ...tagged, severity: "high", condition_key: "ssm:resourceTag/access" }],
    },
    {
      name: "secrets with a fixed tag that callers can set",
      statement: [
        allow("secretsmanager:GetSecretValue", "*", {
          Condition: { StringEquals: { "aws:ResourceTag/team": "web" } },
        }),
        allow("secretsmanager:TagResource", "*"),
      ],
      findings: [{ at: 0, ...tagged, severity: "high" }],
    },
    {
      name: "accepts sessions on instances beside tags of volumes",
      statement: [
        allow("ssm:StartSession", instances, {
          Condition: { StringEquals: { "ssm:resourceTag/access": "dev" } },
        }),
        allow("ec2:CreateTags", "arn:aws:ec2:*:111122223333:volume/*"),
      ],
      findings: [],
    },
    ...(
      [
        ["tags only what it creates", [owned(), createTags("ec2:CreateAction", "RunInstances")]],
        ["tags only with listed keys", [owned(), createTags("aws:TagKeys", "cost-center")]],
        ["tags only its own", [owned(), createTags("ec2:ResourceTag/owner", "${aws:username}")]],
        ["tags volumes", [owned(), allow("ec2:CreateTags", "arn:aws:ec2:*:*:volume/*")]],
        ["tags one instance", [owned(), allow("ec2:CreateTags", `${instances.slice(0, -1)}i-1`)]],
        ["takes tags off", [owned(), allow("ec2:DeleteTags", "*")]],
        ["has all of EC2 anyway", [owned(), allow("ec2:*", "*")]],
        ["may stop any instance anyway", [owned(), allow(["ec2:CreateTags", "ec2:S*"], "*")]],
        ["has a tag of AWS", [owned("s", "aws:ResourceTag/aws:x"), allow("ec2:CreateTags", "*")]],
        ["is kept from tagging by a Deny", [owned(), allow("ec2:CreateTags", "*"), denyTags]],
        ["tags another service", [owned(), allow("rds:AddTagsToResource", "*")]],
        [
          "excludes a tag",
          [
            allow("ec2:StopInstances", instances, {
              Condition: { StringNotEquals: { "ec2:ResourceTag/stage": "prod" } },
            }),
            allow("ec2:CreateTags", "*"),
          ],
        ],
      ] as const
    ).map(([name, statement]) => ({
      name: `accepts a policy that ${name}`,
      statement,
      findings: [],
    })),
  ],
  embeddedServices(),
);
