import { describe, expect, test } from "vitest";
import { Finding, LeanFinding } from "../../spec/finding.ts";
import type { Settings } from "../../spec/settings.ts";
import { validatePolicies as contract } from "../../spec/tools/validate-policies.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { policyStructure } from "../checks/policy-structure.ts";
import { parseConfigText } from "../config/read.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { ToolError } from "../errors.ts";
import { runValidation } from "./run-validation.ts";

const fullKeys = Object.keys(Finding.shape).length;
const leanKeys = Object.keys(LeanFinding.shape).length;

const { registry } = resolveConfig(await parseConfigText("", "c"), "c", [
  { check: policyStructure, source: "builtin" as const },
]);

const fine = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::x/*" }],
};
/** A warning (no Version) and an error (no Statement). */
const empty = {};

interface Given {
  readonly settings?: Partial<Settings>;
  readonly maxResultBytes?: number;
  readonly signal?: AbortSignal;
}

/** A call of `validate_policies` with one check, on this thread. */
async function validated(args: object, { settings, maxResultBytes = 1e6, signal }: Given = {}) {
  const { runtime } = bareRuntime(settings, registry.checks);
  const context = { runtime, maxResultBytes, ...(signal && { signal }) };
  const result = await runValidation(contract.input.parse(args), context);
  const output = contract.output.parse(result.output);
  const fitted = () => contract.output.parse(result.shrink?.(0));
  return { output, fitted, counts: result.severity_counts };
}

const refusal = async (args: object, given?: Given) => {
  const error = await validated(args, given).then(
    () => undefined,
    (thrown: ToolError) => thrown,
  );
  return [error?.kind, error?.message];
};

describe("the number of policies", () => {
  test("may be max_policies, and not one more", async () => {
    const settings = { max_policies: 2 };
    const { output } = await validated({ policies: [fine, fine] }, { settings });
    expect(output.results).toHaveLength(2);
    expect(await refusal({ policies: [5, 5, 5] }, { settings })).toEqual([
      "too_many_policies",
      "The call has 3 policies; the limit is 2 (max_policies). Send them in several calls.",
    ]);
  });

  test("is at least one", async () => {
    expect(await refusal({ policies: [] })).toEqual([
      "no_policies",
      "at least one policy is required.",
    ]);
  });
});

describe("an entry", () => {
  const text = JSON.stringify(fine);

  test("is a document, its text, or a wrapper around either", async () => {
    const policies = [fine, text, { policy: fine, name: "a" }, { policy: text, name: null }];
    const { output } = await validated({ policies });
    expect(output.results.map(({ name, is_valid }) => [name, is_valid])).toEqual([
      [null, true],
      [null, true],
      ["a", true],
      [null, true],
    ]);
  });

  const kinds =
    "is neither a policy document, its text, nor {policy, name?, policy_type?, baseline?}.";
  test.each([
    [5, `policies[1] ${kinds}`],
    [null, `policies[1] ${kinds}`],
    [[], `policies[1] ${kinds}`],
    [{ policy: 5 }, "policies[1].policy is neither a policy document nor its text."],
    [{ policy: [fine] }, "policies[1].policy is neither a policy document nor its text."],
    [{ policy: fine, name: 5 }, "policies[1].name is not a string."],
  ])("of any other form is refused: %j", async (entry, message) => {
    expect(await refusal({ policies: [fine, entry] })).toEqual(["invalid_policy_entry", message]);
  });

  test("has the type it names itself, else the one of the call, else one by its content", async () => {
    const types = async (args: object) => {
      const { output } = await validated(args);
      return output.results.map(({ policy_type: type, policy_type_source: source }) => [
        type,
        source,
      ]);
    };
    const policies = [fine, { policy: fine, policy_type: "scp" }];
    expect(await types({ policies, policy_type: "RCP" })).toEqual([
      ["RESOURCE_CONTROL_POLICY", "cli-flag"],
      ["SERVICE_CONTROL_POLICY", "cli-flag"],
    ]);
    expect(await types({ policies })).toEqual([
      ["IDENTITY_POLICY", "default"],
      ["SERVICE_CONTROL_POLICY", "cli-flag"],
    ]);
  });

  test("of a type that does not exist is refused, saying where the word stands", async () => {
    const own = await refusal({ policies: [fine, { policy: fine, policy_type: "role" }] });
    expect(own).toEqual([
      "unknown_policy_type",
      expect.stringMatching(/^policies\[1\]\.policy_type "role" is not a policy type; use one of /),
    ]);
    const ofCall = await refusal({ policies: [fine], policy_type: "role" });
    expect(ofCall[1]).toMatch(/^policy_type \(for policies\[0\]\) "role" is not a policy type/);
  });
});

describe("the size", () => {
  const bytes = JSON.stringify(fine).length;

  const long = "x".repeat(50);
  const meant = JSON.stringify({ a: long, b: long }).length;

  test.each([
    ["a document", fine, bytes],
    ["its text", JSON.stringify(fine), bytes],
    ["text that means more than it says", `a: &a ${long}\nb: *a\n`, meant],
  ])("of a policy may be max_policy_bytes, and not one byte more: %s", async (_, policy, size) => {
    const settings = { max_policy_bytes: size };
    expect((await validated({ policies: [policy] }, { settings })).output.results).toHaveLength(1);
    expect(
      await refusal({ policies: [empty, policy] }, { settings: { max_policy_bytes: size - 1 } }),
    ).toEqual([
      "policy_too_large",
      `policies[1] has ${size} bytes; the limit is ${size - 1} (max_policy_bytes). Split the policy.`,
    ]);
  });

  test("of text over the limit is told without reading it, whatever it means", async () => {
    const blank = `{}${" ".repeat(98)}`;
    expect(await refusal({ policies: [blank] }, { settings: { max_policy_bytes: 99 } })).toEqual([
      "policy_too_large",
      expect.stringContaining("policies[0] has 100 bytes"),
    ]);
  });

  test("of all together may be max_request_bytes, and not one byte more", async () => {
    // White space of a text counts, as it was sent.
    const text = `${JSON.stringify(fine)}   `;
    const policies = [fine, text, { policy: fine, name: "not counted" }];
    const sum = 3 * bytes + 3;
    const at = { settings: { max_request_bytes: sum } };
    expect((await validated({ policies }, at)).output.results).toHaveLength(3);
    const over = { settings: { max_request_bytes: sum - 1 } };
    expect(await refusal({ policies }, over)).toEqual([
      "request_too_large",
      `The first 3 policies together have ${sum} bytes; the limit is ${sum - 1} (max_request_bytes). Send fewer policies per call.`,
    ]);
  });
});

describe("the answer", () => {
  test("has issues in short, in full or not at all, with or without a summary", async () => {
    const keysFor = async (detail: string) => {
      const { output } = await validated({ policies: [empty], detail });
      const [result] = output.results;
      return [result?.issues?.map((issue) => Object.keys(issue).length), result?.summary];
    };
    expect(await keysFor("findings")).toEqual([[leanKeys, leanKeys], null]);
    expect(await keysFor("full")).toEqual([
      [fullKeys, fullKeys],
      expect.objectContaining({ total_statements: 0 }),
    ]);
    expect(await keysFor("summary")).toEqual([
      undefined,
      expect.objectContaining({ total_statements: 0 }),
    ]);
  });

  test("tells what fails, and counts findings by severity over all policies", async () => {
    const { output, counts } = await validated({ policies: [empty, fine, "["] });
    expect(output.results.map(({ is_valid, fails_policy }) => [is_valid, fails_policy])).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ]);
    expect(output.results.map(({ severity_counts }) => severity_counts)).toEqual([
      { warning: 1, error: 1 },
      {},
      { error: 1 },
    ]);
    expect(counts).toEqual({ warning: 1, error: 2 });
    expect(output).toMatchObject({
      config_digest: "0".repeat(64),
      truncated: false,
      truncated_count: 0,
    });
    expect(output).not.toHaveProperty("report");
  });

  test("that cannot hold the issues of all policies has those of none, and says it was cut", async () => {
    for (const detail of ["findings", "full"]) {
      const policies = [fine, empty, empty];
      const { output, counts } = await validated({ policies, detail }, { maxResultBytes: 1_500 });
      expect([output.truncated, output.truncated_count]).toEqual([true, 0]);
      expect(output.results).toHaveLength(3);
      for (const result of output.results) {
        expect(result).not.toHaveProperty("issues");
        expect(result).not.toHaveProperty("summary");
      }
      expect(counts).toEqual({ warning: 2, error: 2 });
    }
  });

  test("without issues is never cut early", async () => {
    const args = { policies: [empty, empty], detail: "summary" };
    const { output } = await validated(args, { maxResultBytes: 10 });
    expect(output.truncated).toBe(false);
    expect(output.results[0]?.summary).not.toBeNull();
  });

  test("can be made to fit", async () => {
    const { fitted } = await validated({ policies: [empty, fine] }, { maxResultBytes: 600 });
    expect(fitted()).toMatchObject({ results: [], truncated: true, truncated_count: 2 });
  });
});

describe("a report", () => {
  test("names each policy by its label and goes beside the answer", async () => {
    const policies = [empty, { policy: "{\n}", name: "mine" }];
    const { output } = await validated({ policies, format: "csv", detail: "summary" });
    const rows = (output.report ?? "").split("\r\n").filter((row) => row.includes("missing_"));
    expect(rows.map((row) => row.split(",").slice(0, 4))).toEqual([
      ["policy-0", "IDENTITY_POLICY", "", ""],
      ["policy-0", "IDENTITY_POLICY", "", ""],
      ["mine", "IDENTITY_POLICY", "", ""],
      ["mine", "IDENTITY_POLICY", "", ""],
    ]);
    expect(output.truncated).toBe(false);
    const [result] = output.results;
    expect([result?.issues, result?.severity_counts]).toEqual([null, { warning: 1, error: 1 }]);
  });

  test("changes nothing of the detail that was asked for", async () => {
    const sizes = async (detail: string) => {
      const { output } = await validated({ policies: [empty], format: "csv", detail });
      return output.results[0]?.issues?.map((issue) => Object.keys(issue).length);
    };
    expect([await sizes("full"), await sizes("findings")]).toEqual([
      [fullKeys, fullKeys],
      [leanKeys, leanKeys],
    ]);
  });

  test("tells what made it: version, digest, date of the reference data, rules", async () => {
    const { output } = await validated({ policies: [empty], format: "sarif", detail: "full" });
    const report = JSON.parse(output.report ?? "");
    const { driver } = report.runs[0].tool;
    expect(driver).toMatchObject({ version: "1.2.3", rules: [{ id: "policy_structure" }] });
    expect(output.report).toContain("0".repeat(64));
    expect(output.report).toContain("2026-01-01");
    expect(output.results[0]?.issues).toHaveLength(2);
  });

  test("quotes the text of a policy that was sent as text", async () => {
    const text = '{ "Version": "2012-10-17", "Statement": [], "Oddity": 1 }';
    const quoting = async (policy: unknown) =>
      (await validated({ policies: [policy], format: "html" })).output.report?.includes(
        "Oddity&quot;: 1",
      );
    expect([await quoting(text), await quoting(JSON.parse(text))]).toEqual([true, false]);
  });
});

test("a call that is stopped ends with the reason of its signal", async () => {
  const reason = new Error("gone");
  const signal = AbortSignal.abort(reason);
  for (const format of ["json", "csv"]) {
    await expect(validated({ policies: [fine], format }, { signal })).rejects.toBe(reason);
  }
});
