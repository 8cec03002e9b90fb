import { isRecord } from "../../record.ts";
import { shownPath } from "../document-at.ts";
import { filledValue, tooManyValues } from "../filled-value.ts";
import { offsetsOf } from "../offsets.ts";
import { fillInterpolations } from "../placeholders.ts";
import { notRead, objectPlace, textPlace } from "../places.ts";
import { organizationsType, type PolicyAttribute } from "../terraform/attributes.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { nodeAt, type Path, spanAt, valueAt } from "../values.ts";
import { callNamed, fillingOf } from "./filling.ts";
import { documentOfCall, isDocumentCall } from "./policy-document.ts";
import { resourceProperties } from "./resources.ts";

/** Programs of Pulumi in YAML. https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/ */
export const pulumi: Container = {
  kind: "pulumi",
  recognises: ({ value }) => {
    if (!isRecord(value) || !isRecord(value.resources)) return false;
    const { runtime } = value;
    const isYaml = runtime === "yaml" || (isRecord(runtime) && runtime.name === "yaml");
    return isYaml || Object.values(value.resources).some((one) => typeOf(one)?.startsWith("aws:"));
  },
  read: (source, reading) => [...placesIn(source, reading).take(reading.maxPlaces)],
};

function typeOf(resource: unknown): string | null {
  return isRecord(resource) && typeof resource.type === "string" ? resource.type : null;
}

function* placesIn(source: Source, reading: Reading): Generator<Place> {
  const resources = valueAt(source.value, ["resources"]);
  for (const [name, resource] of Object.entries(isRecord(resources) ? resources : {})) {
    const type = typeOf(resource);
    if (type === null) continue;
    for (const property of resourceProperties(type)) {
      const policyType = policyTypeOf(property, resource);
      if (policyType === null) continue;
      for (const within of pathsOf(valueAt(resource, ["properties"]), property.path)) {
        const path = ["resources", name, "properties", ...within];
        const { service } = property;
        const facts = { address: shownPath(path), policyType, service, resourceType: type, path };
        const place = placeAt(source, facts, reading);
        if (place) yield place;
      }
    }
  }
}

function policyTypeOf({ policyType }: PolicyAttribute, resource: unknown) {
  if (policyType !== "by type") return policyType;
  return organizationsType(valueAt(resource, ["properties", "type"]));
}

/** A list in Terraform has a plural name here: `inline_policy` is `inlinePolicies`. */
function pathsOf(value: unknown, path: readonly string[], before: Path = []): Path[] {
  const [step, ...rest] = path;
  if (step === undefined) return [before];
  if (step === "[]") {
    const items = Array.isArray(value) ? value : [];
    return items.flatMap((item: unknown, index) => pathsOf(item, rest, [...before, index]));
  }
  if (!isRecord(value)) return [];
  return [step, `${step}s`, step.replace(/y$/, "ies")]
    .filter((name, index, all) => all.indexOf(name) === index && Object.hasOwn(value, name))
    .flatMap((name) => pathsOf(value[name], rest, [...before, name]));
}

type Facts = PlaceFacts & { readonly path: Path };

function placeAt(source: Source, facts: Facts, reading: Reading): Place | null {
  const { path } = facts;
  const value = valueAt(source.value, path);
  if (value === undefined || value === null || value === "") return null;
  const span = spanAt(source.root, path);
  if (typeof value === "string") return textAt(value, source, facts, reading);
  const json = callNamed(value, "fn::tojson");
  if (json !== null) return objectAt(source, { ...facts, path: [...path, json] }, reading);
  const call = callNamed(value, "fn::invoke");
  if (call !== null && isDocumentCall(valueAt(value, [call]))) {
    return documentOfCall(source, facts, [...path, call], reading);
  }
  const name = callNamed(value, "fn::");
  if (name === null) return objectAt(source, facts, reading);
  return notRead(facts, `The policy is the value of \`${name.slice(0, 60)}\`.`, { span });
}

function textAt(value: string, source: Source, facts: Facts, { unknowns }: Reading): Place | null {
  const { root, text } = source;
  const span = spanAt(root, facts.path);
  const name = /^\$\{([\w-]+)(?:\.json)?\}$/.exec(value.trim())?.[1];
  const variable = name === undefined ? undefined : valueAt(source.value, ["variables", name]);
  const call = callNamed(variable, "fn::invoke");
  if (name !== undefined && call !== null && isDocumentCall(valueAt(variable, [call]))) {
    return documentOfCall(source, facts, ["variables", name, call], { unknowns, maxPlaces: 1 });
  }
  const node = nodeAt(root, facts.path);
  const offsets = node && text !== null ? offsetsOf(text, node, value) : null;
  const filled = fillInterpolations({ text: value, offsets }, unknowns);
  return textPlace(facts, { ...filled, span }, unknowns);
}

function objectAt(source: Source, facts: Facts, { unknowns }: Reading): Place | null {
  const { path } = facts;
  const value = valueAt(source.value, path);
  const root = nodeAt(source.root, path);
  if (!isRecord(value)) return notRead(facts, "The policy is not an object.", { span: root });
  const filled = filledValue({ value, root }, fillingOf(unknowns));
  if (!filled) return notRead(facts, tooManyValues, { span: root });
  return objectPlace(facts, { value: filled.value, root: root && filled.node });
}
