import { checkCases } from "../../../test/support/check-cases.ts";
import { policyStructure } from "../policy-structure.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const under = (Condition: unknown, Effect = "Allow") => ({ ...read, Effect, Condition });
const wrongType = { at: 0, issue_type: "invalid_element_type", field_name: "condition" } as const;
const empty = { at: 0, issue_type: "empty_element", field_name: "condition" } as const;

checkCases(policyStructure, [
  {
    name: "says what a Condition is that is no object of operators",
    statement: under("aws:PrincipalOrgID"),
    findings: [
      {
        ...wrongType,
        path: "/Statement/0/Condition",
        message: '`Condition` is `"aws:PrincipalOrgID"`; it must be an object of operators.',
        suggestion:
          'Write operator, key and value, one inside the other: `{"StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}}`.',
        aws_issue_code: "DATA_TYPE_MISMATCH",
      },
    ],
  },
  ...[
    ["an object", { "s3:prefix": { a: 1 } }, "is an object", "s3:prefix"],
    ["null", { "s3:prefix": null }, "is `null`", "s3:prefix"],
    ["a list that holds a list", { "s3:prefix": ["a", ["b"]] }, "holds a list", "s3:prefix/1"],
  ].map(([name, keys, message, at]) => ({
    name: `reports a condition value that is ${name}`,
    statement: under({ StringEquals: keys }),
    findings: [
      {
        ...wrongType,
        path: `/Statement/0/Condition/StringEquals/${at}`,
        message: `The value of \`s3:prefix\` under \`StringEquals\` ${message}; it must be a string, a number, a boolean or a list of these.`,
      },
    ],
  })),
  {
    name: "takes texts, numbers and booleans as values",
    statement: under({
      StringEquals: { "s3:prefix": ["a", "b"] },
      NumericLessThan: { "s3:max-keys": 5 },
      Bool: { "aws:SecureTransport": true, "aws:ViaAWSService": [false, "true"] },
    }),
    findings: [],
  },
  ...[
    ["StringEquals", "EMPTY_ARRAY_CONDITION"],
    ["StringEqualsIfExists", "EMPTY_ARRAY_CONDITION_IFEXISTS"],
    ["ForAnyValue:StringEquals", "EMPTY_ARRAY_CONDITION_FORANYVALUE"],
    ["StringSame", "EMPTY_ARRAY_CONDITION"],
  ].map(([operator, aws_issue_code]) => ({
    name: `reports an empty list under ${operator} with AWS's code`,
    statement: under({ [String(operator)]: { "s3:prefix": [] } }),
    findings: [
      {
        ...empty,
        condition_key: "s3:prefix",
        aws_issue_code: aws_issue_code ?? null,
        message: `\`s3:prefix\` under \`${operator}\` has an empty list, so there is no value to compare with.`,
        suggestion: "List the values that are meant, or remove the entry.",
      },
    ],
  })),
  {
    name: "reports operators without their keys beside an empty list",
    statement: under({ StringEquals: "x", Bool: 5, StringLike: { "s3:prefix": [] } }),
    findings: [
      {
        ...wrongType,
        path: "/Statement/0/Condition/StringEquals",
        message:
          'In `Condition`, the value of `StringEquals` and `Bool` must be an object of condition keys; it is `"x"`.',
      },
      empty,
    ],
  },
  {
    name: "says that Organizations refuses a policy without Version",
    type: "SERVICE_CONTROL_POLICY",
    policy: { Statement: [{ ...read, Effect: "Deny" }] },
    findings: [
      {
        issue_type: "missing_version",
        severity: "error",
        message: "The policy has no `Version`; AWS Organizations refuses it.",
        suggestion:
          'Set `"Version": "2012-10-17"`. It names the language, not the day the policy was written.',
      },
    ],
  },
  {
    name: "says what becomes of variables without Version",
    policy: { Statement: [read] },
    findings: [
      {
        issue_type: "missing_version",
        severity: "warning",
        message:
          "The policy has no `Version`. AWS then reads it as 2008-10-17, in which policy variables such as `${aws:username}` are plain text.",
      },
    ],
  },
  {
    name: "reports a Sid that is a list",
    statement: { ...read, Sid: ["Read"] },
    findings: [
      {
        issue_type: "invalid_sid_type",
        path: "/Statement/0/Sid",
        message: "`Sid` is a list; it must be a string.",
      },
    ],
  },
  {
    name: "says what a statement without actions applies to",
    statement: { Effect: "Allow", Resource: read.Resource },
    findings: [
      {
        issue_type: "missing_action",
        message:
          "The statement has neither `Action` nor `NotAction`, so it applies to no action and AWS refuses it.",
      },
    ],
  },
  {
    name: "says what a statement without resources applies to",
    statement: { Effect: "Allow", Action: "s3:GetObject" },
    findings: [
      {
        issue_type: "missing_resource",
        message:
          "The statement has neither `Resource` nor `NotResource`, so it applies to no resource and AWS refuses it.",
      },
    ],
  },
  {
    name: "says that most resource policies need a resource",
    type: "RESOURCE_POLICY",
    statement: { Effect: "Allow", Principal: "*", Action: "s3:GetObject" },
    findings: [
      {
        issue_type: "missing_resource",
        message:
          "The statement has neither `Resource` nor `NotResource`. Most services require one in their resource policies and refuse the document without it.",
      },
    ],
  },
  {
    name: "says what * means in a key policy",
    type: "RESOURCE_POLICY",
    statement: { Effect: "Allow", Principal: "*", Action: "kms:Decrypt" },
    findings: [
      {
        issue_type: "missing_resource",
        message:
          "The statement has no `Resource`. KMS requires one in a key policy, where `*` means the key itself.",
      },
    ],
  },
  {
    name: "requires a resource of actions of ECR and KMS in an identity policy",
    statement: [
      { Effect: "Allow", Action: "ecr:BatchGetImage" },
      { Effect: "Allow", Action: "kms:Decrypt" },
    ],
    type: "IDENTITY_POLICY",
    findings: [
      { at: 0, issue_type: "missing_resource", severity: "error", suggestion: /or `"\*"` for all/ },
      { at: 1, issue_type: "missing_resource", severity: "error", suggestion: /or `"\*"` for all/ },
    ],
  },
  {
    name: "says what an element is that is no list of texts, with its noun",
    statement: { Effect: "Allow", Action: 5, Resource: { arn: "x" } },
    findings: [
      {
        field_name: "action",
        message: "`Action` is `5`; it must be a string or a list of strings.",
        suggestion: "Write each action as a string.",
      },
      {
        field_name: "resource",
        message: "`Resource` is an object; it must be a string or a list of strings.",
        suggestion: "Write each resource as a string.",
      },
    ],
  },
  {
    name: "lists five kinds of wrong entries at most, each once",
    statement: { ...read, Action: [1, 1, 2, 3, 4, 5, 6, 7, "s3:GetObject"] },
    findings: [
      {
        path: "/Statement/0/Action/0",
        message:
          "`Action` holds `1`, `2`, `3`, `4`, `5` and 2 more; it must be a string or a list of strings.",
      },
    ],
  },
  {
    name: "says what a Principal must be",
    type: "RESOURCE_POLICY",
    statement: { ...read, Principal: 5 },
    findings: [
      {
        field_name: "principal",
        path: "/Statement/0/Principal",
        message:
          '`Principal` is `5`; it must be `"*"` or an object such as `{"AWS": "arn:aws:iam::123456789012:root"}`.',
        suggestion:
          "Write an object of principal type (`AWS`, `Service`, `Federated`, `CanonicalUser`) to principals.",
      },
    ],
  },
  ...[
    ["arn:aws:s3:::policies/arn:x", "an ARN"],
    ["  arn:aws:iam::aws:policy/ReadOnlyAccess\n", "an ARN"],
    ["s3://policies/read", "an address"],
    ["./read", "the name of a file"],
    ["../policies/read", "the name of a file"],
    ["/etc/read", "the name of a file"],
    ["~/read", "the name of a file"],
    ["C:\\policies\\read", "the name of a file"],
    ["read.yml", "the name of a file"],
    ["read.yaml", "the name of a file"],
  ].map(([policy, what]) => ({
    name: `takes ${JSON.stringify(policy)} for ${what}`,
    policy: JSON.stringify(policy),
    text: JSON.stringify(policy),
    findings: [
      { issue_type: "invalid_document_type", message: new RegExp(`^The policy is ${what},`) },
    ],
  })),
  ...[
    "policies of arn:aws",
    "reads.jsonp",
    "a/b",
    "x-arn:aws:s3",
    "1https://example.com",
    "read.yl",
    `${"a".repeat(1100)}.json`,
  ].map((policy) => ({
    name: `takes ${policy.slice(0, 20)} for a text`,
    text: JSON.stringify(policy),
    findings: [{ issue_type: "invalid_document_type", suggestion: /^Submit the policy document/ }],
  })),
  {
    name: "reports a name that an object repeats once, however often it repeats it",
    text: '{"Version": "2012-10-17", "Id": "a", "Id": "b", "Id": "c", "Statement": {"Effect": "Allow", "Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}}',
    findings: [
      { at: -1, issue_type: "duplicate_element", path: "/Id" },
      { at: 0, issue_type: "duplicate_element", path: "/Statement/Effect" },
    ],
  },
  {
    name: "names one unknown member, and several",
    policy: { Version: "2012-10-17", Owner: "data", Statement: [read] },
    findings: [
      {
        issue_type: "unknown_policy_field",
        message:
          "The policy has a member that IAM does not know: `Owner`. AWS refuses the document.",
        suggestion:
          "Remove it or correct the name; a policy has `Version`, `Id` and `Statement`, spelled exactly so.",
      },
    ],
  },
  {
    name: "names several unknown members",
    policy: { Version: "2012-10-17", Owner: "data", Area: "web", Statement: [read] },
    findings: [
      {
        issue_type: "unknown_policy_field",
        message:
          "The policy has members that IAM does not know: `Area` and `Owner`. AWS refuses the document.",
        suggestion:
          "Remove them or correct the name; a policy has `Version`, `Id` and `Statement`, spelled exactly so.",
      },
    ],
  },
  {
    name: "names the unknown members of a statement",
    statement: [
      { ...read, Owner: "data" },
      { ...read, Owner: "data", Area: "web" },
    ],
    findings: [
      {
        issue_type: "unknown_field",
        message:
          "The statement has a member that IAM does not know: `Owner`. AWS refuses the document.",
        suggestion: /^Remove it or correct the name; a statement has `Sid`, /,
      },
      {
        issue_type: "unknown_field",
        message:
          "The statement has members that IAM does not know: `Area` and `Owner`. AWS refuses the document.",
        suggestion: /^Remove them or correct the name; a statement has `Sid`, /,
      },
    ],
  },
  {
    name: "says what to put in place of what is no statement",
    policy: { Version: "2012-10-17", Id: 5, Statement: [read, "s3:GetObject"] },
    findings: [
      {
        issue_type: "invalid_statement_type",
        message:
          /^Entry 2 of `Statement` is `"s3:GetObject"`; a statement is an object with `Sid`, /,
        suggestion: "Write the statement as an object, or remove the entry.",
      },
      {
        issue_type: "invalid_element_type",
        suggestion: "Write the id as a string, or leave it out.",
      },
    ],
  },
  {
    name: "says what to put in place of what is no list of statements",
    policy: { Version: "2012-10-17", Statement: "s3:GetObject" },
    findings: [
      {
        issue_type: "invalid_statement_type",
        message:
          '`Statement` is `"s3:GetObject"`; it must be a list of statements, or one statement.',
        suggestion: "Write `Statement` as a list of objects.",
      },
    ],
  },
  {
    name: "says that a policy needs a statement",
    policy: { Version: "2012-10-17", Statement: [] },
    findings: [
      {
        issue_type: "empty_statement",
        suggestion: "Put at least one statement into the list.",
      },
    ],
  },
  {
    name: "says that a policy needs a Statement",
    policy: { Version: "2012-10-17" },
    findings: [
      {
        issue_type: "missing_statement",
        suggestion: "Add a `Statement` with at least one statement.",
      },
    ],
  },
  ...(["Principal", "NotPrincipal"] as const).map((element) => ({
    name: `reports an empty ${element}`,
    type: "RESOURCE_POLICY" as const,
    statement: { ...read, [element]: {} },
    findings: [
      {
        field_name: "principal" as const,
        path: `/Statement/0/${element}`,
        message: `\`${element}\` is an empty object, so the statement is about no principal.`,
        aws_issue_code: "EMPTY_OBJECT_PRINCIPAL",
      },
    ],
  })),
]);
