import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { freePort } from "../../test/support/free-port.ts";
import { tokens, withTokens } from "../../test/support/target.ts";
import { imageFlags, imageMalloc } from "../memory.ts";
import { fetchKeys, type HangingProvider, hangingProvider } from "./hanging-provider.ts";
import type { Flooded } from "./measure.ts";

const root = join(import.meta.dirname, "../..");
const build = join(root, "node_modules/.cache/validator-mcp-bench");
const config = join(root, "examples/config.yaml");
const image = "validator-mcp:floods";

export interface RunningTarget extends Flooded {
  stop(): Promise<void>;
}

const callers = { token: tokens.other, attackerToken: tokens.validate };
const staticTokens = { ...withTokens.environment, VALIDATOR_MCP_AUTH: "token" };

let cli: string | undefined;
let isBuilt = false;

export interface FloodedOptions {
  /** The built image with a limit of 1 GiB; else the bundle with the heap that this leaves. */
  readonly container: boolean;
  /** Whether tokens are checked with the keys of a provider that hangs. */
  readonly providerHangs: boolean;
}

export async function startFlooded(options: FloodedOptions): Promise<RunningTarget> {
  const provider = options.providerHangs ? await hangingProvider() : undefined;
  const target = await (options.container ? startContainer(provider) : startProcess(provider));
  if (!provider) return target;
  await fetchKeys(`http://${target.host}:${target.port}`, provider.token);
  return {
    ...target,
    token: provider.token,
    async stop() {
      await target.stop();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function startProcess(provider: HangingProvider | undefined): Promise<RunningTarget> {
  if (cli === undefined) {
    execFileSync(process.execPath, [join(root, "scripts/bundle.ts"), "--out", build], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    cli = join(build, "cli.js");
  }
  const args = [...imageFlags, cli, "serve", "--mode", "hosted", "--config", config];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      VALIDATOR_MCP_PORT: "0",
      NODE_OPTIONS: "--max-old-space-size=512 --max-semi-space-size=4 --v8-pool-size=1",
      ...imageMalloc,
      ...(provider?.environment ?? staticTokens),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const listening = Promise.withResolvers<number>();
  child.once("exit", (code) => listening.reject(new Error(`The server ended with ${code}.`)));
  createInterface({ input: child.stderr }).on("line", (line) => {
    const [, port] = /"url":"[^"]*:(\d+)\/mcp"/.exec(line) ?? [];
    if (port) listening.resolve(Number(port));
  });
  const port = await listening.promise;
  await untilReady("127.0.0.1", port);
  return {
    ...callers,
    host: "127.0.0.1",
    port,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    memoryMb: () =>
      Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" })) /
      1e3,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

async function startContainer(provider: HangingProvider | undefined): Promise<RunningTarget> {
  const docker = (...args: readonly string[]) =>
    execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  if (!isBuilt) docker("build", "--quiet", "--target", "container", "--tag", image, root);
  isBuilt = true;
  const folder = mkdtempSync(join(tmpdir(), "validator-floods-"));
  const environment = join(folder, "environment");
  // The provider is on this machine's loopback address.
  const port = provider ? await freePort() : 8000;
  const variables = {
    ...(provider?.environment ?? staticTokens),
    VALIDATOR_MCP_HOST: provider ? "127.0.0.1" : "0.0.0.0",
    VALIDATOR_MCP_PORT: String(port),
    VALIDATOR_MCP_CONFIG: "/app/config/config.yaml",
  };
  writeFileSync(
    environment,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const container = docker(
    ...["run", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
    ...["--memory", "1g", "--env-file", environment],
    ...(provider ? ["--network", "host"] : []),
    ...["--volume", `${config}:/app/config/config.yaml:ro`, image],
  );
  const inspect = (format: string) => docker("inspect", "--format", format, container);
  const host = provider
    ? "127.0.0.1"
    : inspect("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
  const pid = inspect("{{.State.Pid}}");
  await untilReady(host, port);
  return {
    ...callers,
    host,
    port,
    isAlive: () => inspect("{{.State.Running}}") === "true",
    memoryMb: () =>
      Number(execFileSync("ps", ["-o", "rss=", "-p", pid], { encoding: "utf8" })) / 1e3,
    async stop() {
      docker("rm", "--force", "--volumes", container);
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilReady(host: string, port: number): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await after(50)) {
    const response = await fetch(`http://${host}:${port}/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
  }
  throw new Error("The server was not ready within 60 s.");
}
