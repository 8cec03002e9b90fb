import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { embeddedServices } from "../src/services/embedded.ts";
import { managedPolicies } from "../test/support/managed-policies.ts";
import { benign } from "./documents.ts";
import type { Row, Section } from "./report.ts";
import { prepared, send, sendMany } from "./servers.ts";

const root = join(import.meta.dirname, "..");
const build = join(root, "node_modules/.cache/validator-mcp-bench");
const largestPolicy = 1_048_576 - 64;

/** What operators run: compiled, since stripping types at start takes some 30 MB. */
function compiledCli(): string {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const project = join(root, "tsconfig.build.json");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", build], { stdio: "inherit" });
  return join(build, "src/cli.js");
}

async function startCompiled(cli: string, nodeOptions: string) {
  const config = join(root, "examples/config.yaml");
  const child = spawn(
    process.execPath,
    [cli, "serve", "--mode", "hosted", "--auth", "none", "--config", config],
    {
      env: { PATH: process.env.PATH, VALIDATOR_MCP_PORT: "0", NODE_OPTIONS: nodeOptions },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const listening = Promise.withResolvers<number>();
  child.once("exit", (code) => listening.reject(new Error(`The server ended with ${code}.`)));
  createInterface({ input: child.stderr }).on("line", (line) => {
    const [, port] = /"url":"[^"]*:(\d+)\/mcp"/.exec(line) ?? [];
    if (port) listening.resolve(Number(port));
  });
  return { child, port: await listening.promise };
}

function rssMb(pid: number | undefined): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1e3;
}

/** A process that has loaded the server's code and compiled all services, and done nothing else. */
function loadedMb(): number {
  const code = `
    await import(${JSON.stringify(join(build, "src/serve.js"))});
    const { embeddedServices } = await import(${JSON.stringify(join(build, "src/services/embedded.js"))});
    const services = embeddedServices();
    for (const prefix of services.prefixes) services.get(prefix);
    console.log(process.memoryUsage.rss());`;
  const args = ["--input-type=module", "--eval", code];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8" })) / 1e6;
}

type Noted = Map<string, number>;

async function watch(cli: string, nodeOptions: string, calls: number): Promise<Noted> {
  const { child, port } = await startCompiled(cli, nodeOptions);
  const agent = new Agent({ keepAlive: true });
  const noted: Noted = new Map();
  const note = (when: string) => noted.set(when, rssMb(child.pid));
  const call = (name: string, args: object) =>
    send(port, prepared("tools/call", { name, arguments: args }, "2026"), agent);
  try {
    note("listening");
    for (const service of embeddedServices().prefixes) {
      await call("query", { kind: "service_actions", service, name_filter: "no such name" });
    }
    note("all services asked for, one call each");
    const { document } = managedPolicies()[7] ?? {};
    const usual = prepared(
      "tools/call",
      { name: "validate_policies", arguments: { policies: [document] } },
      "2026",
    );
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await sendMany(port, usual, { count: calls / 4, connections: 16 });
      note(`${(calls * share).toLocaleString("en-US")} calls later`);
    }
    const policies = Array.from({ length: 8 }, () => benign(largestPolicy));
    await call("validate_policies", { policies });
    note("after a request of 8 MiB, its threads still there");
  } finally {
    agent.destroy();
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await once(child, "close");
  }
  return noted;
}

/** Resident memory of the server process as it works. */
export async function memorySection(calls = 8_000): Promise<Section> {
  const cli = compiledCli();
  const plain = await watch(cli, "", calls);
  const small = await watch(cli, "--max-semi-space-size=16 --max-old-space-size=192", calls);
  const rows: Row[] = [...plain].map(([when, mb]) => ({
    when,
    "RSS, MB": Math.round(mb),
    "with --max-semi-space-size=16 --max-old-space-size=192": Math.round(
      small.get(when) ?? Number.NaN,
    ),
  }));
  return {
    id: "memory",
    title: "Memory",
    about:
      "Resident memory of the compiled server with the embedded reference data, as Node runs it and with a smaller young generation.",
    tables: [
      {
        title: "Code and all services loaded, no call (goal: < 150)",
        rows: [{ process: "loaded", "RSS, MB": Math.round(loadedMb()) }],
      },
      { title: "One server from its start on", rows },
    ],
  };
}
