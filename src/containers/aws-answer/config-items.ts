import { parseJson } from "../../json/parse.ts";
import { jsonPositions } from "../../json/positions.ts";
import { measureJson } from "../../json/text.ts";
import { isRecord } from "../../record.ts";
import { parts } from "../cloudformation/property-parts.ts";
import { policyProperties } from "../cloudformation/table.ts";
import { documentAt, isDocumentLike, shownPath } from "../document-at.ts";
import { moved, offsetsOf } from "../offsets.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { nodeAt, type Path, valueAt } from "../values.ts";
import { type ConfigDocument, configDocuments } from "./config-documents.ts";

/**
 * Configuration items of AWS Config: one, a snapshot or a history of them, and the answers of its commands.
 * https://docs.aws.amazon.com/config/latest/developerguide/config-item-table.html
 */
export const configItems: Container = {
  kind: "aws_answer",
  recognises: ({ value }) => !itemsIn(value).next().done,
  read: (source, reading) => [...placesIn(source, reading)],
};

const lists = ["configurationItems", "baseConfigurationItems", "BaseConfigurationItems"] as const;

function* itemsIn(value: unknown): Generator<[Readonly<Record<string, unknown>>, Path]> {
  if (isItem(value)) yield [value, []];
  if (!isRecord(value)) return;
  // An event of AWS Config has the item in a member.
  for (const name of ["configurationItem", "ConfigurationItem"]) {
    const item = value[name];
    if (isItem(item)) yield [item, [name]];
  }
  for (const name of lists) {
    const list = value[name];
    for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
      if (isItem(item)) yield [item, [name, index]];
    }
  }
}

function isItem(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isRecord(value) &&
    typeof value.resourceType === "string" &&
    value.resourceType.startsWith("AWS::") &&
    (isRecord(value.configuration) || typeof value.configuration === "string")
  );
}

function* placesIn(source: Source, reading: Reading): Generator<Place> {
  let count = 0;
  for (const [item, path] of itemsIn(source.value)) {
    const type = String(item.resourceType);
    const name = typeof item.resourceName === "string" ? item.resourceName : item.resourceId;
    for (const document of documentsOf(type, item)) {
      if (++count > reading.maxPlaces) return;
      const place = placeOf(source, path, document, type, reading);
      if (place) yield { ...place, label: `${String(name)} ${place.label}`.trim() };
    }
  }
}

/** The older types have members in camel case, the others the properties of CloudFormation. */
function documentsOf(
  type: string,
  item: Readonly<Record<string, unknown>>,
): readonly ConfigDocument[] {
  const known = configDocuments(type, (path) => valueIn(item, path));
  if (known.length > 0) return known;
  const short = type.slice("AWS::".length);
  const rows = Object.hasOwn(policyProperties, short) ? (policyProperties[short] ?? []) : [];
  const part = { value: valueIn(item, ["configuration"]), root: null };
  const resource = {
    id: "",
    type: short,
    part,
    properties: part,
    condition: null,
    path: ["configuration"],
    address: "configuration",
    loops: new Map<string, readonly string[]>(),
  };
  return rows.flatMap(({ path, type: policyType, service, form }) =>
    policyType === "organizations" || form !== undefined
      ? []
      : [...parts(part, path, resource)].map((found) => ({
          path: found.path,
          policyType,
          service,
        })),
  );
}

/** The value at a path; `configuration` and its parts may be JSON text. */
function valueIn(item: unknown, path: Path): unknown {
  let at = item;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = decoded((at as Readonly<Record<string | number, unknown>>)[step]);
  }
  return at;
}

function decoded(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*\{/.test(value)) return value;
  if (measureJson(value).tooDeepAt >= 0) return value;
  try {
    const parsed: unknown = parseJson(value);
    return isDocumentLike(parsed) ? value : parsed;
  } catch {
    return value;
  }
}

function placeOf(
  source: Source,
  item: Path,
  { path, policyType, service }: ConfigDocument,
  resourceType: string,
  reading: Reading,
): Place | null {
  const address = shownPath([...item, ...path]);
  const facts: Omit<PlaceFacts, "path"> = { address, policyType, service, resourceType };
  for (let length = 1; length <= path.length; length++) {
    const at = [...item, ...path.slice(0, length)];
    const text = valueAt(source.value, at);
    if (typeof text !== "string" || text === decoded(text)) continue;
    // A part is JSON text: what is in it has no path in the file.
    const inner = innerSource(source, at, text);
    const place = documentAt(inner, path.slice(length), facts, reading);
    return place && { ...place, path: null };
  }
  return documentAt(source, [...item, ...path], facts, reading);
}

/** The JSON text of a member as a source, with the positions of the file. */
function innerSource(source: Source, at: Path, text: string): Source {
  const node = nodeAt(source.root, at);
  const offsets = node && source.text !== null ? offsetsOf(source.text, node, text) : null;
  const root = offsets && moved(jsonPositions(text, measureJson(text).brackets), offsets);
  return { ...source, value: parseJson(text), root, text: root ? source.text : null };
}
