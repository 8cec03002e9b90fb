import { accountsIn, having, originsOf } from "../../src/access/asking.ts";
import { Budget, finish, type Steps } from "../../src/access/budget.ts";
import { namedRoles } from "../../src/access/caller-kinds.ts";
import { type Caller, caller } from "../../src/access/callers.ts";
import { type AccessType, readDocument } from "../../src/access/document.ts";
import { Feasibility } from "../../src/access/feasible.ts";
import type { Leaf } from "../../src/access/leaf.ts";
import { Terms } from "../../src/access/literals.ts";
import { searchAll } from "../../src/access/question.ts";
import { Variables } from "../../src/access/read-pattern.ts";
import { leavesOf } from "../../src/access/search.ts";
import { settingOf } from "../../src/access/setting.ts";
import { StatementReader } from "../../src/access/statements.ts";
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

/** The first leaf of a statement that allows all actions. @param by Who calls; default: a role. */
export function leafOf(element: object, by: Caller = caller("role")): Leaf {
  const Statement = [{ Effect: "Allow", Action: "*", ...element }];
  const document = readDocument({ Version: "2012-10-17", Statement }, "identity");
  const [statement] = document.statements;
  if (!statement?.readable) throw new Error("The statement cannot be read.");
  const { keys } = settingOf([document], "identity", options);
  const terms = new Terms();
  // It comes first where the actions of other statements are read.
  terms.dimension("@action");
  const variables = new Variables();
  const budget = new Budget(options.maxSteps);
  const reader = new StatementReader(terms, variables, keys, budget);
  const origin = { side: "policy", statement, hasVariables: true } as const;
  const [box] = finish(reader.boxes(origin, by));
  const scope = {
    terms,
    feasibility: new Feasibility(terms, keys, by, { roles: [], accounts: [] }, budget),
    budget,
  };
  const group = { entries: ["*"], pattern: null };
  for (const state of leavesOf(box?.literals ?? [], [], scope)) {
    if (state) return { state, scope, caller: by, origin, group, variables };
  }
  throw new Error("No request meets the statement.");
}

const names: Readonly<Record<string, string>> = {
  team: "aws:PrincipalTag/team",
  TEAM: "aws:PrincipalTag/TEAM",
  area: "aws:PrincipalTag/area",
  site: "aws:PrincipalTag/site",
  user: "aws:username",
  account: "aws:PrincipalAccount",
  arn: "aws:PrincipalArn",
  source: "aws:SourceArn",
  owner: "aws:ResourceAccount",
  age: "aws:MultiFactorAuthAge",
  keys: "aws:TagKeys",
};

const operators: Readonly<Record<string, string>> = {
  is: "StringEquals",
  isIf: "StringEqualsIfExists",
  isNot: "StringNotEquals",
  isAnyCase: "StringEqualsIgnoreCase",
  isNotAnyCase: "StringNotEqualsIgnoreCase",
  like: "StringLike",
  likeIf: "StringLikeIfExists",
  notLike: "StringNotLike",
  arnIs: "ArnEquals",
  arnIsNot: "ArnNotEquals",
  arnLike: "ArnLike",
  arnNot: "ArnNotLike",
  below: "NumericLessThan",
  absent: "Null",
  every: "ForAllValues:StringEquals",
  everyLike: "ForAllValues:StringLike",
  some: "ForAnyValue:StringEquals",
  someLike: "ForAnyValue:StringLike",
};

/** {@link leafOf} a condition. Each line: key or its short name, operator, values; `${team}` is a variable of a tag. */
export function leafOfLines(lines: readonly string[], by?: Caller): Leaf {
  const Condition: Record<string, Record<string, readonly string[]>> = {};
  for (const line of lines) {
    const [key = "", how = "", ...values] = line.split(" ");
    const operator = operators[how];
    const name = names[key] ?? key;
    if (!operator) throw new Error(`The line "${line}" has no known operator.`);
    const block = Condition[operator] ?? {};
    Condition[operator] = block;
    if (block[name]) throw new Error("A second condition of the operator on the key.");
    block[name] = values.map((value) =>
      value.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => `\${${names[key] ?? key}}`),
    );
  }
  return leafOf({ Condition }, by);
}
