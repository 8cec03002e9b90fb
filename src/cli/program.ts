import { Command, CommanderError } from "commander";
import { z } from "zod";
import { Settings, settingSources } from "../../spec/settings.ts";
import { refuseSecretFlags } from "../auth/secret-flags.ts";
import { StartupError } from "../errors.ts";
import { type Environment, type Flags, readSettings } from "../settings.ts";
import { version } from "../version.ts";
import { addCommands, CommandFailed } from "./commands.ts";

const programName = "validator-mcp";

/**
 * Exit codes: 0 done, 1 could not start or work, 2 the command line is wrong. Of `validate` and its
 * like 1 is an answer, so whatever keeps them from one is 2.
 */
const badCommandLine = 2;

function fail(message: string, code: number): never {
  process.stderr.write(`${programName}: ${message}\n`);
  process.exit(code);
}

/** @returns what the parser of command lines says, as one sentence on one line. */
function oneLine(message: string): string {
  const said = message.replace(/^error: /, "").replaceAll(/\s+/g, " ");
  return /[.)?]$/.test(said) ? said : `${said}.`;
}

/** One line for the operator; a defect shows its class only, and its frames where debugging is asked for. */
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

/** @returns what a setting means, its choices, and what holds without it. */
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

/** What `serve` takes beside settings. */
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
      "--root and --allow-config-custom-checks are of local mode; a hosted server reads no policy files and loads the checks that its config names.",
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
      "Local mode: policy files are read below it (default: working directory).",
    )
    .option("--allow-config-custom-checks", "Local mode: load the checks that the config names.")
    .option("--list-profiles", "List the profiles and exit.")
    .action((options) => serve(flagsOf(options), options, environment));
  addCommands(program, environment);
  program
    .command("sync-services")
    .description("Write the AWS reference data to a directory, for --aws-services-dir.")
    .option("--output-dir <dir>", "Directory to write.", "aws_services")
    .option("--source <source>", "embedded or remote.", "embedded")
    .option("--max-concurrent <n>", "Downloads at once.", "10")
    .option("--allow-partial", "Succeed although some services could not be downloaded.")
    .action(async (options) => {
      const { runSyncServices } = await import("./sync-services.ts");
      process.exitCode = await runSyncServices(options, environment);
    });
  return program;
}

/**
 * Runs one command line to its end (`serve` ends by signal).
 * @param args Without the interpreter and the script.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
): Promise<void> {
  try {
    // Before anything parses or prints the arguments.
    refuseSecretFlags(args);
    await buildProgram(environment).parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return;
      fail(`${oneLine(error.message)} See ${programName} --help.`, badCommandLine);
    }
    failWith(error, environment);
  }
}
