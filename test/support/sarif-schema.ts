import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

/**
 * The published schema of SARIF 2.1.0. It is written for draft 4 but uses nothing that draft 7 reads
 * otherwise, except for the name of its id. One of its patterns is none in Unicode mode.
 */
const {
  $schema: _,
  id,
  ...schema
} = createRequire(import.meta.url)("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as {
  $schema: string;
  id: string;
} & Record<string, unknown>;

const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile({ ...schema, $id: id });

/** What the schema has against a log; empty for a valid one. */
export function sarifErrors(log: unknown): string[] {
  if (validate(log)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
