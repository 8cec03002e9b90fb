import { expect, test } from "vitest";
import { validatePolicies as contract } from "../../spec/tools/validate-policies.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
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
    subject: "someone",
    maxResultBytes: 12_345,
  };
  return { tasks, context };
}

const text = (length: number) => "{}".padEnd(length, " ");

test.each<[string, number, unknown[]]>([
  ["text", 16_384, [text(16_384)]],
  ["text of several", 16_384, [text(8_000), text(8_384)]],
  ["wrapped text", 16_384, [{ policy: text(16_000) }, text(384)]],
])(
  "up to 16 KiB of policies are validated on this thread, more in a worker: %s",
  async (_, __, policies) => {
    const { tasks, context } = withPool();
    const small = await validatePolicies.run(contract.input.parse({ policies }), context);
    expect([tasks.length, small.output.results.length]).toEqual([0, policies.length]);
    const args = contract.input.parse({ policies: [...policies, "["] });
    const large = await validatePolicies.run(args, context);
    expect(tasks).toEqual([{ args, maxResultBytes: 12_345 }]);
    expect(large.output).toEqual(output);
    expect([large.severity_counts, large.prepared?.truncated]).toEqual([{ low: 5 }, false]);
  },
);

test("policies that are objects, however large, were bounded by their body", async () => {
  const { tasks, context } = withPool();
  const policies = [{ Id: text(20_000) }, { policy: { Id: text(20_000) } }, { Statement: [] }];
  await validatePolicies.run(contract.input.parse({ policies }), context);
  expect(tasks).toEqual([]);
});

test("entries that are no policies are refused on this thread", async () => {
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

test("the time and the size of a call are bounded", () => {
  expect(validatePolicies.hasRequestTimeout).toBe(true);
});
