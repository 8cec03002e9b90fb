import { checkCases } from "../../test/support/check-cases.ts";
import { wildcardAction } from "./wildcard-action.ts";

const bucket = "arn:aws:s3:::example-bucket/*";
const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: bucket,
  ...more,
});
const found = { issue_type: "overly_permissive", severity: "medium" } as const;

checkCases(wildcardAction, [
  {
    name: "reports an Allow of every action, at the entry",
    statement: allow("*"),
    findings: [
      {
        ...found,
        at: 0,
        field_name: "action",
        action: null,
        path: "/Statement/0/Action",
        message:
          "The action `*` grants every action that works on the resources of the statement, those that AWS adds later included.",
        suggestion: /^List the actions/,
        risk_category: "privilege_escalation",
      },
    ],
  },
  {
    name: "knows every spelling of everything",
    statement: [allow("**"), allow("*:*"), allow(["s3:GetObject", "**:*"])],
    findings: [
      { ...found, at: 0, message: /`\*\*`/ },
      { ...found, at: 1, message: /`\*:\*`/ },
      { ...found, at: 2, path: "/Statement/2/Action/1" },
    ],
  },
  {
    name: "reports a statement once, however many of its entries mean everything",
    statement: allow(["*", "*:*"]),
    findings: [{ ...found, path: "/Statement/0/Action/0" }],
  },
  {
    name: "is high where the resources are not named, and in the policy of a resource for anyone",
    statement: [
      allow("*", { Resource: "*" }),
      allow("*", { Resource: "arn:aws:sqs:us-east-1:111122223333:*" }),
      allow("*", { Resource: "arn:aws:iam::111122223333:role/*" }),
    ],
    findings: [
      { ...found, severity: "high", message: /grants every action, those/ },
      { ...found, severity: "high" },
      { ...found, severity: "high" },
    ],
  },
  {
    name: "is medium for named principals of a resource, and high for all others",
    statement: [
      allow("*", { Principal: { AWS: "111122223333" } }),
      allow("*", {
        Principal: "*",
        Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      }),
      allow("*", { Principal: "*" }),
    ],
    findings: [found, found, { ...found, severity: "high" }],
  },
  {
    name: "is high for a whole account that does not own the resource",
    statement: [
      allow("*", { Principal: { AWS: "444455556666" }, Resource: "arn:aws:s3:::example-bucket" }),
      allow("*", {
        Principal: { AWS: "arn:aws:iam::444455556666:root" },
        Resource: "arn:aws:sqs:us-east-1:111122223333:orders",
      }),
      allow("*", {
        Principal: { AWS: "arn:aws:iam::444455556666:role/build" },
        Resource: "arn:aws:s3:::example-bucket",
      }),
      allow("*", {
        Principal: { AWS: "111122223333" },
        Resource: "arn:aws:sqs:us-east-1:111122223333:orders",
      }),
      allow("*", { Principal: { AWS: "444455556666" }, Resource: "*" }),
      allow("*", { Principal: { AWS: "444455556666" }, Resource: ["*", bucket] }),
      allow("*", {
        Principal: { AWS: "444455556666" },
        Resource: [bucket, "arn:aws:s3:::example-bucket"],
      }),
    ],
    findings: [
      { ...found, severity: "high" },
      { ...found, severity: "high" },
      found,
      found,
      found,
      found,
      { ...found, severity: "high" },
    ],
  },
  {
    name: "leaves out what a Deny of the policy takes back for certain",
    statement: [allow("*"), { Effect: "Deny", Action: "*", Resource: "arn:aws:s3:::example-*" }],
    findings: [],
  },
  {
    name: "does not count a Deny that has a condition or covers less",
    statement: [
      allow("*"),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { Bool: { "aws:MultiFactorAuthPresent": "false" } },
      },
      { Effect: "Deny", Action: "s3:*", Resource: "*" },
      { Effect: "Deny", Action: "*", Resource: "arn:aws:s3:::example-bucket/?" },
    ],
    findings: [found],
  },
  {
    name: "leaves out what a date before the reference data ends",
    statement: allow("*", {
      Condition: { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
    }),
    findings: [],
  },
  {
    name: "reads the effect in any letter case",
    statement: allow("*", { Effect: " allow " }),
    findings: [found],
  },
  {
    name: "keeps the finding under a condition",
    statement: allow("*", { Condition: { Bool: { "aws:MultiFactorAuthPresent": "true" } } }),
    findings: [found],
  },
  {
    name: "leaves alone patterns that leave something out, NotAction and other effects",
    statement: [
      allow(["s3:*", "s3:Get*", "*:Get*", "?*"]),
      { Effect: "Allow", NotAction: "*", Resource: bucket },
      allow("*", { Effect: "Grant" }),
    ],
    findings: [],
  },
  {
    name: "checks trust and resource policies, not SCPs, which only bound",
    statement: allow("*"),
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "leaves RCPs alone",
    statement: allow("*", { Principal: "*" }),
    type: "RESOURCE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "takes the configured severity and texts as they are, braces included",
    statement: allow("*"),
    options: { severity: "high", message: "No {stars}, $& please", suggestion: "", example: "{}" },
    findings: [
      {
        issue_type: "overly_permissive",
        severity: "high",
        message: "No {stars}, $& please",
        suggestion: null,
        example: "{}",
      },
    ],
  },
]);
