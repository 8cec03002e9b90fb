/**
 * Says on standard error that a call has begun; keeps it busy for the ms that each Sid names. Imports
 * nothing, so that it loads where the package is not built.
 */
export const slowCheck = {
  check_id: "slow_check",
  default_severity: "low",
  description: "Takes its time.",
  options: { safeParse: (data) => ({ success: true, data }) },
  *runStatement(statement) {
    const [, ms] = /^wait(\d+)n/.exec(statement.sid ?? "") ?? [];
    if (ms === undefined) return;
    process.stderr.write("begun\n");
    const end = performance.now() + Number(ms);
    while (performance.now() < end) yield* [];
  },
};
