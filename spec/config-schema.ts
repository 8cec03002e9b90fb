import { z } from "zod";
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
import { PolicyType } from "./policy.ts";
import { ConfiguredSeverity } from "./severity.ts";
import { exceptionExpressions, exceptionNames } from "./suppression.ts";

/** Address of the schema. Editors take the schema from a path; the address only identifies it. */
export const configSchemaId =
  "https://github.com/validator-mcp/validator-mcp/blob/main/spec/schemas/config.json";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  return body;
}

/**
 * JSON Schema (2020-12) of the config file, for editors. Parts that occur more than once are shared
 * definitions with the names below, objects are closed, so that a misspelt key is marked, and `null`
 * is no default, since an editor would insert it. `checks` is open: custom checks have sections there.
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
  const names = new Map<string, { readonly name: string; readonly description: unknown }>();
  for (const [name, schema] of named) {
    const part = partsOf(schema);
    Object.assign(definitions, part.definitions, { [name]: part.root });
    names.set(keyOf(part.root), { name, description: part.root.description });
  }
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
  const { $defs, ...root } = closedObject(jsonSchemaOf(schema));
  return { root, definitions: isObject($defs) ? $defs : {} };
}

/** What makes two parts the same: all but their description and default. */
function keyOf({ description: _, default: __, ...rest }: Json): string {
  return JSON.stringify(rest);
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
