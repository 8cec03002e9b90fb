import type { PolicyType } from "../../../spec/policy.ts";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { notRead, parsePolicyText, placeOf } from "../places.ts";
import type { Alternative, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { attachedTo } from "./attached.ts";
import { boundariesOf } from "./boundaries.ts";
import { type Choice, choicesFor } from "./choices.ts";
import { type InnerText, innerPlaces } from "./inner.ts";
import { type FoundPart, parts } from "./property-parts.ts";
import { Resolver, removed } from "./resolver.ts";
import { type PolicyProperty, policyProperties, templateProperties } from "./table.ts";
import {
  functionIn,
  items,
  member,
  type Part,
  type Resource,
  readTemplate,
  type Template,
} from "./template.ts";

/** @returns The places of a template, in its order. */
export async function readPlaces(source: Source, reading: Reading, depth = 0): Promise<Place[]> {
  const template = readTemplate(source);
  const boundaries = boundariesOf(template);
  const places: Place[] = [];
  for (const resource of template.resources.values()) {
    const { type, properties } = resource;
    if (type === null || !properties) continue;
    for (const property of Object.hasOwn(policyProperties, type)
      ? (policyProperties[type] ?? [])
      : []) {
      for (const found of parts(properties, property.path, resource)) {
        if (places.length >= reading.maxPlaces) return places;
        const place = readPlace(found, {
          property,
          resource,
          template,
          source,
          reading,
          boundaries,
        });
        if (place) places.push(place);
      }
    }
    const inner = Object.hasOwn(templateProperties, type) ? templateProperties[type] : undefined;
    const body = inner === undefined ? null : member(properties, inner);
    if (inner !== undefined && body) {
      const text = innerText(body, { resource, source, name: inner });
      places.push(...(await innerPlaces(text, reading, { depth, read: readPlaces })));
    }
  }
  return places.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

interface Context {
  readonly property: PolicyProperty;
  readonly resource: Resource;
  readonly template: Template;
  readonly source: Source;
  readonly reading: Reading;
  readonly boundaries: ReadonlySet<string>;
}

/** @returns null if the value is a reference to a policy and not a document. */
function readPlace(found: FoundPart, context: Context): Place | null {
  const { property, resource, template, source, reading } = context;
  const { part } = found;
  if (property.path === "Policies[]" && isReference(part)) return null;
  const type = typeOf(context);
  if (type === null) return null;
  const facts = factsOf(found, type, context);
  const span: Span | null = part.root;
  if (template.hasMacro && functionIn(part)) {
    return notRead(
      facts,
      "A macro may change the template, and the policy is the value of a function.",
      {
        span,
      },
    );
  }
  const choices = choicesFor(template, part, found.fixed, resource.loops);
  const alternatives: Alternative[] = [];
  let form: Place["form"] = "object";
  let reason: string | null = null;
  for (const choice of choices) {
    const resolver = new Resolver(template, reading.unknowns, choice, source.text);
    const read = readAlternative(part, resolver, choice, context);
    if (read === null) continue;
    if ("reason" in read) {
      reason ??= read.reason;
      continue;
    }
    form = read.form;
    reason ??= resolver.partly ?? unknownStatements(read.alternative.value, context);
    const attached = attachedTo(property, resource, resolver, reading.unknowns);
    alternatives.push({ ...read.alternative, attached });
  }
  if (alternatives.length === 0) {
    return reason === null ? null : notRead(facts, reason, { form, span });
  }
  if (template.hasMacro) reason ??= "The template has a macro, which may change the policy.";
  return placeOf(facts, {
    form: property.form ? (Array.isArray(part.value) ? "statements" : "statement") : form,
    span,
    state: reason === null ? "read" : "partly_read",
    reason,
    alternatives: distinct(alternatives),
  });
}

function factsOf(
  { path, address }: FoundPart,
  policyType: PolicyType,
  { property, resource }: Context,
): PlaceFacts {
  const metadata = member(resource.part, "Metadata");
  const construct = metadata && member(metadata, "aws:cdk:path");
  const full = `Resources.${resource.id}.Properties.${address}`;
  return {
    address: full,
    label: typeof construct?.value === "string" ? construct.value : full,
    path,
    policyType,
    service: property.service,
    resourceType: `AWS::${resource.type}`,
    notes:
      resource.condition === null
        ? []
        : [`It exists if the condition \`${resource.condition}\` is true.`],
  };
}

/** @returns null if a policy of this kind is none of IAM's. */
function typeOf({ property, resource, boundaries }: Context): PolicyType | null {
  if (property.type === "organizations") {
    const kind = resource.properties && member(resource.properties, "Type")?.value;
    if (kind === "SERVICE_CONTROL_POLICY") return "SERVICE_CONTROL_POLICY";
    return kind === "RESOURCE_CONTROL_POLICY" ? "RESOURCE_CONTROL_POLICY" : null;
  }
  return boundaries.has(resource.id) ? "PERMISSIONS_BOUNDARY" : property.type;
}

/**
 * SAM's `Policies` also takes names and ARNs of managed policies, and policy templates: objects with one
 * member that holds their parameters.
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-policy-templates.html
 */
function isReference({ value }: Part): boolean {
  return !(isRecord(value) && Object.hasOwn(value, "Statement"));
}

type ReadAlternative =
  | { readonly reason: string }
  | { readonly alternative: Alternative; readonly form: Place["form"] };

function readAlternative(
  part: Part,
  resolver: Resolver,
  { phrases, byDefault }: Choice,
  { property, reading, resource }: Context,
): ReadAlternative | null {
  const resolved = resolver.resolve(part);
  if (resolved === removed || resolved.value === null) return null;
  const { value, root } = resolved;
  const about = { choices: phrases, byDefault, problems: resolver.problems };
  if (typeof value === "string") {
    const { offsets = null } = resolved;
    const parsed = parsePolicyText({ text: value, offsets, span: part.root }, reading.unknowns);
    if ("reason" in parsed) return parsed;
    const { form, ...document } = parsed;
    return { form, alternative: { ...about, ...document } };
  }
  if (!property.form) {
    // SAM adds the version to documents without one.
    const completed = resource.type?.startsWith("Serverless::") ? versioned(value) : value;
    return { form: "object", alternative: { ...about, value: completed, root, faults: [] } };
  }
  const document = { Version: "2012-10-17", Statement: value };
  const members = root && new Map([["Statement", { key: root, value: root }]]);
  const around = root && { start: root.start, end: root.end, members, items: null };
  return {
    form: "statements",
    alternative: { ...about, value: document, root: around, faults: [] },
  };
}

function versioned(value: unknown): unknown {
  if (!isRecord(value) || Object.hasOwn(value, "Version")) return value;
  return { Version: "2012-10-17", ...value };
}

/** @returns Why not all statements are known; null if they are. */
function unknownStatements(document: unknown, { reading }: Context): string | null {
  const list = isRecord(document) ? document.Statement : null;
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  for (const entry of entries) {
    const unknown = typeof entry === "string" ? reading.unknowns.whole(entry) : null;
    if (unknown)
      return `A statement is the value of \`${unknown.source}\`, which is not known here.`;
  }
  return null;
}

/** Choices that lead to the same document are one; it keeps what they have in common. */
function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const byValue = new Map<string, Alternative>();
  for (const one of alternatives) {
    const key = JSON.stringify([
      one.value ?? null,
      one.attached,
      one.faults.map((fault) => fault.kind),
    ]);
    const known = byValue.get(key);
    const choices = known?.choices.filter((choice) => one.choices.includes(choice));
    const byDefault = (known?.byDefault ?? true) && one.byDefault;
    byValue.set(key, known ? { ...known, choices: choices ?? [], byDefault } : one);
  }
  return [...byValue.values()];
}

interface Inner {
  readonly resource: Resource;
  readonly source: Source;
  readonly name: string;
}

/** A template that is the text of a property, also within `Fn::Sub`. */
function innerText(body: Part, { resource, source, name }: Inner): InnerText {
  const facts = {
    address: `Resources.${resource.id}.Properties.${name}`,
    path: [...resource.path, "Properties", name],
    policyType: null,
    resourceType: `AWS::${resource.type}`,
  };
  const call = functionIn(body);
  const argument = call?.name === "Fn::Sub" ? call.argument : body;
  const text = Array.isArray(argument.value) ? items(argument)[0] : argument;
  const isText = text && typeof text.value === "string";
  if (!isText) return { facts, text: null, root: body.root, file: source.text };
  return { facts, text: String(text.value), root: text.root, file: source.text };
}
