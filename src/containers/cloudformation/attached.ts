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
  { attachedBy, service }: PolicyProperty,
  { properties }: Resource,
  resolver: Resolver,
  unknowns: Unknowns,
): AttachedTo | null {
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
  const arn = (id === null ? null : resolver.arnOf(id)) ?? textIn(part, resolver);
  return arn === null ? null : { name: null, arn };
}

function textIn(part: Part, resolver: Resolver): string | null {
  const resolved = resolver.resolve(part);
  return resolved !== removed && typeof resolved.value === "string" ? resolved.value : null;
}
