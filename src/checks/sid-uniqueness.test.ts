import { describe } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { fixCases } from "../../test/support/fix-cases.ts";
import { sidUniqueness } from "./sid-uniqueness.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };
const withSid = (...sids: unknown[]) => sids.map((Sid) => ({ ...read, Sid }));

checkCases(sidUniqueness, [
  {
    name: "accepts letters and digits, each id once, letter case apart",
    statement: withSid("Read1", "read1", "2"),
    findings: [],
  },
  {
    name: "passes over absent, empty and null ids and those that are not a string",
    statement: [read, read, ...withSid("", "", null, null, 5, 5)],
    findings: [],
  },
  {
    name: "lists each wrong character once, in order of appearance",
    statement: withSid("a-b_c-ä"),
    findings: [
      {
        at: 0,
        issue_type: "invalid_sid_format",
        severity: "error",
        statement_sid: "a-b_c-ä",
        field_name: "sid",
        message: /contains `-`, `_` and `ä`;/,
        suggestion: "Write `abc`.",
        path: "/Statement/0/Sid",
        aws_issue_code: "UNSUPPORTED_SID",
      },
    ],
  },
  {
    name: "says so when an id holds spaces, and offers it without them",
    statement: withSid("Read all reports"),
    findings: [{ message: /contains a space;/, suggestion: "Write `Readallreports`." }],
  },
  {
    name: "reports an id that ends in a line break",
    statement: withSid("Read\n"),
    findings: [{ issue_type: "invalid_sid_format", message: /`\\n`/ }],
  },
  {
    name: "leaves the format of ids in resource policies alone, not their uniqueness",
    type: "RESOURCE_POLICY",
    statement: withSid("__owner_statement", "__owner_statement"),
    findings: [{ at: 1, issue_type: "duplicate_sid", aws_issue_code: "UNIQUE_SIDS_RECOMMENDED" }],
  },
  ...(["PERMISSIONS_BOUNDARY", "SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY"] as const).map(
    (type) => ({
      name: `reports malformed ids in a ${type}`,
      type,
      statement: withSid("a-b"),
      findings: [{ at: 0, issue_type: "invalid_sid_format" }],
    }),
  ),
  {
    name: "takes any Sid in a trust policy, as AWS's own rule does",
    type: "TRUST_POLICY",
    statement: withSid("Allow EC2 to assume"),
    findings: [],
  },
  {
    name: "reports the second and third of three equal ids, each naming all three statements",
    statement: withSid("Same", "Other", "Same", "Same"),
    findings: [
      { at: 2, issue_type: "duplicate_sid", message: /3 statements: 1, 3 and 4\./ },
      {
        at: 3,
        issue_type: "duplicate_sid",
        message: /3 statements: 1, 3 and 4\./,
        statement_sid: "Same",
        field_name: "sid",
        aws_issue_code: "UNIQUE_SIDS_REQUIRED",
      },
    ],
  },
  {
    name: "gives format findings first, then duplicates by first appearance of the id",
    statement: withSid("B", "a b", "A", "A", "B", "a b"),
    findings: [
      { at: 1, issue_type: "invalid_sid_format" },
      { at: 5, issue_type: "invalid_sid_format" },
      { at: 4, issue_type: "duplicate_sid" },
      { at: 5, issue_type: "duplicate_sid" },
      { at: 3, issue_type: "duplicate_sid" },
    ],
  },
  {
    name: "follows the configured severity with both findings",
    statement: withSid("a-b", "C", "C"),
    options: { severity: "info" },
    findings: [{ severity: "info" }, { severity: "info" }],
  },
  {
    name: "says which other characters an id has beside spaces",
    statement: withSid("Read all (reports)"),
    findings: [
      {
        message:
          "The Sid `Read all (reports)` contains a space and `(` and `)`; only the letters A to Z and a to z and digits are allowed.",
      },
    ],
  },
  {
    name: "says what to do with an id that has no letter or digit",
    statement: withSid("--"),
    findings: [{ suggestion: "Use letters and digits, or leave `Sid` out." }],
  },
  {
    name: "names the first statements of many that share an id",
    statement: withSid(...Array.from({ length: 60 }, () => "A")),
    findings: Array.from({ length: 59 }, () => ({
      message: /^The Sid `A` is used by 60 statements: 1, 2, .* and \d+ more\. A Sid may/,
    })),
  },
]);

describe("fixes", () => {
  const statements = (...sids: unknown[]) => withSid(...sids);
  fixCases([
    {
      name: "removes an id that has no letter or digit",
      of: "sid_uniqueness/invalid_sid_format",
      before: statements("--"),
      after: read,
      effect: "repairs",
    },
    {
      name: "takes the next number where the plain id is taken",
      of: "sid_uniqueness/invalid_sid_format",
      before: statements("a-b", "ab", "ab2"),
      after: statements("ab3", "ab", "ab2"),
    },
    {
      name: "skips numbers that are taken",
      of: "sid_uniqueness/duplicate_sid",
      before: statements("a", "a", "a2", "a"),
      after: statements("a", "a3", "a2", "a4"),
    },
  ]);
});
