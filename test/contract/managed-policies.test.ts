import { afterAll, beforeAll, expect, test } from "vitest";
import { validatePolicies } from "../../spec/tools/validate-policies.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { managedPolicies } from "../support/managed-policies.ts";
import { call } from "../support/rpc.ts";
import { findingsOf } from "../support/validate.ts";

/**
 * AWS accepts its own policies, so an error on one of them is nearly always false. These kinds are
 * true by their rule; each number is the most that is accepted, a little above what there is.
 */
const explained = new Map([
  // Retired services and actions, and some that are newer than the reference data.
  ["action_validation invalid_action", 200],
  // Tag keys on actions that list none, and gaps of the reference data.
  ["condition_key_validation invalid_condition_key", 60],
  // Actions that the reference gives no resource type, on an ARN: by the documentation AWS compares with `*`.
  ["action_resource_matching statement_never_applies", 100],
  // Service principals of two labels in `aws:CalledVia`, which AWS's own policy check reports as well.
  ["condition_effect condition_never_true", 4],
  // AWS's own policies may be larger than a customer's.
  ["policy_size policy_size_exceeded", 100],
  // `StringEquals` on Bool keys.
  ["condition_type_mismatch type_mismatch", 4],
  ["condition_type_mismatch invalid_value_format", 5],
  // One ARN with an empty resource part.
  ["resource_validation invalid_resource", 1],
  // `endpointconfig/*` of SageMaker, whose type is `endpoint-config`.
  ["action_resource_matching resource_mismatch", 1],
]);

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(async () => {
  await server.stop();
  await server.runtime.pool.close();
});

test("every AWS managed policy is validated, and errors are of the kinds that are true", async () => {
  const policies = managedPolicies();
  expect(policies.length).toBeGreaterThan(1500);
  const errors = new Map<string, number>();
  for (let at = 0; at < policies.length; at += 50) {
    const part = policies.slice(at, at + 50);
    const { body } = await call(server, "validate_policies", {
      policies: part.map(({ name, document }) => ({ name, policy: document })),
    });
    expect(body.result?.isError).toBe(false);
    const { results, truncated } = validatePolicies.output.parse(body.result?.structuredContent);
    expect(truncated).toBe(false);
    expect(results.map(({ name }) => name)).toEqual(part.map(({ name }) => name));
    for (const { check_id, issue_type, severity } of results.flatMap(findingsOf)) {
      expect(issue_type).not.toBe("check_execution_error");
      const kind = `${check_id} ${issue_type}`;
      if (severity === "error") errors.set(kind, (errors.get(kind) ?? 0) + 1);
    }
  }
  const unexplained = [...errors].filter(([kind, count]) => count > (explained.get(kind) ?? 0));
  expect(unexplained).toEqual([]);
}, 120_000);
