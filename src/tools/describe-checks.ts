import { CheckDescription, describeChecks as contract } from "../../spec/tools/describe-checks.ts";
import { memo } from "../memo.ts";
import { writeOutput } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";
import { describeRegistry, listedCheck } from "./check-description.ts";
import { implement } from "./tool.ts";

/** A runtime never changes, so descriptions are built and checked against the schema once per runtime. */
const described = memo(describeAll);

export const describeChecks = implement(contract, async ({ check_ids }, { runtime }) => {
  const all = described(runtime);
  if (!check_ids) return all.list;
  const wanted = new Set(check_ids);
  const output = { checks: all.descriptions.filter((one) => wanted.has(one.check_id)) };
  return { output, prepared: writeOutput(output) };
});

function describeAll({ registry, config }: Runtime) {
  const descriptions = CheckDescription.array().parse(describeRegistry(registry, config));
  const output = { checks: descriptions.map(listedCheck) };
  return { descriptions, list: { output, prepared: writeOutput(output) } };
}
