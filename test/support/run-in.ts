import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Command, CommanderError } from "commander";
import { addCommands, CommandFailed } from "../../src/cli/commands.ts";
import type { CommandStreams } from "../../src/cli/streams.ts";
import { StartupError } from "../../src/errors.ts";
import type { CommandResult } from "./local.ts";

/**
 * Runs a command in this process, as if it had been started in a folder. The working directory belongs
 * to the process, so calls wait for each other.
 */
export function runIn(
  folder: string,
  args: readonly string[],
  setting: RunSetting = {},
): Promise<CommandResult> {
  const result = last.then(() => runNow(folder, args, setting));
  last = result.catch(() => undefined);
  return result;
}

let last: Promise<unknown> = Promise.resolve();

export interface RunSetting {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function runNow(
  folder: string,
  args: readonly string[],
  { stdin = "", env = {} }: RunSetting,
): Promise<CommandResult> {
  const before = process.cwd();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams: CommandStreams = { stdin: Readable.from([stdin]), stdout, stderr };
  const program = new Command("validator-mcp")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  let code = 0;
  const exit = (status: number) => {
    code = status;
  };
  addCommands(program, env, { streams, exit });
  process.chdir(folder);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    const kinds = [CommandFailed, StartupError, CommanderError];
    if (!(error instanceof Error && kinds.some((kind) => error instanceof kind))) throw error;
    code = 2;
    stderr.write(`validator-mcp: ${error.message}\n`);
  } finally {
    process.chdir(before);
  }
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}
