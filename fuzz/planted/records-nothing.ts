import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** An audit that forgets calls without policies. */
export const open = (outputs: Outputs) =>
  openRpc(outputs, {
    sink: (push) => (line) => {
      if (!line.includes('"policy_count":0')) push(line);
    },
  });
