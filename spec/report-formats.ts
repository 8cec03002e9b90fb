/**
 * Report formats, by id. `src/reports/formats.ts` has the function that renders each; help texts, the
 * schema of `validate_policies` and the tests of hostile content read this list.
 */
export const reportFormats = [
  { id: "csv", extension: ".csv", mediaType: "text/csv" },
  { id: "html", extension: ".html", mediaType: "text/html" },
  { id: "markdown", extension: ".md", mediaType: "text/markdown" },
  { id: "sarif", extension: ".sarif", mediaType: "application/sarif+json" },
] as const;

export type ReportFormatId = (typeof reportFormats)[number]["id"];
