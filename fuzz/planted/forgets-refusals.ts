import type { Outputs } from "../outputs.ts";
import { openFloods } from "../targets/floods.ts";

/** An audit that forgets calls which were refused. */
export const open = (outputs: Outputs) =>
  openFloods(outputs, {
    sink: (push) => (line) => {
      if (!line.includes('"tool_error"')) push(line);
    },
  });
