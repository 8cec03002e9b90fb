import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const folder = new URL("../../spec/schemas/", import.meta.url);

interface PublishedSchema extends Record<string, unknown> {
  readonly $id: string;
  readonly title: string;
}

/** The JSON Schemas as committed, by file name without its ending. */
export const publishedSchemas: ReadonlyMap<string, PublishedSchema> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(readFileSync(new URL(name, folder), "utf8")),
    ]),
);

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
for (const [name, schema] of publishedSchemas) ajv.addSchema(schema, name);

/** What a published schema has against a value; empty for a valid one. */
export function schemaErrors(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(name);
  if (!validate) throw new Error(`no schema ${name} is published`);
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
