import type { ToolContract } from "./contract.ts";
import { Fix, Location } from "./finding.ts";
import { jsonSchema, type SharedPart, sharing } from "./json-schema.ts";

/** The large parts that an answer's schema repeats in each form of a finding. */
const parts: readonly SharedPart[] = [
  { name: "Fix", part: jsonSchema(Fix, "output") },
  { name: "Location", part: jsonSchema(Location, "output") },
];

/**
 * JSON Schema (2020-12) of a tool's arguments or answer, as `tools/list` and `spec/schemas` have it.
 * An answer's schema refers to its repeated parts: clients that pass it to the model pay for its length.
 * Arguments have no references, because some model providers refuse them there.
 */
export function toolSchema(
  contract: ToolContract,
  io: "input" | "output",
): Record<string, unknown> {
  const body = jsonSchema(contract[io], io);
  if (io === "input") return body;
  const shared = sharing(parts);
  const root = shared(body) as Record<string, unknown>;
  const text = JSON.stringify(root);
  const used = parts.filter(({ name }) => text.includes(`#/$defs/${name}"`));
  if (used.length === 0) return root;
  return {
    ...root,
    $defs: Object.fromEntries(used.map(({ name, part }) => [name, shared(part, true)])),
  };
}
