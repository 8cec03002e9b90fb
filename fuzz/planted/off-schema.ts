import { z } from "zod";
import { getConfig } from "../../src/tools/get-config.ts";
import { implement } from "../../src/tools/tool.ts";
import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** A tool whose answers are not what is published. */
const loose = implement({ ...getConfig.contract, output: z.looseObject({}) }, async () => ({
  output: { config: "none" },
}));

export const open = (outputs: Outputs) => openRpc(outputs, { extraTools: [loose] });
