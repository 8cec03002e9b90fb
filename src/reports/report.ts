import type { RenderedFormat } from "./formats.ts";
import type { ReportInput } from "./types.ts";

/**
 * Writes a report. Policies are untrusted: in no format can their text become markup, a formula, a
 * link or a terminal command. Formatters are loaded on first use.
 */
export async function renderReport(format: RenderedFormat, input: ReportInput): Promise<string> {
  switch (format) {
    case "csv":
      return (await import("./csv.ts")).renderCsv(input);
    case "html":
      return (await import("./html.ts")).renderHtml(input);
    case "markdown":
      return (await import("./markdown.ts")).renderMarkdown(input);
    case "sarif":
      return (await import("./sarif.ts")).renderSarif(input);
  }
}
