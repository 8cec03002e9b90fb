import type { Network } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { lettersOf, networkBlocks, networkOf } from "../network.ts";
import type { Unknowns } from "../unknowns.ts";
import type { FoundPart } from "./property-parts.ts";
import { removed } from "./resolved.ts";
import { Resolver } from "./resolver.ts";
import type { PolicyProperty } from "./table.ts";
import { functionIn, items, member, type Part, type Resource, type Template } from "./template.ts";

const noChoice = {
  values: new Map(),
  forced: new Map(),
  phrases: [],
  reading: [],
  byDefault: false,
};

interface Owner {
  readonly property: PolicyProperty;
  readonly resource: Resource;
  readonly template: Template;
}

/** @returns What alone reaches the resource that has the policy as a property; null: the internet does, or may. */
export function networkIn(
  found: FoundPart,
  { property: { service }, resource, template }: Owner,
  unknowns: Unknowns,
): Network | null {
  const resolver = new Resolver(template, unknowns, noChoice);
  const values: Record<string, unknown> = {};
  for (const one of ownersOf(found, resource, template)) {
    if (!isRecord(one.properties?.value)) continue;
    for (const name of Object.keys(one.properties.value)) {
      const part = networkBlocks.has(lettersOf(name)) ? member(one.properties, name) : null;
      if (!part) continue;
      const resolved = mayBeEmpty(part, template) ? removed : resolver.resolve(part);
      // Null: it is there, and decides instead of what is set for all APIs.
      values[name] ??= resolved === removed ? null : resolved.value;
    }
  }
  return networkOf(service, resource.type, values);
}

/** The resources whose settings count, the nearest first: an API of SAM takes what it does not set from `Globals`. */
function ownersOf(
  { path }: FoundPart,
  resource: Resource,
  { resources, globals }: Template,
): Resource[] {
  const api = globals.get("Serverless::Api");
  const [kind, event = ""] = path.slice(resource.path.length);
  if (kind !== "Events") {
    return resource.type === "Serverless::Api" && api ? [resource, api] : [resource];
  }
  const given = ["Events", String(event), "Properties", "RestApiId"].reduce<Part | null>(
    (part, name) => part && member(part, name),
    resource.properties,
  );
  const id = given && member(given, "Ref");
  const named = id ? resources.get(String(id.value)) : undefined;
  // Without a name it is the API that SAM itself adds.
  return given && !named ? [] : [named, api].filter((one) => one !== undefined);
}

/** Whether a condition, or a parameter whose default is empty, decides about the setting. */
function mayBeEmpty(part: Part, template: Template, level = 0): boolean {
  const call = functionIn(part);
  if (call?.name === "Fn::If" || level > 10) return true;
  if (call?.name === "Ref") {
    return template.parameters.get(String(call.argument.value))?.fallback?.trim() === "";
  }
  const parts = Array.isArray(part.value)
    ? items(part)
    : isRecord(part.value)
      ? Object.keys(part.value).flatMap((name) => member(part, name) ?? [])
      : [];
  return parts.some((one) => mayBeEmpty(one, template, level + 1));
}
