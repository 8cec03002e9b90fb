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
const owned = (
  value: string | readonly string[] = "${aws:username}",
  key = "ec2:ResourceTag/owner",
) =>
  allow(["ec2:StopInstances", "ec2:TerminateInstances"], instances, {
    Condition: { StringEquals: { [key]: value } },
  });
const stage = { Condition: { StringEquals: { "aws:ResourceTag/stage": "test" } } };
const denyTags = { Effect: "Deny", Action: "ec2:*Tags", Resource: "*" };
const denyOthers = { Effect: "Deny", NotAction: "ec2:StopInstances", Resource: "*" };
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
    ...[
      ["*", "arn:aws:ec2:eu-west-1:111122223333:instance/*"],
      [instances, "arn:aws:ec2:eu-west-1:*:instance/*"],
      [`${instances.slice(0, -1)}i-0a1b2c3d4e5f60718`, instances],
      ["arn:aws:ec2:*:${aws:PrincipalAccount}:instance/*", instances],
    ].map(([of = "", tags = ""]) => ({
      name: `a tag of ${of} beside tags on ${tags}, which are partly the same instances`,
      statement: [
        allow("ec2:StopInstances", of, stage),
        allow(["ec2:CreateTags", "ec2:DescribeInstances"], tags),
      ],
      findings: [
        {
          ...tagged,
          severity: "medium" as const,
          message: new RegExp(`with \`ec2:CreateTags\` on \`${tags.replaceAll("*", "\\*")}\`, so`),
        },
      ],
    })),
    ...(
      [
        ["tags only what it creates", [owned(), createTags("ec2:CreateAction", "RunInstances")]],
        ["tags only with listed keys", [owned(), createTags("aws:TagKeys", "cost-center")]],
        ["tags only its own", [owned(), createTags("ec2:ResourceTag/owner", "${aws:username}")]],
        ["tags volumes", [owned(), allow("ec2:CreateTags", "arn:aws:ec2:*:*:volume/*")]],
        ["tags one instance", [owned(), allow("ec2:CreateTags", `${instances.slice(0, -1)}i-1`)]],
        [
          "tags instances of another Region",
          [
            allow("ec2:StopInstances", "arn:aws:ec2:us-east-1:111122223333:instance/*", stage),
            allow("ec2:CreateTags", "arn:aws:ec2:eu-west-1:111122223333:instance/*"),
          ],
        ],
        [
          "tags instances of another account",
          [owned(), allow("ec2:CreateTags", "arn:aws:ec2:*:444455556666:instance/*")],
        ],
        ["takes tags off", [owned(), allow("ec2:DeleteTags", "*")]],
        ["has all of EC2 anyway", [owned(), allow("ec2:*", "*")]],
        ["may stop any instance anyway", [owned(), allow(["ec2:CreateTags", "ec2:S*"], "*")]],
        ["has a tag of AWS", [owned("s", "aws:ResourceTag/aws:x"), allow("ec2:CreateTags", "*")]],
        ["is kept from tagging by a Deny", [owned(), allow("ec2:CreateTags", "*"), denyTags]],
        ["tests no value", [owned([]), allow("ec2:CreateTags", "*")]],
        [
          "passes without the tag anyway",
          [
            allow("ec2:StopInstances", instances, {
              Condition: { StringEqualsIfExists: { "ec2:ResourceTag/stage": "test" } },
            }),
            allow("ec2:CreateTags", "*"),
          ],
        ],
        ["denies what has the tag", [{ ...owned(), Effect: "Deny" }, allow("ec2:CreateTags", "*")]],
        ["excludes other actions by a Deny", [owned(), allow("ec2:CreateTags", "*"), denyOthers]],
        ["has every action anyway", [owned(), allow(["ec2:CreateTags", "*"], "*")]],
        [
          "lists what has a tag",
          [allow("ec2:DescribeInstances", "*", stage), allow("ec2:CreateTags", "*")],
        ],
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
    {
      name: "a tag in the policy of a resource, whose other statements are for other callers",
      type: "RESOURCE_POLICY",
      statement: [owned(), allow("ec2:CreateTags", "*")].map((one) => ({ ...one, Principal: "*" })),
      findings: [],
    },
    {
      name: "a Deny of other actions does not keep callers from tagging",
      statement: [
        owned(),
        allow("ec2:CreateTags", "*"),
        { Effect: "Deny", Action: ["ec2:DeleteTags", "rds:*"], Resource: "*" },
      ],
      findings: [{ ...tagged, severity: "high" }],
    },
    {
      name: "a fixed tag beside the caller's own is medium",
      statement: [owned(["${aws:username}", "shared"]), allow("ec2:CreateTags", "*")],
      findings: [{ ...tagged, severity: "medium" }],
    },
    {
      name: "tags of other services are limited by the keys alone",
      statement: [
        allow("secretsmanager:GetSecretValue", "*", {
          Condition: { StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
        }),
        allow("secretsmanager:TagResource", "*"),
      ],
      findings: [
        {
          suggestion:
            "Limit `secretsmanager:TagResource` by `aws:ResourceTag/team`, by the keys in `aws:TagKeys`.",
        },
      ],
    },
  ],
  embeddedServices(),
);
