import type { Outputs } from "../outputs.ts";
import { openFloods } from "../targets/floods.ts";

/** A pool that breaks when a second call comes while one is running. */
export const open = (outputs: Outputs) =>
  openFloods(outputs, {
    adjust: (runtime) => {
      let running = 0;
      const { pool } = runtime;
      const validate: typeof pool.validate = async (task, work) => {
        running++;
        try {
          if (running > 1) throw new Error("two at once");
          return await pool.validate(task, work);
        } finally {
          running--;
        }
      };
      return { ...runtime, pool: { ...pool, validate } };
    },
  });
