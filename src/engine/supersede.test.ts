import { expect, test, vi } from "vitest";
import type { Finding } from "../../spec/finding.ts";
import { findingWith } from "../../test/support/report-input.ts";
import { objectDocument } from "../policy/document.ts";
import type { Statement } from "../policy/model.ts";
import { statementsOf } from "../policy/normalise.ts";
import type { Check } from "./check.ts";
import type { Superseding } from "./collect.ts";
import { supersede } from "./supersede.ts";

const statements = statementsOf(
  objectDocument({ Statement: [{ Sid: "One" }, { Sid: "Two" }, { Sid: "Three" }] }),
);

function statement(index: number): Statement {
  const found = statements[index];
  if (!found) throw new Error("no such statement");
  return found;
}

/** Only what superseding reads of a check. */
const check = (fields: Partial<Check>) => ({ check_id: "wide", ...fields }) as Check;
const wideCheck = check({ supersedes: ["narrow", "narrower"] });

const found = (check_id: string, statement_index = 0, fields: Partial<Finding> = {}): Finding =>
  findingWith({ check_id, statement_index, message: `${check_id}.`, ...fields });

function wideAt(index: number, of = wideCheck): Superseding {
  return { finding: found(of.check_id, index), check: of, statement: statement(index) };
}

const silent = () => {};
const messages = (findings: readonly Finding[]) => findings.map(({ message }) => message);

test("findings of the checks that it names, on its statement, go, and its message names them", () => {
  const wide = wideAt(0);
  const findings = [
    found("narrower"),
    wide.finding,
    found("narrow"),
    found("narrow"),
    found("other"),
    found("narrow", 1),
    found("narrow", -1),
  ];
  expect(messages(supersede(findings, [wide], silent))).toEqual([
    "wide. This finding replaces those of 2 narrower checks on the statement: `narrow`, `narrower`.",
    "other.",
    "narrow.",
    "narrow.",
  ]);
});

test("one check is named in the singular", () => {
  const wide = wideAt(0);
  expect(messages(supersede([wide.finding, found("narrow")], [wide], silent))).toEqual([
    "wide. This finding replaces those of 1 narrower check on the statement: `narrow`.",
  ]);
});

test("a finding that replaces none says nothing", () => {
  const wide = wideAt(0);
  const findings = [wide.finding, found("other"), found("narrow", 1)];
  expect(messages(supersede(findings, [wide], silent))).toEqual(["wide.", "other.", "narrow."]);
});

test("only the finding that replaces gets the note, and each for its own statement", () => {
  const [one, two] = [wideAt(0), wideAt(1)];
  const findings = [one.finding, found("narrow"), found("other"), two.finding];
  const left = supersede(findings, [one, two], silent);
  expect(messages(left)).toEqual([expect.stringContaining("`narrow`"), "other.", "wide."]);
});

test("two checks on one statement replace what either names", () => {
  const one = wideAt(0, check({ check_id: "one", supersedes: ["narrow"] }));
  const two = wideAt(0, check({ check_id: "two", supersedes: ["other"] }));
  const findings = [one.finding, found("narrow"), two.finding, found("other")];
  expect(supersede(findings, [one, two], silent).map(({ check_id }) => check_id)).toEqual([
    "one",
    "two",
  ]);
});

test("a check that has no others replaces none", () => {
  const one = wideAt(0, check({}));
  expect(messages(supersede([one.finding, found("narrow")], [one], silent))).toEqual([
    "wide.",
    "narrow.",
  ]);
});

test.each(["check_execution_error", "too_many_findings"])(
  "%s of a narrower check stays",
  (issue_type) => {
    const wide = wideAt(0);
    const findings = [wide.finding, found("narrow", 0, { issue_type })];
    expect(messages(supersede(findings, [wide], silent))).toEqual(["wide.", "narrow."]);
  },
);

test("a check that says what it covers replaces others there only", () => {
  const covers = vi.fn(({ sid }: Statement) => sid === "Two");
  const of = check({ supersedes: ["narrow"], covers });
  const candidates = [wideAt(0, of), wideAt(1, of)];
  const findings = [...candidates.map(({ finding }) => finding), found("narrow", 0)];
  expect(supersede([...findings, found("narrow", 1)], candidates, silent)).toHaveLength(3);
  expect(covers.mock.calls.map(([one]) => one.sid)).toEqual(["One", "Two"]);
});

test("a check that cannot say what it covers replaces nothing, and the log is told", () => {
  const error = new Error("no idea");
  const of = check({
    supersedes: ["narrow"],
    covers: () => {
      throw error;
    },
  });
  const told = vi.fn();
  const findings = [found("wide"), found("narrow")];
  expect(supersede(findings, [wideAt(0, of)], told)).toEqual(findings);
  expect(told.mock.calls).toEqual([["wide", error]]);
});
