import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { settingSources } from "../../spec/settings.ts";
import type { Flags } from "../../src/settings.ts";
import { cli, compiled } from "./cli-file.ts";
import { Lines } from "./lines.ts";
import { hostedFlags, type Target, type TargetOptions } from "./target.ts";

export interface ServerProcess extends Target {
  readonly child: ChildProcess;
  /** Resolves with the exit code; null: ended by a signal. */
  readonly exited: Promise<number | null>;
}

/** @returns the command line that gives these settings. */
export function commandLine(flags: Flags): string[] {
  return Object.entries(settingSources).flatMap(([field, { flag }]) => {
    const value = flags[field as keyof Flags];
    return flag !== null && value !== undefined ? [flag, value] : [];
  });
}

/**
 * Starts the real command and waits until it listens.
 * @param entry File of the command; default: the sources.
 */
export async function startProcess(
  options: TargetOptions = {},
  entry = cli,
): Promise<ServerProcess> {
  const args = [entry, "serve", ...commandLine(hostedFlags(options.flags))];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...compiled, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const audit = new Lines();
  const log = new Lines();
  createInterface({ input: child.stdout }).on("line", (line) => audit.push(line));
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    log.push(line);
    const [, url] = /"url":"([^"]+)\/mcp"/.exec(line) ?? [];
    if (url) listening.resolve(url);
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  void exited.then(() => listening.reject(new Error(`The server did not start:\n${log.text}`)));
  const url = await listening.promise;
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
