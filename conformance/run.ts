// Runs the official MCP conformance suite against this server: `npm run conformance`.
// Each requirement set has a baseline of what does not apply to a server with only its own tools;
// the suite fails on anything new, and on an entry that has come to pass.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "../test/support/process.ts";
import { runAuthorization } from "./authorization.ts";

const requirementSets = ["2025-11-25", "2026-07-28"];

const here = (path: string) => new URL(path, import.meta.url).pathname;
const suite = here("../node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** @returns the suite's exit code. */
async function run(url: string, requirements: string, directory: string): Promise<number> {
  const baseline = here(`./${requirements}.yml`);
  const args = ["server", "--url", url, "--requirements", requirements];
  const child = spawn(process.execPath, [suite, ...args, "--expected-failures", baseline], {
    // It writes its results where it stands.
    cwd: directory,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}

const server = await startProcess();
const directory = await mkdtemp(join(tmpdir(), "conformance-"));
try {
  // One of the scenarios sends foreign Host headers and wants the name, not the address.
  const url = `${server.url.replace("127.0.0.1", "localhost")}/mcp`;
  for (const requirements of requirementSets) {
    const code = await run(url, requirements, directory);
    console.log(`\nRequirements ${requirements}: ${code === 0 ? "as expected" : "FAILED"}\n`);
    if (code !== 0) process.exitCode = 1;
  }
  // With client metadata documents off, as by default, and on.
  for (const variables of [{}, { OAUTH_METADATA_HOSTS: "*" }]) {
    const { code, output } = await runAuthorization(suite, directory, variables);
    console.log(output);
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
