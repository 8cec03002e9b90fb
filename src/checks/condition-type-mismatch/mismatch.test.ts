import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { conditionTypeMismatch } from "../condition-type-mismatch.ts";

const under = (Condition: object, Effect = "Allow") => ({
  Effect,
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const role = "arn:aws:iam::111122223333:role/app-*";
const usable = { issue_type: "type_mismatch_usable", severity: "warning" } as const;
const mismatch = { issue_type: "type_mismatch" } as const;

checkCases(conditionTypeMismatch, [
  ...[
    ["StringLike", "ArnLike"],
    ["StringNotLike", "ArnNotLike"],
  ].map(([operator, wanted]) => ({
    name: `says how ${operator} compares an ARN`,
    statement: under({ [String(operator)]: { "aws:PrincipalArn": role } }),
    findings: [
      {
        ...usable,
        message: `\`${operator}\` compares \`aws:PrincipalArn\`, whose values are ARNs, as plain text. It works, but a wildcard can then run across the colons between the parts of an ARN.`,
        suggestion: `Use \`${wanted}\`, which compares part by part.`,
        aws_issue_code: "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
      },
    ],
  })),
  {
    name: "takes StringEquals on an ARN",
    statement: under({
      StringEquals: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/app" },
    }),
    findings: [],
  },
  ...["true", "FALSE"].map((value) => ({
    name: `says when Bool compares a text: ${value}`,
    statement: under({ Bool: { "aws:PrincipalTag/admin": value } }),
    findings: [
      {
        ...usable,
        message:
          "`Bool` compares `aws:PrincipalTag/admin`, whose values are text, with true or false. It works where the text is one of these words.",
        suggestion: "Use `StringEquals`.",
        aws_issue_code: "TYPE_MISMATCH",
      },
    ],
  })),
  ...[
    [
      "Bool",
      "aws:PrincipalTag/admin",
      ["true", "yes"],
      "Bool",
      "String",
      "Use `StringEquals`.",
      "invalid_bool_value_for_operator",
    ],
    [
      "Bool",
      "aws:PrincipalTag/admin",
      "untrue",
      "Bool",
      "String",
      "Use `StringEquals`.",
      "invalid_bool_value_for_operator",
    ],
    [
      "Bool",
      "aws:PrincipalTag/admin",
      "truely",
      "Bool",
      "String",
      "Use `StringEquals`.",
      "invalid_bool_value_for_operator",
    ],
    [
      "Bool",
      "aws:PrincipalTag/admin",
      "y*",
      "Bool",
      "String",
      "Use `StringLike`.",
      "invalid_bool_value_for_operator",
    ],
    ["StringEquals", "aws:SecureTransport", "true", "String", "Bool", "Use `Bool`."],
    ["StringNotEquals", "aws:SecureTransport", "true", "String", "Bool", "Use `Bool`."],
    ["StringEquals", "aws:SourceIp", "203.0.113.0/24", "String", "IPAddress", "Use `IpAddress`."],
    [
      "StringNotLike",
      "aws:SourceIp",
      "203.0.113.0/24",
      "String",
      "IPAddress",
      "Use `NotIpAddress`.",
    ],
    [
      "StringEqualsIgnoreCase",
      "aws:MultiFactorAuthAge",
      "3600",
      "String",
      "Numeric",
      "Use `NumericEquals`.",
    ],
    [
      "StringNotEquals",
      "aws:MultiFactorAuthAge",
      "3600",
      "String",
      "Numeric",
      "Use `NumericNotEquals`.",
    ],
    [
      "StringEquals",
      "aws:MultiFactorAuthAge",
      "old",
      "String",
      "Numeric",
      "Use `NumericEquals` or `NumericLessThan`.",
      "invalid_value_format",
    ],
    [
      "StringEquals",
      "aws:CurrentTime",
      "2026-12-31T00:00:00Z",
      "String",
      "Date",
      "Use `DateLessThan` or `DateGreaterThan`.",
    ],
    [
      "NumericLessThan",
      "aws:PrincipalTag/level",
      "5",
      "Numeric",
      "String",
      "Use `StringEquals` or `StringLike`.",
    ],
    ["NumericEquals", "aws:PrincipalTag/level", "5", "Numeric", "String", "Use `StringEquals`."],
    [
      "NumericNotEquals",
      "aws:PrincipalTag/level",
      "5",
      "Numeric",
      "String",
      "Use `StringNotEquals`.",
    ],
    [
      "NumericGreaterThanEquals",
      "aws:PrincipalTag/level",
      "5",
      "Numeric",
      "String",
      "Use `StringEquals` or `StringLike`.",
    ],
    [
      "IpAddress",
      "aws:PrincipalTag/net",
      "203.0.113.0/24",
      "IPAddress",
      "String",
      "Use `StringEquals`.",
    ],
    [
      "DateEquals",
      "aws:SecureTransport",
      "2026-12-31T00:00:00Z",
      "Date",
      "Bool",
      "Use `Bool`.",
      "invalid_value_format",
    ],
  ].map(([operator, key, value, type, kind, suggestion, also]) => ({
    name: `compares ${key} with ${JSON.stringify(value)} under ${operator}`,
    statement: under({ [String(operator)]: { [String(key)]: value } }),
    findings: [
      {
        ...mismatch,
        message: `\`${operator}\` is an operator for ${type} values, but \`${key}\` has values of type ${kind}, so the condition does not do what it says.`,
        suggestion: suggestion as string,
        aws_issue_code: "TYPE_MISMATCH",
      },
      ...(also ? [{ issue_type: also as string }] : []),
    ],
  })),
  {
    name: "takes ARN operators on tags, which hold any text",
    statement: under({ ArnLike: { "aws:PrincipalTag/role": role } }),
    findings: [],
  },
  {
    name: "takes Numeric operators on dates",
    statement: under({ NumericLessThan: { "aws:CurrentTime": "1767225600" } }),
    findings: [],
  },
]);

describe("fixes", () => {
  fixCases([
    {
      name: "changes nothing where only the last part has wildcards",
      of: "condition_type_mismatch/type_mismatch_usable",
      before: under({ StringLike: { "aws:PrincipalArn": role } }),
      after: under({ ArnLike: { "aws:PrincipalArn": role } }),
      effect: "equivalent",
    },
    {
      name: "promises nothing where one value has a wildcard before the last part",
      of: "condition_type_mismatch/type_mismatch_usable",
      before: under({ StringLike: { "aws:PrincipalArn": [role, "arn:aws:iam::*:role/app"] } }),
      after: under({ ArnLike: { "aws:PrincipalArn": [role, "arn:aws:iam::*:role/app"] } }),
      effect: "changes",
    },
    {
      name: "leaves values that are no ARNs to the author",
      of: "condition_type_mismatch/type_mismatch_usable",
      before: under({ StringLike: { "aws:PrincipalArn": [role, "*app*"] } }),
    },
    {
      name: "compares a text with a String operator",
      of: "condition_type_mismatch/type_mismatch_usable",
      before: under({ BoolIfExists: { "aws:PrincipalTag/admin": "true" } }),
      after: under({ StringEqualsIfExists: { "aws:PrincipalTag/admin": "true" } }),
      effect: "changes",
    },
    {
      name: "uses the operator of the key's type",
      of: "condition_type_mismatch/type_mismatch",
      before: under({ StringNotEqualsIfExists: { "aws:SourceIp": "203.0.113.0/24" } }),
      after: under({ NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } }),
      effect: "repairs",
    },
    {
      name: "leaves a negated test of a boolean to the author",
      of: "condition_type_mismatch/type_mismatch",
      before: under({ StringNotEquals: { "aws:SecureTransport": "true" } }, "Deny"),
    },
    {
      name: "leaves an order of texts to the author",
      of: "condition_type_mismatch/type_mismatch",
      before: under({ NumericLessThanEquals: { "aws:PrincipalTag/level": "5" } }),
    },
  ]);
});
