import { type AttachedTo, isNamed } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { removed } from "./resolved.ts";
import type { Resolver } from "./resolver.ts";
import type { PolicyProperty } from "./table.ts";
import { functionIn, items, member, type Part, type Resource, textOf } from "./template.ts";

/**
 * @returns The resource that the policy of another resource is attached to; null: not known, or several.
 */
export function attachedTo(
  { attachedBy, service, type, isOfOther }: PolicyProperty,
  { id, properties }: Resource,
  resolver: Resolver,
  unknowns: Unknowns,
): AttachedTo | null {
  if (isOfOther) return null;
  if (attachedBy === undefined && type === "RESOURCE_POLICY") {
    // The policy is a property of the resource itself.
    const own = { name: null, arn: resolver.arnOf(id) };
    return own.arn !== null && isNamed(own, unknowns) ? own : null;
  }
  const given = attachedBy === undefined || !properties ? null : member(properties, attachedBy);
  if (!given) return null;
  const [only, ...others] = Array.isArray(given.value) ? items(given) : [given];
  if (!only || others.length > 0) return null;
  // The condition need not be one that the choices for the policy decide.
  if (functionIn(only)?.name === "Fn::If") return null;
  const named = service === "s3" ? bucketOf(only, resolver) : namedBy(only, resolver);
  return named && isNamed(named, unknowns) ? named : null;
}

function bucketOf(part: Part, resolver: Resolver): AttachedTo | null {
  const name = textIn(part, resolver);
  return name === null ? null : { name, arn: `arn:aws:s3:::${name}` };
}

/** `Ref` of a queue is its URL, so the ARN of the resource is taken. */
function namedBy(part: Part, resolver: Resolver): AttachedTo | null {
  const call = functionIn(part);
  const id = call?.name === "Ref" ? textOf(call.argument.value) : null;
  const arn = id === null ? null : resolver.arnOf(id);
  if (arn !== null) return { name: null, arn };
  const text = textIn(part, resolver);
  if (text === null) return null;
  return text.startsWith("arn:") ? { name: null, arn: text } : { name: text, arn: null };
}

function textIn(part: Part, resolver: Resolver): string | null {
  const resolved = resolver.resolve(part);
  return resolved !== removed && typeof resolved.value === "string" ? resolved.value : null;
}
