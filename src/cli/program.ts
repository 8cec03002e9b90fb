import { Command, CommanderError } from "commander";
import { z } from "zod";
import { Settings, settingSources } from "../../spec/settings.ts";
import { refuseSecretFlags } from "../auth/secret-flags.ts";
import { StartupError } from "../errors.ts";
import { escapeInvisibleLines } from "../policy/escape-invisible.ts";
import { type Environment, type Flags, readSettings } from "../settings.ts";
import { version } from "../version.ts";
import { helpFor, parserMessage, withCommand } from "./arguments.ts";
import { addCommands, CommandFailed } from "./commands.ts";

const programName = "validator-mcp";

/**
 * Exit codes: 0 success, 1 could not start or failed, 2 the command line is invalid. For `validate` and
 * `query`, 1 is a result, so every failure of these is 2.
 */
const badCommandLine = 2;

function fail(message: string, code: number): never {
  // Paths and keys of files come in here, which may hold what a terminal acts on.
  process.stderr.write(`${programName}: ${escapeInvisibleLines(message).join("\n")}\n`);
  process.exit(code);
}

/** Prints one line for the operator. A defect shows only its class, and with log level debug its frames. */
function failWith(error: unknown, environment: Environment): never {
  if (error instanceof StartupError) return fail(error.message, 1);
  if (environment.VALIDATOR_MCP_LOG_LEVEL === "debug") {
    const { cause = error } = error instanceof CommandFailed ? error : {};
    process.stderr.write(`${String(cause)}\n`);
  }
  if (error instanceof CommandFailed) return fail(error.message, badCommandLine);
  const name = error instanceof Error ? error.name : "unknown";
  return fail(
    `could not start: unexpected ${name}; set VALIDATOR_MCP_LOG_LEVEL=debug for the detail.`,
    1,
  );
}

/** @returns Description, choices and default of a setting. */
function flagText(schema: z.core.JSONSchema._JSONSchema | undefined): string {
  if (typeof schema !== "object") return "";
  const parts = [schema.description ?? ""];
  if (schema.enum) parts.push(`One of ${schema.enum.join(", ")}.`);
  if (schema.default !== undefined) parts.push(`Default: ${String(schema.default)}.`);
  return parts.join(" ");
}

function addSettingFlags(command: Command): Command {
  const { properties = {} } = z.toJSONSchema(Settings, { io: "input" });
  for (const [field, { flag, variable }] of Object.entries(settingSources)) {
    if (flag) command.option(`${flag} <value>`, `${flagText(properties[field])} [${variable}]`);
  }
  return command;
}

/** Options of `serve` that are not settings. */
interface ServeOptions {
  readonly listProfiles?: boolean;
  readonly root?: string;
  readonly allowConfigCustomChecks?: boolean;
}

async function serve(flags: Flags, options: ServeOptions, environment: Environment) {
  if (options.listProfiles) {
    const { profileLines } = await import("./list-profiles.ts");
    process.stdout.write(`${profileLines().join("\n")}\n`);
    return;
  }
  const read = readSettings(flags, environment);
  if (read.settings.mode === "local") {
    const { serveLocal } = await import("../serve-stdio.ts");
    return serveLocal({ ...read, environment }, options);
  }
  if (options.root !== undefined || options.allowConfigCustomChecks) {
    throw new StartupError(
      "invalid_setting",
      "--root and --allow-config-custom-checks work only in local mode; a hosted server reads no policy files and always loads the checks named in its config.",
    );
  }
  const { serve: listen } = await import("../serve.ts");
  return listen({ ...read, environment });
}

/** Commander's option names are camelCase; settings are snake_case, and `--config` is `config_source`. */
function flagsOf(options: Record<string, unknown>): Flags {
  const flags: Record<string, unknown> = {};
  for (const [field, { flag }] of Object.entries(settingSources)) {
    const name = flag?.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (name && options[name] !== undefined) flags[field] = options[name];
  }
  return flags as Flags;
}

function buildProgram(environment: Environment): Command {
  const program = new Command(programName)
    .description("Validates AWS IAM policies for AI agents and CI, over MCP.")
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  addSettingFlags(program.command("serve", { isDefault: true }).description("Run the server."))
    .option(
      "--root <dir>",
      "Local mode: directory below which policy files may be read (default: working directory).",
    )
    .option(
      "--allow-config-custom-checks",
      "Local mode: load the custom checks named in the config file.",
    )
    .option("--list-profiles", "List the profiles and exit.")
    .action((options) => serve(flagsOf(options), options, environment));
  addCommands(program, environment);
  program
    .command("sync-services")
    .description("Write the AWS reference data to a directory, for --aws-services-dir.")
    .option("--output-dir <dir>", "Directory to write.", "aws_services")
    .option("--source <source>", "embedded or remote.", "embedded")
    .option("--max-concurrent <n>", "Maximum number of concurrent downloads.", "10")
    .option("--allow-partial", "Succeed even if some services could not be downloaded.")
    .action(async (options) => {
      const { runSyncServices } = await import("./sync-services.ts");
      process.exitCode = await runSyncServices(options, environment);
    });
  program
    .command("services")
    .description("Compare two sets of AWS reference data: services diff <older> <newer>.")
    .command("diff")
    .description(
      "List the services, actions, resource types and condition keys that were added or removed.",
    )
    .argument("<older>", "Directory of sync-services, a data folder of the package, or embedded.")
    .argument("<newer>", "The same.")
    .option("--format <format>", "text or json.", "text")
    .action(async (older, newer, options) => {
      const { runServicesDiff } = await import("./services-diff.ts");
      process.exitCode = await runServicesDiff(older, newer, options);
    });
  return program;
}

/**
 * Runs one command line until it is done (`serve`: until a signal).
 * @param args Arguments without interpreter and script.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
): Promise<void> {
  const program = buildProgram(environment);
  const given = withCommand(args, program);
  try {
    // First, so that no secret in a flag is parsed or printed.
    refuseSecretFlags(args);
    await program.parseAsync(given, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return;
      const message = parserMessage(error, given, program);
      fail(`${message} See ${helpFor(given, program)}.`, badCommandLine);
    }
    failWith(error, environment);
  }
}
