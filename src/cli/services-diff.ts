import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ServicesDiff } from "../../spec/services-diff.ts";
import { StartupError } from "../errors.ts";
import { directoryServices } from "../services/directory.ts";
import { embeddedServices } from "../services/embedded.ts";
import { ServicesUnavailable } from "../services/load-services.ts";
import type { ServiceData, ServiceLog } from "../services/model.ts";
import { diffServices } from "./diff-services.ts";

/** Options as given on the command line. */
export interface ServicesDiffOptions {
  readonly format: string;
}

export interface ServicesDiffStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * The command `services diff`: what changed between two sets of reference data.
 * @param older A directory that `sync-services` wrote, the `data` folder of a package or a checkout, or `embedded`.
 * @param newer The same.
 * @returns The exit status 0, whether anything changed or not.
 * @throws {StartupError} when an option or a directory cannot be used.
 */
export async function runServicesDiff(
  older: string,
  newer: string,
  { format }: ServicesDiffOptions,
  streams: ServicesDiffStreams = process,
): Promise<number> {
  if (format !== "text" && format !== "json") {
    throw new StartupError("invalid_setting", "--format must be text or json.");
  }
  const write = (fields: object, message: string) =>
    streams.stderr.write(`${message}: ${JSON.stringify(fields)}\n`);
  const log: ServiceLog = { warn: write, info: write };
  try {
    const diff = await diffServices(await open(older, log), await open(newer, log));
    streams.stdout.write(format === "json" ? `${JSON.stringify(diff, null, 2)}\n` : textOf(diff));
    return 0;
  } catch (error) {
    if (!(error instanceof ServicesUnavailable)) throw error;
    throw new StartupError("aws_services_dir", error.message);
  }
}

/** The folder of the package has an index, a directory of `sync-services` has a list. */
async function open(where: string, log: ServiceLog): Promise<ServiceData> {
  if (where === "embedded") return embeddedServices();
  if (existsSync(join(where, "index.json")) && existsSync(join(where, "services.jsonl"))) {
    return embeddedServices(where);
  }
  return directoryServices(where, log);
}

const kinds = [
  ["services", "Services"],
  ["actions", "Actions"],
  ["resource_types", "Resource types"],
  ["condition_keys", "Condition keys"],
] as const;

function textOf(diff: ServicesDiff): string {
  const lines = [`From ${diff.older.date} to ${diff.newer.date}`];
  for (const [member, title] of kinds) {
    const { added, removed } = diff[member];
    lines.push("", `${title}: ${added.length} added, ${removed.length} removed`);
    lines.push(...removed.map((name) => `  - ${name}`), ...added.map((name) => `  + ${name}`));
  }
  return `${lines.join("\n")}\n`;
}
