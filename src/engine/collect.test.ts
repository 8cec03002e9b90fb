import { describe, expect, test, vi } from "vitest";
import type { Issue } from "../access-analyzer/types.ts";
import { childNode, rootNode } from "../json/node.ts";
import { objectDocument } from "../policy/document.ts";
import type { Statement } from "../policy/model.ts";
import { normalisePolicy, statementsOf } from "../policy/normalise.ts";
import type { Yielder } from "../yielder.ts";
import type { Check, CheckContext, Report } from "./check.ts";
import { Collector, incompleteIssueTypes } from "./collect.ts";
import { compileIgnorePatterns } from "./ignore.ts";
import { toLean } from "./project.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

const document = objectDocument({ Statement: [{ Sid: "One" }, { Sid: "Two" }] });
const statements = statementsOf(document);
const policy = normalisePolicy(
  document,
  { type: "IDENTITY_POLICY", typeSource: "default", name: null },
  statements,
);
const [one, two] = statements as [Statement, Statement];

function collectorFor(settings: Partial<Engine["settings"]> = {}, label = "policies/a.json") {
  const onCheckError = vi.fn();
  const engine = {
    settings: {
      on_check_error: "fail",
      trust_policy_names: false,
      documentation: { base_url: null, include_aws_docs: false },
      ...settings,
    },
    onCheckError,
  } as unknown as Engine;
  return { collector: new Collector(policy, label, engine, toLean), onCheckError };
}

function registered(check: Partial<Check>, fields: Partial<RegisteredCheck> = {}): RegisteredCheck {
  return {
    check: { check_id: "seen", remediation_steps: [], ...check } as unknown as Check,
    source: "builtin",
    enabled: true,
    configuredSeverity: null,
    severity: "medium",
    description: "",
    options: {},
    ignore: compileIgnorePatterns([]),
    hidden: new Set(),
    ...fields,
  };
}

const seen: Report = { issue_type: "seen", message: "It is here." };
const yielding = (...reports: (Report | null)[]): Partial<Check> => ({
  *runStatement() {
    yield* reports;
  },
});
const context = {} as CheckContext;
const never = { shouldYield: false } as Yielder;

/** Messages of what a check finds on the first statement. */
function found(
  check: Partial<Check>,
  fields: Partial<RegisteredCheck> = {},
  settings: Partial<Engine["settings"]> = {},
): string[] {
  const { collector } = collectorFor(settings);
  expect(collector.collect(registered(check, fields), one, context, never)).toBeNull();
  return collector.findings.map(({ severity, message }) => `${severity} ${message}`);
}

describe("a report", () => {
  test("is a finding on its statement, with the severity of the check", () => {
    const { collector } = collectorFor();
    collector.collect(registered(yielding(seen)), two, context, never);
    expect(collector.findings).toMatchObject([
      { check_id: "seen", severity: "medium", statement_index: 1, statement_sid: "Two" },
    ]);
    expect(collector.isIncomplete).toBe(false);
  });

  test("of the policy is about no statement, or about the one that it gives", () => {
    const { collector } = collectorFor();
    const runPolicy = () => [seen, { ...seen, statement: two }];
    collector.collect(registered({ runPolicy, ...yielding(seen) }), null, context, never);
    expect(collector.findings.map(({ statement_index }) => statement_index)).toEqual([-1, 1]);
  });

  test.each<[string, Partial<Check>, Partial<RegisteredCheck>, string[]]>([
    ["its own severity", yielding({ ...seen, severity: "low" }), {}, ["low It is here."]],
    ["nothing for null", yielding(null, seen, null), {}, ["medium It is here."]],
    ["one of two that are equal", yielding(seen, seen), {}, ["medium It is here."]],
    ["nothing with severity none", yielding(seen), { severity: "none" }, []],
    [
      "its own severity although that of the check is none",
      yielding({ ...seen, severity: "low" }),
      { severity: "none" },
      ["low It is here."],
    ],
    ["nothing that is hidden", yielding(seen), { hidden: new Set(["medium"]) }, []],
    [
      "what another hidden severity leaves",
      yielding(seen),
      { hidden: new Set(["low"]) },
      ["medium It is here."],
    ],
    ["nothing without a statement to run on", { runPolicy: () => [seen] }, {}, []],
    ["nothing of a check that only asks questions", {}, {}, []],
    ["nothing that does not concern it", { ...yielding(seen), concerns: () => false }, {}, []],
    ["what concerns it", { ...yielding(seen), concerns: () => true }, {}, ["medium It is here."]],
  ])("gives %s", (_, check, fields, expected) => {
    expect(found(check, fields)).toEqual(expected);
  });

  test("does not ask whether a policy concerns a check", () => {
    const { collector } = collectorFor();
    const check = { runPolicy: () => [seen], concerns: () => false };
    collector.collect(registered(check), null, context, never);
    expect(collector.findings).toHaveLength(1);
  });
});

test.each<[object, Partial<Report>, boolean]>([
  [{ action: "^s3:" }, { action: "s3:GetObject" }, true],
  [{ action: "^s3:" }, { action: "ec2:RunInstances" }, false],
  [{ action: "^s3:" }, {}, false],
  [{ resource: "shop" }, { resource: "arn:aws:s3:::shop" }, true],
  [{ resource: "shop" }, { action: "shop" }, false],
  [{ condition_key: "^aws:" }, { condition_key: "aws:SourceIp" }, true],
  [{ condition_key: "^aws:" }, { resource: "aws:SourceIp" }, false],
  [{ sid: "One" }, {}, true],
  [{ sid: "Two" }, {}, false],
  [{ sid: "One" }, { statement: two }, true],
])("the pattern %j and a report with %j: ignored is %s", (pattern, fields, isIgnored) => {
  const ignore = compileIgnorePatterns([pattern]);
  expect(found(yielding({ ...seen, ...fields }), { ignore })).toHaveLength(isIgnored ? 0 : 1);
});

test("the Sid of a report of the policy is that of the statement it gives", () => {
  const { collector } = collectorFor();
  const ignore = compileIgnorePatterns([{ sid: "Two" }]);
  const runPolicy = () => [seen, { ...seen, statement: one }, { ...seen, statement: two }];
  collector.collect(registered({ runPolicy }, { ignore }), null, context, never);
  expect(collector.findings.map(({ statement_index }) => statement_index)).toEqual([-1, 0]);
});

test("patterns of file paths apply where names of policies are trusted", () => {
  const ignore = compileIgnorePatterns([{ filepath: "^policies/" }]);
  expect(found(yielding(seen), { ignore }, { trust_policy_names: true })).toEqual([]);
  expect(found(yielding(seen), { ignore })).toHaveLength(1);
});

describe("a check that throws", () => {
  const error = new Error("secret");
  const failing = registered(
    {
      *runStatement() {
        yield seen;
        throw error;
      },
      runPolicy() {
        throw error;
      },
    },
    { ignore: compileIgnorePatterns([{ sid: "One" }]), hidden: new Set(["error"]) },
  );

  test("is a finding that nothing hides, and the policy is not wholly checked", () => {
    const { collector, onCheckError } = collectorFor();
    collector.collect(failing, one, context, never);
    collector.collect(failing, null, context, never);
    expect(collector.findings).toMatchObject([
      {
        check_id: "seen",
        severity: "error",
        issue_type: "check_execution_error",
        statement_index: 0,
        message: "The check `seen` failed on statement 1, so it did not validate statement 1.",
      },
      {
        statement_index: -1,
        message: "The check `seen` failed on this policy, so it did not validate this policy.",
      },
    ]);
    expect(collector.isIncomplete).toBe(true);
    expect(onCheckError.mock.calls).toEqual([
      ["seen", error],
      ["seen", error],
    ]);
  });

  test("is told to the log alone where the settings say so", () => {
    const { collector, onCheckError } = collectorFor({ on_check_error: "warn" });
    collector.collect(failing, one, context, never);
    expect(collector.findings).toEqual([]);
    expect(collector.isIncomplete).toBe(false);
    expect(onCheckError).toHaveBeenCalledTimes(1);
  });

  test("keeps what it reported before", () => {
    const { collector } = collectorFor();
    collector.collect(failing, two, context, never);
    expect(collector.findings.map(({ issue_type }) => issue_type)).toEqual([
      "seen",
      "check_execution_error",
    ]);
  });
});

describe("2,000 findings", () => {
  const many = (count: number): Partial<Check> => ({
    *runStatement() {
      for (let number = 0; number < count; number++) yield { ...seen, message: `${number}` };
    },
  });

  test("are kept, and the next one says that there are more", () => {
    const { collector } = collectorFor();
    collector.collect(registered(many(2_000)), one, context, never);
    expect([collector.findings.length, collector.isFull, collector.isIncomplete]).toEqual([
      2_000,
      false,
      false,
    ]);
    const last = registered(yielding(seen, seen), { hidden: new Set(["error"]) });
    collector.collect(last, two, context, never);
    expect(collector.findings.at(-1)).toMatchObject({
      issue_type: "too_many_findings",
      severity: "error",
      statement_index: -1,
    });
    expect([collector.findings.length, collector.isFull, collector.isIncomplete]).toEqual([
      2_001,
      true,
      true,
    ]);
  });

  test("end the work of every check", () => {
    const { collector } = collectorFor();
    const read = vi.fn();
    const endless = registered({
      *runStatement() {
        for (let number = 0; ; number++) {
          read(number);
          yield { ...seen, message: `${number}` };
        }
      },
    });
    collector.collect(endless, one, context, never);
    expect(read).toHaveBeenCalledTimes(2_001);
    expect(collector.collect(endless, one, context, never)).toBeNull();
    expect(read).toHaveBeenCalledTimes(2_001);
    expect(collector.findings).toHaveLength(2_001);
  });
});

test("a check is resumed where it was when its time was over, and knows what it has reported", () => {
  const { collector } = collectorFor();
  const always = { shouldYield: true } as Yielder;
  const other = { ...seen, message: "Other." };
  const check = registered(yielding(seen, null, seen, other));
  const left = [];
  for (
    let unfinished = collector.collect(check, one, context, always);
    unfinished;
    unfinished = collector.resume(unfinished, always)
  ) {
    left.push(collector.findings.length);
  }
  expect(left).toEqual([1, 1, 1, 2]);
  expect(collector.findings.map(({ message }) => message)).toEqual(["It is here.", "Other."]);
});

test("only findings that are kept, on a statement, of a check that supersedes, may replace others", () => {
  const wide = { check_id: "wide", supersedes: ["narrow"] };
  const supersedingOf = (check: Partial<Check>, statement: Statement | null, fields = {}) => {
    const { collector } = collectorFor();
    collector.collect(registered(check, fields), statement, context, never);
    return collector.superseding.map((each) => [each.check.check_id, each.statement.index]);
  };
  const reporting = { ...wide, ...yielding(seen) };
  expect(supersedingOf(reporting, two)).toEqual([["wide", 1]]);
  expect(supersedingOf({ ...wide, runPolicy: () => [{ ...seen, statement: one }] }, null)).toEqual([
    ["wide", 0],
  ]);
  expect(supersedingOf({ ...wide, runPolicy: () => [seen] }, null)).toEqual([]);
  expect(supersedingOf(yielding(seen), one)).toEqual([]);
  expect(supersedingOf({ ...reporting, supersedes: [] }, one)).toEqual([]);
  expect(supersedingOf(reporting, one, { hidden: new Set(["medium"]) })).toEqual([]);
  const failing = () => {
    throw new Error("x");
  };
  expect(supersedingOf({ ...wide, runStatement: failing }, one)).toEqual([]);
});

test("findings about the name of a member, and those with a fix, are told apart", () => {
  const { collector } = collectorFor();
  const name = { parent: rootNode, step: "Sid", part: "key" } as unknown as Report["node"];
  const propose = () => null;
  const reports = [
    { ...seen, message: "Name.", ...(name ? { node: name } : {}) },
    { ...seen, message: "Value." },
    { ...seen, message: "Fix.", fix: propose },
  ];
  collector.collect(registered(yielding(...reports)), one, context, never);
  expect([...collector.aboutNames].map(({ message }) => message)).toEqual(["Name."]);
  expect(collector.proposed.map(({ finding }) => finding.message)).toEqual(["Fix."]);
});

test("a custom check that gives no finding has failed, and built-in ones are not looked at", () => {
  const broken = yielding({ ...seen, message: 7 as unknown as string });
  const { collector } = collectorFor();
  collector.collect(registered(broken, { source: "config_module" }), one, context, never);
  expect(collector.findings.map(({ issue_type }) => issue_type)).toEqual(["check_execution_error"]);
  expect(found(broken)).toEqual(["medium 7"]);
});

test("a check without a part for policies gives nothing for one", () => {
  const { collector } = collectorFor();
  expect(collector.collect(registered(yielding(seen)), null, context, never)).toBeNull();
  expect(collector.findings).toEqual([]);
});

test("what a report says of condition entries is kept", () => {
  const { collector } = collectorFor();
  const reports = [
    { ...seen, message: "About.", about: rootNode },
    { ...seen, message: "For.", reasons: [rootNode] },
    seen,
  ];
  collector.collect(registered(yielding(...reports)), one, context, never);
  expect(collector.entries.map(({ finding }) => finding.message)).toEqual(["About.", "For."]);
});

describe("an issue of AWS's own checks", () => {
  const issue = (code: Issue["code"], details: string, at: Statement): Issue => ({
    code,
    details,
    nodes: [childNode(at.node, "Action")],
  });
  const rule = { issue_type: "aws_issue" };
  const declaring = registered({ aws_codes: { INVALID_ACTION: rule, EMPTY_SID_VALUE: rule } });
  const byCode = new Map([
    ["INVALID_ACTION", declaring],
    ["EMPTY_SID_VALUE", declaring],
  ]);

  /** What there is after a check with these reports, and after the issues. */
  async function merged(reports: readonly Report[], issues: readonly Issue[], codes = byCode) {
    const { collector } = collectorFor();
    collector.collect(registered(yielding(...reports)), one, context, never);
    await collector.addIssues(issues, codes, never);
    return collector.findings.map(({ statement_index, message }) => [statement_index, message]);
  }

  test("is a finding of the check that declares its code, on its statement", async () => {
    expect(await merged([], [issue("INVALID_ACTION", "No such action.", two)])).toEqual([
      [1, "No such action."],
    ]);
    expect(await merged([], [issue("INVALID_ACTION", "No such action.", two)], new Map())).toEqual(
      [],
    );
  });

  test("is one finding for each text", async () => {
    const twice = [
      issue("INVALID_ACTION", "No such action.", one),
      issue("INVALID_ACTION", "No such action.", one),
      issue("EMPTY_SID_VALUE", "The Sid is empty.", one),
    ];
    expect(await merged([], twice)).toEqual([
      [0, "No such action."],
      [0, "The Sid is empty."],
    ]);
  });

  test("is no second finding where one has its code, or says the same of the place", async () => {
    const found = issue("INVALID_ACTION", "No such action.", one);
    const [node] = found.nodes;
    if (!node) throw new Error("no place");
    const coded = { ...seen, node, aws_issue_code: "INVALID_ACTION" } as const;
    expect(await merged([coded], [found])).toEqual([[0, seen.message]]);
    const same = { ...seen, node, issue_type: "invalid_action" };
    expect(await merged([same], [found])).toEqual([[0, seen.message]]);
    expect(await merged([{ ...seen, node }], [found])).toHaveLength(2);
  });
});

test("findings that say that a policy was not wholly checked", () => {
  expect([...incompleteIssueTypes].sort()).toEqual(["check_execution_error", "too_many_findings"]);
});
