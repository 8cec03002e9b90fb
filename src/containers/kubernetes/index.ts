import { isRecord } from "../../record.ts";
import { documentAt, type Fill, shownPath } from "../document-at.ts";
import { fill, manifestPlaceholdersIn } from "../placeholders.ts";
import { notRead } from "../places.ts";
import { organizationsType } from "../terraform/attributes.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";
import { manifestMembers } from "./kinds.ts";

/** Lists in lists and compositions in lists; people write one level. */
const maxLevels = 4;

/** Manifests of AWS Controllers for Kubernetes and of Crossplane. */
export const kubernetes: Container = {
  kind: "kubernetes",
  recognises: ({ value }) => {
    const [first] = manifestsIn(value, [], 0);
    return first !== undefined;
  },
  read: (source, reading) => [...placesIn(source, reading)],
};

interface Manifest {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: Path;
  readonly apiVersion: string;
  readonly kind: string;
  /** Paths in the manifest that a composition sets. */
  readonly patched: readonly string[];
}

/** The manifests of a value that may hold a policy: itself, the items of a list, the parts of a composition. */
function* manifestsIn(value: unknown, path: Path, level: number): Generator<Manifest> {
  if (!isRecord(value) || level > maxLevels) return;
  const { apiVersion, kind, spec } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return;
  if (manifestMembers(apiVersion, kind).length > 0) {
    yield { value, path, apiVersion, kind, patched: [] };
  }
  if (kind === "List" && Array.isArray(value.items)) {
    for (const [index, item] of value.items.entries()) {
      yield* manifestsIn(item, [...path, "items", index], level + 1);
    }
  }
  if (kind === "Composition" && isRecord(spec)) {
    yield* composedIn(spec.resources, [...path, "spec", "resources"], level);
    for (const [index, step] of (Array.isArray(spec.pipeline) ? spec.pipeline : []).entries()) {
      const at = [...path, "spec", "pipeline", index, "input", "resources"];
      yield* composedIn(valueAt(step, ["input", "resources"]), at, level);
    }
  }
}

function* composedIn(resources: unknown, path: Path, level: number): Generator<Manifest> {
  for (const [index, resource] of (Array.isArray(resources) ? resources : []).entries()) {
    if (!isRecord(resource)) continue;
    const patches = Array.isArray(resource.patches) ? resource.patches : [];
    const patched = patches.flatMap((patch) => {
      const to = isRecord(patch) ? (patch.toFieldPath ?? patch.fromFieldPath) : undefined;
      return typeof to === "string" ? [to] : [];
    });
    for (const manifest of manifestsIn(resource.base, [...path, index, "base"], level + 1)) {
      yield { ...manifest, patched };
    }
  }
}

function* placesIn(source: Source, reading: Reading): Generator<Place> {
  let count = 0;
  for (const manifest of manifestsIn(source.value, [], 0)) {
    for (const { path, policyType, service } of manifestMembers(
      manifest.apiVersion,
      manifest.kind,
    )) {
      const type = policyType === "by type" ? typeIn(manifest) : policyType;
      if (type === null) continue;
      for (const within of pathsOf(manifest.value, path)) {
        if (++count > reading.maxPlaces) return;
        const facts = {
          address: `${nameOf(manifest)} ${shownPath(within)}`,
          policyType: type,
          service,
          resourceType: `${manifest.apiVersion}/${manifest.kind}`,
        };
        const place = placeAt(source, manifest, within, facts, reading);
        if (place) yield place;
      }
    }
  }
}

function placeAt(
  source: Source,
  { path, patched }: Manifest,
  within: Path,
  facts: Omit<PlaceFacts, "path">,
  reading: Reading,
): Place | null {
  const at = [...path, ...within];
  const value = valueAt(source.value, at);
  const about = { ...facts, path: at };
  const span = spanAt(source.root, at);
  if (isRecord(value) && !Object.hasOwn(value, "Statement")) {
    if (Object.hasOwn(value, "statements")) {
      const reason = "It is written with the provider's own member names (`statements`).";
      return notRead(about, reason, { span });
    }
    return null;
  }
  if (patched.includes(shownPath(within))) {
    return notRead(about, "A patch of the composition sets the policy.", { span });
  }
  const filled: Fill = (text, offsets) =>
    fill({ text, offsets }, [...manifestPlaceholdersIn(text)], reading.unknowns);
  return documentAt(source, at, facts, reading, filled);
}

/** A block can be a list of one or, in newer versions, an object. */
function pathsOf(value: unknown, path: readonly string[], before: Path = []): Path[] {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined || value === null ? [] : [before];
  if (step === "[]" && Array.isArray(value)) {
    return value.flatMap((item, index) => pathsOf(item, rest, [...before, index]));
  }
  if (step === "[]") return pathsOf(value, rest, before);
  if (!isRecord(value)) return [];
  if (step === "*") {
    return Object.keys(value).flatMap((name) => pathsOf(value[name], rest, [...before, name]));
  }
  return Object.hasOwn(value, step) ? pathsOf(value[step], rest, [...before, step]) : [];
}

function typeIn({ value }: Manifest) {
  return organizationsType(valueAt(value, ["spec", "forProvider", "type"]));
}

function nameOf({ value, kind }: Manifest): string {
  const name = valueAt(value, ["metadata", "name"]) ?? valueAt(value, ["metadata", "generateName"]);
  return typeof name === "string" ? `${kind}/${name}` : kind;
}
