import { describeChecks } from "../../src/tools/describe-checks.ts";
import { implement } from "../../src/tools/tool.ts";
import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** A tool that begins something and does not wait for its end. */
const careless = implement(describeChecks.contract, (input, context) => {
  if (input.check_ids?.length === 0) void Promise.reject(new RangeError("Nothing is asked for."));
  return describeChecks.run(input, context);
});

export const open = (outputs: Outputs) => openRpc(outputs, { extraTools: [careless] });
