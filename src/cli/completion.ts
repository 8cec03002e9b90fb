import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

interface Words {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
}

/** @returns A completion script for the program's commands and options in that shell. */
export function completionScript(program: Command, shell: Shell): string {
  const name = program.name();
  const commands = program.commands.map(
    (command): Words => ({
      name: command.name(),
      description: command.description(),
      options: command.options.flatMap(({ long, description }) =>
        long ? [{ flag: long, description }] : [],
      ),
    }),
  );
  if (shell === "fish") return fish(name, commands);
  const prologue = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return prologue + bash(name, commands);
}

/** Completes file names except after the name of an option. */
function bash(name: string, commands: readonly Words[]): string {
  const cases = commands.map(
    (command) =>
      `    ${command.name}) words="${command.options.map(({ flag }) => flag).join(" ")}" ;;`,
  );
  return `_${name.replaceAll("-", "_")}() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
    *) words="${commands.map((command) => command.name).join(" ")} --help --version" ;;
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="${commands.map((command) => command.name).join(" ")} --help --version"
  elif [[ $current != -* ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _${name.replaceAll("-", "_")} ${name}
`;
}

function fish(name: string, commands: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap((command) => [
    `complete -c ${name} -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.description)}`,
    ...command.options.map(
      ({ flag, description }) =>
        `complete -c ${name} -n ${quoted(`__fish_seen_subcommand_from ${command.name}`)} -l ${flag.slice(2)} -d ${quoted(description)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
