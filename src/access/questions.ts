import type { Asking, Forbidden, QuestionOptions } from "./answers.ts";
import type { Branch } from "./asked.ts";
import { asking, having, open, originsOf, unreadableOf } from "./asking.ts";
import { finish } from "./budget.ts";
import type { Caller } from "./callers.ts";
import { isForbidden, isNewlyAllowed, isOnlyDeniedBy } from "./confirm.ts";
import type { AccessDocument, AccessStatement, AccessType, Names } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import type { Blocker } from "./search.ts";
import { settingOf } from "./setting.ts";
import type { StatementReader } from "./statements.ts";

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
    confirm: (request) =>
      isNewlyAllowed(
        evaluate(policy, type, request, setting.keys),
        evaluate(baseline, type, request, setting.keys),
      ),
  });
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
      return isForbidden(now, request, forbidden, setting.keys);
    },
  });
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
    confirm: (request) =>
      isOnlyDeniedBy(
        evaluate(inner, type, request, setting.keys),
        evaluate(outer, type, request, setting.keys),
      ),
  });
}
