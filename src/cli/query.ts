import { query as contract, type QueryOutput } from "../../spec/tools/query.ts";
import { invalidArguments } from "../protocol/invalid-arguments.ts";
import type { Environment } from "../settings.ts";
import { query } from "../tools/query.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { contextOf } from "./tool-context.ts";

export interface QueryOptions extends ConfigOptions {
  readonly accessLevel?: string;
  readonly nameFilter?: string;
  readonly json?: boolean;
}

/** Kinds of query, and whether each takes one service or a list of values. */
const kinds: Readonly<Record<QueryOutput["kind"], "service" | "actions" | "patterns">> = {
  service_actions: "service",
  action_details: "actions",
  condition_keys: "service",
  arn_formats: "service",
  expand_wildcard: "patterns",
};

export const queryKinds = Object.keys(kinds) as readonly (keyof typeof kinds)[];

/**
 * The command `query`: runs the tool of that name.
 * @param word A kind, with `_` or `-` between its words.
 * @returns The exit status: 1 if an action is unknown or a pattern matches nothing.
 * @throws {UsageError} {@link ToolError} Says what to fix.
 */
export async function runQueryCommand(
  word: string,
  values: readonly string[],
  options: QueryOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  const input = contract.input.safeParse(argumentsOf(word, values, options));
  if (!input.success) throw invalidArguments(input.error);
  const session = await openSession(options, environment, streams);
  const { output } = await query.run(input.data, contextOf(session));
  const text = options.json ? JSON.stringify(output, null, 2) : linesOf(output).join("\n");
  streams.stdout.write(`${text}\n`);
  return namesNothing(output) ? 1 : 0;
}

function argumentsOf(word: string, values: readonly string[], options: QueryOptions): object {
  const kind = queryKinds.find((one) => one === word.replaceAll("-", "_"));
  if (!kind) throw new UsageError(`query ${word}: use one of ${queryKinds.join(", ")}`);
  const field = kinds[kind];
  if (field === "service" && values.length !== 1) {
    throw new UsageError(`query ${kind} takes one service, e.g. s3`);
  }
  return {
    kind,
    [field]: field === "service" ? values[0] : values,
    access_level: options.accessLevel,
    name_filter: options.nameFilter,
  };
}

function namesNothing(output: QueryOutput): boolean {
  return "results" in output && output.results.some(({ error }) => error !== null);
}

function linesOf(output: QueryOutput): string[] {
  switch (output.kind) {
    case "service_actions":
      return output.actions;
    case "condition_keys":
      return output.condition_keys;
    case "arn_formats":
      return output.arn_formats.flatMap(({ resource_type, arn_formats }) => [
        resource_type,
        ...arn_formats.map((format) => `  ${format}`),
      ]);
    case "expand_wildcard":
      return output.results.flatMap(({ pattern, actions, error }) => [
        `${pattern}${error === null ? "" : `: ${error}`}`,
        ...actions.map((action) => `  ${action}`),
      ]);
    case "action_details":
      return output.results.flatMap((details) => {
        const { action, error, description, sensitive } = details;
        if (error !== null) return [`${action}: ${error}`];
        const rows: [string, string | null][] = [
          ["what", description],
          ["access level", details.access_level],
          ["resource types", details.resource_types.join(", ") || null],
          ["condition keys", details.condition_keys.join(", ") || null],
          ["sensitive", sensitive && `${sensitive.name} (${sensitive.severity})`],
        ];
        return [action, ...rows.flatMap(([name, text]) => (text ? [`  ${name}: ${text}`] : []))];
      });
  }
}
