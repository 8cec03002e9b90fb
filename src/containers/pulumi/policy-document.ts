import type { TextMember, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { fillInterpolations } from "../placeholders.ts";
import { notRead, objectPlace } from "../places.ts";
import { DocumentRenderer } from "../terraform/rendered-document.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { nodeAt, type Path, valueAt } from "../values.ts";

/** Whether a `fn::invoke` gives a document. https://www.pulumi.com/registry/packages/aws/api-docs/iam/getpolicydocument/ */
export function isDocumentCall(call: unknown): boolean {
  return (
    isRecord(call) &&
    typeof call.function === "string" &&
    /^aws:iam(?:\/getPolicyDocument)?:getPolicyDocument$/.test(call.function)
  );
}

/** The arguments are those of Terraform's data source, in other letters and in the plural. */
const names: Readonly<Record<string, string | undefined>> = {
  statements: "statement",
  conditions: "condition",
  notActions: "not_actions",
  notResources: "not_resources",
  notPrincipals: "not_principals",
  policyId: "policy_id",
};

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
  const { value: after, node } = renamed(given, root, unknowns, 0);
  const renderer = new DocumentRenderer(unknowns);
  const rendered = renderer.render({
    address: facts.address,
    after,
    unknown: undefined,
    root: node,
  });
  if (!rendered) return notRead(facts, "Its statements are not in this file.", { span: root });
  const place = objectPlace(facts, { value: rendered.value, root: root && rendered.node });
  return { ...place, form: "blocks" };
}

const maxLevels = 12;

/** A copy with Terraform's names, and tokens in place of what Pulumi fills in. */
function renamed(
  value: unknown,
  node: TextNode | null,
  unknowns: Unknowns,
  level: number,
): { value: unknown; node: TextNode | null } {
  if (typeof value === "string") {
    return { value: fillInterpolations({ text: value, offsets: null }, unknowns).text, node };
  }
  if (typeof value !== "object" || value === null || level > maxLevels) return { value, node };
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      renamed(item, node?.items?.[index] ?? null, unknowns, level + 1),
    );
    const nodes = node && items.map((item) => item.node ?? node);
    return {
      value: items.map((item) => item.value),
      node: node && { start: node.start, end: node.end, members: null, items: nodes },
    };
  }
  const entries: [string, unknown][] = [];
  const members = new Map<string, TextMember>();
  for (const [name, part] of Object.entries(value)) {
    const at = node?.members?.get(name);
    const own = renamed(part, at?.value ?? null, unknowns, level + 1);
    const known = names[name] ?? name;
    entries.push([known, own.value]);
    if (at) members.set(known, { key: at.key, value: own.node ?? at.value });
  }
  return {
    value: Object.fromEntries(entries),
    node: node && { start: node.start, end: node.end, members, items: null },
  };
}
