import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { readDocument } from "./document.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { QuestionKeys } from "./keys.ts";

const services = embeddedServices();

interface Asked {
  readonly action?: string;
  readonly resource?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly placeholders?: Readonly<Record<string, string>>;
}

function evaluation(
  statements: readonly object[],
  { action = "s3:GetObject", resource = "*", context = {}, placeholders }: Asked = {},
  Version = "2012-10-17",
): Evaluation {
  const document = readDocument({ Version, Statement: statements }, "identity");
  const conditions = document.statements.flatMap((statement) => statement.conditions);
  const principal = {
    type: "AWS",
    arn: "arn:aws:iam::111122223333:user/alice",
  } as const;
  const request = { principal, action, resource, context, ...(placeholders && { placeholders }) };
  return evaluate(document, "identity", request, new QuestionKeys(conditions, services));
}

const allow = (element: object) => ({ Effect: "Allow", Action: "*", Resource: "*", ...element });
const outcomeOf = (element: object, asked: Asked = {}, Version?: string) => {
  const [found] = evaluation([allow(element)], asked, Version).statements;
  return found?.outcome === "maybe" ? `maybe: ${found.construct}` : found?.outcome;
};

/** Key, and what the operator says of: no value, the policy's value, another value. */
const operators: readonly (readonly [string, string, string, string, string, string])[] = [
  ["StringEquals", "aws:PrincipalTag/t", "a", "b", "a", "no yes no"],
  ["StringNotEquals", "aws:PrincipalTag/t", "a", "b", "a", "yes no yes"],
  ["StringEqualsIfExists", "aws:PrincipalTag/t", "a", "b", "a", "yes yes no"],
  ["StringNotEqualsIfExists", "aws:PrincipalTag/t", "a", "b", "a", "yes no yes"],
  ["StringEquals", "aws:PrincipalTag/t", "a", "A", "a", "no yes no"],
  ["StringEqualsIgnoreCase", "aws:PrincipalTag/t", "A", "b", "a", "no yes no"],
  ["StringNotEqualsIgnoreCase", "aws:PrincipalTag/t", "A", "b", "a", "yes no yes"],
  ["StringLike", "aws:PrincipalTag/t", "abc", "ab", "a*?c", "no yes no"],
  ["StringNotLike", "aws:PrincipalTag/t", "abc", "ab", "a*c", "yes no yes"],
  ["StringEquals", "aws:PrincipalTag/t", "a*", "ab", "a*", "no yes no"],
  [
    "ArnLike",
    "aws:SourceArn",
    "arn:aws:sns:r:1:t:u",
    "arn:aws:sns:r:2:t:u",
    "arn:aws:*:*:1:t*",
    "no yes no",
  ],
  ["ArnEquals", "aws:SourceArn", "arn:aws:sns:r:1:t", "t", "arn:aws:sns:?:1:t", "no yes no"],
  [
    "ArnNotLike",
    "aws:SourceArn",
    "arn:aws:sns:r:1:t",
    "arn:aws:s3:::t",
    "arn:aws:sns:*:*:*",
    "yes no yes",
  ],
  [
    "ArnNotEquals",
    "aws:SourceArn",
    "arn:aws:sns:r:1:t",
    "arn:aws:s3:::t",
    "arn:aws:sns:*:*:*",
    "yes no yes",
  ],
  ["ArnLike", "aws:SourceArn", "arn:aws:sns:r:1:t", "", "**", "no yes yes"],
  ["NumericEquals", "s3:max-keys", "10.0", "11", "10", "no yes no"],
  ["NumericNotEquals", "s3:max-keys", "10.0", "11", "10", "yes no yes"],
  ["NumericLessThan", "s3:max-keys", "9", "10", "10", "no yes no"],
  ["NumericLessThanEquals", "s3:max-keys", "10", "11", "10", "no yes no"],
  ["NumericGreaterThan", "s3:max-keys", "11", "10", "10", "no yes no"],
  ["NumericGreaterThanEquals", "s3:max-keys", "10", "9", "10", "no yes no"],
  ["NumericEquals", "s3:max-keys", "10", "ten", "10", "no yes no"],
  [
    "DateEquals",
    "aws:TokenIssueTime",
    "2026-01-01T00:00:00Z",
    "2026-01-02",
    "2026-01-01",
    "no yes no",
  ],
  ["DateNotEquals", "aws:TokenIssueTime", "2026-01-01", "2026-01-02", "2026-01-01", "yes no yes"],
  ["DateLessThan", "aws:TokenIssueTime", "2025-12-31", "2026-01-01", "2026-01-01", "no yes no"],
  [
    "DateLessThanEquals",
    "aws:TokenIssueTime",
    "2026-01-01",
    "2026-01-02",
    "2026-01-01",
    "no yes no",
  ],
  ["DateGreaterThan", "aws:TokenIssueTime", "2026-01-02", "2026-01-01", "2026-01-01", "no yes no"],
  [
    "DateGreaterThanEquals",
    "aws:TokenIssueTime",
    "2026-01-01",
    "2025-12-31",
    "2026-01-01",
    "no yes no",
  ],
  ["Bool", "aws:ViaAWSService", "true", "false", "TRUE", "no yes no"],
  ["BoolIfExists", "aws:ViaAWSService", "true", "false", "true", "yes yes no"],
  ["BinaryEquals", "aws:PrincipalTag/t", "AQI=", "AQM=", "AQI", "no yes no"],
  ["IpAddress", "aws:SourceIp", "10.1.2.3", "11.0.0.0", "10.0.0.0/8", "no yes no"],
  ["NotIpAddress", "aws:SourceIp", "10.1.2.3", "11.0.0.0", "10.0.0.0/8", "yes no yes"],
  ["ForAllValues:StringEquals", "aws:TagKeys", "a", "b", "a", "yes yes no"],
  ["ForAnyValue:StringEquals", "aws:TagKeys", "a", "b", "a", "no yes no"],
  ["ForAllValues:StringNotEquals", "aws:TagKeys", "a", "b", "a", "yes no yes"],
  ["ForAnyValue:StringNotEquals", "aws:TagKeys", "a", "b", "a", "no no yes"],
  ["ForAnyValue:StringEqualsIfExists", "aws:TagKeys", "a", "b", "a", "yes yes no"],
  ["forallvalues:stringlikeifexists", "AWS:tagkeys", "ab", "b", "a*", "yes yes no"],
];

test.each(operators)(
  "%s of %s: %s, %s against %s is %s",
  (operator, key, same, other, wanted, said) => {
    const element = { Condition: { [operator]: { [key]: wanted } } };
    const outcomes = [{}, { [key]: [same] }, { [key.toUpperCase()]: [other] }].map((context) =>
      outcomeOf(element, { context }),
    );
    expect(outcomes.join(" ")).toBe(said);
  },
);

describe("several values", () => {
  test.each([
    ["ForAllValues:StringEquals", ["a", "b"], "yes"],
    ["ForAllValues:StringEquals", ["a", "c"], "no"],
    ["ForAnyValue:StringEquals", ["c", "b"], "yes"],
    ["ForAnyValue:StringEquals", ["c", "d"], "no"],
    ["ForAllValues:StringNotEquals", ["c", "a"], "no"],
    ["ForAllValues:StringNotEquals", ["c", "d"], "yes"],
    ["ForAnyValue:StringNotEquals", ["a", "c"], "yes"],
    ["ForAnyValue:StringNotEquals", ["a", "b"], "no"],
    ["StringEquals", ["a", "b"], "maybe: set_operator_missing"],
    ["StringEquals", ["b"], "yes"],
    ["StringNotEquals", ["b"], "no"],
  ])("%s [a, b] of %j: %s", (operator, values, wanted) => {
    const Condition = { [operator]: { "aws:TagKeys": ["a", "b"] } };
    expect(outcomeOf({ Condition }, { context: { "aws:TagKeys": values } })).toBe(wanted);
  });
});

test.each([
  ["true", "yes", "no"],
  ["TRUE", "yes", "no"],
  ["false", "no", "yes"],
  [["true", "false"], "yes", "yes"],
  ["maybe", "no", "no"],
  [true, "yes", "no"],
])("Null %j: %s without the key, %s with it", (value, without, having) => {
  const Condition = { Null: { "aws:PrincipalTag/t": value } };
  expect(outcomeOf({ Condition })).toBe(without);
  expect(outcomeOf({ Condition }, { context: { "aws:PrincipalTag/t": ["x"] } })).toBe(having);
});

describe("what cannot be read leaves the answer open", () => {
  test.each([
    ["unknown_operator", { StringFuzzy: { "aws:PrincipalTag/t": "a" } }],
    ["unknown_operator", { "ForSomeValues:StringEquals": { "aws:PrincipalTag/t": "a" } }],
    ["unknown_operator", { IfExists: { "aws:PrincipalTag/t": "a" } }],
    ["mixed_operators", { NumericEquals: { "aws:PrincipalArn": "1" } }],
    ["mixed_operators", { StringEquals: { "aws:SourceIp": "10.0.0.1" } }],
    ["mixed_operators", { DateEquals: { "s3:max-keys": "2026-01-01" } }],
    ["invalid_value", { NumericEquals: { "s3:max-keys": "ten" } }],
    ["invalid_value", { DateEquals: { "aws:CurrentTime": "tomorrow" } }],
    ["invalid_value", { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "10.0.0.0/33"] } }],
    ["invalid_value", { BinaryEquals: { "aws:PrincipalTag/t": "a b" } }],
    ["arn_pattern", { ArnLike: { "aws:SourceArn": "arn:aws:sns:t" } }],
    ["arn_pattern", { ArnLike: { "aws:SourceArn": "arn:*" } }],
    ["arn_pattern", { ArnLike: { "aws:SourceArn": "*x" } }],
    ["invalid_value", { NumericEquals: { "s3:max-keys": "${aws:MultiFactorAuthAge}" } }],
    ["placeholder", { NumericEquals: { "s3:max-keys": "${Max}" } }],
    ["placeholder", { NumericEquals: { "s3:max-keys": "${AWS::AccountId}" } }],
    ["placeholder", { IpAddress: { "aws:SourceIp": "{{ office }}" } }],
  ])("%s: %j", (construct, Condition) => {
    expect(outcomeOf({ Condition })).toBe(`maybe: ${construct}`);
  });

  test("but another element may rule the statement out", () => {
    const Condition = { StringFuzzy: { "aws:PrincipalTag/t": "a" } };
    const [found] = evaluation([allow({ Action: "iam:*", Condition })]).statements;
    expect(found).toMatchObject({ outcome: "no", element: "action", construct: null });
    const both = { ...Condition, Bool: { "aws:SecureTransport": "true" } };
    expect(outcomeOf({ Condition: both })).toBe("no");
  });
});

describe("what a value is compared with", () => {
  const source = "arn:aws:sns:us-east-1:111122223333:t";

  test.each([
    [
      "a variable whose key is absent",
      "StringEquals",
      "aws:PrincipalTag/t",
      "${aws:username}",
      "alice",
      "no",
    ],
    [
      "... under a negated operator",
      "StringNotEquals",
      "aws:PrincipalTag/t",
      "${aws:username}",
      "alice",
      "yes",
    ],
    [
      "a variable under Bool is text",
      "Bool",
      "aws:SecureTransport",
      "${aws:SecureTransport}",
      "true",
      "no",
    ],
    ["a placeholder", "StringEquals", "aws:PrincipalTag/t", "${Role}", "a", "maybe: placeholder"],
    [
      "... under a negated operator",
      "StringNotLike",
      "aws:PrincipalTag/t",
      "{{ role }}*",
      "a",
      "maybe: placeholder",
    ],
    [
      "... in an ARN",
      "ArnLike",
      "aws:SourceArn",
      "arn:aws:sns:*:${AWS::AccountId}:t",
      source,
      "maybe: placeholder",
    ],
    ["stars alone take what is no ARN", "ArnLike", "aws:SourceArn", "**", "abc", "yes"],
    ["six stars do not", "ArnLike", "aws:SourceArn", "*:*:*:*:*:*", "abc", "no"],
    [
      "a star in the first field takes no more",
      "ArnLike",
      "aws:SourceArn",
      "*:aws:sns:us-east-1:111122223333:u",
      source,
      "no",
    ],
    ["a word where a number belongs", "NumericLessThanEquals", "s3:max-keys", "5", "many", "no"],
    ["... from the other side", "NumericGreaterThanEquals", "s3:max-keys", "5", "many", "no"],
  ])("%s", (_, operator, key, value, held, wanted) => {
    const Condition = { [operator]: { [key]: value } };
    expect(outcomeOf({ Condition }, { context: { [key]: [held] } })).toBe(wanted);
  });
});
