import { factsFromDefinition } from "./definition.ts";
import type { Service } from "./model.ts";
import { compileService } from "./service.ts";

/** Bytes of one definition; the largest of AWS has about a megabyte. */
export const maxDefinitionBytes = 16 * 1024 * 1024;

/** @throws {Error} When the text is no definition, or one of another service. */
export function serviceFromText(prefix: string, text: string): Service {
  const facts = factsFromDefinition(JSON.parse(text));
  if (facts.prefix !== prefix) throw new Error(`the document is about another service`);
  return compileService(facts);
}
