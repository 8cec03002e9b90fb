import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { cli } from "./cli-file.ts";
import { freePort } from "./free-port.ts";
import { Lines } from "./lines.ts";
import { commandLine, type ServerProcess } from "./process.ts";
import { hostedFlags, type TargetOptions } from "./target.ts";

/** Why no file system can be mounted for one process alone; null: it can. */
export const noMounts: string | null = (() => {
  const { status, stderr, error } = spawnSync(
    "unshare",
    ["-rm", "mount", "-t", "tmpfs", "x", "/mnt"],
    {
      encoding: "utf8",
    },
  );
  if (status === 0) return null;
  const reason = `no mounts of one's own: ${stderr?.trim() || error?.message}`;
  process.stderr.write(`The tests with full disks are skipped: ${reason}\n`);
  return reason;
})();

export interface ShellOptions extends TargetOptions {
  /** What the shell does before it becomes the server, which is `"$@"`: `ulimit -f 1; exec "$@" >/dev/full`. */
  readonly shell: string;
  /** The shell may mount; no other process sees it, and it ends with the process. */
  readonly mounts?: boolean;
  /** False: standard output is not read until the test does. */
  readonly readAudit?: boolean;
}

/** The real command behind a shell, which decides on its limits, its file systems and where its output goes. */
export async function startInShell(options: ShellOptions): Promise<ServerProcess> {
  const port = await freePort();
  const flags = hostedFlags({ ...options.flags, port: String(port) });
  const command = [
    "-c",
    options.shell,
    "bash",
    process.execPath,
    cli,
    "serve",
    ...commandLine(flags),
  ];
  const [file, args] = options.mounts
    ? ["unshare", ["-rm", "bash", ...command]]
    : ["bash", command];
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [audit, log] = [new Lines(), new Lines()];
  if (options.readAudit ?? true) follow(child.stdout, audit);
  follow(child.stderr, log);
  const exited = once(child, "close").then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/ready`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) {
      await exited;
      throw new Error(`The server did not start:\n${log.text}`);
    }
    await pause(50);
  }
  return {
    url,
    audit,
    log,
    child,
    exited,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Reads a stream by lines from now on. */
export function follow(stream: NodeJS.ReadableStream, lines: Lines): void {
  createInterface({ input: stream }).on("line", (line) => lines.push(line));
}
