import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { cli, compiled } from "./cli-file.ts";
import type { AnyClient, ClientKind } from "./clients.ts";
import { Lines } from "./lines.ts";

const info = { name: "contract-tests", version: "1" };

/** Colours and settings of the person who runs the tests must not show in what the commands do. */
const environment = { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...compiled };

/** A separate folder with these files; a value `-> x` makes a symbolic link to x. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await mkdtemp(join(tmpdir(), "local-"));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === "string" && content.startsWith("-> ")) {
      await symlink(content.slice(3), path);
    } else {
      await writeFile(path, content);
    }
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSetting {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the real command to its end. */
export async function command(
  args: readonly string[],
  { cwd, stdin = "", env = {} }: CommandSetting = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...environment, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

export interface LocalSetting {
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs instead of our own command line. */
  readonly command?: string;
}

/** Starts a local server as a client starts it, and connects. */
export async function connectLocal(
  kind: ClientKind,
  { cwd, args = [], env = {}, command }: LocalSetting = {},
): Promise<AnyClient> {
  const parameters = {
    command: command ?? process.execPath,
    args: command === undefined ? [cli, ...args] : [...args],
    env: { ...environment, ...env },
    stderr: "ignore" as const,
    ...(cwd === undefined ? {} : { cwd }),
  };
  if (kind === "SDK 1") {
    const client = new Client1(info);
    await client.connect(new Stdio1(parameters));
    // The same methods with the same shapes, under separate types.
    return client as unknown as AnyClient;
  }
  const mode = kind === "SDK 2 on 2026-07-28" ? { pin: "2026-07-28" as const } : "legacy";
  const client = new Client2(info, { versionNegotiation: { mode } });
  await client.connect(new Stdio2(parameters));
  return client;
}

/** A local server whose standard streams a test reads and writes itself. */
export function startLocal({ cwd, args = [], env = {} }: LocalSetting = {}) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...environment, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stdout = new Lines();
  const stderr = new Lines();
  createInterface({ input: child.stdout }).on("line", (line) => stdout.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => stderr.push(line));
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    stdout,
    stderr,
    exited,
    send(message: object) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    },
  };
}

/** What a tool says, whole. */
export async function callLocal(
  client: AnyClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{
  readonly isError: boolean;
  readonly output: Record<string, unknown>;
  readonly text: string;
}> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as { text: string }[];
  return {
    isError: result.isError === true,
    output: (result.structuredContent ?? {}) as Record<string, unknown>,
    text: block?.text ?? "",
  };
}
