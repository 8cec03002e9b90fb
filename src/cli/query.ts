import { LookUpInput, type LookUpOutput, lookUpKinds } from "../../spec/look-ups.ts";
import { query as contract, type QueryOutput } from "../../spec/tools/query.ts";
import type { Session } from "../local/session.ts";
import { nearestName } from "../nearest.ts";
import { invalidArguments } from "../protocol/invalid-arguments.ts";
import { lookUp } from "../query/look-up.ts";
import type { Environment } from "../settings.ts";
import { query } from "../tools/query.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { contextOf } from "./tool-context.ts";

export interface QueryOptions extends ConfigOptions {
  readonly accessLevel?: string;
  readonly nameFilter?: string;
  readonly service?: string;
  readonly json?: boolean;
}

type Output = QueryOutput | LookUpOutput;

/** Fields of the values after the kind: one value of a field, or all of them. */
const kinds: Readonly<Record<Output["kind"], Field>> = {
  service_actions: { one: "service", example: "s3" },
  action_details: { all: "actions" },
  condition_keys: { one: "service", example: "s3" },
  arn_formats: { one: "service", example: "s3" },
  expand_wildcard: { all: "patterns" },
  condition_key: { one: "key", example: "s3:prefix" },
  resource_type: { one: "resource_type", example: "s3:bucket" },
  wildcard_only_actions: { one: "service", example: "s3" },
};
type Field = { readonly one: string; readonly example: string } | { readonly all: string };

export const queryKinds = Object.keys(kinds) as readonly Output["kind"][];

/**
 * The command `query`: runs the tool of that name, or a look-up in reverse.
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
  const kind = kindOf(word);
  const given = { kind, ...valuesOf(kind, values) };
  const ask = lookUpKinds.some((one) => one === kind)
    ? lookingUp({ ...given, ...(kind === "condition_key" && { service: options.service }) })
    : asking({ ...given, access_level: options.accessLevel, name_filter: options.nameFilter });
  const session = await openSession(options, environment, streams);
  const output = await ask(session);
  const text = options.json ? JSON.stringify(output, null, 2) : linesOf(output).join("\n");
  streams.stdout.write(`${text}\n`);
  return namesNothing(output) ? 1 : 0;
}

function lookingUp(given: object): (session: Session) => Promise<LookUpOutput> {
  const input = LookUpInput.safeParse(given);
  if (!input.success) throw invalidArguments(input.error);
  return ({ runtime }) => lookUp(input.data, runtime.services);
}

function asking(given: object): (session: Session) => Promise<QueryOutput> {
  const input = contract.input.safeParse(given);
  if (!input.success) throw invalidArguments(input.error);
  return async (session) => (await query.run(input.data, contextOf(session))).output;
}

function kindOf(word: string): Output["kind"] {
  const kind = queryKinds.find((one) => one === word.replaceAll("-", "_"));
  if (kind) return kind;
  const near = nearestName(word.replaceAll("-", "_"), queryKinds);
  // The word is not repeated: it may be a secret in the wrong place.
  const hint = near === undefined ? "" : `did you mean ${near}? Else `;
  throw new UsageError(`query: unknown kind; ${hint}use one of ${queryKinds.join(", ")}`);
}

function valuesOf(kind: Output["kind"], values: readonly string[]): object {
  const field = kinds[kind];
  if ("all" in field) return { [field.all]: values };
  if (values.length !== 1) {
    throw new UsageError(`query ${kind} takes one ${field.one}, e.g. ${field.example}`);
  }
  return { [field.one]: values[0] };
}

function namesNothing(output: Output): boolean {
  if (!("results" in output)) return false;
  if (output.kind === "expand_wildcard") {
    return output.results.some(({ actions }) => actions.length === 0);
  }
  return output.results.some(({ error }) => error !== null);
}

function linesOf(output: Output): string[] {
  switch (output.kind) {
    case "service_actions":
    case "wildcard_only_actions":
      return output.actions;
    case "condition_key":
      return linesOfKey(output);
    case "resource_type":
      return [
        output.resource_type,
        ...listed("ARN formats", output.arn_formats),
        ...listed("condition keys", output.condition_keys),
        ...listed("actions", output.actions),
      ];
    case "condition_keys":
      return output.condition_keys;
    case "arn_formats":
      return output.arn_formats.flatMap(({ resource_type, arn_formats }) => [
        resource_type,
        ...arn_formats.map((format) => `  ${format}`),
      ]);
    case "expand_wildcard":
      return output.results.flatMap(({ pattern, actions, error }) => [
        actions.length === 0 ? `${pattern}: ${error ?? "matches no action"}` : pattern,
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

function linesOfKey(output: Extract<Output, { kind: "condition_key" }>): string[] {
  const { types, multivalued, global, description } = output;
  return [
    output.key,
    ...(description === null ? [] : [`  what: ${description}`]),
    ...(types.length === 0 ? [] : [`  types: ${types.join(", ")}`]),
    ...(multivalued ? ["  multivalued: a condition needs ForAllValues or ForAnyValue"] : []),
    ...(global ? ["  global: requests for any action can carry it"] : []),
    ...listed("resource types", output.resource_types),
    ...listed("actions", output.actions),
  ];
}

function listed(title: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`  ${title}:`, ...values.map((value) => `    ${value}`)];
}
