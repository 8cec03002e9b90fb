import { isRecord } from "../../record.ts";
import type { Read } from "../places.ts";
import type { Source } from "../types.ts";

/** A value of the template with its position. */
export type Part = Read;

/** @returns The member of an object; null if there is none. */
export function member(part: Part, name: string): Part | null {
  if (!isRecord(part.value) || !Object.hasOwn(part.value, name)) return null;
  return { value: part.value[name], root: part.root?.members?.get(name)?.value ?? part.root };
}

/** @returns The entries of a list. */
export function items(part: Part): Part[] {
  if (!Array.isArray(part.value)) return [];
  return part.value.map((value: unknown, index) => ({
    value,
    root: part.root?.items?.[index] ?? part.root,
  }));
}

/** @returns The members of an object, in order. */
export function members(part: Part): [string, Part][] {
  if (!isRecord(part.value)) return [];
  return Object.keys(part.value).flatMap((name) => {
    const found = member(part, name);
    return found ? [[name, found] as [string, Part]] : [];
  });
}

/** @returns The name and the argument of a function in its long form: an object with that one member. */
export function functionIn(part: Part): { name: string; argument: Part } | null {
  if (!isRecord(part.value)) return null;
  const [name, second] = Object.keys(part.value);
  if (name === undefined || second !== undefined) return null;
  if (name !== "Ref" && !name.startsWith("Fn::") && name !== "Condition") return null;
  const argument = member(part, name);
  return argument && { name, argument };
}

export interface Resource {
  readonly id: string;
  /** Without `AWS::`; null: unknown. */
  readonly type: string | null;
  readonly part: Part;
  readonly properties: Part | null;
  /** Name of the condition under which it exists. */
  readonly condition: string | null;
  /** Steps from the root of the source to the properties. */
  readonly path: readonly (string | number)[];
  /** As people write them: `Resources.Role.Properties`. */
  readonly address: string;
  /** Variables of the loops around it, with their values. */
  readonly loops: ReadonlyMap<string, readonly string[]>;
}

interface Parameter {
  readonly type: string;
  /** As text; null: none. */
  readonly fallback: string | null;
  readonly allowed: readonly string[];
  readonly isSecret: boolean;
  readonly pattern: string | null;
}

/** A template, read as far as its outer levels. */
export interface Template {
  readonly root: Part;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly conditions: ReadonlyMap<string, Part>;
  readonly mappings: Part | null;
  /** By id. Where two loops have one id, the second has another key. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** What SAM gives every resource of a type, as if it were one, by type. */
  readonly globals: ReadonlyMap<string, Resource>;
  /** It has a macro that may change everything. */
  readonly hasMacro: boolean;
}

/** Transforms that leave policies as they are written, but for SAM's own properties. */
const knownTransforms =
  /^AWS::(Serverless-|LanguageExtensions|CodeDeploy|SecretsManager-|CloudFormation)/;

/** Whether a source has the shape of a template. `sections` may be any text, so only shapes count. */
export function isTemplate({ value }: Pick<Source, "value">): boolean {
  if (!isRecord(value) || !isRecord(value.Resources)) return false;
  return Object.entries(value.Resources).some(
    ([name, resource]) =>
      name.startsWith("Fn::ForEach::") ||
      (isRecord(resource) && typeof resource.Type === "string" && resource.Type.includes("::")),
  );
}

/**
 * Reads the sections of a template that policies depend on: parameters, mappings, conditions and resources.
 */
export function readTemplate({ value, root }: Pick<Source, "value" | "root">): Template {
  const whole: Part = { value, root };
  const section = (name: string) => member(whole, name);
  const parameters = new Map(
    members(section("Parameters") ?? nothing).map(([name, part]) => [name, parameterOf(part)]),
  );
  const transforms = section("Transform");
  const names = transforms && Array.isArray(transforms.value) ? items(transforms) : [transforms];
  const resources = new Map<string, Resource>();
  const found = section("Resources");
  if (found) collect(found, ["Resources"], new Map(), parameters, resources);
  return {
    root: whole,
    parameters,
    conditions: new Map(members(section("Conditions") ?? nothing)),
    mappings: section("Mappings"),
    resources,
    globals: globalsOf(section("Globals") ?? nothing),
    hasMacro: names.some((one) => one !== null && !isKnownTransform(one.value)),
  };
}

const nothing: Part = { value: {}, root: null };

/** https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-template-anatomy-globals.html */
function globalsOf(section: Part): Map<string, Resource> {
  const loops = new Map<string, readonly string[]>();
  const globals = members(section).map(([name, part]): [string, Resource] => {
    const type = `Serverless::${name}`;
    const path = ["Globals", name];
    const address = `Globals.${name}`;
    return [
      type,
      { id: address, type, part, properties: part, condition: null, path, address, loops },
    ];
  });
  return new Map(globals);
}

function isKnownTransform(value: unknown): boolean {
  const name = isRecord(value) ? value.Name : value;
  return typeof name === "string" && knownTransforms.test(name);
}

function parameterOf(part: Part): Parameter {
  const { Type, Default, AllowedValues, NoEcho, AllowedPattern } = isRecord(part.value)
    ? part.value
    : {};
  return {
    type: typeof Type === "string" ? Type : "String",
    fallback: textOf(Default),
    allowed: Array.isArray(AllowedValues)
      ? AllowedValues.map(textOf).filter((one) => one !== null)
      : [],
    isSecret: textOf(NoEcho)?.toLowerCase() === "true",
    pattern: typeof AllowedPattern === "string" ? AllowedPattern : null,
  };
}

/** @returns A scalar as CloudFormation passes it on: as text. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const maxResources = 10_000;

/** Resources, those in loops once, with the loop's variable left open. */
function collect(
  part: Part,
  path: readonly (string | number)[],
  loops: ReadonlyMap<string, readonly string[]>,
  parameters: ReadonlyMap<string, Parameter>,
  found: Map<string, Resource>,
): void {
  for (const [id, one] of members(part)) {
    if (found.size >= maxResources) return;
    if (id.startsWith("Fn::ForEach::")) {
      const [variable, list, body] = items(one);
      if (loops.size >= 5 || !body || typeof variable?.value !== "string") continue;
      const values = list ? loopValues(list, parameters) : [];
      const inner = new Map([...loops, [variable.value, values] as const]);
      collect(body, [...path, id, 2], inner, parameters, found);
      continue;
    }
    if (!isRecord(one.value)) continue;
    const { Type, Condition } = one.value;
    const type = typeof Type === "string" ? Type : null;
    // Two loops may give ids of one form, with other names in place of the variable.
    const key = found.has(id) ? `${id} ${found.size}` : id;
    found.set(key, {
      id,
      type: type?.startsWith("AWS::") ? type.slice(5) : null,
      part: one,
      properties: member(one, "Properties"),
      condition: typeof Condition === "string" ? Condition : null,
      path: [...path, id, "Properties"],
      address: `Resources.${id}.Properties`,
      loops,
    });
  }
}

function loopValues(list: Part, parameters: ReadonlyMap<string, Parameter>): string[] {
  const call = functionIn(list);
  const named = call?.name === "Ref" ? parameters.get(String(call.argument.value)) : undefined;
  const texts = named ? (named.fallback?.split(",") ?? []) : items(list).map((one) => one.value);
  return texts.filter((text) => typeof text === "string").map((text) => text.trim());
}
