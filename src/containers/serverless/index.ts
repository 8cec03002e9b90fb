import { isRecord } from "../../record.ts";
import { readPlaces } from "../cloudformation/read.ts";
import { shownPath } from "../document-at.ts";
import { type Located, type LocatedMember, locatedLeaf, locatedObject } from "../located.ts";
import { networkOf } from "../network.ts";
import { notRead } from "../places.ts";
import type { Container, Place, Reading, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";
import { Variables } from "./variables.ts";

/** A list of statements, as the property of a resource that CloudFormation gets. */
interface Statements {
  readonly path: Path;
  readonly type: string;
  readonly property: string;
}

/** `serverless.yml` of the Serverless Framework for AWS, and a file of statements that it takes with `${file(…)}`. */
export const serverless: Container = {
  kind: "serverless",
  recognises: (source) => {
    const { value } = source;
    if (isStatementFile(source)) return true;
    if (!isRecord(value) || value.service === undefined) return false;
    const { provider } = value;
    return provider === "aws" || (isRecord(provider) && provider.name === "aws");
  },
  async read(source, reading) {
    const variables = new Variables(source, reading);
    const statements = statementLists(source.value);
    const places: Place[] = statements.flatMap((list) => unreadable(source, list) ?? []);
    const readable = statements.filter((list) => !unreadable(source, list));
    const own: LocatedMember[] = readable.map(({ path, type, property }, index) => {
      const list = variables.at(path);
      return { name: String(index), key: list.node, located: resource(list, type, property) };
    });
    const generated = templateOf(source, own, nodeOf(source));
    for (const place of await readPlaces(generated, reading)) {
      const [, id] = /^Resources\.([0-9]+)\./.exec(place.address) ?? [];
      const list = readable[Number(id)];
      if (!list) continue;
      const address = shownPath(list.path);
      const network = networkOf(place.service, null, endpointOf(variables));
      const about = { ...place, address, label: address, path: list.path, network };
      places.push({ ...about, form: "statements" });
    }
    for (const path of templatePaths(source.value)) {
      places.push(...(await templatePlaces(source, path, variables, reading)));
    }
    return places.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  },
};

/** The framework takes the type of the endpoint in any letter case. */
function endpointOf(variables: Variables) {
  const { value } = variables.at(["provider", "endpointType"]);
  const types = typeof value === "string" ? [value.toUpperCase()] : [];
  return { endpointConfiguration: { types } };
}

/** A list of statements in YAML, which no API of AWS takes, so it is part of something. */
function isStatementFile({ name, text, value }: Source): boolean {
  if (name === null || text === null || !Array.isArray(value) || /^\s*\[/.test(text)) return false;
  const isStatement = (one: unknown) =>
    isRecord(one) && Object.hasOwn(one, "Effect") && ("Action" in one || "NotAction" in one);
  return value.length > 0 && value.every(isStatement);
}

function statementLists(file: unknown): Statements[] {
  const identity = { type: "AWS::IAM::Policy", property: "PolicyDocument" };
  if (Array.isArray(file)) return [{ path: [], ...identity }];
  const api = { type: "AWS::ApiGateway::RestApi", property: "Policy" };
  const functions = valueAt(file, ["functions"]);
  const names = isRecord(functions) ? Object.keys(functions) : [];
  const lists = [
    { path: ["provider", "iam", "role", "statements"], ...identity },
    { path: ["provider", "iamRoleStatements"], ...identity },
    ...names.map((name) => ({ path: ["functions", name, "iamRoleStatements"], ...identity })),
    // Version 4: https://www.serverless.com/framework/docs/providers/aws/guide/iam
    ...names.map((name) => ({
      path: ["functions", name, "iam", "role", "statements"],
      ...identity,
    })),
    // Of the role of all tasks: https://www.serverless.com/plugins/serverless-fargate
    { path: ["fargate", "iamRoleStatements"], ...identity },
    { path: ["provider", "apiGateway", "resourcePolicy"], ...api },
    { path: ["provider", "resourcePolicy"], ...api },
  ];
  return lists.filter(({ path }) => {
    const value = valueAt(file, path);
    return typeof value === "string" || (Array.isArray(value) && value.length > 0);
  });
}

/** A list that a variable gives is read where the file has its value. */
function unreadable(source: Source, { path }: Statements): Place | null {
  const value = valueAt(source.value, path);
  if (typeof value !== "string") return null;
  const [, target] = /^\$\{self:([\w.-]+)\}$/.exec(value) ?? [];
  if (target && Array.isArray(valueAt(source.value, target.split(".")))) return null;
  const facts = { address: shownPath(path), path, policyType: null };
  const reason = `The statements are the value of \`${value.slice(0, 100)}\`, which is not in this file.`;
  return notRead(facts, reason, { form: "statements", span: spanAt(source.root, path) });
}

/** The framework adds the version. */
function resource(list: Located, type: string, property: string): Located {
  const at = list.node;
  const document = locatedObject(
    [
      { name: "Version", key: at, located: locatedLeaf("2012-10-17", at) },
      { name: "Statement", key: at, located: list },
    ],
    at,
  );
  const properties = locatedObject([{ name: property, key: at, located: document }], at);
  return locatedObject(
    [
      { name: "Type", key: at, located: locatedLeaf(type, at) },
      { name: "Properties", key: at, located: properties },
    ],
    at,
  );
}

function templateOf(
  source: Source,
  resources: readonly LocatedMember[],
  at: Located["node"],
): Source {
  const list = locatedObject(resources, at);
  const { value, node } = locatedObject([{ name: "Resources", key: at, located: list }], at);
  return { ...source, value, root: source.root && node };
}

function nodeOf({ root }: Source): Located["node"] {
  return root ?? { start: 0, end: 0, members: null, items: null };
}

/** `resources` is a template, or a list of them. */
function templatePaths(file: unknown): Path[] {
  const resources = valueAt(file, ["resources"]);
  if (!Array.isArray(resources)) return isRecord(resources) ? [["resources"]] : [];
  return resources.flatMap((part, index) => (isRecord(part) ? [["resources", index]] : []));
}

async function templatePlaces(
  source: Source,
  path: Path,
  variables: Variables,
  reading: Reading,
): Promise<Place[]> {
  if (!isRecord(valueAt(source.value, [...path, "Resources"]))) return [];
  const { value, node } = variables.at(path);
  const template = { ...source, value, root: source.root && node };
  const prefix = shownPath(path);
  return (await readPlaces(template, reading)).map((place) => ({
    ...place,
    address: `${prefix}.${place.address}`,
    label: place.label === place.address ? `${prefix}.${place.label}` : place.label,
    path: place.path && [...path, ...place.path],
  }));
}
