import { configSchema } from "../../spec/config-schema.ts";
import { builtinChecks } from "../checks/index.ts";
import type { Environment } from "../settings.ts";
import { getConfig } from "../tools/get-config.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import type { CommandStreams } from "./streams.ts";
import { contextOf } from "./tool-context.ts";

/** The command `config schema`: prints the JSON Schema of the config file. */
export async function runConfigSchema(streams: CommandStreams = process): Promise<number> {
  streams.stdout.write(`${JSON.stringify(configSchema(builtinChecks), null, 2)}\n`);
  return 0;
}

/**
 * The command `config check`: reads the config as the server does at its start.
 * @returns 0. A config with a fault is an error.
 * @throws {StartupError} Names each fault.
 */
export async function runConfigCheck(
  options: ConfigOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  const session = await openSession(options, environment, streams);
  const { digest, registry } = session.runtime;
  const enabled = registry.checks.filter((check) => check.enabled).length;
  streams.stdout.write(
    `${session.configPath ?? "the defaults"}: valid, ${enabled} of ${registry.checks.length} checks are on, digest ${digest}\n`,
  );
  return 0;
}

export interface PrintOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** The command `config print`: the config in effect, defaults included, as YAML or JSON. Secrets are masked. */
export async function runConfigPrint(
  options: PrintOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  const session = await openSession(options, environment, streams);
  const { output } = await getConfig.run({}, contextOf(session));
  if (options.json) {
    streams.stdout.write(`${JSON.stringify(output.config, null, 2)}\n`);
    return 0;
  }
  const { stringify } = await import("yaml");
  streams.stdout.write(stringify(output.config));
  return 0;
}
