import { expect, test } from "vitest";
import { validatePolicies as contract } from "../../spec/tools/validate-policies.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { onlyCaller } from "../admission/call-pass.ts";
import type { ValidateTask, ValidationPool } from "../pool/types.ts";
import { encodeOutput, writeOutput } from "../results/prepared-output.ts";
import { validatePolicies } from "./validate-policies.ts";

const output = { results: [], config_digest: "of a worker", truncated: false, truncated_count: 0 };

/** The context of a call, and what its pool is asked. */
function withPool() {
  const tasks: ValidateTask[] = [];
  const validate: ValidationPool["validate"] = async (task) => {
    tasks.push(task);
    const prepared = encodeOutput(writeOutput(output));
    return { kind: "done", prepared, severity_counts: { low: 5 } };
  };
  const { runtime } = bareRuntime();
  const context = {
    runtime: { ...runtime, pool: { ...runtime.pool, validate } },
    signal: new AbortController().signal,
    toolNames: [],
    ...onlyCaller,
    maxResultBytes: 12_345,
  };
  return { tasks, context };
}

test("entries that are not policies are refused on this thread", async () => {
  const { tasks, context } = withPool();
  const args = contract.input.parse({ policies: [null, 5] });
  await expect(validatePolicies.run(args, context)).rejects.toMatchObject({
    kind: "invalid_policy_entry",
  });
  expect(tasks).toEqual([]);
});

test("a body goes to a worker as it came", async () => {
  const { tasks, context } = withPool();
  const body = Buffer.from("body");
  await validatePolicies.runDeferred?.(body, context);
  expect(tasks).toEqual([{ body, maxResultBytes: 12_345 }]);
});

test("audit records count the policies of any arguments that have a list of them", () => {
  const counts = [{ policies: [1, null, {}] }, { policies: [] }, { policies: "abc" }, {}, null, 5];
  expect(counts.map((args) => validatePolicies.policyCount(args))).toEqual([3, 0, 0, 0, 0, 0]);
});

test("a call may have as many values as policies need", () => {
  expect(validatePolicies.takesPolicies).toBe(true);
});
