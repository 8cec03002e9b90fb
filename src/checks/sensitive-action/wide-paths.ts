import type { EscalationPath } from "../../../spec/finding.ts";
import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { grantsFor, isWide, withWideGrants } from "./member-grants.ts";
import { escalationPaths, pageOfPath } from "./path-table.ts";
import { membersOf } from "./paths.ts";

type PathsByStatement = ReadonlyMap<Statement, readonly EscalationPath[]>;

const known = new FactSlot<Policy, PathsByStatement>();
const none: readonly EscalationPath[] = [];

/**
 * @returns the documented paths that an identity policy grants through a statement with `*` or
 * `NotAction`, for the finding about that element. Each path is named at the first such statement that has
 * a part in it, and not at all where entries with service and name grant it: `sensitive_action` does that.
 */
export function pathsOfWideGrant(
  statement: Statement,
  context: CheckContext<unknown>,
): readonly EscalationPath[] {
  if (context.policy.type !== "IDENTITY_POLICY" || !isWide(statement)) return none;
  let paths = known.get(context.policy);
  if (!paths) {
    paths = collect(context);
    known.set(context.policy, paths);
  }
  return paths.get(statement) ?? none;
}

function collect(context: CheckContext<unknown>): PathsByStatement {
  const found = new Map<Statement, EscalationPath[]>();
  const narrow = grantsFor(context);
  const all = withWideGrants(narrow, context);
  for (const path of escalationPaths) {
    if (membersOf(path, narrow, context)) continue;
    const first = membersOf(path, all, context)
      ?.flat()
      .filter((grant) => grant.isWide)
      .toSorted((one, other) => one.statement.index - other.statement.index)[0];
    if (!first) continue;
    const list = found.get(first.statement) ?? [];
    list.push({ id: path.id, url: pageOfPath(path.id) });
    found.set(first.statement, list);
  }
  return found;
}
