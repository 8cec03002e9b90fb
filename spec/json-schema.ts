import { z } from "zod";

type Json = Record<string, unknown>;

/** A part of a JSON Schema that occurs more than once, with its name under `$defs`. */
export interface SharedPart {
  readonly name: string;
  readonly part: Json;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON Schema (2020-12) of a Zod object, without `$schema`. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return body;
}

/**
 * A function that replaces the parts inside a JSON Schema by references to `#/$defs/<name>`. Zod does the
 * same with `meta({ id })`, but it also writes the keyword `id`, which ajv refuses, and it inlines a part as
 * soon as one place describes it differently.
 * @returns what replaces the parts of a value; for a definition, of all but its outermost level.
 */
export function sharing(parts: readonly SharedPart[]) {
  const names = new Map(
    parts.map(({ name, part }) => [keyOf(part), { name, description: part.description }]),
  );
  const shared = (value: unknown, isDefinition = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => shared(item));
    if (!isObject(value)) return value;
    const named = isDefinition ? undefined : names.get(keyOf(value));
    if (named) {
      const { description, default: preset } = value;
      return {
        // What the definition says already is not repeated.
        ...(description !== undefined && description !== named.description && { description }),
        ...(preset !== undefined && { default: preset }),
        $ref: `#/$defs/${named.name}`,
      };
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shared(part)]));
  };
  return shared;
}

/** What makes two parts the same: all but their description and default. */
function keyOf({ description: _, default: __, ...rest }: Json): string {
  return JSON.stringify(rest);
}
