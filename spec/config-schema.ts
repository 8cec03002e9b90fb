import type { z } from "zod";
import {
  ConfigFile,
  ConfigSettings,
  type ConfigurableCheck,
  commonCheckKeys,
  expressions,
  IgnorePattern,
  severityList,
} from "./config.ts";
import { Expression } from "./expression.ts";
import { isObject, jsonSchema, type SharedPart, sharing } from "./json-schema.ts";
import { PolicyType } from "./policy.ts";
import { ConfiguredSeverity } from "./severity.ts";
import { exceptionExpressions, exceptionNames } from "./suppression.ts";

/** Address of the schema. Editors take the schema from a path; the address only identifies it. */
export const configSchemaId =
  "https://github.com/validator-mcp/validator-mcp/blob/main/spec/schemas/config.json";

type Json = Record<string, unknown>;

/**
 * JSON Schema (2020-12) of the config file, for editors. Parts that occur more than once are shared
 * definitions with the names below, objects are closed, so that a misspelt key is marked, and `null`
 * is not a default, since an editor would insert it. `checks` is open: custom checks have sections there.
 * @param checks The built-in checks.
 */
export function configSchema(checks: readonly ConfigurableCheck[]): Json {
  const named: readonly (readonly [name: string, schema: z.ZodType])[] = [
    ["settings", ConfigSettings.partial()],
    ["enabled", commonCheckKeys.enabled],
    ["description", commonCheckKeys.description],
    ["severity-of-check", commonCheckKeys.severity],
    ["ignore-patterns", commonCheckKeys.ignore_patterns],
    ["hide-severities", commonCheckKeys.hide_severities],
    ["ignore-pattern", IgnorePattern],
    ["severity-list", severityList],
    ["exception-expressions", exceptionExpressions],
    ["exception-names", exceptionNames],
    ["expressions", expressions],
    ["expression", Expression],
    ["configured-severity", ConfiguredSeverity],
    ["policy-type", PolicyType],
  ];
  const { root, definitions } = partsOf(ConfigFile(checks));
  const parts: SharedPart[] = [];
  for (const [name, schema] of named) {
    const part = partsOf(schema);
    Object.assign(definitions, part.definitions, { [name]: part.root });
    parts.push({ name, part: part.root });
  }
  const shared = sharing(parts);
  const { properties, ...rest } = root;
  const members = isObject(properties) ? { ...properties } : {};
  const oldPlace: Json = {};
  for (const { check_id } of checks) {
    const name = `check.${check_id}`;
    definitions[name] = members[check_id];
    members[check_id] = { $ref: `#/$defs/${name}` };
    oldPlace[check_id] = members[check_id];
  }
  const { description } = isObject(members.checks) ? members.checks : {};
  members.checks = { description, type: "object", properties: oldPlace };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: configSchemaId,
    title: "Config file of validator-mcp",
    ...rest,
    properties: shared(members),
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([name, part]) => [name, shared(part, true)]),
    ),
  };
}

function partsOf(schema: z.ZodType): { root: Json; definitions: Json } {
  const { $defs, ...root } = closedObject(jsonSchema(schema, "input"));
  return { root, definitions: isObject($defs) ? $defs : {} };
}

/** Closes objects with named members, and drops defaults of `null`. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  return isObject(value) ? closedObject(value) : value;
}

function closedObject(value: Json): Json {
  const parts = Object.entries(value)
    .filter(([key, part]) => key !== "default" || part !== null)
    .map(([key, part]) => [key, closed(part)] as const);
  const copy: Json = Object.fromEntries(parts);
  if (isObject(copy.properties) && copy.type === "object") copy.additionalProperties = false;
  return copy;
}
