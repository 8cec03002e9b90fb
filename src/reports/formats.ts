import { reportFormats as described, type ReportFormatId } from "../../spec/report-formats.ts";
import type { ReportInput } from "./types.ts";

/** @param input Untrusted: no text of a policy may become markup, a formula, a link or a command. */
type Render = (input: ReportInput) => string;

/** Each loads its module on first use: a server that writes no reports never loads the renderers. */
const renderers: Readonly<Record<ReportFormatId, () => Promise<Render>>> = {
  concise: async () => (await import("./concise.ts")).renderConcise,
  csv: async () => (await import("./csv.ts")).renderCsv,
  github: async () => (await import("./github.ts")).renderGithub,
  gitlab: async () => (await import("./gitlab.ts")).renderGitlab,
  html: async () => (await import("./html.ts")).renderHtml,
  junit: async () => (await import("./junit.ts")).renderJunit,
  markdown: async () => (await import("./markdown.ts")).renderMarkdown,
  rdjson: async () => (await import("./rdjson.ts")).renderRdjson,
  sarif: async () => (await import("./sarif.ts")).renderSarif,
};

export interface ReportFormat {
  readonly id: ReportFormatId;
  /** Of a file with a report, e.g. `.md`; null: the format has none. */
  readonly extension: string | null;
  readonly mediaType: string;
  render(input: ReportInput): Promise<string>;
}

/** Every report format, in alphabetical order. `json` is not one: the result itself is the report. */
export const reportFormats: readonly ReportFormat[] = described.map((format) => ({
  ...format,
  render: async (input) => renderReport(format.id, input),
}));

/** Renders a report in one of the formats. */
export async function renderReport(id: ReportFormatId, input: ReportInput): Promise<string> {
  const render = await renderers[id]();
  if (id === "csv") return render(input);
  const { withEdits } = await import("./edits.ts");
  return render(await withEdits(input));
}
