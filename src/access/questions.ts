import type { Asking, Forbidden, QuestionOptions } from "./answers.ts";
import type { Branch } from "./asked.ts";
import { asking, having, open, originsOf, unreadableOf } from "./asking.ts";
import { finish } from "./budget.ts";
import type { Caller } from "./callers.ts";
import type { AccessDocument, AccessStatement, AccessType, Names } from "./document.ts";
import {
  actionIsOneOf,
  blockHolds,
  type Evaluation,
  evaluate,
  resourceIsOneOf,
} from "./evaluate.ts";
import type { QuestionKeys } from "./keys.ts";
import type { AccessRequest } from "./request.ts";
import type { Blocker } from "./search.ts";
import { settingOf } from "./setting.ts";
import type { StatementReader } from "./statements.ts";
import type { Confirmation } from "./witness-rules.ts";

/** Does the policy allow a request that its baseline does not allow? */
export function* askNewAccess(
  policy: AccessDocument,
  baseline: AccessDocument,
  type: AccessType,
  options: QuestionOptions,
): Asking {
  const old = originsOf(baseline, "baseline");
  const own = originsOf(policy, "policy");
  const denies = having(own, "deny");
  const branches: Branch[] = [
    { also: null, blockers: [...denies, ...having(old, "allow")], reason: "not_allowed_before" },
  ];
  for (const deny of having(old, "deny")) {
    branches.push({ also: deny, blockers: denies, reason: "denied_before" });
  }
  const setting = settingOf([policy, baseline], type, options);
  return yield* asking(setting, {
    ...open,
    grants: having(own, "allow"),
    branches,
    unreadable: unreadableOf([
      [policy, "policy"],
      [baseline, "baseline"],
    ]),
    confirm: (request) => {
      const before = evaluate(baseline, type, request, setting.keys);
      if (before.outcome === "allowed") return "no";
      return both(evaluate(policy, type, request, setting.keys), before);
    },
  });
}

function both(now: Evaluation, before: Evaluation): Confirmation {
  const isNew = before.outcome === "denied" || before.outcome === "not_allowed";
  if (now.outcome === "allowed" && isNew) return "yes";
  return (
    (now.outcome === "unknown" && openBy(now)) ||
    (before.outcome === "unknown" && openBy(before)) ||
    "no"
  );
}

/** The construct that left an evaluation open. */
function openBy({ statements }: Evaluation): string {
  return statements.find(({ outcome }) => outcome === "maybe")?.construct ?? "no";
}

/** Does the policy allow a request that is forbidden? */
export function* askGranted(
  policy: AccessDocument,
  forbidden: Forbidden,
  type: AccessType,
  options: QuestionOptions,
): Asking {
  const own = originsOf(policy, "policy");
  const setting = settingOf([policy], type, options, forbidden.unless.flat());
  const actions: Names | null =
    forbidden.actions.length > 0 ? { negated: false, entries: forbidden.actions } : null;
  return yield* asking(setting, {
    ...open,
    grants: having(own, "allow"),
    branches: [{ also: null, blockers: having(own, "deny"), reason: "forbidden" }],
    unreadable: unreadableOf([[policy, "policy"]]),
    focus: { actions, resources: forbidden.resources },
    exceptions: (reader, caller) => exceptionsOf(forbidden, reader, caller),
    confirm: (request) => {
      const now = evaluate(policy, type, request, setting.keys);
      if (now.outcome === "unknown") return openBy(now);
      if (now.outcome !== "allowed" || !isForbidden(request, forbidden, setting.keys)) return "no";
      const blocks = forbidden.unless.map((block) => blockHolds(block, request, setting.keys));
      if (blocks.includes("yes")) return "no";
      return blocks.includes("maybe") ? "set_operator_missing" : "yes";
    },
  });
}

function isForbidden(
  request: AccessRequest,
  { actions, resources }: Forbidden,
  keys: QuestionKeys,
): boolean {
  return (
    (actions.length === 0 || actionIsOneOf(actions, request.action)) &&
    (resources.length === 0 || resourceIsOneOf(resources, request, keys))
  );
}

function exceptionsOf(
  { unless }: Forbidden,
  reader: StatementReader,
  caller: Caller,
): readonly Blocker[] {
  return unless.flatMap((conditions, index) => {
    const statement: AccessStatement = {
      ...nothing,
      conditions,
      path: `/unless/${index}`,
    };
    const boxes = finish(reader.boxes({ side: "config", statement, hasVariables: true }, caller));
    return boxes.map(({ literals }) => ({ literals }));
  });
}

const nothing: AccessStatement = {
  index: -1,
  sid: null,
  effect: "allow",
  action: { negated: false, entries: [] },
  resource: null,
  principal: null,
  conditions: [],
  readable: true,
  path: "",
};

/** Does one side allow, or deny, a request that the other does not? */
export function* askWithin(
  inner: AccessDocument,
  outer: AccessDocument,
  type: AccessType,
  of: "allowed" | "denied",
  options: QuestionOptions,
): Asking {
  if (of === "allowed") return yield* askNewAccess(inner, outer, type, options);
  const setting = settingOf([inner, outer], type, options);
  return yield* asking(setting, {
    ...open,
    grants: having(originsOf(inner, "policy"), "deny"),
    branches: [
      {
        also: null,
        blockers: having(originsOf(outer, "baseline"), "deny"),
        reason: "not_allowed_before",
      },
    ],
    unreadable: unreadableOf([
      [inner, "policy"],
      [outer, "baseline"],
    ]),
    confirm: (request) => {
      const [left, right] = [inner, outer].map((document) =>
        denied(evaluate(document, type, request, setting.keys)),
      );
      if (left === "yes" && right === "no") return "yes";
      if (left !== "yes" && left !== "no") return left ?? "no";
      return right !== "yes" && right !== "no" ? (right ?? "no") : "no";
    },
  });
}

function denied({ statements }: Evaluation): Confirmation {
  const denies = statements.filter(({ effect }) => effect !== "allow");
  if (denies.some(({ outcome }) => outcome === "yes")) return "yes";
  return denies.find(({ outcome }) => outcome === "maybe")?.construct ?? "no";
}
