import { isRecord } from "../../record.ts";
import { isBoundaryName } from "../boundary-name.ts";
import type { Template } from "./template.ts";

/** @returns ids of managed policies that the template uses, or names, as permissions boundaries and nothing else. */
export function boundariesOf({ resources, root }: Template): ReadonlySet<string> {
  const boundaries = new Set<string>();
  const attached = new Set<string>();
  collect(root.value, boundaries, attached);
  for (const { id, type, properties } of resources.values()) {
    if (type !== "IAM::ManagedPolicy" || !isRecord(properties?.value)) continue;
    if (isBoundaryName(id)) boundaries.add(id);
    const { Roles, Users, Groups } = properties.value;
    // An empty list attaches nothing; a function may give anything.
    const attaches = [Roles, Users, Groups].some(
      (list) => list !== undefined && !(Array.isArray(list) && list.length === 0),
    );
    if (attaches) attached.add(id);
  }
  return new Set([...boundaries].filter((id) => !attached.has(id)));
}

function collect(value: unknown, boundaries: Set<string>, attached: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, boundaries, attached);
  } else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === "PermissionsBoundary") addReferences(inner, boundaries);
      else if (name === "ManagedPolicyArns") addReferences(inner, attached);
      else collect(inner, boundaries, attached);
    }
  }
}

/** Adds the ids in every `Ref` of a value. */
function addReferences(value: unknown, ids: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) addReferences(item, ids);
  } else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === "Ref" && typeof inner === "string") ids.add(inner);
      else addReferences(inner, ids);
    }
  }
}
