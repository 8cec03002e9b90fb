import { pino } from "pino";
import { findConfig, untrusted } from "../local/config-place.ts";
import { createSession, type Session } from "../local/session.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import type { Environment, Flags } from "../settings.ts";
import { readSettings } from "../settings.ts";
import { startUp } from "../startup.ts";
import type { CommandStreams } from "./streams.ts";

/** Options of every command that uses a config. */
export interface ConfigOptions {
  readonly config?: string;
  readonly customChecksDir?: string;
  readonly awsServicesDir?: string;
  readonly allowConfigCustomChecks?: boolean;
  /** Do not name the config on standard error. */
  readonly quiet?: boolean;
}

/**
 * Loads the config of local mode, names it on standard error, and loads the reference data.
 * @throws {StartupError} Says what the user must fix.
 */
export async function openSession(
  options: ConfigOptions,
  environment: Environment,
  streams: CommandStreams,
): Promise<Session> {
  const say = (line: string) => streams.stderr.write(`validator-mcp: ${escapeInvisible(line)}\n`);
  const flags: Flags = {
    mode: "local",
    // The image sets both variables for its server; commands in the container ignore them.
    transport: "stdio",
    auth: "none",
    ...(options.config === undefined ? {} : { config_source: options.config }),
    ...(options.customChecksDir === undefined
      ? {}
      : { custom_checks_dir: options.customChecksDir }),
    ...(options.awsServicesDir === undefined ? {} : { aws_services_dir: options.awsServicesDir }),
  };
  const { settings, authExplicit, warnings = [] } = readSettings(flags, environment);
  const place = await findConfig(settings.config_source, undefined);
  const { configPath, message } = place;
  if (!options.quiet) say(message);
  const started = await startUp({
    settings: { ...settings, config_source: configPath ?? undefined },
    authExplicit,
    warnings,
    environment,
    lazyData: true,
    trustConfig: options.allowConfigCustomChecks ?? false,
    log: pino({ level: "warn" }, { write: (line: string) => void say(plainLine(line)) }),
  });
  if (started.checksAreMissing) say(untrusted);
  return createSession(started, place);
}

/** A log line as plain text. */
function plainLine(json: string): string {
  const { msg = "", check, error } = JSON.parse(json) as Record<string, unknown>;
  const about = [check, error].filter((part) => part !== undefined).map(String);
  return [String(msg), ...about].join(": ");
}
