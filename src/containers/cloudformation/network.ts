import type { Network } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { lettersOf, networkBlocks, networkOf } from "../network.ts";
import type { Unknowns } from "../unknowns.ts";
import { removed } from "./resolved.ts";
import { Resolver } from "./resolver.ts";
import type { PolicyProperty } from "./table.ts";
import { functionIn, items, member, type Part, type Resource, type Template } from "./template.ts";

const noChoice = { values: new Map(), forced: new Map(), phrases: [], byDefault: false };

/** @returns What alone reaches the resource that has the policy as a property; null: the internet does, or may. */
export function networkIn(
  { service }: PolicyProperty,
  { type, properties }: Resource,
  template: Template,
  unknowns: Unknowns,
): Network | null {
  if (!properties || !isRecord(properties.value)) return null;
  const resolver = new Resolver(template, unknowns, noChoice);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(properties.value)) {
    const part = networkBlocks.has(lettersOf(name)) ? member(properties, name) : null;
    const resolved = part && !mayBeEmpty(part, template) ? resolver.resolve(part) : removed;
    if (resolved !== removed) values[name] = resolved.value;
  }
  return networkOf(service, type, values);
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
