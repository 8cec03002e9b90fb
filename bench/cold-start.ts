/**
 * Cold start of the function: process start to first answer through the real runtime client, beside
 * an empty handler in the same run. Needs the built image: `docker build --target lambda`.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const image = process.argv[2] ?? "validator-mcp-lambda:dev";
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
const report: Record<string, { init_ms: number; answer_ms: number }> = JSON.parse(output);
const empty = report.empty?.answer_ms ?? Number.NaN;
for (const [name, { init_ms, answer_ms }] of Object.entries(report)) {
  const ratio = (answer_ms / empty).toFixed(1);
  process.stdout.write(
    `${name.padEnd(20)} init ${init_ms} ms, first answer ${answer_ms} ms, ${ratio} × empty\n`,
  );
}
