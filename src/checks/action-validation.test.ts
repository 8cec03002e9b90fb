import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { runCheck } from "../../test/support/run-check.ts";
import { serviceDataFrom } from "../../test/support/service-data.ts";
import { embeddedServices } from "../services/embedded.ts";
import { actionValidation } from "./action-validation.ts";

const allow = (Action: unknown, more: object = {}) => [
  { Effect: "Allow", Action, Resource: "*", ...more },
];

checkCases(actionValidation, [
  {
    name: "accepts known names in any letter case, patterns that match, and the bare star",
    statement: allow(["s3:GetObject", "S3:getobject", "s3:*", "s3:Get*", "s3:?etObject", "*"]),
    findings: [],
  },
  {
    name: "reports an unknown name, gives the nearest ones and the day of the data",
    statement: allow("s3:GetObjct", { Sid: "Read" }),
    findings: [
      {
        at: 0,
        issue_type: "invalid_action",
        severity: "error",
        statement_sid: "Read",
        action: "s3:GetObjct",
        field_name: "action",
        message: /`s3` has no `GetObjct` in the reference data of 2026-01-31/,
        suggestion: /^Did you mean `s3:GetObject`/,
        aws_issue_code: "INVALID_ACTION",
      },
    ],
  },
  {
    name: "reports an unknown service and gives the nearest ones",
    statement: allow("sss:SendCommand"),
    findings: [
      {
        action: "sss:SendCommand",
        message: /no service `sss` in the reference data of 2026-01-31/,
        suggestion: /`ssm:SendCommand`/,
        aws_issue_code: "INVALID_SERVICE_IN_ACTION",
      },
    ],
  },
  {
    name: "tells a service that AWS has dropped from one that never was",
    statement: allow("DeepLens:*"),
    findings: [
      {
        message: /removed from its reference/,
        suggestion: "Remove the action.",
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "takes white space out where an action is left, and else asks for a list",
    statement: allow([
      "s3: GetObject",
      "s3:GetObject, s3:Frobnicate",
      "s3:GetObject sqs:SendMessage",
    ]),
    findings: [
      { suggestion: "Write `s3:GetObject`." },
      { suggestion: /^Write each action as an entry of a list/ },
      { suggestion: /^Write each action as an entry of a list/ },
    ],
  },
  {
    name: "reports a pattern that matches nothing",
    statement: allow("s3:Frob*"),
    findings: [{ action: "s3:Frob*", message: /matches no action of `s3`/ }],
  },
  {
    name: "reports a wildcard in the service prefix, whatever the name",
    statement: allow(["*:*", "*:GetObject", "s?:Get*"]),
    findings: ["*:*", "*:GetObject", "s?:Get*"].map((action) => ({
      action,
      message: /wildcard in the service prefix/,
      suggestion: /one action per service/,
      aws_issue_code: "INVALID_SERVICE_IN_ACTION",
    })),
  },
  {
    name: "reports a missing colon",
    statement: allow(["GetObject", "**", ""]),
    findings: ["GetObject", "**", ""].map((action) => ({ action, message: /colon is missing/ })),
  },
  {
    name: "reports spaces inside and around",
    statement: allow(["s3: GetObject", " s3:GetObject", "s3:Get Object"]),
    findings: [
      { action: "s3: GetObject", message: /contains a space/, suggestion: "Write `s3:GetObject`." },
      { action: " s3:GetObject", message: /contains a space/ },
      { action: "s3:Get Object", message: /contains a space/ },
    ],
  },
  {
    name: "reports empty parts and other characters; policy variables are plain text here",
    statement: allow(["s3:", ":GetObject", "s3:Get.Object", "${x}:Foo", "a:b:c"]),
    findings: [
      { action: "s3:", message: /name after the colon/ },
      { action: ":GetObject", message: /prefix before the colon/ },
      { action: "s3:Get.Object", message: /takes letters/ },
      { action: "${x}:Foo", message: /takes letters/ },
      { action: "a:b:c", message: /takes letters/ },
    ],
  },
  {
    name: "checks good neighbours of bad values, and NotAction after Action",
    statement: [
      { Effect: "Deny", NotAction: ["s3:Bad", "s3:GetObject"], Action: "s3:Worse", Resource: "*" },
    ],
    findings: [
      { action: "s3:Worse", field_name: "action", path: "/Statement/0/Action" },
      { action: "s3:Bad", field_name: "not_action", path: "/Statement/0/NotAction/0" },
    ],
  },
  {
    name: "reports a value that is repeated once, at its first place",
    statement: allow(["s3:Bad", "s3:GetObject", "s3:Bad"]),
    findings: [{ action: "s3:Bad", path: "/Statement/0/Action/0" }],
  },
  {
    name: "follows the configured severity",
    statement: allow("s3:Bad"),
    options: { severity: "low" },
    findings: [{ severity: "low" }],
  },
  {
    name: "keeps what it quotes inside its code span",
    statement: allow("s3:`rm`\n- x"),
    findings: [{ action: "s3:`rm`\n- x", message: /^``s3:`rm`\\n- x``/ }],
  },
  {
    name: "offers the name that is clearly meant, where it grants no more than listing or reading",
    statement: [
      { Effect: "Allow", Action: "s3:GetObjct", Resource: "arn:aws:s3:::b/*" },
      { Effect: "Allow", Action: "s3:PutObjct", Resource: "arn:aws:s3:::b/*" },
      { Effect: "Deny", Action: "s3:PutObjct", Resource: "arn:aws:s3:::b/*" },
    ],
    findings: [
      { at: 0, example: '"s3:GetObject"' },
      { at: 1, example: null },
      { at: 2, example: '"s3:PutObject"' },
    ],
  },
]);

checkCases(
  actionValidation,
  [
    {
      name: "a name that AWS publishes and its reference lacks is low",
      statement: allow(["sns:Receive", "SNS:receive", "logs:PutLogEventsBatch"]),
      findings: [
        { severity: "low", action: "sns:Receive", aws_issue_code: "INVALID_ACTION" },
        { severity: "low", action: "SNS:receive", aws_issue_code: "INVALID_ACTION" },
        { severity: "low", action: "logs:PutLogEventsBatch", aws_issue_code: "INVALID_ACTION" },
      ],
    },
    {
      name: "a call that needs two permissions is answered with both",
      statement: allow("s3:CopyObject"),
      findings: [
        { suggestion: "Write `s3:GetObject` and `s3:PutObject`, which permit the call together." },
      ],
    },
    {
      name: "an action that a service by its product's name does not have is not looked for in others",
      statement: allow(["efs:DescribeBackups", "efs:DescribeAcessPoints"]),
      findings: [
        { suggestion: "Look the name up in the service authorization reference." },
        { suggestion: "Did you mean `elasticfilesystem:DescribeAccessPoints`?" },
      ],
    },
    {
      name: "an action of a service that AWS has removed is low, and a misspelt service stays an error",
      statement: allow(["deeplens:*", "elastic-inference:Connect", "elastic-interference:Connect"]),
      findings: [
        { severity: "low", action: "deeplens:*", message: /AWS has removed from its reference/ },
        { severity: "low", action: "elastic-inference:Connect" },
        { severity: "error", action: "elastic-interference:Connect" },
      ],
    },
    {
      name: "shows a guessed name where it only lists, reads by ARN or is denied",
      statement: [
        ...allow("s3:ListBuckt"),
        ...allow("s3:GetObjct"),
        ...allow("s3:GetObjct", { Resource: "arn:aws:s3:::b/*" }),
        ...allow("s3:PutObjct", { Resource: "arn:aws:s3:::b/*" }),
        { Effect: "Deny", Action: "s3:PutObjct", Resource: "*" },
      ],
      findings: [
        { at: 0, example: '"s3:ListBucket"', suggestion: "Did you mean `s3:ListBucket`?" },
        { at: 1, example: null },
        { at: 2, example: '"s3:GetObject"' },
        { at: 3, example: null },
        { at: 4, example: '"s3:PutObject"' },
      ],
    },
    {
      name: "names both actions that the call `ListBuckets` can mean",
      statement: allow("s3:ListBuckets"),
      findings: [
        {
          example: null,
          suggestion:
            "Write `s3:ListAllMyBuckets` to list the buckets, or `s3:ListBucket` to list the objects of a bucket.",
        },
      ],
    },
    {
      name: "looks for the service that has an action of the name",
      statement: allow(["dynamdb:GetItem", "dynamdb:GetItm", "zzzz:GetItem"]),
      findings: [
        {
          message:
            /^`dynamdb:GetItem` is not a known action: there is no service `dynamdb` in the reference data of/,
          suggestion: "Did you mean `dynamodb:GetItem`?",
        },
        { suggestion: "Did you mean `dynamodb:GetItem`?" },
        { suggestion: "Look the name up in the service authorization reference." },
      ],
    },
    {
      name: "names in AWS's example of an SCP for private marketplaces are low",
      statement: allow("aws-marketplace:CreatePrivateMarketplace"),
      findings: [{ severity: "low" }],
    },
  ],
  embeddedServices(),
);

test("all actions of a known service are right even when the data lists none", async () => {
  const services = serviceDataFrom([{ Name: "quiet" }], { date: "2026-01-31" });
  const statement = allow(["quiet:*", "quiet:Get*"]);
  expect(await runCheck(actionValidation, { statement }, services)).toMatchObject([
    { action: "quiet:Get*" },
  ]);
});
