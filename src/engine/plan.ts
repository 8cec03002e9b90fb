import type { PolicyType } from "../../spec/policy.ts";
import { memo } from "../memo.ts";
import { type RegisteredCheck, type Registry, runsOn } from "./registry.ts";

/** The checks that run on a policy, in registry order, by how they run. */
export interface Plan {
  readonly byId: ReadonlyMap<string, RegisteredCheck>;
  /** Those that ask questions about access. */
  readonly asking: readonly RegisteredCheck[];
  /** Those that run once for a policy. */
  readonly byPolicy: readonly RegisteredCheck[];
  /** Those that run for each statement. */
  readonly byStatement: readonly RegisteredCheck[];
  /** The check that reports a code of AWS's policy checks, by code. */
  readonly byAwsCode: ReadonlyMap<string, RegisteredCheck>;
}

const plansOf = memo((_: Registry) => new Map<string, Plan>());

/** @param whole False: the document has no statements, so only the check of the document runs. */
export function planOf(registry: Registry, type: PolicyType, whole: boolean): Plan {
  const plans = plansOf(registry);
  const key = `${type} ${whole}`;
  let plan = plans.get(key);
  if (!plan) {
    plan = make(
      registry.checks.filter(
        (registered) =>
          runsOn(registered, type) && (whole || registered.check.check_id === "policy_structure"),
      ),
    );
    plans.set(key, plan);
  }
  return plan;
}

function make(running: readonly RegisteredCheck[]): Plan {
  return {
    byId: new Map(running.map((registered) => [registered.check.check_id, registered])),
    asking: running.filter(({ check }) => check.ask),
    byPolicy: running.filter(({ check }) => check.runPolicy),
    byStatement: running.filter(({ check }) => check.runStatement),
    byAwsCode: new Map(
      running.flatMap((registered) =>
        Object.keys(registered.check.aws_codes ?? {}).map((code) => [code, registered] as const),
      ),
    ),
  };
}
