import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import { childNode, rootNode } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { roomForFacts } from "./fact-slot.ts";
import type { AttachedResource, Network, Policy, PolicyDocument, Statement } from "./model.ts";
import { LazyStatement } from "./statement.ts";

/**
 * The normalised statements of a document: the entries of `Statement` that are objects, or `Statement`
 * itself if it is one object. Empty for every other document.
 */
export function statementsOf(document: PolicyDocument): readonly Statement[] {
  const { raw } = document;
  if (!isRecord(raw) || !Object.hasOwn(raw, "Statement")) return [];
  const node = childNode(rootNode, "Statement");
  const value = raw.Statement;
  if (isRecord(value)) return [new LazyStatement(0, node, value)];
  if (!Array.isArray(value)) return [];
  const statements: Statement[] = [];
  for (const [index, entry] of value.entries()) {
    if (isRecord(entry)) statements.push(new LazyStatement(index, childNode(node, index), entry));
  }
  return statements;
}

/**
 * Normalises a document for the checks.
 * @param statements Result of {@link statementsOf}, if it is already known.
 */
export function normalisePolicy(
  document: PolicyDocument,
  about: {
    readonly type: PolicyType;
    readonly typeSource: PolicyTypeSource;
    readonly name: string | null;
    readonly attached?: AttachedResource | null;
    readonly service?: string | null;
    readonly network?: Network | null;
    readonly isWhole?: boolean;
  },
  statements: readonly Statement[] = statementsOf(document),
): Policy {
  const { type, typeSource, name, attached = null } = about;
  const { service = null, network = null, isWhole = false } = about;
  const resource = { attached, service, network, isWhole };
  return {
    document,
    node: rootNode,
    type,
    typeSource,
    name,
    ...resource,
    statements,
    facts: roomForFacts(),
  };
}
