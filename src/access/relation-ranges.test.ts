import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const all = when({});
const none: Side = [];

const numbers: readonly Row[] = [
  [
    "less than is wider than up to the number below",
    when({ NumericLessThan: { "s3:max-keys": "10" } }),
    "wider",
    when({ NumericLessThanEquals: { "s3:max-keys": "9" } }),
  ],
  [
    "10 is 10.0",
    when({ NumericEquals: { "s3:max-keys": 10 } }),
    "equal",
    when({ NumericEquals: { "s3:max-keys": "10.0" } }),
  ],
  [
    "two halves are all numbers",
    [
      ...when({ NumericLessThan: { "s3:max-keys": "5" } }),
      ...when({ NumericGreaterThanEquals: { "s3:max-keys": "5" } }),
    ],
    "equal",
    when({ Null: { "s3:max-keys": "false" } }),
  ],
  [
    "a gap of one number is a gap",
    [
      ...when({ NumericLessThan: { "s3:max-keys": "5" } }),
      ...when({ NumericGreaterThan: { "s3:max-keys": "5" } }),
    ],
    "narrower",
    when({ Null: { "s3:max-keys": "false" } }),
  ],
  [
    "the gap is the negated number",
    [
      ...when({ NumericLessThan: { "s3:max-keys": "5" } }),
      ...when({ NumericGreaterThan: { "s3:max-keys": "5" } }),
    ],
    "equal",
    when({ NumericNotEquals: { "s3:max-keys": "5" }, Null: { "s3:max-keys": "false" } }),
  ],
  [
    "values of an order are alternatives",
    when({ NumericGreaterThan: { "s3:max-keys": ["5", "10"] } }),
    "equal",
    when({ NumericGreaterThan: { "s3:max-keys": "5" } }),
  ],
  [
    "negated numbers are not ranges",
    when({ NumericNotEquals: { "s3:max-keys": ["1", "2"] } }),
    "narrower",
    when({ NumericNotEquals: { "s3:max-keys": "2.0" } }),
  ],
  [
    "negative numbers",
    when({ NumericLessThan: { "s3:max-keys": "-5" } }),
    "narrower",
    when({ NumericLessThan: { "s3:max-keys": "-4.5" } }),
  ],
  [
    "an empty range",
    when({ NumericLessThan: { "s3:max-keys": "5" }, NumericGreaterThan: { "s3:max-keys": "5" } }),
    "equal",
    none,
  ],
  [
    "a missing number",
    when({ NumericLessThanIfExists: { "s3:max-keys": "5" } }),
    "wider",
    when({ NumericLessThan: { "s3:max-keys": "5" } }),
  ],
  [
    "a word is not a number",
    when({ NumericEquals: { "s3:max-keys": "ten" } }),
    "undecided: invalid_value",
    none,
  ],
  [
    "an operator of another type",
    when({ NumericEquals: { "aws:PrincipalTag/team": "5" } }),
    "undecided: mixed_operators",
    none,
  ],
];

const dates: readonly Row[] = [
  [
    "seconds and dates are one clock",
    when({ DateGreaterThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } }),
    "equal",
    when({ DateGreaterThan: { "aws:EpochTime": "1893456000" } }),
  ],
  [
    "an offset",
    when({ DateLessThan: { "aws:CurrentTime": "2030-01-01T01:00:00+01:00" } }),
    "equal",
    when({ DateLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } }),
  ],
  [
    "a bare day is its start",
    when({ DateLessThan: { "aws:CurrentTime": "2030-01-01" } }),
    "equal",
    when({ DateLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } }),
  ],
  [
    "there is always a time",
    [
      ...when({ DateLessThan: { "aws:CurrentTime": "2030-01-01" } }),
      ...when({ DateGreaterThanEquals: { "aws:CurrentTime": "2030-01-01" } }),
    ],
    "equal",
    all,
  ],
  [
    "the end of a range",
    when({ DateLessThanEquals: { "aws:CurrentTime": "2030-01-01" } }),
    "wider",
    when({ DateLessThan: { "aws:CurrentTime": "2030-01-01" } }),
  ],
  [
    "a shorter time",
    when({
      DateGreaterThan: { "aws:CurrentTime": "2026-01-01" },
      DateLessThan: { "aws:CurrentTime": "2026-02-01" },
    }),
    "narrower",
    when({ DateLessThan: { "aws:CurrentTime": "2027-01-01" } }),
  ],
  [
    "a window that ends before it begins",
    when({
      DateGreaterThan: { "aws:CurrentTime": "2027-01-01" },
      DateLessThan: { "aws:EpochTime": "2026-01-01" },
    }),
    "equal",
    none,
  ],
  [
    "the age of a token may be missing",
    when({ DateGreaterThanIfExists: { "aws:TokenIssueTime": "2026-01-01" } }),
    "wider",
    when({ DateGreaterThan: { "aws:TokenIssueTime": "2026-01-01" } }),
  ],
  [
    "no 30 February",
    when({ DateLessThan: { "aws:CurrentTime": "2026-02-30" } }),
    "undecided: invalid_value",
    none,
  ],
];

describe.each([
  ["numbers", numbers],
  ["dates", dates],
] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
