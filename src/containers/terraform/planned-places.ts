import type { PolicyType } from "../../../spec/policy.ts";
import type { Network } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { lettersOf, networkBlocks, networkOf } from "../network.ts";
import { offsetsOf } from "../offsets.ts";
import { notRead, objectPlace, textPlace } from "../places.ts";
import type { AttachedTo, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { nodeAt, type Path, spanAt, valueAt } from "../values.ts";
import { arnFormOf } from "./arns.ts";
import { organizationsType, type PolicyAttribute, policyAttributes } from "./attributes.ts";
import type { Configuration } from "./configuration.ts";
import { withoutKeys } from "./configuration.ts";
import { DocumentRenderer } from "./rendered-document.ts";
import type { Resource } from "./resources.ts";

/** What the readers of a plan and a state have in common. */
export interface PlanContext {
  readonly source: Source;
  readonly reading: Reading;
  readonly configuration: Configuration;
  /** Addresses, without instance keys, of policies that are boundaries and attached to nothing. */
  readonly boundaries: ReadonlySet<string>;
  /** Data sources `aws_iam_policy_document`, by address without instance keys. */
  readonly documents: ReadonlyMap<string, readonly Resource[]>;
  /** Addresses of those that a resource uses. */
  readonly used: Set<string>;
  /** Resources, by address without instance keys. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
}

/** The places of one resource. */
export function* resourcePlaces(resource: Resource, context: PlanContext): Generator<Place> {
  for (const facts of policyAttributes(resource.type)) {
    for (const path of pathsOf(resource, facts.path)) {
      const place = placeAt(resource, facts, path, context);
      if (place) yield place;
    }
  }
}

/** Paths with the indexes of blocks. A block that is unknown as a whole is one path. */
function pathsOf(resource: Resource, path: readonly string[]): Path[] {
  const [name = "", list, ...rest] = path;
  if (list !== "[]") return [path];
  const blocks = valueAt(resource.values, [name]);
  const marks = valueAt(resource.unknown, [name]);
  if (marks === true) return [[name]];
  const count = Math.max(lengthOf(blocks), lengthOf(marks));
  return Array.from({ length: count }, (_, index) => [name, index, ...rest]);
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0);

function placeAt(
  resource: Resource,
  attribute: PolicyAttribute,
  path: Path,
  context: PlanContext,
): Place | null {
  const { source, reading, configuration } = context;
  const value = valueAt(resource.values, path);
  const isUnknown = isMarked(resource.unknown, path);
  const policyType = typeOf(resource, attribute, context);
  if (attribute.policyType === "by type" && policyType === null) return null;
  const facts: PlaceFacts = {
    address: `${resource.address}.${shownPath(path)}`,
    label: `${resource.address}.${shownPath(path)}`.replace(/\.policy$/, ""),
    path: [...resource.path, ...path],
    policyType,
    service: attribute.service,
    resourceType: resource.type,
    attached: attachedTo(resource, attribute),
    network: networkIn(resource, attribute, context),
  };
  const span = spanAt(source.root, facts.path ?? []);
  if (isUnknown) {
    // Providers compute the policy of a bucket or a topic; without an expression the source has none.
    const written = attribute.path;
    if (configuration.isPresent && !configuration.hasArgument(resource.address, written))
      return null;
    return unknownPlace(resource, attribute, facts, context);
  }
  if (typeof value !== "string" || value.trim() === "") return null;
  markUsed(resource, attribute, context);
  if (isMarked(resource.sensitive, path)) {
    return notRead(facts, "Terraform marks the policy as sensitive.", { form: "text", span });
  }
  const node = nodeAt(source.root, facts.path ?? []);
  const offsets = node && source.text !== null ? offsetsOf(source.text, node, value) : null;
  return textPlace(facts, { text: value, offsets, span }, reading.unknowns);
}

/** The data sources that an argument refers to, directly or through documents that they merge. */
function documentsOf(
  resource: Pick<Resource, "address">,
  path: readonly string[],
  { configuration, documents }: PlanContext,
): string[] {
  const found = new Set<string>();
  const visit = (address: string, argument: readonly string[]) => {
    for (const reference of configuration.references(address, argument)) {
      const document = documentAddress(reference);
      if (!document || !documents.has(document) || found.has(document)) continue;
      found.add(document);
      for (const name of mergingArguments) visit(document, [name]);
    }
  };
  visit(resource.address, path);
  return [...found];
}

const mergingArguments = [
  "source_policy_documents",
  "override_policy_documents",
  "source_json",
  "override_json",
] as const;

function documentAddress(reference: string): string | null {
  const [address] =
    /^(?:module\.[^.]+\.)*data\.aws_iam_policy_document\.[^.[]+/.exec(withoutKeys(reference)) ?? [];
  return address ?? null;
}

function markUsed(resource: Resource, { path }: PolicyAttribute, context: PlanContext): void {
  for (const address of documentsOf(resource, path, context)) context.used.add(address);
}

function unknownPlace(
  resource: Resource,
  { path }: PolicyAttribute,
  facts: PlaceFacts,
  context: PlanContext,
): Place {
  const { configuration, documents, source, used } = context;
  const addresses = documentsOf(resource, path, context);
  for (const address of addresses) used.add(address);
  const [first] = addresses;
  const planned = first === undefined ? undefined : instanceFor(resource, documents.get(first));
  const span = spanAt(source.root, resource.path);
  if (planned) {
    const notes = [`Rendered from \`${planned.address}\`.`];
    const about = { ...facts, path: planned.path, notes };
    const place = renderedPlace(planned, about, context);
    const others = mergedElsewhere(planned, addresses.length);
    if (place) return others ? { ...place, state: "partly_read", reason: others } : place;
  }
  const references = configuration.references(resource.address, path);
  const shown = references.slice(0, 3).map((one) => `\`${one}\``);
  const because = shown.length > 0 ? ` It refers to ${shown.join(", ")}.` : "";
  return notRead(facts, `The policy is known after apply.${because}`, { form: "text", span });
}

/** @returns The document of a data source that Terraform has not rendered; null if nothing is known. */
export function renderedPlace(
  { address, values, unknown, path }: Resource,
  facts: PlaceFacts,
  { source, reading, configuration }: PlanContext,
): Place | null {
  const { unknowns } = reading;
  const root = nodeAt(source.root, path);
  const expression = configuration.expressionOf(address) ?? unknowns.onlyThisVersion;
  const planned = { address, after: values, unknown, root, expression };
  const rendered = new DocumentRenderer(unknowns).render(planned);
  if (!rendered) return null;
  const place = objectPlace(facts, { value: rendered.value, root: root && rendered.node });
  return { ...place, form: "blocks" };
}

/** An instance with the key of the resource, else the first. */
function instanceFor(
  { address }: Resource,
  instances: readonly Resource[] | undefined,
): Resource | undefined {
  const key = address.endsWith("]") ? address.slice(address.lastIndexOf("[")) : "";
  return instances?.find((one) => key !== "" && one.address.endsWith(key)) ?? instances?.[0];
}

function mergedElsewhere({ values, unknown }: Resource, count: number): string | null {
  const merges = mergingArguments.some((name) => {
    const value = valueAt(values, [name]);
    return valueAt(unknown, [name]) === true || (Array.isArray(value) && value.length > 0);
  });
  if (!merges && count <= 1) return null;
  return "The policy merges further documents, which were not read here.";
}

/** @returns Whether the value, or a block around it, is marked. */
function isMarked(marks: unknown, path: Path): boolean {
  let at = marks;
  if (at === true) return true;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
    if (at === true) return true;
  }
  return false;
}

function typeOf(
  { address, type, values }: Resource,
  { policyType }: PolicyAttribute,
  { boundaries }: PlanContext,
): PolicyType | null {
  if (policyType === "by type") return organizationsType(valueAt(values, ["type"]));
  const isBoundary = type === "aws_iam_policy" && boundaries.has(withoutKeys(address));
  return isBoundary ? "PERMISSIONS_BOUNDARY" : policyType;
}

function attachedTo(
  { type, values }: Resource,
  { policyType, attachedBy }: PolicyAttribute,
): AttachedTo | null {
  if (policyType !== "RESOURCE_POLICY" || !isRecord(values)) return null;
  const by = values[attachedBy ?? arnFormOf(type)?.nameArgument ?? ""];
  const own = attachedBy ? undefined : values.arn;
  const [arn] = [by, own].filter((one) => typeof one === "string" && one.startsWith("arn:"));
  if (typeof arn === "string") return { arn, name: null };
  if (typeof by !== "string" || by === "") return null;
  const [, region, account, queue] =
    /^https:\/\/sqs\.([a-z0-9-]+)\.[^/]+\/(\d{12})\/([^/]+)$/.exec(by) ?? [];
  if (queue === undefined) return { arn: null, name: by };
  return { arn: `arn:aws:sqs:${region}:${account}:${queue}`, name: null };
}

/** What alone reaches the resource of the policy, which is this one or one that an argument refers to. */
function networkIn(
  resource: Resource,
  { service, attachedBy }: PolicyAttribute,
  { configuration, resources }: PlanContext,
): Network | null {
  const references = attachedBy ? configuration.references(resource.address, [attachedBy]) : [];
  const named = references.flatMap((one) => resources.get(ownerOf(one)) ?? []);
  const owners = attachedBy ? named : [resource];
  const [first = null, ...others] = owners.map((owner) =>
    networkOf(service, owner.type, networkSettings(owner)),
  );
  return others.every((one) => one === first) ? first : null;
}

/** `aws_opensearch_domain.logs` of `aws_opensearch_domain.logs.domain_name`. */
const ownerOf = (reference: string) => withoutKeys(reference).replace(/\.[^.]+$/, "");

/** The blocks of a resource that keep it off the internet, with a text for what Terraform learns when it applies them. */
function networkSettings({ values, unknown }: Resource): Readonly<Record<string, unknown>> {
  const names = [values, unknown].flatMap((part) => (isRecord(part) ? Object.keys(part) : []));
  const blocks = names.filter((name) => networkBlocks.has(lettersOf(name)));
  const known = blocks.map((name) => [
    name,
    withUnknown(valueAt(values, [name]), valueAt(unknown, [name]), 0),
  ]);
  return Object.fromEntries(known);
}

/** A block that is unknown as a whole becomes a text too, which has no settings: it may not be there. */
function withUnknown(value: unknown, unknown: unknown, level: number): unknown {
  if (unknown === true) return "known after apply";
  if (typeof unknown !== "object" || unknown === null || level > 10) return value;
  const inner = (step: string | number) =>
    withUnknown(valueAt(value, [step]), valueAt(unknown, [step]), level + 1);
  if (Array.isArray(unknown)) return unknown.map((_, index) => inner(index));
  const members = isRecord(value) ? value : {};
  const found = Object.keys(unknown).map((name) => [name, inner(name)]);
  return { ...members, ...Object.fromEntries(found) };
}

function shownPath(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);
}
