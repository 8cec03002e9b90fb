import { describeChecks } from "../../src/tools/describe-checks.ts";
import { implement } from "../../src/tools/tool.ts";
import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** A tool that takes the process with it. */
const fatal = implement(describeChecks.contract, (input, context) => {
  if (input.check_ids?.length === 0) process.abort();
  return describeChecks.run(input, context);
});

export const open = (outputs: Outputs) => openRpc(outputs, { extraTools: [fatal] });
