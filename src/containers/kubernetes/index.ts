import { isRecord } from "../../record.ts";
import { documentAt, type Fill, shownPath } from "../document-at.ts";
import { networkOf } from "../network.ts";
import { fill, manifestPlaceholdersIn } from "../placeholders.ts";
import { notRead } from "../places.ts";
import { organizationsType } from "../terraform/attributes.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";
import { inlinePlaces } from "./inline-templates.ts";
import { manifestMembers } from "./kinds.ts";
import { type Manifest, manifestsIn } from "./manifests.ts";
import { isPatchOf, patchedPlace } from "./patches.ts";

/** Manifests of AWS Controllers for Kubernetes and of Crossplane, also inside compositions, lists and graphs. */
export const kubernetes: Container = {
  kind: "kubernetes",
  recognises: (source) => {
    const [first] = manifestsIn(source.value);
    if (first !== undefined) return true;
    const [inline] = inlinePlaces(source);
    return inline !== undefined;
  },
  read: (source, reading) =>
    [...placesIn(source, reading), ...inlinePlaces(source)].slice(0, reading.maxPlaces),
};

function* placesIn(source: Source, reading: Reading): Generator<Place> {
  let count = 0;
  for (const manifest of manifestsIn(source.value)) {
    for (const { path, policyType, service } of manifestMembers(
      manifest.apiVersion,
      manifest.kind,
    )) {
      const type = policyType === "by type" ? typeIn(manifest) : policyType;
      if (type === null) continue;
      const factsAt = (where: string) => ({
        address: `${nameOf(manifest)} ${where}`,
        policyType: type,
        service,
        resourceType: `${manifest.apiVersion}/${manifest.kind}`,
        network: networkOf(service, manifest.kind, valueAt(manifest.value, path.slice(0, -1))),
      });
      for (const within of pathsOf(manifest.value, path)) {
        if (++count > reading.maxPlaces) return;
        const place = placeAt(source, manifest, within, factsAt(shownPath(within)), reading);
        if (place) yield place;
      }
      for (const patch of manifest.patches) {
        if (!isPatchOf(patch, path)) continue;
        if (++count > reading.maxPlaces) return;
        yield patchedPlace(source, patch, factsAt(patch.to), reading);
      }
    }
  }
}

function placeAt(
  source: Source,
  { path, patches }: Manifest,
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
  // What the patch sets is a place, and this value never reaches AWS.
  if (patches.some(({ to }) => to === shownPath(within))) return null;
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
