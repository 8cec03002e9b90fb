import { SingleBar } from "cli-progress";
import { reasonOf, StartupError } from "../errors.ts";
import { type SyncProgress, syncServices } from "../services/sync.ts";
import type { Environment } from "../settings.ts";

const mostConcurrent = 100;

/** Options as given on the command line. */
export interface SyncServicesOptions {
  readonly outputDir: string;
  readonly source: string;
  readonly maxConcurrent: string;
  /** The command succeeds even if some services fail. */
  readonly allowPartial?: boolean | undefined;
}

export interface SyncServicesStreams {
  readonly stdout: { write(text: string): unknown };
  /** For progress: a bar on a terminal, lines elsewhere. */
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * The command `sync-services`. The remote list is that of VALIDATOR_MCP_REFERENCE_DATA_URL, else AWS's.
 * @returns The exit status: 1 if the list or the directory failed, or if a service failed without
 * `--allow-partial`.
 * @throws {StartupError} `invalid_setting` for an invalid option or URL.
 */
export async function runSyncServices(
  options: SyncServicesOptions,
  environment: Environment,
  streams: SyncServicesStreams = process,
): Promise<number> {
  const { outputDir, allowPartial = false } = options;
  const source = sourceOf(options.source);
  const maxConcurrent = countOf(options.maxConcurrent);
  const url = environment.VALIDATOR_MCP_REFERENCE_DATA_URL?.trim() || undefined;
  const progress = streams.stderr.isTTY ? bar(streams.stderr) : lines(streams.stderr);
  try {
    const result = await syncServices({ outputDir, source, url, maxConcurrent, progress });
    streams.stdout.write(`${result.successful} of ${result.total} services are in ${outputDir}.\n`);
    if (result.failed === 0 || allowPartial) return 0;
    streams.stderr.write(
      `${result.failed} services failed. Run the command again, or use --allow-partial to accept the others.\n`,
    );
    return 1;
  } catch (error) {
    if (error instanceof StartupError) throw error;
    streams.stderr.write(`sync-services: ${reasonOf(error)}\n`);
    return 1;
  }
}

function sourceOf(text: string): "embedded" | "remote" {
  if (text === "embedded" || text === "remote") return text;
  throw new StartupError("invalid_setting", "--source must be embedded or remote.");
}

function countOf(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostConcurrent) return count;
  throw new StartupError(
    "invalid_setting",
    `--max-concurrent must be a whole number from 1 to ${mostConcurrent}.`,
  );
}

/** Failures are printed after the bar has finished, because it would overwrite them. */
function bar(stream: NodeJS.WritableStream): SyncProgress {
  const failures: string[] = [];
  const progress = new SingleBar({
    stream,
    format: "{bar} {value}/{total} services, {duration_formatted}",
    hideCursor: true,
  });
  return {
    start: (total) => progress.start(total, 0),
    step: () => progress.increment(),
    failed: (service, reason) => failures.push(failureLine(service, reason)),
    stop: () => {
      progress.stop();
      for (const line of failures) stream.write(line);
    },
  };
}

const linesInAll = 10;

function lines(stream: NodeJS.WritableStream): SyncProgress {
  let total = 0;
  let done = 0;
  return {
    start: (count) => {
      total = count;
      stream.write(`${total} services to write\n`);
    },
    step: () => {
      done++;
      const every = Math.max(1, Math.ceil(total / linesInAll));
      if (done % every === 0 || done === total) stream.write(`${done} of ${total}\n`);
    },
    failed: (service, reason) => stream.write(failureLine(service, reason)),
    stop: () => {},
  };
}

function failureLine(service: string, reason: string): string {
  return `${service} failed: ${reason}\n`;
}
