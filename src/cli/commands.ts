import { type Command, InvalidArgumentError, Option } from "commander";
import { shortPolicyTypeWords } from "../../spec/policy.ts";
import { reportFormats } from "../../spec/report-formats.ts";
import { StartupError, ToolError } from "../errors.ts";
import type { Environment } from "../settings.ts";
import { shells } from "./completion.ts";
import { type CommandStreams, UsageError } from "./streams.ts";

/** A command failed. Exit status 2, because 1 means that there are findings. */
export class CommandFailed extends Error {
  override name = "CommandFailed";
}

/** Where commands read and write, and how they end. */
export interface CommandHost {
  readonly streams: CommandStreams;
  /** Takes the exit status of a command that has ended. */
  exit(status: number): void;
}

const thisProcess: CommandHost = {
  streams: process,
  exit(status) {
    process.exitCode = status;
  },
};

/** Adds the commands for people and pipelines: `validate`, `query`, `checks`, `completion`. */
export function addCommands(
  program: Command,
  environment: Environment,
  host: CommandHost = thisProcess,
): void {
  const { streams } = host;
  const running = (work: () => Promise<number>) => runningOn(host, work);
  withReport(withConfig(program.command("validate")))
    .description(
      "Validate policy files. Exit status: 0 valid, 1 invalid, 2 could not be validated.",
    )
    .argument(
      "[paths...]",
      "Files, directories, globs in quotes, or - (standard input). Directories and globs: only files that are policies or hold some, such as templates and plans.",
    )
    .option(
      "--policy-type <type>",
      `Type of every policy: ${shortPolicyTypeWords.join(", ")}. Default: by config, file name and content.`,
    )
    .option(
      "--fail-on <severity>",
      "Lowest severity that fails a policy; none: only policies that cannot be checked fail. Default: from the config.",
    )
    .option("--select <checks>", "Run only these checks; ids with commas.", selected)
    .option("--ignore <checks>", "Do not run these checks; ids with commas.", listed)
    .option("--strict", "A file that a search finds fails if it is not a policy.")
    .option(
      "--policies-only",
      "Skip files that are not policies even if they are named: a pre-commit hook names every file.",
    )
    .option("--stdin-filename <path>", "Path of standard input in the repository; implies -.")
    .option("--list-files", "Print the files that would be validated, and validate none.")
    .option("-q, --quiet", "Print only findings and errors.")
    .option(
      "--fix",
      "Write the fixes into the files, then validate them. Standard input is written to standard output, the report to standard error.",
    )
    .option(
      "--fix-effects <list>",
      "Effects of the fixes to apply: equivalent, narrows, repairs, changes. Default: equivalent,repairs.",
    )
    .option(
      "--diff",
      "Print what --fix would change as a unified diff and write nothing. Exit status: 1 if something would change.",
    )
    .option(
      "--baseline <file>",
      "File of known findings. They are counted and do not fail; those that no longer occur are listed.",
    )
    .option("--update-baseline", "Write the findings of this run into the baseline.")
    .option(
      "--omit-suppressed",
      "Leave suppressed findings out of SARIF: GitHub code scanning shows them as open alerts.",
    )
    .option(
      "--against <dir or revision>",
      "Compare each file, and each policy inside it, with its earlier version: below a directory, or at a git revision.",
    )
    .option(
      "--against-missing <what>",
      "empty: compare files and policies without an earlier version with the policy that allows nothing.",
    )
    .action((paths, options) =>
      running(async () =>
        (await import("./validate.ts")).runValidate(paths, options, environment, streams),
      ),
    );
  withReport(withConfig(program.command("compare")))
    .description(
      "Does a new version of a policy allow more than the old one? Policies inside templates, plans and Terraform files are compared place by place. Exit status: 0 no, 1 yes or undecided, 2 not compared.",
    )
    .argument("<old>", "File, directory, - (standard input) or git:REVISION:PATH.")
    .argument("<new>", "File, directory, - (standard input) or git:REVISION:PATH.")
    .option("-q, --quiet", "Print only new access and errors.")
    .option("--both", "Compare in both directions: equal, narrower, wider, different or undecided.")
    .option("--policy-type <type>", `Type of both policies: ${shortPolicyTypeWords.join(", ")}.`)
    .option("--fail-on <severity>", "Lowest severity that fails. Default: from the config.")
    .action((old, changed, options) =>
      running(async () =>
        (await import("./compare.ts")).runCompare(old, changed, options, environment, streams),
      ),
    );
  withConfig(program.command("simulate"))
    .description(
      "Decide one request by one policy. Exit status: 0 allowed, 1 denied or not allowed, 2 unknown.",
    )
    .argument("<policy>", "File of one policy, or - (standard input).")
    .requiredOption(
      "--request <file>",
      "JSON of a request, of a violation or of an answer, or - (standard input).",
    )
    .option("--policy-type <type>", `Type of the policy: ${shortPolicyTypeWords.join(", ")}.`)
    .addOption(
      new Option("-f, --format <format>", "Format of the answer.")
        .choices(["text", "json"])
        .default("text"),
    )
    .action((policy, options) =>
      running(async () =>
        (await import("./simulate.ts")).runSimulate(policy, options, environment, streams),
      ),
    );
  withConfig(program.command("analyze"))
    .description(
      "Run AWS's own policy checks on policy files. Exit status: 1 findings of class ERROR or SECURITY_WARNING, 2 not analysed.",
    )
    .argument("<files...>", "Files of one policy each, or - (standard input).")
    .addOption(
      new Option("--engine <engine>", "aws: ask AWS with your credentials. local: compute it here.")
        .choices(["aws", "local"])
        .default("aws"),
    )
    .option(
      "--policy-type <type>",
      `Type of every policy: ${shortPolicyTypeWords.join(", ")}. Default: identity.`,
    )
    .option(
      "--resource-type <type>",
      "Type of the resource, for a resource policy: AWS::S3::Bucket, …",
    )
    .option("--region <region>", "Region that engine aws asks.")
    .option("--profile <profile>", "Profile of your AWS config files, for engine aws.")
    .option("--json", "Print the output of analyze_policy for each file as JSON.")
    .action((files, options) =>
      running(async () =>
        (await import("./analyze.ts")).runAnalyze(files, options, environment, streams),
      ),
    );
  withConfig(program.command("query"))
    .description(
      "Look up the AWS service reference. Exit status: 1 if an action is unknown or a pattern matches none.",
    )
    .argument(
      "<kind>",
      "service_actions, action_details, condition_keys, arn_formats or expand_wildcard; in reverse: condition_key, resource_type or wildcard_only_actions.",
    )
    .argument(
      "<values...>",
      "A service (s3), actions (s3:GetObject), patterns (s3:Get*), a key (s3:prefix) or a resource type (s3:bucket).",
    )
    .option(
      "--access-level <level>",
      "For service_actions: read, write, list, tagging or permissions-management.",
    )
    .option("--name-filter <text>", "For service_actions: only names that contain this text.")
    .option(
      "--service <prefix>",
      "For condition_key: only actions and resource types of this service.",
    )
    .option("--json", "Print the output of the tool as JSON.")
    .action((kind, values, options) =>
      running(async () =>
        (await import("./query.ts")).runQueryCommand(kind, values, options, environment, streams),
      ),
    );
  withConfig(program.command("checks"))
    .description("List the checks, or show some with their documentation and options.")
    .argument("[ids...]", "Check ids.")
    .option("--json", "Print the output of describe_checks as JSON.")
    .action((ids, options) =>
      running(async () =>
        (await import("./checks.ts")).runChecks(ids, options, environment, streams),
      ),
    );
  const config = program.command("config").description("Work with the config file.");
  config
    .command("schema")
    .description("Print the JSON Schema of the config file, for editors.")
    .action(() => running(async () => (await import("./config.ts")).runConfigSchema(streams)));
  withConfig(config.command("check"))
    .description("Read the config as the server does. Exit status: 0 valid, 2 invalid.")
    .argument("[file]", "The config file, as with --config.")
    .action((file, options) =>
      running(async () =>
        (await import("./config.ts")).runConfigCheck(
          file === undefined ? options : { ...options, config: file },
          environment,
          streams,
        ),
      ),
    );
  withConfig(config.command("print"))
    .description("Print the config in effect, defaults included.")
    .option("--json", "Print JSON instead of YAML.")
    .action((options) =>
      running(async () =>
        (await import("./config.ts")).runConfigPrint(options, environment, streams),
      ),
    );
  program
    .command("completion")
    .description("Print a completion script for a shell.")
    .addArgument(program.createArgument("<shell>", "The shell.").choices(shells))
    .action((shell) =>
      running(async () => {
        const { completionScript } = await import("./completion.ts");
        streams.stdout.write(completionScript(program, shell));
        return 0;
      }),
    );
}

const formats = ["text", "json", ...reportFormats.map(({ id }) => id)].join(", ");

function withReport(command: Command): Command {
  return command
    .option(
      "-f, --format <format>",
      `${formats}. Default: by the extension of --output, else text.`,
    )
    .option(
      "-o, --output <[format:]file>",
      "Write the report to a file instead of standard output (-). May be given several times.",
      (file: string, files: readonly string[] = []) => [...files, file],
    );
}

/** Values of an option that takes a list and may be given several times. */
function listed(value: string, values: readonly string[] = []): string[] {
  const parts = value.split(",").map((one) => one.trim());
  return [...values, ...parts.filter((one) => one !== "")];
}

/** An empty list, as from a variable that is not set, would run every check. */
function selected(value: string, values: readonly string[] = []): string[] {
  const ids = listed(value, values);
  if (ids.length === 0) throw new InvalidArgumentError("Name at least one check.");
  return ids;
}

function withConfig(command: Command): Command {
  return command
    .option(
      "--config <file>",
      "Config file. Default: the nearest validator-mcp.yaml, up to the root of the repository.",
    )
    .option("--custom-checks-dir <dir>", "Directory of custom check modules.")
    .option("--allow-config-custom-checks", "Load the custom checks named in the config file.")
    .addOption(new Option("--aws-services-dir <dir>", "Directory of downloaded reference data."));
}

/** @throws {CommandFailed} With the message of any error that stopped the command. */
async function runningOn(host: CommandHost, work: () => Promise<number>): Promise<void> {
  // The reader has closed the pipe (`| head`), which is not an error.
  if (host === thisProcess) {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? 0 : 2);
    });
  }
  try {
    host.exit(await work());
  } catch (error) {
    const expected = [UsageError, StartupError, ToolError].some((one) => error instanceof one);
    if (expected && error instanceof Error) throw new CommandFailed(error.message);
    const name = error instanceof Error ? error.name : "unknown";
    throw new CommandFailed(
      `unexpected ${name}; set VALIDATOR_MCP_LOG_LEVEL=debug for the detail.`,
      { cause: error },
    );
  }
}
