import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { embeddedServices } from "../src/services/embedded.ts";
import { managedPolicies } from "../test/support/managed-policies.ts";
import type { Era } from "../test/support/rpc.ts";
import { benign } from "./documents.ts";
import type { Row, Section } from "./report.ts";
import { prepared, send, sendMany } from "./servers.ts";

const root = join(import.meta.dirname, "..");
const build = join(root, "node_modules/.cache/validator-mcp-bench");
const largestPolicy = 1_048_576 - 64;
/** As the container image sets it. */
export const imageOptions = "--max-semi-space-size=4 --v8-pool-size=1";
/** Of the command, which `NODE_OPTIONS` does not take. */
export const imageFlags = ["--no-sparkplug", "--external-memory-accounted-in-global-limit"];
export const imageMalloc = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };

/** What operators run: the bundle, since stripping types at start takes some 30 MB. */
export function bundledCli(): string {
  execFileSync(process.execPath, [join(root, "scripts/bundle.ts"), "--out", build], {
    stdio: "inherit",
  });
  return join(build, "cli.js");
}

async function startCompiled(cli: string, nodeOptions: string) {
  const config = join(root, "examples/config.yaml");
  const flags = nodeOptions === imageOptions ? imageFlags : [];
  const child = spawn(
    process.execPath,
    [...flags, cli, "serve", "--mode", "hosted", "--auth", "none", "--config", config],
    {
      env: {
        PATH: process.env.PATH,
        VALIDATOR_MCP_PORT: "0",
        NODE_OPTIONS: nodeOptions,
        ...(nodeOptions === imageOptions && imageMalloc),
      },
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

type Noted = Map<string, number>;

/** A compiled server that works. */
export interface Working {
  readonly port: number;
  rssMb(): number;
  /** One call. */
  call(name: string, args: object): Promise<string>;
}

export async function withServer(
  cli: string,
  nodeOptions: string,
  work: (server: Working) => Promise<void>,
): Promise<void> {
  const { child, port } = await startCompiled(cli, nodeOptions);
  const agent = new Agent({ keepAlive: true });
  try {
    await work({
      port,
      rssMb: () => rssMb(child.pid),
      call: (name, args) => send(port, toolCall(name, args), agent),
    });
  } finally {
    agent.destroy();
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

export function toolCall(name: string, args: object, era: Era = "2026") {
  return prepared("tools/call", { name, arguments: args }, era);
}

/** A typical policy, validated. */
function usualCall() {
  const { document } = managedPolicies()[7] ?? {};
  return toolCall("validate_policies", { policies: [document] });
}

async function askForAllServices({ call }: Working): Promise<void> {
  for (const service of embeddedServices().prefixes) {
    await call("query", { kind: "service_actions", service, name_filter: "no such name" });
  }
}

async function watch(cli: string, nodeOptions: string, calls: number): Promise<Noted> {
  const noted: Noted = new Map();
  await withServer(cli, nodeOptions, async (server) => {
    const note = (when: string) => noted.set(when, server.rssMb());
    note("listening");
    await askForAllServices(server);
    note("all services loaded, by one call each");
    const usual = usualCall();
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await sendMany(server.port, usual, { count: calls / 4, connections: 16 });
      note(`${(calls * share).toLocaleString("en-US")} calls later`);
    }
    const policies = Array.from({ length: 8 }, () => benign(largestPolicy));
    await server.call("validate_policies", { policies });
    note("after a request of 8 MiB, its threads still there");
  });
  return noted;
}

/** Resident memory of the server process as it works. */
export async function memorySection(calls = 8_000): Promise<Section> {
  const cli = bundledCli();
  const plain = await watch(cli, "", calls);
  const bounded = await watch(cli, imageOptions, calls);
  const rows: Row[] = [...plain].map(([when, mb]) => ({
    when,
    "RSS, MB": Math.round(mb),
    [`with ${imageOptions}, as in the image`]: Math.round(bounded.get(when) ?? Number.NaN),
  }));
  return {
    id: "memory",
    title: "Memory",
    about:
      "Resident memory of the compiled server with the embedded reference data, as Node runs it and as the container image does.",
    tables: [
      { title: "One server from its start on (goal: < 150 with all services loaded)", rows },
    ],
  };
}

/** Whether resident memory stays where it is: noted five times on the way, each tool in turn. */
export async function plateauSection(calls = 100_000, connections = 16): Promise<Section> {
  const cli = bundledCli();
  const mixed = [
    usualCall(),
    toolCall("query", { kind: "action_details", actions: ["s3:GetObject"] }, "2025"),
    toolCall("describe_checks", { check_ids: ["service_wildcard"] }),
    toolCall("get_config", {}, "2025"),
  ];
  const count = calls / 5 / mixed.length;
  const noted: { readonly calls: number; readonly mb: number }[] = [];
  await withServer(cli, imageOptions, async (server) => {
    await askForAllServices(server);
    for (let done = calls / 5; done <= calls; done += calls / 5) {
      for (const one of mixed) await sendMany(server.port, one, { count, connections });
      noted.push({ calls: done, mb: server.rssMb() });
    }
  });
  const mean = noted.reduce((sum, { mb }) => sum + mb, 0) / noted.length;
  const off = noted.map(({ mb }) => (Math.abs(mb - mean) / mean) * 100);
  return {
    id: "soak",
    title: "Resident memory over many calls",
    about: `${calls.toLocaleString("en-US")} calls of four tools over ${connections} connections against one server, run as in the container image (${imageOptions}).`,
    tables: [
      {
        title: "On the way",
        rows: noted.map((one) => ({
          calls: one.calls.toLocaleString("en-US"),
          "RSS, MB": Math.round(one.mb),
        })),
      },
      {
        title: "Single figures",
        rows: [
          { figure: "mean (MB)", value: mean, goal: "" },
          { figure: "farthest from the mean (%)", value: Math.max(...off), goal: "≤ 5" },
        ],
      },
    ],
  };
}
