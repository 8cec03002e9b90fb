import { describe, expect, test } from "vitest";
import type { Check } from "./check.ts";
import { planOf } from "./plan.ts";
import { createRegistry, type RegisteredCheck } from "./registry.ts";

function registered(check: Partial<Check>, fields: Partial<RegisteredCheck> = {}): RegisteredCheck {
  const severity = "medium";
  const about = { check: check as Check, enabled: true, severity, configuredSeverity: null };
  return { ...about, ...fields } as RegisteredCheck;
}

describe("the checks that run on a policy", () => {
  const runPolicy = () => [];
  const all = [
    registered({ check_id: "policy_structure", runPolicy }),
    registered({ check_id: "asking", ask: () => [], runPolicy }),
    registered({ check_id: "each", runStatement: () => [], aws_codes: { A: {}, B: {} } as never }),
    registered({ check_id: "off", runPolicy }, { enabled: false }),
    registered({ check_id: "trust", runPolicy, applies_to_policy_types: ["TRUST_POLICY"] }),
  ];
  const registry = createRegistry(all);
  const ids = (list: readonly RegisteredCheck[]) => list.map(({ check }) => check.check_id);

  test("are those that are enabled and of its type, by how they run", () => {
    const plan = planOf(registry, "IDENTITY_POLICY", true);
    expect([...plan.byId.keys()]).toEqual(["policy_structure", "asking", "each"]);
    expect(ids(plan.asking)).toEqual(["asking"]);
    expect(ids(plan.byPolicy)).toEqual(["policy_structure", "asking"]);
    expect(ids(plan.byStatement)).toEqual(["each"]);
    expect([...plan.byAwsCode].map(([code, one]) => [code, one.check.check_id])).toEqual([
      ["A", "each"],
      ["B", "each"],
    ]);
    expect([...planOf(registry, "TRUST_POLICY", true).byId.keys()]).toContain("trust");
  });

  test("are that of the structure alone where there are no statements", () => {
    expect([...planOf(registry, "IDENTITY_POLICY", false).byId.keys()]).toEqual([
      "policy_structure",
    ]);
  });

  test("are found by their ids, and worked out once", () => {
    expect(registry.get("off")).toBe(all[3]);
    expect(registry.get("unknown")).toBeUndefined();
    expect(planOf(registry, "TRUST_POLICY", true)).toBe(planOf(registry, "TRUST_POLICY", true));
  });
});
