import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Row, Section } from "./report.ts";

/** What the drivers print, in ms. */
type Taken = Readonly<Record<string, Readonly<Record<string, number>>>>;

const here = import.meta.dirname;

/** Runs a driver in an image, as hardened as operators are told to run it. */
function measuredIn(image: string, driver: string, node: string, user: string): Taken {
  const output = execFileSync(
    "docker",
    [
      ...["run", "--rm", "--read-only", "--tmpfs", "/tmp", "--user", user],
      ...["-v", `${join(here, "cold-start")}:/bench:ro`],
      ...["-v", `${join(here, "../examples")}:/examples:ro`],
      ...["-e", "VALIDATOR_MCP_AUTH=none", "-e", "VALIDATOR_MCP_CONFIG=/examples/config.yaml"],
      ...["-e", "VALIDATOR_MCP_LOG_LEVEL=warn"],
      ...["-e", `RUNS=${process.env.RUNS ?? "15"}`],
      ...["--entrypoint", node, image, `/bench/${driver}`],
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  return JSON.parse(output);
}

function rowsOf(taken: Taken): Row[] {
  const empty = taken.empty?.answer_ms ?? Number.NaN;
  return Object.entries(taken).map(([subject, { answer_ms = Number.NaN, ...before }]) => ({
    subject,
    ...Object.fromEntries(
      Object.entries(before).map(([name, ms]) => [name.replace("_ms", ", ms"), ms]),
    ),
    "first answer, ms": answer_ms,
    "to the empty one": answer_ms / empty,
  }));
}

/**
 * Cold start of both images: process start to first answer, beside a function and a server that do
 * nothing, in the same run. Needs the images; BENCH_FUNCTION_IMAGE and BENCH_IMAGE name others.
 */
export function coldStartSection(
  functionImage = process.env.BENCH_FUNCTION_IMAGE ?? "validator-mcp-lambda:dev",
  containerImage = process.env.BENCH_IMAGE ?? "validator-mcp:dev",
): Section {
  const ofFunction = measuredIn(functionImage, "driver.ts", "/var/lang/bin/node", "993:990");
  const node = "/usr/local/bin/node";
  const ofContainer = measuredIn(containerImage, "container-driver.ts", node, "1000:1000");
  return {
    id: "cold-start",
    title: "Cold start",
    about: "Process start to first answer, medians, inside the images.",
    tables: [
      {
        title: "Function, through the real runtime client (goal: ≤ 400 ms)",
        rows: rowsOf(ofFunction),
      },
      { title: "Container: /health, /ready, first validation", rows: rowsOf(ofContainer) },
    ],
  };
}
