import { describeChecks as contract } from "../../spec/tools/describe-checks.ts";
import { describeRegistry } from "./check-description.ts";
import { implement } from "./tool.ts";

export const describeChecks = implement(contract, async ({ check_ids }, { runtime }) => {
  const wanted = check_ids ? new Set(check_ids) : null;
  const all = describeRegistry(runtime.registry, runtime.config);
  return { output: { checks: wanted ? all.filter((one) => wanted.has(one.check_id)) : all } };
});
