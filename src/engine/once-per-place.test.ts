import { describe, expect, test } from "vitest";
import type { Fix } from "../../spec/finding.ts";
import { findingWith } from "../../test/support/report-input.ts";
import { oncePerPlace, withoutNumbers } from "./once-per-place.ts";

test.each([
  ["Statement 2 lets in callers.", "Statement lets in callers."],
  ["It repeats statement 12 and Statement 3.", "It repeats statement and Statement."],
  ["Statements 2 and 3 say the same.", "Statements 2 and 3 say the same."],
  ["The restatement 2 stays.", "The restatement 2 stays."],
  ["It has 2 statements.", "It has 2 statements."],
  ["Statement `Read2` lets in callers.", "Statement `Read2` lets in callers."],
])("%j without numbers of statements is %j", (message, expected) => {
  expect(withoutNumbers(message)).toBe(expected);
});

const span = (from: number, to: number) => ({
  start: { line: 1, column: from, offset: from },
  end: { line: 1, column: to, offset: to },
});

function fixAt(path: string, fields: Partial<Fix> = {}): Fix {
  return {
    title: "Write the name of the action",
    effect: "repairs",
    needs_input: [],
    patch: [
      { op: "test", path, value: "s3:GetObjct" },
      { op: "replace", path, value: "s3:GetObject" },
    ],
    ...fields,
  };
}

const first = findingWith({
  message: "`s3:GetObjct` is not a known action.",
  path: "/Statement/0/Action/0",
  location: span(40, 50),
});
const copy = { ...first, path: "/Statement/1/Action/0", statement_index: 1 };
type Finding = typeof first;

const pathsOf = (findings: readonly Finding[]) =>
  oncePerPlace(findings.map((one) => ({ ...one }))).map(({ path }) => path);

describe("one place in the text", () => {
  test.each<[string, Partial<Finding>]>([
    ["the same words", {}],
    ["another Sid", { statement_sid: "Other" }],
  ])("leaves out a copy with %s", (_, fields) => {
    expect(pathsOf([first, { ...copy, ...fields }])).toEqual([first.path]);
  });

  test("leaves out a copy that has another number of its statement", () => {
    const one = { ...first, message: "Statement 1 grants it." };
    const other = { ...copy, message: "Statement 2 grants it." };
    expect(pathsOf([one, other])).toEqual([first.path]);
  });

  test.each<[string, Partial<Finding>]>([
    ["other words", { message: "`s3:GetObjct` may be written otherwise." }],
    ["another check", { check_id: "action_validation" }],
    ["another issue type", { issue_type: "invalid_action" }],
    ["another severity", { severity: "low" }],
    ["another end", { location: span(40, 51) }],
    ["another start", { location: span(41, 50) }],
    ["no place", { location: null }],
  ])("keeps a finding with %s", (_, fields) => {
    const third = { ...first, path: "/Statement/2/Action/0", statement_index: 2 };
    const other = { ...third, ...fields };
    // Another copy, so that something is left out.
    expect(pathsOf([first, copy, other])).toEqual([first.path, other.path]);
  });

  test("keeps findings of one path, which are no copies", () => {
    expect(pathsOf([first, copy, first])).toEqual([first.path, first.path]);
    expect(pathsOf([first, first])).toEqual([first.path, first.path]);
  });

  test("keeps findings without a place, whatever they say", () => {
    const nowhere = { ...first, location: null };
    const elsewhere = { ...nowhere, path: "/Statement/1" };
    expect(pathsOf([nowhere, elsewhere])).toEqual([nowhere.path, elsewhere.path]);
    expect(pathsOf([first, copy, nowhere, elsewhere])).toHaveLength(3);
  });

  test("leaves out each of several copies", () => {
    const third = { ...copy, path: "/Statement/2/Action/0", statement_index: 2 };
    expect(pathsOf([first, copy, third])).toEqual([first.path]);
  });
});

function fixOf(one: Fix | null, other: Fix | null): Fix | null | undefined {
  return oncePerPlace([
    { ...first, fix: one },
    { ...copy, fix: other },
  ])[0]?.fix;
}

describe("the fix of all copies", () => {
  const own = fixAt(first.path);
  const others = fixAt(copy.path);

  test("has the edits of both after one test", () => {
    expect(fixOf(own, others)).toEqual({ ...own, patch: [...own.patch, ...others.patch.slice(1)] });
  });

  test("has the edits of three", () => {
    const third = fixAt("/Statement/2/Action/0");
    const [found] = oncePerPlace([
      { ...first, fix: own },
      { ...copy, fix: others },
      { ...copy, path: "/Statement/2/Action/0", fix: third },
    ]);
    expect(found?.fix?.patch).toHaveLength(4);
  });

  test.each<[string, Fix | null, Fix | null]>([
    ["one has none", null, others],
    ["the other has none", own, null],
    ["they do different things", own, fixAt(copy.path, { title: "Remove the action" })],
    [
      "the other does not begin with a test",
      own,
      fixAt(copy.path, { patch: others.patch.slice(1) }),
    ],
    ["the other is empty", own, fixAt(copy.path, { patch: [] })],
    [
      "the other removes, so that paths shift",
      own,
      fixAt(copy.path, {
        patch: [...others.patch.slice(0, 1), { op: "remove", path: copy.path }],
      }),
    ],
    [
      "one adds, so that paths shift",
      fixAt(first.path, {
        patch: [...own.patch, { op: "add", path: first.path, value: "s3:PutObject" }],
      }),
      others,
    ],
  ])("there is none where %s", (_, one, other) => {
    expect(fixOf(one, other)).toBeNull();
  });

  test("promises nothing where the two promise different things", () => {
    expect(fixOf(own, fixAt(copy.path, { effect: "narrows" }))?.effect).toBe("changes");
    expect(fixOf(own, others)?.effect).toBe("repairs");
  });
});
