import { isRecord } from "../../record.ts";
import type { Path } from "../values.ts";
import { manifestMembers } from "./kinds.ts";
import { type Patch, patchesIn } from "./patches.ts";

/** A manifest of a kind that may hold a policy. */
export interface Manifest {
  readonly value: Readonly<Record<string, unknown>>;
  /** Steps from the root of the source. */
  readonly path: Path;
  readonly apiVersion: string;
  readonly kind: string;
  /** What the composition around it writes into it. */
  readonly patches: readonly Patch[];
}

/** Deeper values are not searched; people nest a manifest in a composition in a list. */
const maxLevels = 20;
/** Objects and lists that one search visits. */
const maxVisited = 50_000;

/**
 * The manifests of a value that may hold a policy: itself, and those anywhere inside it, as lists,
 * compositions, resource graphs and `Object` resources have them.
 */
export function manifestsIn(value: unknown): Iterable<Manifest> {
  const isManifest =
    isRecord(value) && typeof value.apiVersion === "string" && typeof value.kind === "string";
  return isManifest ? search(value, { path: [], patches: [], left: { visits: maxVisited } }) : [];
}

interface Search {
  readonly path: Path;
  readonly patches: readonly Patch[];
  readonly left: { visits: number };
}

function* search(value: unknown, { path, patches, left }: Search): Generator<Manifest> {
  if (typeof value !== "object" || value === null) return;
  if (path.length > maxLevels || left.visits-- <= 0) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* search(item, { path: [...path, index], patches: [], left });
    }
    return;
  }
  if (!isRecord(value)) return;
  const { apiVersion, kind } = value;
  if (typeof apiVersion === "string" && typeof kind === "string") {
    const holdsPolicies = manifestMembers(apiVersion, kind).length > 0;
    if (holdsPolicies) {
      yield { value, path, apiVersion, kind, patches };
      return;
    }
  }
  for (const [name, member] of Object.entries(value)) {
    const own = name === "base" ? patchesIn(value.patches, [...path, "patches"]) : [];
    yield* search(member, { path: [...path, name], patches: own, left });
  }
}
