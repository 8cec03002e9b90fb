import { describeChecks } from "../../src/tools/describe-checks.ts";
import { implement } from "../../src/tools/tool.ts";
import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** A tool that tells the log what it was asked for. */
const indiscreet = implement(describeChecks.contract, (input, context) => {
  context.runtime.log.debug({ asked: input.check_ids }, "describe_checks");
  return describeChecks.run(input, context);
});

export const open = (outputs: Outputs) => openRpc(outputs, { extraTools: [indiscreet] });
