import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { redundancy } from "../redundancy.ts";

const objects = "arn:aws:s3:::reports/*";
const read = { Effect: "Allow", Action: "s3:GetObject", Resource: objects };
const numbers = (operator: string, value: unknown) => ({
  Effect: "Allow",
  Action: "s3:ListBucket",
  Resource: "arn:aws:s3:::reports",
  Condition: { [operator]: { "s3:max-keys": value } },
});
const number = "redundancy/redundant_condition_value";
const role = "arn:aws:iam::111122223333:role/app";
const session = "arn:aws:sts::111122223333:assumed-role/app/build";
const trust = (AWS: unknown, Effect = "Allow") => ({
  Effect,
  Principal: { AWS },
  Action: "sts:AssumeRole",
});

describe("entries that another one covers", () => {
  fixCases([
    {
      name: "go at once, whatever their order",
      of: "redundancy/redundant_action",
      before: { ...read, Action: ["s3:GetObject", "s3:Get*", "S3:getobject", "s3:PutObject"] },
      after: { ...read, Action: ["s3:Get*", "s3:PutObject"] },
      effect: "equivalent",
    },
    {
      name: "stay once where all are equal",
      of: "redundancy/redundant_action",
      before: { ...read, Action: ["s3:GetObject", "s3:getobject", "s3:PutObject"] },
      after: { ...read, Action: ["s3:GetObject", "s3:PutObject"] },
    },
    {
      name: "stay where two patterns cover each other",
      of: "redundancy/redundant_action",
      before: { ...read, Action: ["s3:Get**", "s3:Get*"] },
    },
    {
      name: "are resources whose letter case counts",
      of: "redundancy/redundant_resource",
      before: {
        ...read,
        Resource: [objects, "arn:aws:s3:::reports/a/*", "arn:aws:s3:::Reports/a/*"],
      },
      after: { ...read, Resource: [objects, "arn:aws:s3:::Reports/a/*"] },
    },
  ]);
});

describe("numbers under a comparison", () => {
  fixCases([
    {
      name: "leave the largest where the key must be less",
      of: number,
      before: numbers("NumericLessThan", ["10", "100", "50"]),
      after: numbers("NumericLessThan", "100"),
      effect: "equivalent",
    },
    {
      name: "leave the least where the key must be greater, as it is written",
      of: number,
      before: numbers("NumericGreaterThanEquals", [100, 10, 50]),
      after: numbers("NumericGreaterThanEquals", 10),
    },
    {
      name: "are those of the key and operator that the finding is about",
      of: number,
      before: {
        ...numbers("NumericLessThan", ["10", "100"]),
        Condition: {
          NumericGreaterThan: { "s3:max-keys": "1" },
          NumericLessThan: { "aws:MultiFactorAuthAge": "3600", "s3:max-keys": ["10", "100"] },
        },
      },
      after: {
        ...numbers("NumericLessThan", "100"),
        Condition: {
          NumericGreaterThan: { "s3:max-keys": "1" },
          NumericLessThan: { "aws:MultiFactorAuthAge": "3600", "s3:max-keys": "100" },
        },
      },
    },
  ]);
});

describe("sessions beside their role", () => {
  fixCases([
    {
      name: "are removed from an Allow",
      of: "redundancy/redundant_principal",
      type: "TRUST_POLICY",
      before: trust([role, session]),
      after: trust([role]),
      effect: "narrows",
    },
    {
      name: "stay in a Deny",
      of: "redundancy/redundant_principal",
      type: "TRUST_POLICY",
      before: [trust([role, session], "Deny"), trust(role)],
    },
  ]);
});

describe("equal statements", () => {
  const other = { ...read, Action: "s3:PutObject" };
  fixCases([
    {
      name: "leave the first of three",
      of: "redundancy/redundant_statement",
      before: [{ ...read, Sid: "A" }, other, { ...read, Sid: "B" }, { ...read, Sid: "C" }],
      after: [{ ...read, Sid: "A" }, other],
      effect: "equivalent",
    },
  ]);
});

const deny = (elements: object) => ({ Effect: "Deny", Action: "s3:*", Resource: "*", ...elements });

checkCases(redundancy, [
  {
    name: "points at each Deny that takes a part back",
    statement: [
      { ...read, Action: ["s3:GetObject", "s3:PutObject"] },
      deny({ Action: "s3:Get*" }),
      deny({ Action: "s3:Put*" }),
    ],
    findings: [
      {
        issue_type: "denied_grant",
        related: [
          { path: "/Statement/1", location: null },
          { path: "/Statement/2", location: null },
        ],
        suggestion: "Narrow the Deny to what must never happen, or remove this statement.",
      },
    ],
  },
  {
    name: "reports nothing of an Allow without actions",
    statement: [{ ...read, Action: [] }, deny({ Action: "*" })],
    findings: [],
  },
  {
    name: "reports nothing of an Allow of everything but what the Deny covers",
    statement: [{ Effect: "Allow", NotAction: "s3:*", Resource: "*" }, deny({})],
    findings: [],
  },
]);
