import { isRecord } from "../../record.ts";
import { filledValue, tooManyValues } from "../filled-value.ts";
import { notRead, objectPlace } from "../places.ts";
import { DocumentRenderer } from "../terraform/rendered-document.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import { nodeAt, type Path, valueAt } from "../values.ts";
import { fillingOf } from "./filling.ts";

/** Whether a `fn::invoke` gives a document. https://www.pulumi.com/registry/packages/aws/api-docs/iam/getpolicydocument/ */
export function isDocumentCall(call: unknown): boolean {
  return (
    isRecord(call) &&
    typeof call.function === "string" &&
    /^aws:iam(?:\/getPolicyDocument)?:getPolicyDocument$/.test(call.function)
  );
}

/** The arguments are those of Terraform's data source, in other letters and in the plural. */
const names: ReadonlyMap<string, string> = new Map([
  ["statements", "statement"],
  ["conditions", "condition"],
  ["notActions", "not_actions"],
  ["notResources", "not_resources"],
  ["notPrincipals", "not_principals"],
  ["policyId", "policy_id"],
]);

/** @param path Of the call. */
export function documentOfCall(
  source: Source,
  facts: PlaceFacts,
  path: Path,
  { unknowns }: Reading,
): Place | null {
  const at = [...path, "arguments"];
  const given = valueAt(source.value, at);
  const root = nodeAt(source.root, at);
  const merged = isRecord(given)
    ? ["sourcePolicyDocuments", "overridePolicyDocuments"].find((name) => given[name] !== undefined)
    : undefined;
  if (merged !== undefined) {
    return notRead(facts, `The document is merged from others (\`${merged}\`).`, { span: root });
  }
  const filling = { ...fillingOf(unknowns), name: (name: string) => names.get(name) ?? name };
  const filled = filledValue({ value: given, root }, filling);
  if (!filled) return notRead(facts, tooManyValues, { span: root });
  const rendered = new DocumentRenderer(unknowns).render({
    address: facts.address,
    after: filled.value,
    unknown: undefined,
    root: root && filled.node,
  });
  if (!rendered) return notRead(facts, "Its statements are not in this file.", { span: root });
  const place = objectPlace(facts, { value: rendered.value, root: root && rendered.node });
  return { ...place, form: "blocks" };
}
