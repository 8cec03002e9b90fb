import { type Command, Option } from "commander";
import { shortPolicyTypeWords } from "../../spec/policy.ts";
import { StartupError, ToolError } from "../errors.ts";
import type { Environment } from "../settings.ts";
import { shells } from "./completion.ts";
import { UsageError } from "./streams.ts";

/** A command that could not do its work: exit status 2, so that 1 means findings and nothing else. */
export class CommandFailed extends Error {
  override name = "CommandFailed";
}

/** Adds what a person or a pipeline runs: `validate`, `query`, `checks`, `completion`. */
export function addCommands(program: Command, environment: Environment): void {
  withConfig(program.command("validate"))
    .description("Judge policy files. Exit status: 0 valid, 1 findings that fail, 2 not judged.")
    .argument(
      "[paths...]",
      "Files, directories of .json, .yaml and .yml files, or - (standard input).",
    )
    .option(
      "-f, --format <format>",
      "text, json, sarif, markdown, csv or html. Default: by the output's name, else text.",
    )
    .option(
      "--policy-type <type>",
      `Type of every policy: ${shortPolicyTypeWords.join(", ")}. Default: config, file name and content tell.`,
    )
    .option(
      "--fail-on <severity>",
      "Least severity that fails a policy; none: only what cannot be checked fails. Default: the config's.",
    )
    .option("-o, --output <file>", "Write the report there instead of to standard output.")
    .action((paths, options) =>
      running(async () => (await import("./validate.ts")).runValidate(paths, options, environment)),
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
    .option("--resource-type <type>", "Of a resource policy: AWS::S3::Bucket, …")
    .option("--region <region>", "Region that engine aws asks.")
    .option("--profile <profile>", "Profile of your AWS config files, for engine aws.")
    .option("--json", "The answers as analyze_policy gives them, by file.")
    .action((files, options) =>
      running(async () => (await import("./analyze.ts")).runAnalyze(files, options, environment)),
    );
  withConfig(program.command("query"))
    .description("Look up the AWS service reference. Exit status: 1 when an action does not exist.")
    .argument(
      "<kind>",
      "service_actions, action_details, condition_keys, arn_formats or expand_wildcard.",
    )
    .argument("<values...>", "A service (s3), actions (s3:GetObject) or patterns (s3:Get*).")
    .option(
      "--access-level <level>",
      "Of service_actions: read, write, list, tagging or permissions-management.",
    )
    .option("--name-filter <text>", "Of service_actions: only names that contain this.")
    .option("--json", "The answer as the tool gives it.")
    .action((kind, values, options) =>
      running(async () =>
        (await import("./query.ts")).runQueryCommand(kind, values, options, environment),
      ),
    );
  withConfig(program.command("checks"))
    .description("List the checks, or show some with their documentation and options in force.")
    .argument("[ids...]", "Check ids.")
    .option("--json", "As describe_checks gives them.")
    .action((ids, options) =>
      running(async () => (await import("./checks.ts")).runChecks(ids, options, environment)),
    );
  program
    .command("completion")
    .description("Print a script that completes this command line in a shell.")
    .addArgument(program.createArgument("<shell>", "The shell.").choices(shells))
    .action((shell) =>
      running(async () => {
        const { completionScript } = await import("./completion.ts");
        process.stdout.write(completionScript(program, shell));
        return 0;
      }),
    );
}

function withConfig(command: Command): Command {
  return command
    .option("--config <file>", "Config file. Default: validator-mcp.yaml of the working directory.")
    .option("--custom-checks-dir <dir>", "Directory of custom check modules.")
    .option("--allow-config-custom-checks", "Load the checks that the config file names.")
    .addOption(
      new Option("--aws-services-dir <dir>", "Directory of pre-downloaded reference data."),
    );
}

/** @throws {CommandFailed} For whatever kept the command from its work. */
async function running(work: () => Promise<number>): Promise<void> {
  // Whoever reads has had enough (`| head`): no failure of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 2);
  });
  try {
    process.exitCode = await work();
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
