import type { AttachedTo } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { type Resolver, removed } from "./resolver.ts";
import { member, type Resource } from "./template.ts";

/** Properties that name the resource a policy is attached to, with the form of its ARN. */
const attaching: Readonly<Record<string, { property: string; arn: string }>> = {
  "S3::BucketPolicy": { property: "Bucket", arn: "arn:aws:s3:::" },
};

/** @returns The resource that the policy of another resource is attached to; null: not known. */
export function attachedTo(
  { type, properties }: Resource,
  resolver: Resolver,
  unknowns: Unknowns,
): AttachedTo | null {
  const rule = type !== null && Object.hasOwn(attaching, type) ? attaching[type] : undefined;
  const part = rule && properties && member(properties, rule.property);
  const resolved = part ? resolver.resolve(part) : removed;
  if (resolved === removed || typeof resolved.value !== "string") return null;
  // A parameter may name any bucket, also the one that the policy names.
  const isAnything = unknowns
    .split(resolved.value)
    .some((part) => typeof part === "object" && part.like === "text");
  if (isAnything) return null;
  return { name: resolved.value, arn: rule ? `${rule.arn}${resolved.value}` : null };
}
