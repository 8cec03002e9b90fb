import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The images under test, built once by `test/e2e/global-setup.ts`. */
export const containerImage = "validator-mcp:e2e";
export const functionImage = "validator-mcp-lambda:e2e";

const run = promisify(execFile);

/** @returns what a docker command printed. Fails with what it complained about. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run("docker", args, { maxBuffer: 64 * 1_048_576 });
  return stdout.trim();
}

/** How a command that ran in its own container ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `docker run --rm`, to its end. */
export function dockerRun(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile("docker", ["run", "--rm", ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
