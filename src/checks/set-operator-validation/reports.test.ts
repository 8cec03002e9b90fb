import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { setOperatorValidation } from "../set-operator-validation.ts";

const under = (Condition: object, Effect = "Allow", elements: object = {}) => ({
  Effect,
  Action: "iam:TagRole",
  Resource: "arn:aws:iam::123456789012:role/app",
  Condition,
  ...elements,
});
const tagKeys = { "aws:TagKeys": ["team", "cost-center"] };
const single = "set_operator_on_single_valued_key";
const unchecked = "forallvalues_allow_without_null_check";
const missing = "missing_set_operator";

checkCases(setOperatorValidation, [
  {
    name: "says what ForAllValues does for a key with one value",
    statement: under({
      "ForAllValues:StringEquals": { "aws:PrincipalTag/team": "data" },
      Null: { "aws:PrincipalTag/team": "false" },
    }),
    findings: [
      {
        issue_type: single,
        message:
          "`ForAllValues:StringEquals` is for keys with several values, but `aws:PrincipalTag/team` has one at most. Without the key in the request, `ForAllValues` is true.",
        suggestion: "Remove the prefix: write `StringEquals`.",
        aws_issue_code: "FORALLVALUES_WITH_SINGLE_VALUED_KEY",
      },
    ],
  },
  {
    name: "says what ForAnyValue does for a key with one value, and keeps IfExists",
    statement: under({ "ForAnyValue:StringEqualsIfExists": { "aws:PrincipalTag/team": "data" } }),
    findings: [
      {
        issue_type: single,
        message:
          "`ForAnyValue:StringEqualsIfExists` is for keys with several values, but `aws:PrincipalTag/team` has one at most.",
        suggestion: "Remove the prefix: write `StringEqualsIfExists`.",
        aws_issue_code: null,
      },
    ],
  },
  {
    name: "says whom an Allow under ForAllValues lets in",
    statement: under({ "ForAllValues:StringEquals": tagKeys }),
    findings: [
      {
        issue_type: unchecked,
        severity: "warning",
        message:
          "`ForAllValues` is true when the request does not carry `aws:TagKeys`, so this Allow also applies to requests without it.",
        suggestion:
          'Add `"Null": {"aws:TagKeys": "false"}` to the condition, so that the key must be there.',
      },
    ],
  },
  {
    name: "says it of ForAllValues with IfExists",
    statement: under({ "ForAllValues:StringEqualsIfExists": tagKeys }),
    findings: [{ issue_type: unchecked, message: /^`ForAllValues` and `IfExists` both are true/ }],
  },
  {
    name: "says what a Deny under ForAnyValue leaves",
    statement: under({ "ForAnyValue:StringEquals": tagKeys }, "Deny"),
    findings: [
      {
        issue_type: "foranyvalue_deny_without_null_check",
        message:
          "`ForAnyValue` is false when the request does not carry `aws:TagKeys`, so this Deny does not stop requests without it.",
      },
    ],
  },
  {
    name: "offers both readings of a Deny on another key",
    statement: under(
      { "ForAnyValue:StringEquals": { "aws:CalledVia": "athena.amazonaws.com" } },
      "Deny",
    ),
    findings: [
      {
        issue_type: "foranyvalue_deny_without_null_check",
        suggestion:
          'Where requests without the key are meant too, deny them in another statement with `"Null": {"aws:CalledVia": "true"}`; else add `"Null": {"aws:CalledVia": "false"}`.',
        fix: null,
      },
    ],
  },
  ...[
    ["StringEquals", "ForAnyValue:StringEquals", "one value of the request is listed"],
    ["StringNotEquals", "ForAllValues:StringNotEquals", "no value of the request is listed"],
    ["StringLikeIfExists", "ForAnyValue:StringLikeIfExists", "one value of the request is listed"],
  ].map(([operator, wanted, when]) => ({
    name: `says which prefix ${operator} needs`,
    statement: under({ [String(operator)]: tagKeys }),
    findings: [
      {
        issue_type: missing,
        severity: "high" as const,
        message: `\`aws:TagKeys\` can have several values in one request, and \`${operator}\` compares one. AWS requires \`ForAnyValue:\` or \`ForAllValues:\` for such keys.`,
        suggestion: `Write \`${wanted}\`, which holds when ${when}.`,
        aws_issue_code: "MISSING_QUALIFIER",
      },
    ],
  })),
  ...[
    [{ StringEquals: { "aws:RequestTag/team": "data" } }, true],
    [{ StringLike: { "aws:RequestTag/team": ["data", "web"] } }, true],
    [{ Null: { "aws:RequestTag/team": "false" } }, true],
    [{ Null: { "aws:RequestTag/team": "true" } }, false],
    [{ Null: { "aws:RequestTag/team": ["true", "false"] } }, false],
    [{ StringNotEquals: { "aws:RequestTag/team": "data" } }, false],
    [{ StringEqualsIfExists: { "aws:RequestTag/team": "data" } }, false],
    [{ StringEquals: { "aws:RequestTag/team": [] } }, false],
    [{ StringEquals: { "aws:PrincipalTag/team": "data" } }, false],
    [{ StringSame: { "aws:RequestTag/team": "data" } }, false],
  ].map(([test, demands]) => ({
    name: `${demands ? "is silent" : "reports tag keys"} beside ${JSON.stringify(test)}`,
    statement: under({ "ForAllValues:StringEquals": tagKeys, ...(test as object) }),
    findings: demands ? [] : [{ issue_type: unchecked }],
  })),
  {
    name: "reports ForAllValues on a tag of the request, which demands none, twice",
    statement: under({
      "ForAllValues:StringEquals": { ...tagKeys, "aws:RequestTag/team": "data" },
    }),
    findings: [
      { issue_type: unchecked, condition_key: "aws:TagKeys" },
      { issue_type: single, condition_key: "aws:RequestTag/team" },
      { issue_type: unchecked, condition_key: "aws:RequestTag/team" },
    ],
  },
]);

describe("fixes", () => {
  const of = `set_operator_validation/${missing}`;
  fixCases([
    {
      name: "adds the prefix and asks for the key, where an Allow is negated",
      of,
      before: under({ StringNotEquals: { "aws:TagKeys": "owner" } }),
      after: under({
        "ForAllValues:StringNotEquals": { "aws:TagKeys": "owner" },
        Null: { "aws:TagKeys": "false" },
      }),
      effect: "changes",
    },
    {
      name: "keeps a list of values",
      of,
      before: under({ StringNotEquals: tagKeys }),
      after: under({
        "ForAllValues:StringNotEquals": tagKeys,
        Null: { "aws:TagKeys": "false" },
      }),
    },
    {
      name: "adds the prefix alone beside a Null test",
      of,
      before: under({ StringNotEquals: tagKeys, Null: { "aws:TagKeys": "false" } }),
      after: under({ "ForAllValues:StringNotEquals": tagKeys, Null: { "aws:TagKeys": "false" } }),
    },
    {
      name: "adds the prefix alone in a Deny",
      of,
      before: under({ StringNotEquals: tagKeys }, "Deny"),
      after: under({ "ForAllValues:StringNotEquals": tagKeys }, "Deny"),
    },
    {
      name: "adds the prefix alone to an operator that is not negated",
      of,
      before: under({ StringEquals: tagKeys }),
      after: under({ "ForAnyValue:StringEquals": tagKeys }),
    },
    {
      name: "narrows an Allow by removing ForAllValues",
      of: `set_operator_validation/${single}`,
      before: under({ "ForAllValues:StringEquals": { "aws:PrincipalTag/team": "data" } }),
      after: under({ StringEquals: { "aws:PrincipalTag/team": "data" } }),
      effect: "narrows",
    },
    {
      name: "promises nothing of a Deny without ForAllValues",
      of: `set_operator_validation/${single}`,
      before: under({ "ForAllValues:StringEquals": { "aws:PrincipalTag/team": "data" } }, "Deny"),
      after: under({ StringEquals: { "aws:PrincipalTag/team": "data" } }, "Deny"),
      effect: "changes",
    },
    {
      name: "changes nothing by removing ForAnyValue",
      of: `set_operator_validation/${single}`,
      before: under({ "ForAnyValue:StringEquals": { "aws:PrincipalTag/team": "data" } }),
      after: under({ StringEquals: { "aws:PrincipalTag/team": "data" } }),
      effect: "equivalent",
    },
    {
      name: "promises nothing of a negated test without ForAnyValue",
      of: `set_operator_validation/${single}`,
      before: under({ "ForAnyValue:StringNotEquals": { "aws:PrincipalTag/team": "data" } }),
      after: under({ StringNotEquals: { "aws:PrincipalTag/team": "data" } }),
      effect: "changes",
    },
  ]);
});
