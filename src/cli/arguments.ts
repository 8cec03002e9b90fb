import { existsSync } from "node:fs";
import type { Command } from "commander";
import { nearestName } from "../nearest.ts";

/** Text that can only mean a path or a glob: a separator, an extension, `.`, or a wildcard. */
const pathLike = /[/\\*?]|^\.|\.(json|ya?ml)$/i;

function flagsOf(command: Command | undefined): Set<string> {
  const flags = command?.options.flatMap(({ short, long }) => [short, long]) ?? [];
  return new Set(flags.filter((flag) => flag !== undefined));
}

/**
 * Lets `validate` be left out: `validator-mcp policies/` and `validator-mcp -f json policies/` mean
 * `validator-mcp validate …`.
 * @returns The arguments to parse.
 */
export function withCommand(args: readonly string[], program: Command): string[] {
  const [first = ""] = args;
  const names = program.commands.map((command) => command.name());
  if (first === "" || names.includes(first) || first === "help") return [...args];
  const named = (name: string) => program.commands.find((command) => command.name() === name);
  const flag = first.split("=", 1)[0] ?? "";
  const means = first.startsWith("-")
    ? first === "-" || (flagsOf(named("validate")).has(flag) && !flagsOf(named("serve")).has(flag))
    : pathLike.test(first) || existsSync(first);
  return means ? ["validate", ...args] : [...args];
}

/** @returns The command that the arguments name and the one within it, as far as they name any. */
function namedCommands([first, second]: readonly string[], program: Command): Command[] {
  const command = program.commands.find((one) => one.name() === first);
  const inner = command?.commands.find((one) => one.name() === second);
  return [command, inner].filter((one) => one !== undefined);
}

/** @returns The command line that prints the help for these arguments, e.g. `validator-mcp query --help`. */
export function helpFor(args: readonly string[], program: Command): string {
  const names = namedCommands(args, program).map((command) => command.name());
  return [program.name(), ...names, "--help"].join(" ");
}

/**
 * The error of the command-line parser as one sentence that never repeats an argument: it may be a
 * secret in the wrong place, and standard error goes into logs. Only the name of an option is repeated,
 * if it looks like one.
 * @param code Of commander's error, e.g. `commander.unknownOption`.
 */
export function parserMessage(
  { code, message }: { readonly code: string; readonly message: string },
  args: readonly string[],
  program: Command,
): string {
  const names = program.commands.map((command) => command.name());
  const [first = ""] = args;
  const command = program.commands.find((one) => one.name() === first);
  const inner = command?.commands.map((one) => one.name()) ?? [];
  if (first === "help" && code === "commander.help") {
    const nearest = nearestName(args[1] ?? "", names);
    return `help takes a command${nearest ? `; did you mean ${nearest}?` : `: ${names.join(", ")}.`}`;
  }
  if (command && (code === "commander.help" || code === "commander.unknownCommand")) {
    const nearest = nearestName(args[1] ?? "", inner);
    const hint = nearest ? `; did you mean ${nearest}?` : `: ${inner.join(", ")}.`;
    return `${command.name()} takes one of its commands${hint}`;
  }
  if (code === "commander.excessArguments") {
    if (command) return `too many arguments for ${command.name()}.`;
    const nearest = nearestName(first, names);
    const hint = nearest ? `did you mean ${nearest}?` : `use one of ${names.join(", ")}.`;
    return `the first argument is neither a command nor a path that exists; ${hint}`;
  }
  if (code === "commander.unknownOption") {
    const given = /'(--?[a-zA-Z][a-zA-Z-]{0,40})(?:=.*)?'/s.exec(message)?.[1];
    if (given === undefined) return "unknown option.";
    const known = [
      ...flagsOf(namedCommands(args, program).at(-1) ?? program.commands[0]),
      "--version",
      "--help",
    ];
    const nearest = nearestName(
      given,
      known.filter((flag) => flag.startsWith("--")),
    );
    return `unknown option ${given}${nearest ? `; did you mean ${nearest}?` : "."}`;
  }
  const said = message
    .replace(/^error: /, "")
    .replaceAll(/\s+/g, " ")
    .replace(/command-argument value '.*' is invalid/, "the value is invalid")
    .replace(/argument '.*?' is invalid/s, "has an invalid value");
  return /[.)?]$/.test(said) ? said : `${said}.`;
}
