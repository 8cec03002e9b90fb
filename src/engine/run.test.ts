import { describe, expect, test } from "vitest";
import { z } from "zod";
import { engineFor } from "../../test/support/run-check.ts";
import { keyNode } from "../json/node.ts";
import { parseDocument } from "../policy/document.ts";
import type { Check, Report } from "./check.ts";
import { validatePolicy } from "./run.ts";
import type { Engine } from "./types.ts";

function makeCheck(
  check_id: string,
  runStatement: NonNullable<Check["runStatement"]>,
  extra: Partial<Check> = {},
): Check {
  return {
    check_id,
    default_severity: "medium",
    description: "A check of the tests.",
    docstring: "",
    risk_explanation: "It matters.",
    risk_category: "validation",
    documentation_url: "https://docs.aws.amazon.com/IAM/",
    remediation_steps: ["Correct it."],
    options: z.strictObject({}),
    issue_types: {},
    examples: { bad: [], good: [] },
    runStatement,
    ...extra,
  };
}

/** Reports every action of a statement. */
function* everyAction(
  statement: Parameters<NonNullable<Check["runStatement"]>>[0],
): Iterable<Report> {
  for (const { text, node } of statement.actions) {
    yield {
      issue_type: "seen",
      message: `\`${text}\` is here.`,
      action: text,
      node,
      field_name: "action",
    };
  }
}

const twoStatements = {
  Version: "2012-10-17",
  Statement: [
    { Sid: "One", Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject"], Resource: "*" },
    { Effect: "Deny", Action: "s3:*", Resource: "*" },
  ],
};

async function validate(policy: unknown, engine: Engine, name: string | null = null) {
  const document = await parseDocument(policy);
  return validatePolicy({ document, name, declaredType: null, label: name ?? "policy-0" }, engine);
}

describe("the engine", () => {
  test("a check with an element runs on the statements that have it", async () => {
    const aboutSids = makeCheck("about_sids", everyAction, { element: "Sid" });
    const { findings } = await validate(twoStatements, engineFor([aboutSids]));
    expect(findings.map(({ action }) => action)).toEqual(["s3:GetObject", "s3:PutObject"]);
  });

  test("a check runs on the statements that concern it", async () => {
    const aboutDenies = makeCheck("about_denies", everyAction, {
      concerns: ({ denies }) => denies,
    });
    const { findings } = await validate(twoStatements, engineFor([aboutDenies]));
    expect(findings.map(({ action }) => action)).toEqual(["s3:*"]);
  });

  test("takes the type from the name, but never another than trust for a trust policy", async () => {
    const engine = engineFor([]);
    const typeOf = async (name: string, statement: object) => {
      const { policy } = await validate({ Statement: [statement] }, engine, name);
      return policy.type;
    };
    const trust = { Effect: "Allow", Action: "sts:AssumeRole", Principal: { AWS: "*" } };
    const all = { Effect: "Deny", Action: "*", Resource: "*" };
    expect(await typeOf("scps/deny.json", all)).toBe("SERVICE_CONTROL_POLICY");
    expect(await typeOf("scps/admin/trust.json", trust)).toBe("TRUST_POLICY");
    expect(await typeOf("boundaries/role.json", all)).toBe("PERMISSIONS_BOUNDARY");
    expect(await typeOf("boundaries/role.json", trust)).toBe("TRUST_POLICY");
    expect(await typeOf("scps/x.json", { ...trust, Resource: "*" })).toBe("SERVICE_CONTROL_POLICY");
    const read = { ...trust, Action: "s3:GetObject", Resource: "arn:aws:s3:::orders/*" };
    expect(await typeOf("trusted-accounts/bucket.json", read)).toBe("RESOURCE_POLICY");
  });

  test("completes a report with ids, documentation, path and place", async () => {
    const { findings } = await validate(
      twoStatements,
      engineFor([makeCheck("sees_actions", everyAction)]),
    );
    expect(findings[1]).toEqual({
      severity: "medium",
      check_id: "sees_actions",
      issue_type: "seen",
      message: "`s3:PutObject` is here.",
      suggestion: null,
      statement_index: 0,
      statement_sid: "One",
      path: "/Statement/0/Action/1",
      location: null,
      fix: null,
      action: "s3:PutObject",
      resource: null,
      condition_key: null,
      field_name: "action",
      example: null,
      example_path: null,
      risk_explanation: "It matters.",
      risk_category: "validation",
      documentation_url: "https://docs.aws.amazon.com/IAM/",
      remediation_steps: ["Correct it."],
      aws_issue_code: null,
      aws_finding_type: null,
      related: [],
      escalation_paths: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test("gives the span of the node for a policy given as text", async () => {
    const text = JSON.stringify(twoStatements, null, 2);
    const { findings } = await validate(text, engineFor([makeCheck("sees_actions", everyAction)]));
    const { start, end } = findings[1]?.location ?? { start: { offset: 0 }, end: { offset: 0 } };
    expect(text.slice(start.offset, end.offset)).toBe('"s3:PutObject"');
  });

  test("reports policy level first, then statement by statement, in registry order", async () => {
    const marks = (id: string) =>
      makeCheck(id, () => [{ issue_type: "statement", message: id }], {
        runPolicy: () => [{ issue_type: "policy", message: id }],
      });
    const { findings } = await validate(
      twoStatements,
      engineFor([marks("b_check"), marks("a_check")]),
    );
    expect(findings.map((one) => [one.statement_index, one.check_id])).toEqual([
      [-1, "b_check"],
      [-1, "a_check"],
      [0, "b_check"],
      [0, "a_check"],
      [1, "b_check"],
      [1, "a_check"],
    ]);
  });

  test("collapses findings of one check that differ only in their place in the statement", async () => {
    const policy = {
      Statement: [{ Effect: "Allow", Action: ["s3:Bad", "s3:Bad", "s3:Worse"], Resource: "*" }],
    };
    const { findings } = await validate(
      policy,
      engineFor([makeCheck("sees_actions", everyAction)]),
    );
    expect(findings.map((one) => one.path)).toEqual([
      "/Statement/0/Action/0",
      "/Statement/0/Action/2",
    ]);
  });

  test("a key and its value have one pointer and two spans", async () => {
    const keyed = makeCheck("sees_keys", (statement) => [
      { issue_type: "key", message: "key", node: keyNode(statement.node, "Action") },
      { issue_type: "value", message: "value", node: statement.at("Action") },
    ]);
    const text = '{"Statement":{"Action":"s3:*"}}';
    const { findings } = await validate(text, engineFor([keyed]));
    expect(
      findings.map(({ path, location }) => [
        path,
        text.slice(location?.start.offset, location?.end.offset),
      ]),
    ).toEqual([
      ["/Statement/Action", '"Action"'],
      ["/Statement/Action", '"s3:*"'],
    ]);
  });

  test("drops severity none, ignored and hidden findings before anything counts", async () => {
    const levels = makeCheck("levels", () => [
      { issue_type: "a", message: "a", severity: "none" },
      { issue_type: "b", message: "b", severity: "high", action: "iam:PassRole" },
      { issue_type: "c", message: "c", severity: "info" },
      { issue_type: "d", message: "d", severity: "low" },
    ]);
    const engine = engineFor([levels], {
      levels: { ignore_patterns: [{ action: "^iam:" }], hide_severities: ["info"] },
    });
    const result = await validate({ Statement: [{}] }, engine);
    expect(result.findings.map((one) => one.issue_type)).toEqual(["d"]);
    expect(result.severity_counts).toEqual({ low: 1 });
    expect(result.is_valid).toBe(true);
  });

  test("fail_on_severity flips the verdict and leaves the findings alone", async () => {
    const one = makeCheck("one", () => [{ issue_type: "a", message: "a" }]);
    const lenient = await validate(twoStatements, engineFor([one]));
    const strict = await validate(
      twoStatements,
      engineFor([one], { settings: { fail_on_severity: ["medium"] } }),
    );
    expect([lenient.is_valid, strict.is_valid]).toEqual([true, false]);
    expect(strict.findings).toEqual(lenient.findings);
  });

  test("a policy that a check failed on is not valid, whatever fails a policy", async () => {
    const broken = makeCheck("broken", () => {
      throw new Error("no");
    });
    const config = { settings: { fail_on_severity: ["critical"] } };
    const engine = { ...engineFor([broken], config), onCheckError: () => undefined };
    expect(await validate(twoStatements, engine)).toMatchObject({
      was_checked: false,
      is_valid: false,
    });
  });

  test("a check that does not apply to the policy's type is not run", async () => {
    const trustOnly = makeCheck("trust_only", everyAction, {
      applies_to_policy_types: ["TRUST_POLICY"],
    });
    expect((await validate(twoStatements, engineFor([trustOnly]))).findings).toEqual([]);
  });

  test("only policy_structure reports a text that does not parse", async () => {
    const structure = makeCheck("policy_structure", () => [], {
      runPolicy: ({ policy }) =>
        policy.document.faults.map(({ kind }) => ({ issue_type: kind, message: kind })),
    });
    const other = makeCheck("other", () => [], {
      runPolicy: () => [{ issue_type: "no", message: "no" }],
    });
    const { findings } = await validate("{", engineFor([structure, other]));
    expect(findings.map((one) => one.issue_type)).toEqual(["syntax"]);
  });

  test("stops with the signal's reason", async () => {
    const engine = engineFor([makeCheck("sees_actions", everyAction)]);
    const document = await parseDocument(twoStatements);
    const input = { document, name: null, declaredType: null, label: "policy-0" };
    const reason = new Error("gone");
    await expect(validatePolicy(input, engine, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("lets the event loop turn during long work, and then sees the signal", async () => {
    const slow = makeCheck("slow", () => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return [];
    });
    const document = await parseDocument({ Statement: Array.from({ length: 400 }, () => ({})) });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("deadline")), 20);
    await expect(
      validatePolicy(
        { document, name: null, declaredType: null, label: "policy-0" },
        engineFor([slow]),
        controller.signal,
      ),
    ).rejects.toThrow("deadline");
  });
});

describe("fingerprints", () => {
  const of = async (policy: unknown, name: string | null = null) =>
    (
      await validate(policy, engineFor([makeCheck("sees_actions", everyAction)]), name)
    ).findings.map((one) => one.fingerprint);

  test("stay the same under re-indentation and reordering of statements", async () => {
    const [first, second, third] = await of(twoStatements);
    const reordered = { ...twoStatements, Statement: [...twoStatements.Statement].reverse() };
    expect(await of(JSON.stringify(reordered, null, 8))).toEqual([third, first, second]);
  });

  test("differ by label and by action", async () => {
    const [first, second] = await of(twoStatements);
    expect(first).not.toBe(second);
    expect((await of(twoStatements, "other.json"))[0]).not.toBe(first);
  });
});

describe("a check that throws", () => {
  const failing = makeCheck("failing", (statement) => {
    throw new Error(`secret of ${statement.sid}`);
  });
  const config = {
    failing: { ignore_patterns: [{ action: ".*" }], hide_severities: ["error"] },
  };

  function quiet(settings: object = {}) {
    const errors: unknown[] = [];
    const engine: Engine = {
      ...engineFor([failing, makeCheck("sees_actions", everyAction)], { ...config, settings }),
      onCheckError: (id, error) => errors.push([id, error]),
    };
    return { engine, errors };
  }

  test("is a finding that nothing hides, without the exception's text; the others go on", async () => {
    const { engine, errors } = quiet();
    const { findings, is_valid } = await validate(twoStatements, engine);
    const failed = findings.filter((one) => one.issue_type === "check_execution_error");
    expect(failed).toHaveLength(2);
    expect(failed[0]).toMatchObject({ severity: "error", check_id: "failing", statement_index: 0 });
    expect(JSON.stringify(findings)).not.toContain("secret");
    expect(findings.filter((one) => one.check_id === "sees_actions")).toHaveLength(3);
    expect(is_valid).toBe(false);
    expect(errors).toHaveLength(2);
  });

  test("is a log line only with on_check_error: warn", async () => {
    const { engine, errors } = quiet({ on_check_error: "warn" });
    const { findings } = await validate(twoStatements, engine);
    expect(findings.some((one) => one.issue_type === "check_execution_error")).toBe(false);
    expect(errors).toHaveLength(2);
  });
});

describe("more findings than are kept", () => {
  const many = makeCheck("many", function* () {
    for (let number = 0; ; number++) {
      yield { issue_type: "seen", message: `Fault ${number}.`, severity: "low" };
    }
  });

  test("end with one that says so, and the policy is invalid", async () => {
    const after = makeCheck("after", everyAction);
    const { findings, is_valid, was_checked } = await validate(
      twoStatements,
      engineFor([many, after], { many: { hide_severities: ["error"] } }),
    );
    expect(findings).toHaveLength(2_001);
    expect(findings.at(-1)).toMatchObject({
      check_id: "many",
      issue_type: "too_many_findings",
      severity: "error",
      path: "",
      message: "The checks stopped after 2,000 findings about this policy; it has more.",
    });
    expect([is_valid, was_checked]).toEqual([false, false]);
  });

  test("are counted without those that are hidden", async () => {
    const some = makeCheck("some", function* () {
      for (let number = 0; number < 4_000; number++) {
        const severity = number % 2 === 0 ? "low" : "info";
        yield { issue_type: "seen", message: `Fault ${number}.`, severity };
      }
    });
    const { findings } = await validate(
      { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] },
      engineFor([some], { some: { hide_severities: ["info"] } }),
    );
    expect(new Set(findings.map(({ issue_type }) => issue_type))).toEqual(new Set(["seen"]));
    expect(findings).toHaveLength(2_000);
  });
});

describe("superseding", () => {
  const wide = makeCheck(
    "wide",
    () => [{ issue_type: "wide", message: "Everything is granted." }],
    {
      supersedes: ["narrow", "narrower"],
      covers: (statement) => statement.sid === "One",
    },
  );
  const narrow = makeCheck("narrow", () => [{ issue_type: "narrow", message: "narrow" }]);
  const other = makeCheck("other", () => [{ issue_type: "other", message: "other" }]);
  const checks = [narrow, wide, other];

  test("drops the narrower checks' findings on the covered statement only, and says so", async () => {
    const { findings } = await validate(twoStatements, engineFor(checks));
    expect(findings.map((one) => [one.statement_index, one.check_id])).toEqual([
      [0, "wide"],
      [0, "other"],
      [1, "narrow"],
      [1, "wide"],
      [1, "other"],
    ]);
    expect(findings[0]?.message).toMatch(
      /^Everything is granted\. .*1 narrower check .*`narrow`\.$/,
    );
    expect(findings[3]?.message).toBe("Everything is granted.");
  });

  const always = makeCheck("wide", () => [{ issue_type: "wide", message: "Everything." }], {
    supersedes: ["narrow"],
  });

  test("a check that does not say what it covers stands wherever it reports", async () => {
    const { findings } = await validate(twoStatements, engineFor([narrow, always]));
    expect(findings.map((one) => one.check_id)).toEqual(["wide", "wide"]);
  });

  test("a check that cannot say what it covers replaces nothing, and the log is told", async () => {
    const told: string[] = [];
    const unsure = {
      ...wide,
      covers: () => {
        throw new Error("no idea");
      },
    };
    const engine = { ...engineFor([narrow, unsure]), onCheckError: (id: string) => told.push(id) };
    const { findings } = await validate(twoStatements, engine);
    expect(findings).toHaveLength(4);
    expect(told).toEqual(["wide", "wide"]);
  });

  test("does nothing when the wide finding is hidden, off, or the setting says no", async () => {
    for (const config of [
      { wide: { hide_severities: ["medium"] } },
      { wide: false },
      { settings: { suppress_superseded_findings: false } },
    ]) {
      const { findings } = await validate(twoStatements, engineFor(checks, config));
      expect(findings.filter((one) => one.check_id === "narrow")).toHaveLength(2);
    }
  });
});

describe("a custom check", () => {
  test("that yields what is not a finding has failed; the call continues", async () => {
    const broken = makeCheck("broken", () => [
      { issue_type: "x", message: 7 as unknown as string, severity: "high" },
    ]);
    const base = engineFor([broken, makeCheck("sees_actions", everyAction)]);
    const engine: Engine = {
      ...base,
      registry: {
        ...base.registry,
        checks: base.registry.checks.map((one) => ({ ...one, source: "config_module" as const })),
      },
      onCheckError: () => {},
    };
    const { findings } = await validate(twoStatements, engine);
    expect(findings.map((one) => one.issue_type)).toEqual([
      "check_execution_error",
      "seen",
      "seen",
      "check_execution_error",
      "seen",
    ]);
  });
});
