import { defineCheck } from "validator-mcp/check";
import { z } from "zod";

/** Says on standard error that a call has begun; keeps it busy for the ms that each Sid names. */
export const slowCheck = defineCheck({
  check_id: "slow_check",
  default_severity: "low",
  description: "Takes its time.",
  options: z.strictObject({}),
  *runStatement(statement) {
    const [, ms] = /^wait(\d+)n/.exec(statement.sid ?? "") ?? [];
    if (ms === undefined) return;
    process.stderr.write("begun\n");
    const end = performance.now() + Number(ms);
    while (performance.now() < end) yield* [];
  },
});
