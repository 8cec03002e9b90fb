import { CheckDescription, type ListedCheck } from "../../spec/tools/describe-checks.ts";
import { didYouMean } from "../nearest.ts";
import type { Environment } from "../settings.ts";
import { describeChecks } from "../tools/describe-checks.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { contextOf } from "./tool-context.ts";

export interface ChecksOptions extends ConfigOptions {
  readonly json?: boolean;
}

/**
 * The command `checks`: prints all checks in a table, or some with their documentation.
 * @throws {UsageError} For an unknown check id.
 */
export async function runChecks(
  ids: readonly string[],
  options: ChecksOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  const session = await openSession(options, environment, streams);
  const check_ids = ids.length === 0 ? null : [...ids];
  const { output } = await describeChecks.run({ check_ids }, contextOf(session));
  const known = new Set(output.checks.map(({ check_id }) => check_id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const { output: all } = await describeChecks.run({ check_ids: null }, contextOf(session));
    const ids = all.checks.map(({ check_id }) => check_id);
    const list = unknown.map((id) => `${id}${didYouMean(id, ids)}`);
    throw new UsageError(`unknown check ${list.join(", ")}; \`checks\` lists all ids`);
  }
  const text = options.json
    ? JSON.stringify(output, null, 2)
    : ids.length === 0
      ? table(output.checks)
      : CheckDescription.array().parse(output.checks).map(page).join("\n\n");
  streams.stdout.write(`${text}\n`);
  return 0;
}

function table(checks: readonly ListedCheck[]): string {
  const width = Math.max(...checks.map(({ check_id }) => check_id.length));
  return checks
    .map(({ check_id, severity, enabled, description }) => {
      const state = enabled ? severity : "off";
      return `${check_id.padEnd(width)}  ${state.padEnd("critical".length)}  ${description}`;
    })
    .join("\n");
}

function page(check: CheckDescription): string {
  const { check_id, description, docstring, enabled, severity, default_severity, config } = check;
  const { applies_to_policy_types: types, supersedes, source } = check;
  const facts: [string, string][] = [
    ["state", enabled ? "on" : "off"],
    ["severity", severity === default_severity ? severity : `${severity} (${default_severity})`],
    ["policy types", types?.join(", ") ?? "all"],
    ["source", source],
    ...(supersedes.length > 0 ? [["replaces", supersedes.join(", ")] as [string, string]] : []),
  ];
  return [
    check_id,
    description,
    "",
    ...facts.map(([name, text]) => `${name}: ${text}`),
    ...(docstring === null ? [] : ["", docstring.trim()]),
    ...(Object.keys(config).length === 0 ? [] : ["", "options:", JSON.stringify(config, null, 2)]),
  ].join("\n");
}
