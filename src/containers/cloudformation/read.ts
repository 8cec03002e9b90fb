import type { PolicyType } from "../../../spec/policy.ts";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { notRead, placeOf } from "../places.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import { alternativesOf } from "./alternatives.ts";
import { attachedTo } from "./attached.ts";
import { boundariesOf } from "./boundaries.ts";
import { choicesFor } from "./choices.ts";
import { customPlaces } from "./custom.ts";
import { type InnerText, innerPlaces } from "./inner.ts";
import { networkIn } from "./network.ts";
import { type FoundPart, parts } from "./property-parts.ts";
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
  for (const resource of [...template.globals.values(), ...template.resources.values()]) {
    const { type, properties } = resource;
    for (const place of customPlaces(resource)) {
      if (places.length < reading.maxPlaces) places.push(place);
    }
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
  const { alternatives, form, reason, hasUnreadBranches } = alternativesOf(part, choices, {
    template,
    source,
    reading,
    isDocument: property.form === undefined,
    // SAM adds the version to documents without one.
    complete: resource.type?.startsWith("Serverless::") ? versioned : null,
    attached: (resolver) => attachedTo(property, resource, resolver, reading.unknowns),
  });
  if (alternatives.length === 0) {
    return reason === null ? null : notRead(facts, reason, { form, span });
  }
  const macro = template.hasMacro ? "The template has a macro, which may change the policy." : null;
  const partly = reason ?? macro;
  return placeOf(facts, {
    form: property.form ? (Array.isArray(part.value) ? "statements" : "statement") : form,
    span,
    state: partly === null ? "read" : "partly_read",
    reason: partly,
    hasUnreadBranches,
    alternatives,
  });
}

function versioned(value: unknown): unknown {
  if (!isRecord(value) || Object.hasOwn(value, "Version")) return value;
  return { Version: "2012-10-17", ...value };
}

function factsOf(
  found: FoundPart,
  policyType: PolicyType,
  { property, resource, template, reading }: Context,
): PlaceFacts {
  const { path, address } = found;
  const metadata = member(resource.part, "Metadata");
  const construct = metadata && member(metadata, "aws:cdk:path");
  const full = `${resource.address}.${address}`;
  return {
    address: full,
    label: typeof construct?.value === "string" ? construct.value : full,
    path,
    policyType,
    service: property.service,
    resourceType: `AWS::${resource.type}`,
    network: networkIn(found, { property, resource, template }, reading.unknowns),
    notes:
      resource.condition === null
        ? []
        : [`It exists if the condition \`${resource.condition}\` is true.`],
  };
}

/** @returns null if a policy of this kind is not an IAM policy. */
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

interface Inner {
  readonly resource: Resource;
  readonly source: Source;
  readonly name: string;
}

/** A template that is the text of a property, also within `Fn::Sub`. */
function innerText(body: Part, { resource, source, name }: Inner): InnerText {
  const facts = {
    address: `${resource.address}.${name}`,
    path: [...resource.path, name],
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
