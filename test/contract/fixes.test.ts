import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { applyPatch } from "../../src/fixes/patch.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { callOf, findingsOf, resultFrom, resultsFrom, validated } from "../support/validate.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
});

const resultOf = (policy: unknown, args: object = {}) => resultFrom(target, policy, args);

/** Repaired by `repairs` and `equivalent`; the wildcard would need an author. */
const broken = {
  Version: "2012-10-17",
  Statement: [
    {
      Sid: "Read",
      Effect: "allow",
      Acton: ["s3:GetObjct", "s3:Get*", "s3:GetObject"],
      Resource: "arn:aws:s3:::reports/*",
    },
    { Sid: "Read", Effect: "Deny", Action: "s3:DeleteObject", Resource: "arn:aws:s3:::reports/*" },
  ],
};
const repaired = {
  Version: "2012-10-17",
  Statement: [
    { Sid: "Read", Effect: "Allow", Action: ["s3:Get*"], Resource: "arn:aws:s3:::reports/*" },
    { Sid: "Read2", Effect: "Deny", Action: "s3:DeleteObject", Resource: "arn:aws:s3:::reports/*" },
  ],
};
const fix = ["equivalent", "repairs"];

const json = JSON.stringify(broken, null, 2);
const yaml = `# who reads
Version: "2012-10-17"
Statement:
  - Sid: Read # the id
    Effect: allow
    Acton:
      - s3:GetObjct
      - 's3:Get*' # all
      - s3:GetObject
    Resource: "arn:aws:s3:::reports/*"
  # who deletes
  - Sid: Read
    Effect: Deny
    Action: s3:DeleteObject
    Resource: "arn:aws:s3:::reports/*"
`;

describe("the member fix of a finding", () => {
  test.each(["findings", "full", "fix"])(
    "applies to the document as submitted (%s)",
    async (detail) => {
      const { issues } = await resultOf(broken, { detail });
      const fixes = (issues ?? []).flatMap((issue) => issue.fix ?? []);
      expect(fixes.length).toBeGreaterThan(2);
      for (const { patch } of fixes) {
        expect(patch[0]?.op).toBe("test");
        expect(applyPatch(broken, patch)).not.toEqual(broken);
      }
    },
  );

  test("is the same for an object, JSON text and YAML text", async () => {
    const fixesOf = async (policy: unknown) =>
      findingsOf(await resultOf(policy)).map((finding) => finding.fix);
    const expected = await fixesOf(broken);
    expect(await fixesOf(json)).toEqual(expected);
    expect(await fixesOf(yaml)).toEqual(expected);
  });

  test("is all that detail fix says to write", async () => {
    const { issues } = await resultOf(broken, { detail: "fix" });
    const fixed = (issues ?? []).filter((issue) => issue.fix);
    expect(fixed).not.toEqual([]);
    for (const issue of fixed) expect(issue).toMatchObject({ suggestion: null, example: null });
  });
});

describe("the input fix", () => {
  test("absent, null or empty applies nothing and adds nothing to the answer", async () => {
    const expected = await resultOf(broken);
    expect(expected).not.toHaveProperty("fixed_policy");
    expect(expected).not.toHaveProperty("fixes_applied");
    for (const none of [null, []]) expect(await resultOf(broken, { fix: none })).toEqual(expected);
  });

  test("returns the policy with the fixes; all else is about it", async () => {
    const { fixed_policy, fixes_applied, ...rest } = await resultOf(broken, { fix });
    expect(fixed_policy).toEqual(repaired);
    expect(fixes_applied?.repairs).toBeGreaterThan(2);
    expect(fixes_applied?.equivalent).toBeGreaterThan(0);
    expect(rest).toEqual(await resultOf(repaired));
  });

  test("keeps the layout of a text", async () => {
    const { fixed_policy } = await resultOf(json, { fix });
    expect(fixed_policy).toBe(JSON.stringify(repaired, null, 2));
    const fixedYaml = (await resultOf(yaml, { fix })).fixed_policy;
    expect(fixedYaml).toBe(
      yaml
        .replace("allow", "Allow")
        .replace("Acton", "Action")
        .replace("      - s3:GetObjct\n", "")
        .replace("      - s3:GetObject\n", "")
        .replace("Sid: Read\n", "Sid: Read2\n"),
    );
    expect(parse(String(fixedYaml))).toEqual(repaired);
  });

  test("changes nothing the second time, and says so", async () => {
    for (const policy of [broken, json, yaml]) {
      const first = await resultOf(policy, { fix });
      const second = await resultOf(first.fixed_policy, { fix });
      expect(second).toEqual({ ...first, fixed_policy: null, fixes_applied: {} });
    }
  });

  test("applies only the effects asked for, and nothing that needs input", async () => {
    const repairs = await resultOf(broken, { fix: ["repairs"] });
    expect(Object.keys(repairs.fixes_applied ?? {})).toEqual(["repairs"]);
    const all = await resultOf(broken, { fix: ["equivalent", "narrows", "repairs", "changes"] });
    expect(JSON.stringify(all.fixed_policy)).not.toMatch(/<[a-z0-9_-]+>/);
  });

  test("names the four effects when it gets another", async () => {
    const { error } = await callOf(target, "validate_policies", {
      policies: [broken],
      fix: ["all"],
    });
    for (const effect of ["equivalent", "narrows", "repairs", "changes"]) {
      expect(error).toContain(effect);
    }
  });

  test("works with every detail and format, in a worker, too", async () => {
    const expected = await resultsFrom(target, { policies: [broken, json], fix });
    for (const detail of ["summary", "fix", "full"]) {
      const results = await resultsFrom(target, { policies: [broken, json], fix, detail });
      expect(results.map((one) => one.fixed_policy)).toEqual(
        expected.map((one) => one.fixed_policy),
      );
    }
    const large = { bodyBytes: 100_000 };
    const inWorker = await validated(target, { policies: [broken, json], fix }, large);
    expect(inWorker.output.results).toEqual(expected);
    const report = await validated(target, { policies: [json], fix, format: "markdown" });
    expect(report.output.results[0]?.fixed_policy).toBe(JSON.stringify(repaired, null, 2));
  });

  test("leaves a policy alone that would grow past its limit", async () => {
    const policy = JSON.stringify({ Statement: repaired.Statement });
    expect((await resultOf(policy, { fix })).fixed_policy).toContain("2012-10-17");
    const limit = Buffer.byteLength(policy);
    const small = await startInProcess({
      runtime: target.runtime,
      adjust: (runtime) => ({
        ...runtime,
        settings: { ...runtime.settings, max_policy_bytes: limit },
      }),
    });
    try {
      expect(await resultFrom(small, policy, { fix })).toMatchObject({
        fixed_policy: null,
        fixes_applied: {},
      });
    } finally {
      await small.stop();
    }
  });

  test("its policies go before the issues when the answer must shrink", async () => {
    const args = { policies: [json, json, yaml], fix };
    const full = await validated(target, args);
    const shrunk = await startInProcess({
      runtime: target.runtime,
      adjust: (runtime) => ({
        ...runtime,
        settings: { ...runtime.settings, max_response_bytes: full.resultBytes - 1 },
      }),
    });
    try {
      const { output } = await validated(shrunk, args);
      expect(output.truncated).toBe(true);
      for (const [index, result] of output.results.entries()) {
        const { fixed_policy: _, ...expected } = full.output.results[index] ?? {};
        expect(result).toEqual(expected);
      }
    } finally {
      await shrunk.stop();
    }
  });
});
