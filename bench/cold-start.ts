import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Section } from "./report.ts";

interface Taken {
  readonly init_ms: number;
  readonly answer_ms: number;
}

/**
 * Cold start of the function: process start to first answer through the real runtime client, beside
 * an empty handler in the same run. Needs the built image: `docker build --target lambda`.
 * @param image Its tag; BENCH_FUNCTION_IMAGE names another.
 */
export function coldStartSection(
  image = process.env.BENCH_FUNCTION_IMAGE ?? "validator-mcp-lambda:dev",
): Section {
  const here = import.meta.dirname;
  const output = execFileSync(
    "docker",
    [
      ...["run", "--rm", "--read-only", "--tmpfs", "/tmp", "--user", "993:990"],
      ...["-v", `${join(here, "cold-start")}:/bench:ro`],
      ...["-v", `${join(here, "../examples")}:/examples:ro`],
      ...["-e", "VALIDATOR_MCP_AUTH=none", "-e", "VALIDATOR_MCP_CONFIG=/examples/config.yaml"],
      ...["-e", `RUNS=${process.env.RUNS ?? "15"}`],
      ...["--entrypoint", "/var/lang/bin/node", image, "/bench/driver.ts"],
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  // What driver.ts prints.
  const taken = JSON.parse(output) as Record<string, Taken>;
  const empty = taken.empty?.answer_ms ?? Number.NaN;
  return {
    id: "cold-start",
    title: "Cold start of the function",
    about: "Process start to the end of init and to the first answer, medians, in the image.",
    tables: [
      {
        title: "Goal: ≤ 400 ms",
        rows: Object.entries(taken).map(([subject, { init_ms, answer_ms }]) => ({
          subject,
          "init, ms": init_ms,
          "first answer, ms": answer_ms,
          "to the empty handler": answer_ms / empty,
        })),
      },
    ],
  };
}
