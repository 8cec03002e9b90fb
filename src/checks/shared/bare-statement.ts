import type { NodeRef } from "../../json/node.ts";
import type { Statement } from "../../policy/model.ts";

/**
 * The place of a statement, without a statement: for an entry of `Statement` that is not an object, and
 * for a finding about the whole document that points at one.
 * @param identity Text that tells this place from others, for the fingerprint.
 */
export function bareStatement(index: number, node: NodeRef, identity: string): Statement {
  return {
    index,
    node,
    raw: { identity },
    facts: [],
    sid: null,
    effect: null,
    allows: false,
    denies: false,
    actions: [],
    notActions: [],
    resources: [],
    notResources: [],
    conditions: [],
    principals: [],
    notPrincipals: [],
    has: () => false,
    at: () => node,
  };
}
