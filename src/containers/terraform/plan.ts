import { sortedJson } from "../../json/sorted-json.ts";
import { isRecord } from "../../record.ts";
import { Yielder } from "../../yielder.ts";
import { innerPlaces } from "../cloudformation/inner.ts";
import { readPlaces } from "../cloudformation/read.ts";
import { offsetsOf } from "../offsets.ts";
import { placeIdentity } from "../place-identity.ts";
import { notRead, textPlace } from "../places.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { nodeAt, spanAt, valueAt } from "../values.ts";
import { templateArguments } from "./attributes.ts";
import { boundariesByArn, boundariesOf } from "./boundaries.ts";
import { Configuration, withoutKeys } from "./configuration.ts";
import { type PlanContext, renderedPlace, resourcePlaces } from "./planned-places.ts";
import { moduleResources, plannedResources, type Resource, storedResources } from "./resources.ts";

type File = Readonly<Record<string, unknown>>;

/** `terraform show -json` of a plan. */
export const terraformPlan: Container = {
  kind: "terraform_plan",
  recognises: ({ value }) =>
    isRecord(value) &&
    typeof value.format_version === "string" &&
    (isRecord(value.planned_values) || Array.isArray(value.resource_changes)),
  read: (source, reading) => read(source, reading, (file) => [...plannedResources(file)]),
};

/** `terraform show -json` of a state, and a state file of version 4. */
export const terraformState: Container = {
  kind: "terraform_state",
  recognises: ({ value }) => isRecord(value) && (isShownState(value) || isStoredState(value)),
  read: (source, reading) =>
    read(source, reading, (file) =>
      isShownState(file)
        ? [...moduleResources(file, ["values", "root_module"])]
        : [...storedResources(file)],
    ),
};

function isShownState(file: File): boolean {
  return (
    typeof file.format_version === "string" && isRecord(valueAt(file, ["values", "root_module"]))
  );
}

function isStoredState({
  version,
  terraform_version: terraform,
  resources,
  lineage,
}: File): boolean {
  return (
    version === 4 &&
    typeof terraform === "string" &&
    Array.isArray(resources) &&
    typeof lineage === "string"
  );
}

async function read(
  source: Source,
  reading: Reading,
  list: (file: File) => Resource[],
): Promise<Place[]> {
  const file = isRecord(source.value) ? source.value : {};
  const { format_version: version } = file;
  if (typeof version === "string" && !/^[01]\./.test(version)) {
    const facts = { address: "(all policies)", path: [], policyType: null };
    return [notRead(facts, `The format version ${version} is newer than this validator knows.`)];
  }
  const resources = list(file);
  const context = contextFor(source, reading, file, resources);
  const yielder = new Yielder(undefined);
  const places = new Grouped(source);
  for (const resource of resources) {
    if (yielder.shouldYield) await yielder.yieldNow();
    if (resource.mode !== "managed") continue;
    const templates = await templatePlaces(resource, source, reading);
    for (const place of [...resourcePlaces(resource, context), ...templates]) {
      places.add(withoutKeys(place.address), place);
      if (places.count >= reading.maxPlaces) return [...places.all(), tooMany(reading.maxPlaces)];
    }
  }
  const found = places.all();
  return [...found, ...unusedDocuments(context, found)].slice(0, reading.maxPlaces);
}

function contextFor(
  source: Source,
  reading: Reading,
  file: File,
  resources: readonly Resource[],
): PlanContext {
  const configuration = new Configuration(file.configuration);
  const data = [...moduleResources(file, ["prior_state", "values", "root_module"]), ...resources];
  const documents = data.filter(
    ({ mode, type }) => mode === "data" && type === "aws_iam_policy_document",
  );
  return {
    source,
    reading,
    configuration,
    boundaries: configuration.isPresent ? boundariesOf(configuration) : boundariesByArn(resources),
    documents: Map.groupBy(documents, ({ address }) => withoutKeys(address)),
    used: new Set(),
    resources: Map.groupBy(resources, ({ address }) => withoutKeys(address)),
  };
}

/** The places of a template of CloudFormation that an argument of a resource holds. */
async function templatePlaces(
  { address, type, values, unknown, sensitive, path }: Resource,
  source: Source,
  reading: Reading,
): Promise<Place[]> {
  const argument = Object.hasOwn(templateArguments, type) ? templateArguments[type] : undefined;
  if (argument === undefined) return [];
  const value = valueAt(values, [argument]);
  const isUnknown = valueAt(unknown, [argument]) === true;
  if (typeof value !== "string" && !isUnknown) return [];
  const at = [...path, argument];
  const outer: PlaceFacts = {
    address: `${address}.${argument}`,
    path: at,
    policyType: null,
    resourceType: type,
  };
  const isShown = typeof value === "string" && valueAt(sensitive, [argument]) !== true;
  const text = isShown ? value : null;
  const root = spanAt(source.root, at);
  return innerPlaces({ facts: outer, text, root, file: source.text }, reading, {
    depth: 0,
    read: readPlaces,
  });
}

type Instance = NonNullable<Place["instances"]>[number];

/** One place for the instances of a resource whose documents are equal, with their addresses. */
class Grouped {
  readonly #source: Source;
  readonly #groups = new Map<string, { place: Place; instances: Instance[] }>();

  constructor(source: Source) {
    this.#source = source;
  }

  get count(): number {
    return this.#groups.size;
  }

  add(name: string, place: Place): void {
    const documents = place.alternatives.map(({ value, faults }) => [value, faults.length]);
    const key = JSON.stringify([name, place.state, place.reason, place.policyType, documents]);
    const group = this.#groups.get(key);
    const instance = { address: place.address, identity: placeIdentity(place, this.#source) };
    if (group) group.instances.push(instance);
    else this.#groups.set(key, { place, instances: [instance] });
  }

  all(): Place[] {
    return [...this.#groups.values()].map(({ place, instances }) => {
      const [, ...others] = instances;
      if (others.length === 0) return place;
      const addresses = instances.slice(0, 20).map(({ address }) => address);
      const shown = addresses.join(", ");
      const more = instances.length > 20 ? `, and ${instances.length - 20} more` : "";
      const notes = [...place.notes, `Also of these instances: ${shown}${more}.`];
      return { ...place, notes, instances };
    });
  }
}

/** Rendered documents that no resource of the file has, alone. */
function* unusedDocuments(context: PlanContext, places: readonly Place[]): Generator<Place> {
  const { documents, used, source, reading } = context;
  const known = new Set(
    places.flatMap(({ alternatives }) => alternatives.map(({ value }) => sortedJson(value))),
  );
  for (const [address, instances] of documents) {
    if (used.has(address)) continue;
    for (const one of instances) {
      const { address: instance, values, sensitive, path } = one;
      const json = valueAt(values, ["json"]);
      if (typeof json !== "string" || json === "") {
        const facts: PlaceFacts = { address: instance, path, policyType: null };
        const rendered = renderedPlace(one, facts, context);
        if (rendered) yield rendered;
        continue;
      }
      const facts: PlaceFacts = { address: instance, path: [...path, "json"], policyType: null };
      const node = nodeAt(source.root, [...path, "json"]);
      const offsets = node && source.text !== null ? offsetsOf(source.text, node, json) : null;
      const span = spanAt(source.root, [...path, "json"]);
      if (valueAt(sensitive, ["json"]) === true) {
        yield notRead(facts, "Terraform marks the policy as sensitive.", { form: "text", span });
        continue;
      }
      const place = textPlace(facts, { text: json, offsets, span }, reading.unknowns);
      const [content] = place.alternatives.map(({ value }) => sortedJson(value));
      if (content !== undefined && known.has(content)) continue;
      if (content !== undefined) known.add(content);
      yield place;
    }
  }
}

function tooMany(limit: number): Place {
  const facts = { address: "(further policies)", path: [], policyType: null };
  return notRead(facts, `The file has more than ${limit} policies; the others were not read.`);
}
