import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { helpFor, parserMessage, withCommand } from "./arguments.ts";

const program = new Command("validator-mcp");
program.command("serve").option("--port <n>").option("--config <file>");
program.command("validate").option("-f, --format <format>").option("--config <file>");
program.command("checks");
const config = program.command("config");
config.command("check");
config.command("print").option("--json");

describe("arguments without a command", () => {
  test.each([["policies/ci.json"], ["src"], ["*.json"], ["."], ["-"], ["-f"], ["--format=sarif"]])(
    "%s means validate",
    (first) => {
      expect(withCommand([first, "x"], program)).toEqual(["validate", first, "x"]);
    },
  );

  test.each([["--port"], ["--config"], ["--help"], ["serve"], ["checks"], ["validat"], ["s3cr3t"]])(
    "%s does not",
    (first) => expect(withCommand([first, "x"], program)).toEqual([first, "x"]),
  );

  test("none at all runs the default command", () => {
    expect(withCommand([], program)).toEqual([]);
  });
});

describe("an error of the parser", () => {
  const say = (code: string, message: string, args: string[]) =>
    parserMessage({ code, message: `error: ${message}` }, args, program);

  test("names the nearest command", () => {
    expect(say("commander.excessArguments", "got 1: validat", ["validat"])).toMatch(
      /did you mean validate\?$/,
    );
  });

  test("names the nearest option of the command", () => {
    expect(
      say("commander.unknownOption", "unknown option '--fromat=s3cr3t'", ["validate", "--fromat"]),
    ).toBe("unknown option --fromat; did you mean --format?");
    expect(say("commander.unknownOption", "unknown option '--verson'", ["--verson"])).toBe(
      "unknown option --verson; did you mean --version?",
    );
  });

  test("names the nearest option of a command within a command", () => {
    const args = ["config", "print", "--jsn"];
    expect(say("commander.unknownOption", "unknown option '--jsn'", args)).toMatch(
      /mean --json\?$/,
    );
  });

  test.each([
    ["commander.help", ["help", "chekcs"], "; did you mean checks?"],
    ["commander.help", ["help", "s3cr3t"], ": serve, validate, checks, config."],
  ])("%s of %j names the commands that have help", (code, args, hint) => {
    expect(say(code, "(outputHelp)", args)).toBe(`help takes a command${hint}`);
  });

  test.each([
    [["config", "print", "x"], "validator-mcp config print --help"],
    [["config", "s3cr3t"], "validator-mcp config --help"],
    [["validate", "print"], "validator-mcp validate --help"],
    [["s3cr3t"], "validator-mcp --help"],
  ])("points to the help of the command: %j", (args, help) => {
    expect(helpFor(args, program)).toBe(help);
  });

  test.each([
    ["commander.help", ["config"], ": check, print."],
    ["commander.unknownCommand", ["config", "chekc"], "; did you mean check?"],
    ["commander.unknownCommand", ["config", "s3cr3t"], ": check, print."],
  ])("%s of %j names the commands there are", (code, args, hint) => {
    expect(say(code, "(outputHelp)", args)).toBe(`config takes one of its commands${hint}`);
  });

  test.each([
    [
      "commander.excessArguments",
      "too many arguments. Expected 0 arguments but got 1: s3cr3t",
      ["serve", "s3cr3t"],
    ],
    [
      "commander.excessArguments",
      "too many arguments. Expected 0 arguments but got 1: s3cr3t",
      ["s3cr3t"],
    ],
    ["commander.unknownOption", "unknown option '--tok3n:s3cr3t'", ["--tok3n:s3cr3t"]],
    [
      "commander.invalidArgument",
      "option '--engine <engine>' argument 's3cr3t' is invalid. Allowed choices are aws, local.",
      ["analyze"],
    ],
    [
      "commander.invalidArgument",
      "command-argument value 's3cr3t' is invalid for argument 'shell'.",
      ["completion"],
    ],
  ])("%s never repeats an argument: %s", (code, message, args) => {
    expect(say(code, message, args)).not.toContain("s3cr3t");
  });
});
