import { isRecord } from "../../record.ts";
import { notRead } from "../places.ts";
import type { Place } from "../types.ts";
import { isPolicyShaped } from "../values.ts";
import { functionIn, items, members, type Part, type Resource } from "./template.ts";

/**
 * Documents in custom resources and in types of others than AWS. How their code uses them is not known: some fills in
 * words such as `{bucket_arn}`, some creates an SCP from it.
 */
export function* customPlaces({
  type,
  part,
  properties,
  path,
  address,
}: Resource): Generator<Place> {
  const isCustom = type === null || type === "CloudFormation::CustomResource";
  if (!isCustom || !properties || !isRecord(part.value)) return;
  const name = String(part.value.Type);
  for (const [property, value] of members(properties)) {
    if (!isDocument(value)) continue;
    const facts = {
      address: `${address}.${property}`,
      path: [...path, property],
      policyType: null,
      resourceType: name,
    };
    const reason = `The resource is of the type \`${name}\`, whose provider may change the document.`;
    yield notRead(facts, reason, { span: value.root });
  }
}

function isDocument(part: Part): boolean {
  const call = functionIn(part);
  const argument = call?.name === "Fn::Sub" ? call.argument : part;
  const { value } = Array.isArray(argument.value) ? (items(argument)[0] ?? part) : argument;
  if (typeof value !== "string") return isPolicyShaped(value);
  return /^\s*\{/.test(value) && value.includes('"Statement"') && value.includes('"Version"');
}
