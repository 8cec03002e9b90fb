import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const launch = (Condition: object, Resource: unknown = "*", Action = "ec2:RunInstances") => ({
  Effect: "Allow",
  Action,
  Resource,
  Condition,
});
const tagged = { StringEquals: { "aws:RequestTag/Env": "dev" } };
const used = {
  Effect: "Allow",
  Action: "ec2:RunInstances",
  Resource: [
    "arn:aws:ec2:*::image/*",
    "arn:aws:ec2:*:*:security-group/*",
    "arn:aws:ec2:*:*:subnet/*",
  ],
};

checkCases(
  actionResourceMatching,
  [
    ...(
      [
        [tagged, /tests `aws:RequestTag\/Env`, .* for `image`, `security-group` and `subnet`\. /],
        [{ Null: { "aws:RequestTag/Env": "false" } }, /tests `aws:RequestTag\/Env`, /],
        [
          { StringLike: { "ec2:InstanceType": "t3.*" } },
          /for `image`, `network-interface`, `security-group` and `subnet`/,
        ],
      ] as const
    ).map(([Condition, message]) => ({
      name: `tells which types of a launch on * lack a key: ${JSON.stringify(Condition)}`,
      statement: launch(Condition),
      findings: [
        { at: 0, issue_type: "resource_mismatch", severity: "medium" as const, message, fix: null },
      ],
    })),
    {
      name: "asks for other ARNs where the statement names none for the rest",
      statement: launch(tagged, "arn:aws:ec2:*:*:instance/*"),
      findings: [
        { at: 0, issue_type: "resource_mismatch", message: /no Allow of this policy covers/ },
      ],
    },
    ...[
      { StringEqualsIfExists: { "ec2:InstanceType": "t3.micro" } },
      { StringNotEquals: { "ec2:InstanceType": "p5.48xlarge" } },
      { StringEquals: { "ec2:Region": "eu-west-1" } },
      { StringEquals: { "aws:RequestedRegion": "eu-west-1" } },
    ].map((Condition) => ({
      name: `accepts a launch on * whose test holds for every type: ${JSON.stringify(Condition)}`,
      statement: launch(Condition),
      findings: [],
    })),
    {
      name: "accepts a launch whose other resources another statement allows",
      statement: [launch(tagged), used],
      findings: [],
    },
    {
      name: "accepts tests of the keys of one type for other actions",
      statement: launch(
        { StringEquals: { "ec2:InstanceType": "t3.micro" } },
        "*",
        "ec2:StopInstances",
      ),
      findings: [],
    },
  ],
  embeddedServices(),
);
