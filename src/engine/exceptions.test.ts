import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { engineFor } from "../../test/support/run-check.ts";
import { policyStructure } from "../checks/policy-structure.ts";
import { keyNode } from "../json/node.ts";
import { parseDocument } from "../policy/document.ts";
import type { Check, Report } from "./check.ts";
import { validatePolicy, validatePolicyLean } from "./run.ts";
import type { Engine } from "./types.ts";

type Run = NonNullable<Check["runStatement"]>;

/** A check that reports each action of a statement. */
function checkOf(check_id: string, extra: Partial<Check> = {}): Check {
  const runStatement: Run = function* (statement): Iterable<Report> {
    for (const { text, node } of statement.actions) {
      const report = { issue_type: "seen", message: `\`${text}\` is here.`, action: text };
      yield { ...report, resource: "*", node, field_name: "action" };
    }
  };
  return {
    check_id,
    default_severity: "high",
    description: "A check of the tests.",
    docstring: "",
    risk_explanation: "",
    risk_category: "",
    documentation_url: "",
    remediation_steps: [],
    options: z.strictObject({}),
    issue_types: {},
    examples: { bad: [], good: [] },
    runStatement,
    ...extra,
  };
}

const checks = [checkOf("broad", { supersedes: ["narrow"] }), checkOf("narrow")];

const policy = {
  Version: "2012-10-17",
  Statement: [
    { Sid: "Upload", Effect: "Allow", Action: ["s3:PutObject", "s3:GetObject"], Resource: "*" },
  ],
};

const day = Date.UTC(2026, 5, 15, 12);

interface Given {
  readonly checks?: readonly Check[];
  readonly settings?: object;
  readonly now?: number;
}

function engineWith(exceptions: readonly object[], given: Given = {}): Engine {
  const config = { exceptions, ...(given.settings && { settings: given.settings }) };
  return { ...engineFor(given.checks ?? checks, config), now: () => given.now ?? day };
}

async function validate(document: unknown, engine: Engine, label = "policy-0") {
  const input = { document: await parseDocument(document), name: null, declaredType: null, label };
  return validatePolicy(input, engine);
}

/** @returns the actions whose findings are left out, and those whose findings stay. */
async function split(exception: object, given: Given = {}, label?: string) {
  const engine = engineWith([{ reason: "Reviewed.", ...exception }], {
    checks: [checkOf("broad")],
    ...given,
  });
  const { findings, suppressed } = await validate(policy, engine, label);
  return {
    out: suppressed.map(({ finding }) => finding.action),
    kept: findings.map(({ action }) => action),
  };
}

const both = ["s3:PutObject", "s3:GetObject"];

describe("an exception leaves out", () => {
  test("the findings of its check", async () => {
    expect(await split({ check: "broad" })).toEqual({ out: both, kept: [] });
  });

  test("the finding with its fingerprint, and no other", async () => {
    const { findings } = await validate(policy, engineWith([], { checks: [checkOf("broad")] }));
    const fingerprint = findings[1]?.fingerprint;
    expect(await split({ fingerprint })).toEqual({ out: [both[1]], kept: [both[0]] });
    expect(await split({ fingerprint: ["0".repeat(16), fingerprint] })).toMatchObject({
      out: [both[1]],
    });
    // Every given field must match.
    expect(await split({ fingerprint, action: "Put" })).toMatchObject({ out: [] });
  });

  test.each([
    ["an action", { action: "^s3:put" }, ["s3:PutObject"]],
    ["one of several actions", { action: ["nothing", "GetObject$"] }, ["s3:GetObject"]],
    ["a resource", { resource: "^\\*$" }, both],
    ["an exact Sid", { sid: "Upload" }, both],
    ["a Sid in another letter case", { sid: "upload" }, []],
    ["a Sid by expression", { sid: "^up.*" }, both],
    ["an issue type", { issue_type: ["other", "seen"] }, both],
    ["another issue type", { issue_type: "se" }, []],
    ["a null field as an empty text", { condition_key: "^$" }, both],
    ["all of its fields", { action: "Put", sid: "Download" }, []],
  ])("findings by %s", async (_name, fields, out) => {
    expect((await split({ check: "broad", ...fields })).out).toEqual(out);
  });

  test("no finding by a name that its caller chose, unless names are trusted", async () => {
    const exception = { check: "broad", filepath: "^policies/" };
    expect((await split(exception, {}, "policies/a.json")).out).toEqual([]);
    const settings = { trust_policy_names: true };
    expect((await split(exception, { settings }, "policies/a.json")).out).toEqual(both);
    expect((await split(exception, { settings }, "other/a.json")).out).toEqual([]);
  });

  test("nothing by the expression of a text that is very long", async () => {
    const action = `s3:${"a".repeat(5000)}`;
    const engine = engineWith([{ check: "broad", action: "^s3:", reason: "Reviewed." }]);
    const statement = { Effect: "Allow", Action: action, Resource: "*" };
    const { suppressed } = await validate({ Statement: [statement] }, engine);
    expect(suppressed).toEqual([]);
  });
});

describe("what an exception leaves out", () => {
  test("fails no policy and counts nowhere, but is kept with the reason", async () => {
    const exception = {
      check: "broad",
      reason: "Reviewed.",
      owner: "Platform security",
      expires: "2026-12-31",
    };
    const { is_valid, severity_counts, suppressed } = await validate(
      policy,
      engineWith([exception], { checks: [checkOf("broad")] }),
    );
    expect({ is_valid, severity_counts }).toEqual({ is_valid: true, severity_counts: {} });
    const { check: _, ...shown } = exception;
    expect(suppressed.map(({ suppression }) => suppression)).toEqual([
      { kind: "exception", ...shown },
      { kind: "exception", ...shown },
    ]);
  });

  test("has the reason of the first exception in the config that matches", async () => {
    const given = { checks: [checkOf("broad")] };
    const { findings } = await validate(policy, engineWith([], given));
    const byCheck = { check: "broad", reason: "By check." };
    const byPrint = { fingerprint: findings[0]?.fingerprint, reason: "By fingerprint." };
    for (const [exceptions, reason] of [
      [[byCheck, byPrint], "By check."],
      [[byPrint, byCheck], "By fingerprint."],
    ] as const) {
      const { suppressed } = await validate(policy, engineWith(exceptions, given));
      expect(suppressed[0]?.suppression.reason).toBe(reason);
    }
  });

  test("does not bring back the findings that it has superseded", async () => {
    const { findings } = await validate(
      policy,
      engineWith([{ check: "broad", reason: "Reviewed." }]),
    );
    expect(findings).toEqual([]);
  });

  test("is the same where findings have the short form", async () => {
    const engine = engineWith([{ check: "broad", action: "Put", reason: "Reviewed." }]);
    const input = {
      document: await parseDocument(policy),
      name: null,
      declaredType: null,
      label: "policy-0",
    };
    const full = await validatePolicy(input, engine);
    const lean = await validatePolicyLean(input, engine);
    expect(lean.findings.map(({ path }) => path)).toEqual(full.findings.map(({ path }) => path));
    expect(lean.findings[0]).not.toHaveProperty("fingerprint");
    expect(lean.suppressed).toEqual(full.suppressed);
  });

  test("tells which findings in the short form are about names", async () => {
    const check = checkOf("broad", {
      *runStatement({ node }) {
        yield { issue_type: "seen", message: "A name.", node: keyNode(node, "Sid") };
      },
    });
    const engine = engineWith([{ check: "broad", sid: "Old", reason: "Reviewed." }], {
      checks: [check],
    });
    const document = await parseDocument(policy);
    const input = { document, name: null, declaredType: null, label: "policy-0" };
    const { findings, aboutNames } = await validatePolicyLean(input, engine);
    expect(findings.length).toBeGreaterThan(0);
    expect([...aboutNames]).toEqual(findings);
  });
});

describe("an exception with a last day", () => {
  const exception = { check: "broad", expires: "2026-06-15" };
  const message = "The exception for this finding expired on 2026-06-15.";

  test("applies through that day in UTC", async () => {
    const now = Date.UTC(2026, 5, 15, 23, 59, 59, 999);
    expect(await split(exception, { now })).toEqual({ out: both, kept: [] });
  });

  test("then no more: the findings fail again and say so", async () => {
    const given = { now: Date.UTC(2026, 5, 16), checks: [checkOf("broad")] };
    const engine = engineWith([{ ...exception, reason: "Reviewed." }], given);
    const { findings, suppressed, is_valid } = await validate(policy, engine);
    expect({ suppressed, is_valid }).toEqual({ suppressed: [], is_valid: false });
    expect(findings.map((one) => one.message)).toEqual(
      both.map((action) => `\`${action}\` is here. ${message}`),
    );
  });

  test("gives way to another one that still applies", async () => {
    const given = { now: Date.UTC(2026, 5, 16) };
    const renewed = { check: "broad", reason: "Reviewed again.", expires: "2027-06-15" };
    const engine = engineWith([{ ...exception, reason: "Reviewed." }, renewed], given);
    const { findings, suppressed } = await validate(policy, engine);
    expect(findings).toEqual([]);
    expect(suppressed.map(({ exception: one }) => one?.index)).toEqual([1, 1]);
  });
});

describe("no exception applies to", () => {
  const structure = { check: "policy_structure", reason: "Reviewed." };

  test.each([["["], ["a text"], [{ Statement: [] }], [{ Statement: ["text"] }], [{}]])(
    "a document that cannot be read: %j",
    async (document) => {
      const engine = engineWith([structure], { checks: [policyStructure] });
      const { findings, suppressed, is_valid } = await validate(document, engine);
      expect(findings.length).toBeGreaterThan(0);
      expect({ suppressed, is_valid }).toEqual({ suppressed: [], is_valid: false });
    },
  );

  test("a policy on which a check failed", async () => {
    const broken = checkOf("broken", {
      runStatement: () => {
        throw new Error("a defect");
      },
    });
    const engine = engineWith(
      [
        { check: "broken", issue_type: "check_execution_error", reason: "Reviewed." },
        { check: "narrow", reason: "Reviewed." },
      ],
      { checks: [broken, checkOf("narrow")] },
    );
    const quiet = { ...engine, onCheckError: () => {} };
    const { findings, suppressed, is_valid } = await validate(policy, quiet);
    expect(findings.map(({ issue_type }) => issue_type)).toEqual([
      "check_execution_error",
      "seen",
      "seen",
    ]);
    expect({ suppressed, is_valid }).toEqual({ suppressed: [], is_valid: false });
  });
});

test("exceptions that match nothing change nothing", async () => {
  const other = { fingerprint: "0".repeat(16), reason: "Reviewed." };
  const action = fc.constantFrom("s3:GetObject", "s3:PutObject", "s3:*", "*", "iam:PassRole");
  const statement = fc.record({
    Sid: fc.constantFrom("One", "Two"),
    Effect: fc.constantFrom("Allow", "Deny"),
    Action: fc.uniqueArray(action, { minLength: 1 }),
    Resource: fc.constant("*"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 4 }), async (Statement) => {
      const document = { Version: "2012-10-17", Statement };
      const [plain, excepting] = [engineWith([]), engineWith([other])];
      const [{ policy: _, ...before }, { policy: __, ...after }] = await Promise.all([
        validate(document, plain),
        validate(document, excepting),
      ]);
      expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    }),
    { numRuns: 50 },
  );
});
