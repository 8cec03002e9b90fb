import type { Outputs } from "../outputs.ts";
import { openRpc } from "../targets/rpc.ts";

/** An audit that writes some records twice. */
export const open = (outputs: Outputs) =>
  openRpc(outputs, {
    sink: (push) => (line) => {
      push(line);
      if (line.includes('"tool_error"')) push(line);
    },
  });
