import { constants } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Severity } from "../../spec/severity.ts";
import type { Session } from "../local/session.ts";
import type { ValidatedDocument } from "../local/validate-files.ts";
import { renderReport } from "../reports/formats.ts";
import type { Environment } from "../settings.ts";
import { reportPolicy } from "../tools/local/report-policy.ts";
import { withFile } from "../tools/local/with-file.ts";
import { reportInput, resultOf } from "../tools/run-validation.ts";
import { type CommandStreams, UsageError, wantsColor } from "./streams.ts";
import type { Format, OutputOptions, ValidateOptions } from "./validate-options.ts";

/** Writes the report. @returns The exit status. */
export async function finish(
  validated: readonly ValidatedDocument[],
  { format, failOn }: OutputOptions,
  session: Session,
  options: ValidateOptions,
  environment: Environment,
  streams: CommandStreams,
): Promise<number> {
  const documents =
    failOn === "none" ? validated.map((one) => ({ ...one, is_valid: one.was_checked })) : validated;
  const text = await render(documents, format, session, {
    color: options.output === undefined && wantsColor(streams.stdout, environment),
  });
  if (options.output === undefined) streams.stdout.write(text);
  else await save(options.output, text);
  return documents.some(({ is_valid }) => !is_valid) ? 1 : 0;
}

async function render(
  documents: readonly ValidatedDocument[],
  format: Format,
  { runtime }: Session,
  { color }: { readonly color: boolean },
): Promise<string> {
  if (format === "json") {
    const output = {
      results: documents.map((one) => withFile(resultOf(one, "full"), one)),
      totals: totalsOfRun(documents),
      config_digest: runtime.digest,
      truncated: false,
      truncated_count: 0,
    };
    return `${JSON.stringify(output, null, 2)}\n`;
  }
  const input = reportInput(
    documents.map((one) => reportPolicy(one, format)),
    runtime,
  );
  if (format === "text") {
    const [{ renderText }, { withEdits }] = await Promise.all([
      import("../reports/text.ts"),
      import("../reports/edits.ts"),
    ]);
    return renderText(await withEdits(input), { color });
  }
  const text = await renderReport(format, input);
  return text.endsWith("\n") ? text : `${text}\n`;
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

async function save(path: string, text: string): Promise<void> {
  try {
    // A repository under validation may hold a link of that name to a file elsewhere. Devices are links on many systems.
    const follows = path.startsWith("/dev/");
    const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;
    const flag = O_WRONLY | O_CREAT | O_TRUNC | (follows ? 0 : O_NOFOLLOW);
    await writeFile(path, text, { flag });
  } catch (error) {
    const found = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    const code = found === "ELOOP" ? "it is a symbolic link" : found;
    throw new UsageError(`--output ${path} cannot be written (${code})`);
  }
}
