/**
 * Report formats, by id. `src/reports/formats.ts` has the function that renders each; help texts, the
 * schema of `validate_policies` and the tests of hostile content read this list. `extension` is that of
 * a file which is in this format unless the command line says otherwise; null: there is none.
 */
export const reportFormats = [
  { id: "concise", extension: null, mediaType: "text/plain" },
  { id: "csv", extension: ".csv", mediaType: "text/csv" },
  { id: "github", extension: null, mediaType: "text/plain" },
  { id: "gitlab", extension: null, mediaType: "application/json" },
  { id: "html", extension: ".html", mediaType: "text/html" },
  { id: "junit", extension: ".xml", mediaType: "application/xml" },
  { id: "markdown", extension: ".md", mediaType: "text/markdown" },
  { id: "rdjson", extension: ".rdjson", mediaType: "application/json" },
  { id: "sarif", extension: ".sarif", mediaType: "application/sarif+json" },
] as const;

export type ReportFormatId = (typeof reportFormats)[number]["id"];
