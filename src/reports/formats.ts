import type { ReportFormat } from "../../spec/tools/validate-policies.ts";

/** A format with a text of its own; `json` has none, the result says it all. */
export type RenderedFormat = Exclude<ReportFormat, "json">;

export const renderedFormats = [
  "csv",
  "html",
  "markdown",
  "sarif",
] as const satisfies readonly RenderedFormat[];
