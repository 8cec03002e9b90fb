import { expect, test } from "vitest";
import { Summary } from "../../spec/tools/validate-policies.ts";
import { objectDocument } from "./document.ts";
import { statementsOf } from "./normalise.ts";
import { summarisePolicy } from "./summary.ts";

const summarise = (raw: unknown) =>
  summarisePolicy({ statements: statementsOf(objectDocument(raw)) });

test("a summary counts statements, distinct actions and services", () => {
  const summary = summarise({
    Statement: [
      { Effect: "Allow", Action: ["s3:GetObject", "S3:PutObject", "GetObject"], Resource: "a" },
      { Effect: "deny", NotAction: ["s3:GetObject", "iam:PassRole"], Resource: "a" },
      { Effect: "Maybe", Action: "ec2:x", Condition: { Bool: { k: "true" } } },
    ],
  });
  expect(summary).toEqual({
    total_statements: 3,
    allow_statements: 1,
    deny_statements: 1,
    services_used: ["ec2", "iam", "s3"],
    actions_count: 5,
    has_wildcards: false,
    has_conditions: true,
  });
  expect(Summary.parse(summary)).toEqual(summary);
});

test.each(["Action", "NotAction", "Resource", "NotResource"])(
  "a star in %s is a wildcard",
  (name) => {
    const summary = summarise({ Statement: { [name]: ["a", "b*"] } });
    expect(summary).toMatchObject({ has_wildcards: true, has_conditions: false });
  },
);

test("a wildcard, a condition or a service of any statement counts", () => {
  const plain = { Effect: "Allow", Action: "s3:GetObject", Resource: "a" };
  const Condition = { Bool: { k: "true" } };
  const one = summarise({ Statement: [{ ...plain, Resource: "*", Condition }, plain] });
  expect(one).toMatchObject({ has_wildcards: true, has_conditions: true, actions_count: 1 });
  const other = summarise({ Statement: [plain, { ...plain, Action: "ec2:*" }] });
  expect(other).toMatchObject({ has_wildcards: true, has_conditions: false });
  expect(other.services_used).toEqual(["ec2", "s3"]);
  expect(summarise({ Statement: { Action: ["*", ":GetObject"] } }).services_used).toEqual([]);
});

test("a question mark is not a wildcard of the summary, an empty condition no condition", () => {
  const summary = summarise({ Statement: { Action: "s3:Get?", Condition: { Bool: {} } } });
  expect(summary).toMatchObject({ has_wildcards: false, has_conditions: false });
});

test("a document without statements has a summary of nothing", () => {
  expect(summarise("hello")).toEqual({
    total_statements: 0,
    allow_statements: 0,
    deny_statements: 0,
    services_used: [],
    actions_count: 0,
    has_wildcards: false,
    has_conditions: false,
  });
});
