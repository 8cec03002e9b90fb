import { describe } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { fixCases } from "../../test/support/fix-cases.ts";
import { emptyElements } from "./empty-elements.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };

checkCases(emptyElements, [
  {
    name: "reports each operator without keys",
    statement: {
      ...read,
      Condition: { StringEquals: {}, Bool: { "aws:SecureTransport": "true" }, Null: {} },
    },
    findings: [
      {
        issue_type: "empty_operator",
        field_name: "condition",
        path: "/Statement/0/Condition/StringEquals",
        message: "`StringEquals` has no keys, so it restricts nothing.",
        suggestion: "Add the key and the values that are meant, or remove the operator.",
      },
      { issue_type: "empty_operator", path: "/Statement/0/Condition/Null" },
    ],
  },
  {
    name: "passes over operators that hold no object",
    statement: { ...read, Condition: { StringEquals: [], Bool: "" } },
    findings: [],
  },
  {
    name: "passes over a condition that is none",
    statement: { ...read, Condition: [] },
    findings: [],
  },
]);

describe("fixes", () => {
  fixCases([
    {
      name: "removes an empty Sid",
      of: "empty_elements/empty_sid",
      before: { Sid: "", ...read },
      after: read,
      effect: "repairs",
    },
    {
      name: "removes an empty condition",
      of: "empty_elements/empty_condition",
      before: { ...read, Condition: {} },
      after: read,
      effect: "equivalent",
    },
    {
      name: "removes the operators without keys, and keeps the others",
      of: "empty_elements/empty_operator",
      before: {
        ...read,
        Condition: { StringEquals: {}, Bool: { "aws:SecureTransport": "true" }, Null: {} },
      },
      after: { ...read, Condition: { Bool: { "aws:SecureTransport": "true" } } },
      effect: "equivalent",
    },
    {
      name: "removes a condition whose operators have no keys",
      of: "empty_elements/empty_operator",
      before: { ...read, Condition: { StringEquals: {}, Null: {} } },
      after: read,
    },
  ]);
});
