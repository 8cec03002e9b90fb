import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import type { Check, CheckExample } from "../engine/check.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";
import { embeddedServices } from "../services/embedded.ts";
import { builtinChecks } from "./index.ts";

async function findingsOf(example: CheckExample, check: Check) {
  const { policy, policy_type, baseline = null, options } = example;
  const config = options ? { [check.check_id]: options } : {};
  const engine = engineFor([check], config, embeddedServices());
  const input = {
    document: await parseDocument(policy),
    baseline: baseline === null ? null : await parseDocument(baseline),
    name: null,
    declaredType: policy_type ?? null,
    label: "policy-0",
  };
  return (await validatePolicy(input, engine)).findings;
}

describe("the list of checks", () => {
  test("has each id once, each in the file of its name", () => {
    const ids = builtinChecks.map((check) => check.check_id);
    expect(new Set(ids).size).toBe(ids.length);
    const files = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "index.ts")
      .map((name) => name.replace(/\.ts$/, "").replaceAll("-", "_"));
    expect(files.sort()).toEqual([...ids].sort());
  });

  test("supersedes only checks that exist", () => {
    const ids = new Set(builtinChecks.map((check) => check.check_id));
    for (const check of builtinChecks) {
      for (const id of check.supersedes ?? []) expect(ids).toContain(id);
    }
  });
});

describe.each(builtinChecks.map((check) => [check.check_id, check] as const))("%s", (_, check) => {
  test("is documented where callers read it", () => {
    for (const text of [
      check.description,
      check.docstring,
      check.risk_explanation,
      check.risk_category,
      check.documentation_url,
    ]) {
      expect(text.trim()).not.toBe("");
    }
    expect(check.description).not.toContain("\n");
    expect(check.remediation_steps.length).toBeGreaterThan(0);
    expect(check.examples.bad.length).toBeGreaterThan(0);
    expect(check.examples.good.length).toBeGreaterThan(0);
  });

  test("has defaults for all its options", () => {
    expect(check.options.safeParse({}).success).toBe(true);
  });

  test.each(check.examples.bad.map((example) => [example.title, example] as const))(
    "reports: %s",
    async (_title, example) => {
      const findings = await findingsOf(example, check);
      expect(findings.map((one) => one.check_id)).toContain(check.check_id);
      for (const { issue_type } of findings)
        expect(Object.keys(check.issue_types)).toContain(issue_type);
    },
  );

  test.each(check.examples.good.map((example) => [example.title, example] as const))(
    "accepts: %s",
    async (_title, example) => {
      expect(await findingsOf(example, check)).toEqual([]);
    },
  );
});
