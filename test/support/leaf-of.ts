import { Budget, finish } from "../../src/access/budget.ts";
import { type Caller, caller } from "../../src/access/callers.ts";
import { readDocument } from "../../src/access/document.ts";
import { Feasibility } from "../../src/access/feasible.ts";
import type { Leaf } from "../../src/access/leaf.ts";
import { Terms } from "../../src/access/literals.ts";
import { Variables } from "../../src/access/read-pattern.ts";
import { leavesOf } from "../../src/access/search.ts";
import { settingOf } from "../../src/access/setting.ts";
import { StatementReader } from "../../src/access/statements.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

const options = { services: embeddedServices(), maxSteps: 100_000, maxStatements: 1 };

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
