import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { Location } from "../../spec/finding.ts";
import type { AnalyzerFinding } from "../../spec/tools/analyze-policy.ts";
import { localAnalyzePolicy as contract } from "../../spec/tools/local/analyze-policy.ts";
import { invalidArguments } from "../protocol/invalid-arguments.ts";
import type { Environment } from "../settings.ts";
import { createLocalAnalyzePolicy } from "../tools/local/analyze-policy.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";
import { contextOf } from "./tool-context.ts";

export interface AnalyzeOptions extends ConfigOptions {
  readonly engine: "aws" | "local";
  readonly policyType?: string;
  readonly resourceType?: string;
  readonly region?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

const failing: ReadonlySet<string> = new Set(["ERROR", "SECURITY_WARNING"]);

type Output = z.input<typeof contract.output>;

/**
 * The command `analyze`: the tool `analyze_policy` on files, one policy each.
 * @returns the exit status: 1 when a finding has class ERROR or SECURITY_WARNING.
 * @throws {UsageError} {@link ToolError} saying what to fix.
 */
export async function runAnalyze(
  files: readonly string[],
  options: AnalyzeOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  const session = await openSession(options, environment, streams);
  const tool = createLocalAnalyzePolicy(session.runtime);
  const answers: { readonly file: string; readonly output: Output }[] = [];
  for (const file of files) {
    const text = await textOf(file, session.runtime.settings.max_policy_bytes, streams);
    const input = contract.input.safeParse({
      policy: text,
      engine: options.engine,
      policy_type: options.policyType,
      resource_type: options.resourceType,
      region: options.region,
      profile: options.profile,
    });
    if (!input.success) throw invalidArguments(input.error);
    const { output } = await tool.run(input.data, contextOf(session));
    answers.push({ file, output });
  }
  const text = options.json
    ? JSON.stringify(
        answers.map(({ file, output }) => ({ file, ...output })),
        null,
        2,
      )
    : answers.flatMap(({ file, output }) => linesOf(file, output)).join("\n");
  streams.stdout.write(`${text}\n`);
  const all = answers.flatMap(({ output }) => output.findings);
  return all.some(({ finding_type }) => failing.has(finding_type)) ? 1 : 0;
}

async function textOf(file: string, limit: number, streams: CommandStreams): Promise<string> {
  if (file === "-") return readAll(streams.stdin, limit);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new UsageError(`${file} cannot be read (${code})`);
  }
}

function linesOf(file: string, { findings }: Output): string[] {
  if (findings.length === 0) return [`${file}: no findings`];
  return findings.map(
    (finding) =>
      `${file}${placeOf(finding)}: ${finding.finding_type} ${finding.issue_code}: ${finding.message}`,
  );
}

/** Line and column from 1, as editors count. */
function placeOf({ locations = [] }: AnalyzerFinding): string {
  const span = Location.safeParse(locations[0]?.span);
  if (!span.success) return "";
  const { line, column } = span.data.start;
  return `:${line}:${column + 1}`;
}
