import { execFile } from "node:child_process";
import { compiled } from "./cli-file.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs node to its end, with no settings in its environment but what is given. */
export function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? "", HOME: cwd, ...compiled, ...environment };
    const child = execFile(
      process.execPath,
      [...args],
      { cwd, env, timeout: 20_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
