import type { PolicyType } from "../../../spec/policy.ts";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { moved, offsetsOf } from "../offsets.ts";
import { notRead, parsePolicyText, placeOf } from "../places.ts";
import { readSource } from "../source.ts";
import type { Alternative, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { attachedTo } from "./attached.ts";
import { boundariesOf } from "./boundaries.ts";
import { type Choice, choicesFor } from "./choices.ts";
import { Resolver, removed } from "./resolver.ts";
import { type PolicyProperty, policyProperties, templateProperties } from "./table.ts";
import {
  functionIn,
  isTemplate,
  items,
  member,
  type Part,
  type Resource,
  readTemplate,
  type Template,
  textOf,
} from "./template.ts";

/** Templates inside templates are read to this depth. */
const maxTemplates = 3;

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
      places.push(...(await readInner(body, { resource, source, reading, name: inner }, depth)));
    }
  }
  return places.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/** A value at the end of a path, with the conditions on the way. */
interface FoundPart {
  readonly part: Part;
  readonly path: readonly (string | number)[];
  /** As people write the path: `Policies[0].PolicyDocument`. */
  readonly address: string;
  readonly fixed: ReadonlyMap<string, boolean>;
}

/** Walks a property path, through lists and both branches of `Fn::If`. */
function* parts(properties: Part, path: string, resource: Resource): Generator<FoundPart> {
  const steps = path
    .split(".")
    .flatMap((step) => (step.endsWith("[]") ? [step.slice(0, -2), null] : [step]));
  const fixed = new Map<string, boolean>();
  if (resource.condition !== null) fixed.set(resource.condition, true);
  const start = { part: properties, path: [...resource.path, "Properties"], address: "", fixed };
  yield* walk(start, steps, 0);
}

function* walk(
  at: FoundPart,
  steps: readonly (string | null)[],
  nesting: number,
): Generator<FoundPart> {
  if (nesting > 20) return;
  const call = functionIn(at.part);
  if (call?.name === "Fn::If") {
    const [condition, ...branches] = items(call.argument);
    const name = textOf(condition?.value);
    for (const [index, branch] of branches.slice(0, 2).entries()) {
      if (functionIn(branch)?.argument.value === "AWS::NoValue" || name === null) continue;
      const known = at.fixed.get(name);
      if (known !== undefined && known !== (index === 0)) continue;
      const fixed = new Map([...at.fixed, [name, index === 0] as const]);
      const path = [...at.path, "Fn::If", index + 1];
      yield* walk({ ...at, part: branch, path, fixed }, steps, nesting + 1);
    }
    return;
  }
  const [step, ...rest] = steps;
  if (step === undefined) {
    yield at;
  } else if (step === null) {
    // SAM takes one value in place of a list.
    if (!Array.isArray(at.part.value)) {
      yield* walk(at, rest, nesting + 1);
      return;
    }
    for (const [index, part] of items(at.part).entries()) {
      const path = [...at.path, index];
      yield* walk({ ...at, part, path, address: `${at.address}[${index}]` }, rest, nesting + 1);
    }
  } else {
    const part = member(at.part, step);
    const address = at.address === "" ? step : `${at.address}.${step}`;
    if (part) yield* walk({ ...at, part, path: [...at.path, step], address }, rest, nesting + 1);
    else if (call && call.name !== "Condition" && !step.startsWith("x-amazon-")) {
      // The rest of the path is the value of a function. An API description may have no policy.
      yield { ...at, address };
    }
  }
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
    const attached = attachedTo(resource, resolver, reading.unknowns);
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
  readonly reading: Reading;
  readonly name: string;
}

/** Reads a template that is the text of a property; its positions are those of the outer file. */
async function readInner(
  body: Part,
  { resource, source, reading, name }: Inner,
  depth: number,
): Promise<Place[]> {
  const outer = `Resources.${resource.id}.Properties.${name}`;
  const facts = {
    address: outer,
    path: [...resource.path, "Properties", name],
    policyType: null,
    resourceType: `AWS::${resource.type}`,
  };
  const call = functionIn(body);
  const argument = call?.name === "Fn::Sub" ? call.argument : body;
  const text = Array.isArray(argument.value) ? items(argument)[0] : argument;
  if (!text || typeof text.value !== "string") {
    return [
      notRead(facts, "The inner template is not text that is known here.", { span: body.root }),
    ];
  }
  if (depth >= maxTemplates) {
    return [notRead(facts, "Templates are nested too deep.", { span: body.root })];
  }
  const inner = await readSource({ text: text.value });
  if (!isTemplate(inner)) return [];
  const offsets =
    source.text !== null && text.root ? offsetsOf(source.text, text.root, text.value) : null;
  const places = await readPlaces(inner, reading, depth + 1);
  return places.map((place) => ({
    ...place,
    address: `${outer} ${place.address}`,
    label: `${outer} ${place.label}`,
    path: null,
    span: text.root,
    alternatives: place.alternatives.map((one) => ({
      ...one,
      root: one.root && (offsets ? moved(one.root, offsets) : leafOf(text.root)),
      faults: one.faults.map((fault) => ({ ...fault, span: text.root })),
      problems: one.problems.map((problem) => ({ ...problem, span: text.root })),
    })),
  }));
}

function leafOf(span: Span | null) {
  return span && { start: span.start, end: span.end, members: null, items: null };
}
