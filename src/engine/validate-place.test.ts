import { describe, expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding } from "../../spec/finding.ts";
import { type Checks, finding, known, validated } from "../../test/support/place-runs.ts";
import { findingWith } from "../../test/support/report-input.ts";
import type { Engine } from "./types.ts";
import { type PlaceToValidate, typeOf, validatePlace } from "./validate-place.ts";

const unknown = "{Effect: Allow, Action: 's3:GetObject', Resource: !Ref Scope}";
const unknownName =
  "{Effect: Allow, Action: 's3:GetObject', Resource: !Sub 'arn:aws:s3:::${Scope}'}";
const isFirst = (text: string) => text.includes("unknown-");
const isSecond = (text: string) => text.includes("other-");

describe("a policy whose values are all known", () => {
  test("is validated once, as it is", async () => {
    const { result, runs } = await validated([known], () => ({ findings: [finding] }));
    expect(runs).toHaveLength(1);
    expect(result).toMatchObject({
      findings: [finding],
      severity_counts: { high: 1 },
      was_checked: true,
      is_valid: false,
      unresolved: 0,
    });
    expect(runs[0]?.input).toMatchObject({
      name: "n",
      label: "l",
      exceptions: false,
      fixes: false,
    });
    expect(runs[0]?.input).toMatchObject({
      declaredType: "IDENTITY_POLICY",
      declaredBy: "container",
    });
  });

  test("is valid where no finding fails it, and all of it was checked", async () => {
    const low = { ...finding, severity: "low" as const };
    const { result } = await validated([known], () => ({ findings: [low] }));
    expect(result.is_valid).toBe(true);
    const { result: other } = await validated([known], () => ({ was_checked: false }));
    expect(other).toMatchObject({ findings: [], was_checked: false, is_valid: false });
  });
});

describe("a policy with an unknown value", () => {
  test("is validated with two samples, and with a wide one where a member is unknown", async () => {
    const { result, runs } = await validated([unknownName], () => ({}));
    expect(runs).toHaveLength(2);
    expect(result.unresolved).toBe(1);
    const { runs: more } = await validated([unknown], () => ({}));
    expect(more.map((run) => run.engine.settings.suppress_superseded_findings)).toEqual([
      true,
      true,
      false,
    ]);
    expect(new Set(more.map(({ input }) => JSON.stringify(input.document.raw))).size).toBe(3);
  });

  test.each<[string, Checks, string[]]>([
    ["every sample", () => ({ findings: [finding] }), ["high"]],
    ["the first alone", (text) => ({ findings: isFirst(text) ? [finding] : [] }), []],
    ["the second alone", (text) => ({ findings: isSecond(text) ? [finding] : [] }), []],
    [
      "all but the wide one",
      (text) => ({ findings: isFirst(text) || isSecond(text) ? [finding] : [] }),
      [],
    ],
    [
      "every sample, milder in the second",
      (text) => ({ findings: [{ ...finding, severity: isSecond(text) ? "low" : "high" }] }),
      ["low"],
    ],
  ])("has the findings of %s", async (_, checks, expected) => {
    const { result } = await validated([unknown], checks);
    expect(result.findings.map(({ severity }) => severity)).toEqual(expected);
    expect(result.is_valid).toBe(!expected.includes("high"));
  });

  test("shows what the template says in place of a sample", async () => {
    const { result } = await validated([unknownName], (_, { raw }) => {
      const { Statement } = raw as { Statement: { Resource: string }[] };
      return { findings: [{ ...finding, message: `On ${Statement[0]?.Resource}.` }] };
    });
    expect(result.findings.map(({ message }) => message)).toEqual(["On arn:aws:s3:::${Scope}."]);
  });

  test.each<[string, (text: string) => boolean]>([
    ["first", isFirst],
    ["second", isSecond],
    ["wide", (text) => !isFirst(text) && !isSecond(text)],
  ])("is not valid if the %s sample was not wholly checked, and says why", async (_, isIt) => {
    const failed = findingWith({
      severity: "error",
      issue_type: "check_execution_error",
      path: "/Statement/0/Resource",
    });
    const { result } = await validated([unknown], (text) =>
      isIt(text) ? { was_checked: false, findings: [failed] } : {},
    );
    expect(result).toMatchObject({ was_checked: false, is_valid: false });
    expect(result.findings).toMatchObject([{ issue_type: "check_execution_error" }]);
  });

  test("says once why it was not wholly checked", async () => {
    const full = findingWith({ severity: "error", issue_type: "too_many_findings", path: "" });
    const { result } = await validated([unknown], () => ({
      was_checked: false,
      findings: [finding, full],
    }));
    expect(result.findings.map(({ issue_type }) => issue_type)).toEqual([
      finding.issue_type,
      "too_many_findings",
    ]);
  });
});

/** Whether a finding at a path is shown that every sample has. */
async function isShown(statement: string, fields: Partial<Finding>, isAboutName = false) {
  const { result } = await validated([known, statement], () => {
    const one = findingWith({ statement_index: 1, ...fields });
    return { findings: [one], aboutNames: new Set(isAboutName ? [one] : []) };
  });
  return result.findings.length === 1;
}

const effect = '{Effect: !Ref Scope, Action: "s3:GetObject", Resource: "*"}';
const action = '{Effect: Allow, Action: !Ref Scope, Resource: "*"}';
const value =
  '{Effect: Allow, Action: "s3:*", Resource: "*", Condition: {StringLike: {"aws:x": !Ref Scope}}}';
const at = "/Statement/1";
const entry = `${at}/Condition/StringLike/aws:x`;

test.each<[string, string, Partial<Finding>, boolean]>([
  ["the unknown member", unknown, { path: `${at}/Resource` }, false],
  ["a part of it", unknown, { path: `${at}/Resource/0` }, false],
  ["another member", unknown, { path: `${at}/Action` }, true],
  ["one whose name begins so", unknown, { path: `${at}/Resources` }, true],
  ["the same member of another statement", unknown, { path: "/Statement/0/Resource" }, true],
  ["the statement", unknown, { path: at }, true],
  ["a risk where the Effect is unknown", effect, { path: at, severity: "high" }, false],
  ["a critical one there", effect, { path: at, severity: "critical" }, false],
  ["an error there", effect, { path: at, severity: "error" }, true],
  ["a warning there", effect, { path: at, severity: "warning" }, true],
  ["advice there", effect, { path: at, severity: "info" }, true],
  ["a risk of another statement", effect, { statement_index: 0, severity: "high" }, true],
  [
    "a key that the unknown action takes",
    action,
    { path: at, check_id: "condition_key_validation" },
    false,
  ],
  [
    "a condition that it asks for",
    action,
    { path: at, check_id: "action_condition_enforcement" },
    false,
  ],
  ["a resource of it", action, { path: at, check_id: "action_resource_matching" }, false],
  ["something else there", action, { path: at, check_id: "wildcard_resource" }, true],
  [
    "a key of another statement",
    action,
    { statement_index: 0, path: "/Statement/0", check_id: "condition_key_validation" },
    true,
  ],
  ["the value of a known key", value, { path: entry }, false],
])("of %s, a finding is shown or not: %#", async (_, statement, fields, expected) => {
  expect(await isShown(statement, fields)).toBe(expected);
});

test("the name of a member is known although its value is not", async () => {
  expect(await isShown(value, { path: entry }, true)).toBe(true);
  expect(await isShown(value, { path: `${entry}/0` }, true)).toBe(false);
});

test("a finding that compares resources must hold if the unknown part goes on for longer", async () => {
  const compares = { ...finding, check_id: "action_resource_matching" };
  let count = 0;
  const { result, runs } = await validated([unknownName], () => {
    count += 1;
    return { findings: count < 3 ? [compares, finding] : [] };
  });
  expect(runs).toHaveLength(3);
  expect(result.findings.map(({ check_id }) => check_id)).toEqual([finding.check_id]);
  const { result: all } = await validated([unknownName], () => ({ findings: [compares] }));
  expect(all.findings).toHaveLength(1);
});

const answer = (verdict: AccessAnswer["verdict"]): AccessAnswer => ({
  check_id: "no_public_access",
  question_id: null,
  verdict,
  violations: [],
  undecided_by: [],
  steps: 1,
});

test.each<[AccessAnswer["verdict"], AccessAnswer["verdict"], AccessAnswer["verdict"]]>([
  ["holds", "holds", "holds"],
  ["violated", "violated", "violated"],
  ["holds", "violated", "undecided"],
  ["violated", "holds", "undecided"],
])("answers %s and %s of two samples: %s", async (first, second, expected) => {
  const { result } = await validated([unknownName], (text) => ({
    answers: [answer(isFirst(text) ? first : second)],
  }));
  expect(result.answers).toMatchObject([{ verdict: expected }]);
  const undecided = {
    construct: "unknown value",
    path: "",
    side: "policy",
    text: "The answer depends on values that the template does not give.",
  };
  expect(result.answers[0]?.undecided_by).toEqual(expected === "undecided" ? [undecided] : []);
});

test("an answer that another sample lacks is undecided", async () => {
  const { result } = await validated([unknownName], (text) => ({
    answers: isFirst(text) ? [answer("holds")] : [],
  }));
  expect(result.answers).toMatchObject([{ verdict: "undecided" }]);
});

test("an undecided answer has no violations", async () => {
  const violations = [{ statement_index: 0 }] as unknown as AccessAnswer["violations"];
  const { result } = await validated([unknownName], (text) => ({
    answers: [{ ...answer(isFirst(text) ? "violated" : "holds"), violations }],
  }));
  expect(result.answers).toMatchObject([{ verdict: "undecided", violations: [] }]);
});

const chosen =
  '{Effect: Allow, Action: "s3:GetObject", Resource: !If [IsTest, "arn:aws:s3:::test/*", "*"]}';

describe("a policy with alternatives", () => {
  test("has the findings of each, and they say when they hold", async () => {
    const { result, runs } = await validated([chosen], (text) => ({
      findings: text.includes('"*"') ? [finding] : [],
    }));
    expect(runs).toHaveLength(2);
    expect(result.findings.map(({ message }) => message)).toEqual([
      `${finding.message} This is so if the condition \`IsTest\` is false.`,
    ]);
    expect(result).toMatchObject({ severity_counts: { high: 1 }, is_valid: false });
  });

  test("is not valid if one was not wholly checked", async () => {
    for (const text of ['"*"', "test"]) {
      const { result } = await validated([chosen], (document) => ({
        was_checked: !document.includes(text),
      }));
      expect(result).toMatchObject({ was_checked: false, is_valid: false });
    }
  });

  test("has as many unknown values as the one with most", async () => {
    const other = '{Effect: Allow, Action: "s3:*", Resource: !If [IsTest, !Ref Scope, "*"]}';
    const { result } = await validated([other], () => ({}));
    expect(result.unresolved).toBe(1);
  });
});

test("a place that was not read is not validated", async () => {
  const input = { place: { alternatives: [] } } as unknown as PlaceToValidate;
  const validating = validatePlace(input, {} as Engine, async () => {
    throw new Error("validated");
  });
  await expect(validating).rejects.toThrow("a place without alternatives was not read");
});

test("an account that only samples have is asked for", async () => {
  const { result } = await validated(
    [unknown.replace("Resource", "Principal: {AWS: !Ref Scope}, Resource")],
    (text) => {
      const [account] = /\b\d{12}\b/.exec(text) ?? [];
      return { findings: [{ ...finding, message: `Account ${isFirst(text) ? account : ""}.` }] };
    },
  );
  expect(result.findings.map(({ message }) => message)).toEqual(["Account <account-id>."]);
});

test("the type of a policy is that of its place, else the declared one, else that of its use", () => {
  const trust = { policyType: "TRUST_POLICY" } as Parameters<typeof typeOf>[0];
  const open = { policyType: null } as Parameters<typeof typeOf>[0];
  const declared = { declaredType: "RESOURCE_POLICY", usedAs: "SERVICE_CONTROL_POLICY" } as const;
  expect(typeOf(trust, declared)).toEqual({
    declaredType: "TRUST_POLICY",
    declaredBy: "container",
  });
  expect(typeOf(open, declared)).toEqual(declared);
  expect(typeOf(open, { declaredType: null })).toEqual({ declaredType: null, usedAs: null });
});
