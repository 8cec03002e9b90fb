import {
  type CheckDescription,
  describeChecks as contract,
} from "../../spec/tools/describe-checks.ts";
import type { Runtime } from "../runtime.ts";
import { describeRegistry } from "./check-description.ts";
import { writeOutput } from "./prepared-output.ts";
import { implement, type ToolResult } from "./tool.ts";

interface Output {
  checks: CheckDescription[];
}

/** Descriptions never change while a runtime lives: they are made, and held to the schema, once. */
const known = new WeakMap<Runtime, ToolResult<Output>>();

export const describeChecks = implement(contract, async ({ check_ids }, { runtime }) => {
  const all = known.get(runtime) ?? describeAll(runtime);
  known.set(runtime, all);
  if (!check_ids) return all;
  const wanted = new Set(check_ids);
  const output = { checks: all.output.checks.filter((one) => wanted.has(one.check_id)) };
  return { output, prepared: writeOutput(output) };
});

function describeAll({ registry, config }: Runtime): ToolResult<Output> {
  const output = contract.output.parse({ checks: describeRegistry(registry, config) });
  return { output, prepared: writeOutput(output) };
}
