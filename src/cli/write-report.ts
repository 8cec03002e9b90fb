import { Severity } from "../../spec/severity.ts";
import type { Session } from "../local/session.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { renderReport } from "../reports/formats.ts";
import { verdictLine } from "../reports/totals.ts";
import type { ReportInput } from "../reports/types.ts";
import type { Environment } from "../settings.ts";
import { reportPolicy } from "../tools/local/report-policy.ts";
import { withFile } from "../tools/local/with-file.ts";
import { reportInput, resultOf } from "../tools/run-validation.ts";
import { unusedExceptions } from "./known-findings.ts";
import { type CommandStreams, wantsColor } from "./streams.ts";
import type { Outcome } from "./validate-inputs.ts";
import type { Format, OutputOptions, ReportOptions } from "./validate-options.ts";
import { writeNamedFile } from "./write-file.ts";

/** What a command was started with. */
export interface Invocation {
  readonly options: ReportOptions;
  readonly environment: Environment;
  readonly streams: CommandStreams;
}

/**
 * Writes the reports. If none of them goes to standard output, standard error says the verdict.
 * @returns The exit status.
 */
export async function finish(
  { documents: validated, ...others }: Outcome,
  { outputs, failOn }: OutputOptions,
  session: Session,
  { options, environment, streams }: Invocation,
): Promise<number> {
  const documents =
    failOn === "none" ? validated.map((one) => ({ ...one, is_valid: one.was_checked })) : validated;
  const outcome = { documents, ...others };
  const { quiet = false, omitSuppressed = false } = options;
  for (const { format, file } of outputs) {
    const color = file === null && wantsColor(streams.stdout, environment);
    const text = await render(outcome, format, session, { color, quiet, omitSuppressed });
    if (file === null) streams.stdout.write(text);
    else await writeNamedFile("--output", file, text);
  }
  if (!quiet && outputs.every(({ file }) => file !== null)) {
    streams.stderr.write(`validator-mcp: ${verdictLine(inputOf(outcome, session))}\n`);
  }
  return documents.some(({ is_valid }) => !is_valid) ? 1 : 0;
}

function inputOf(
  { documents, skipped, gone = [] }: Outcome,
  { runtime, repository, root }: Session,
): ReportInput {
  const base = repository ?? root;
  const policies = documents.map((one) => reportPolicy(one, base));
  return {
    ...reportInput(policies, runtime),
    skipped: skipped.length,
    gone: gone.reduce((sum, { count }) => sum + count, 0),
  };
}

interface RenderOptions {
  readonly color: boolean;
  readonly quiet: boolean;
  readonly omitSuppressed: boolean;
}

async function render(
  outcome: Outcome,
  format: Format,
  session: Session,
  { color, quiet, omitSuppressed }: RenderOptions,
): Promise<string> {
  if (format === "json") {
    const { documents, skipped, gone, removed } = outcome;
    const output = {
      results: documents.map((one) => withFile(resultOf(one, "full"), one)),
      totals: totalsOfRun(documents),
      config_digest: session.runtime.digest,
      truncated: false,
      truncated_count: 0,
      skipped: skipped.length,
      ...(gone && { baseline: { gone } }),
      ...(removed && { removed }),
      ...(session.runtime.engine.exceptions.isActive && {
        unused_exceptions: unusedExceptions(outcome, session),
      }),
    };
    return `${JSON.stringify(output, null, 2)}\n`;
  }
  const input = inputOf(outcome, session);
  if (format === "text") {
    const [{ renderText }, { withEdits }] = await Promise.all([
      import("../reports/text.ts"),
      import("../reports/edits.ts"),
    ]);
    return renderText(await withEdits(input), { color, quiet });
  }
  const shown = format === "sarif" && omitSuppressed ? withoutSuppressed(input) : input;
  const text = await renderReport(format, shown);
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function withoutSuppressed(input: ReportInput): ReportInput {
  const policies = input.policies.map((policy) => ({
    ...policy,
    result: { ...policy.result, suppressed: [] },
  }));
  return { ...input, policies };
}

/** Over all documents of the run, with every severity, 0 included. */
function totalsOfRun(documents: readonly ValidatedDocument[]) {
  const severities = Severity.options.map((severity) => [
    severity,
    documents.reduce((sum, { severity_counts }) => sum + (severity_counts[severity] ?? 0), 0),
  ]);
  return {
    policies: documents.length,
    invalid: documents.filter(({ is_valid }) => !is_valid).length,
    severity_counts: Object.fromEntries(severities),
  };
}
