import { isRecord } from "../../record.ts";
import { shownPath } from "../document-at.ts";
import { locatedLeaf, locatedObject } from "../located.ts";
import { withVariables } from "../serverless/variables.ts";
import type { Container, Place, Reading, Source } from "../types.ts";
import { nodeAt, type Path, valueAt } from "../values.ts";
import { writeSub } from "./index.ts";
import { readPlaces } from "./read.ts";
import { isTemplate } from "./template.ts";

/**
 * A part of a template in its own file, as `resources: ${file(role.yml)}` of the Serverless Framework and macros
 * take it, and templates that are values of another file: test cases, answers of `get-template`, playbooks.
 */
export const embeddedTemplates: Container = {
  kind: "cloudformation",
  recognises: ({ value }) => isResource(value) || isResources(value) || hasTemplate(value),
  async read(file, reading) {
    const source = withVariables(file, reading);
    const { value } = source;
    if (isResource(value)) return placesOf(source, ["Resources", "Resource"], [], reading);
    if (isResources(value)) return placesOf(source, ["Resources"], [], reading);
    const places: Place[] = [];
    for (const path of templatesIn(value)) {
      places.push(...(await placesOf(source, [], path, reading)));
    }
    return places;
  },
  write: writeSub,
};

const typeName = /^(?:AWS|Custom|Alexa)::[A-Za-z0-9]+/;

function isResource(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.Type === "string" &&
    typeName.test(value.Type) &&
    isRecord(value.Properties)
  );
}

/** The value of `Resources`, alone: each member has a type, and some have properties. */
function isResources(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const all = Object.values(value);
  const isTyped = (one: unknown) =>
    isRecord(one) && typeof one.Type === "string" && typeName.test(one.Type);
  return all.length > 0 && all.every(isTyped) && all.some(isResource);
}

/** Test cases have a template below a list and a name. */
const maxLevels = 4;
const maxVisited = 20_000;

const hasTemplate = (value: unknown) => !templatesIn(value).next().done;

/** The paths of the outermost templates in a value. */
function* templatesIn(value: unknown): Generator<Path> {
  const waiting: [unknown, Path][] = [[value, []]];
  let visited = 0;
  for (let next = waiting.pop(); next && visited < maxVisited; next = waiting.pop()) {
    const [part, path] = next;
    if (typeof part !== "object" || part === null) continue;
    visited++;
    if (path.length > 0 && isTemplate({ value: part })) {
      yield path;
      continue;
    }
    if (path.length >= maxLevels) continue;
    const steps = Array.isArray(part) ? [...part.keys()] : Object.keys(part);
    for (const step of steps.reverse()) waiting.push([valueAt(part, [step]), [...path, step]]);
  }
}

/**
 * @param above Names of a template that the file leaves out.
 * @param path Of the part in the file.
 */
async function placesOf(
  source: Source,
  above: readonly string[],
  path: Path,
  reading: Reading,
): Promise<Place[]> {
  const node = nodeAt(source.root, path);
  let part = {
    value: valueAt(source.value, path),
    node: node ?? locatedLeaf(null, { start: 0, end: 0 }).node,
  };
  for (const name of above.toReversed()) {
    part = locatedObject([{ name, key: part.node, located: part }], part.node);
  }
  const template = { ...source, value: part.value, root: node && part.node };
  const outer = above.map((name) => `${name}.`).join("");
  const base = shownPath(path);
  const inFile = (name: string) => {
    const own = name.startsWith(outer) ? name.slice(outer.length) : name;
    return base === "" ? own : `${base}.${own}`;
  };
  return (await readPlaces(template, reading)).map((place) => ({
    ...place,
    address: inFile(place.address),
    label: place.label === place.address ? inFile(place.label) : place.label,
    path: place.path && [...path, ...place.path.slice(above.length)],
  }));
}
