import { accountsIn, having, originsOf } from "../../src/access/asking.ts";
import { Budget, type Steps } from "../../src/access/budget.ts";
import { namedRoles } from "../../src/access/caller-kinds.ts";
import { type AccessType, readDocument } from "../../src/access/document.ts";
import type { Leaf } from "../../src/access/leaf.ts";
import { searchAll } from "../../src/access/question.ts";
import { settingOf } from "../../src/access/setting.ts";
import { isWellFormed } from "../../src/access/well-formed.ts";
import type { WitnessRules } from "../../src/access/witness-rules.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { documentOf, type Side } from "./access.ts";

const options = {
  services: embeddedServices(),
  maxSteps: 1_000_000,
  maxStatements: 20,
  extraTrustedKeys: [],
};

/** A leaf of the search, and what a request of it has to keep to. */
export interface FoundLeaf {
  readonly leaf: Leaf;
  readonly rules: WitnessRules;
}

/** What leaves are of, beside a policy. */
export interface LeafQuestion {
  readonly baseline?: Side;
  readonly type?: AccessType;
  /** Resources that are asked about; without any, all are. */
  readonly resources?: readonly string[];
}

/** The leaves of "what does the policy allow beside its baseline", as the search finds them. */
export function leavesFor(
  policy: Side,
  { baseline = [], type = "identity", resources = [] }: LeafQuestion = {},
): readonly FoundLeaf[] {
  const document = readDocument(documentOf(policy), type);
  const before = readDocument(documentOf(baseline), type);
  const { keys, usedKeys, callers } = settingOf([document, before], type, options);
  const own = originsOf(document, "policy");
  const blockers = [...having(own, "deny"), ...having(originsOf(before, "baseline"), "allow")];
  const accounts = [...accountsIn([document, before])];
  const named = { roles: namedRoles([document, before]), accounts };
  const rules: WitnessRules = {
    services: options.services,
    keys,
    usedKeys,
    writtenOut: [],
    isWellFormed: (request, caller) => isWellFormed(request, caller, { keys, usedKeys, named }),
    confirm: () => "no",
  };
  const leaves: Leaf[] = [];
  const searching = searchAll(
    {
      grants: having(own, "allow"),
      branches: [{ also: null, blockers, reason: "not_allowed_before" }],
      callers,
      named,
      keys,
      services: options.services,
      limits: () => [],
      focus: resources.length > 0 ? { actions: null, resources } : null,
      exceptions: () => [],
      witness: (leaf) => kept(leaf, leaves),
      maxStatements: options.maxStatements,
      ignoresUnknownActions: false,
    },
    new Budget(options.maxSteps),
  );
  while (!searching.next().done);
  return leaves.map((leaf) => ({ leaf, rules }));
}

function* kept(leaf: Leaf, leaves: Leaf[]): Steps<null> {
  leaves.push(leaf);
  yield null;
  return null;
}
