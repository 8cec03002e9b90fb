import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { ActionMatch, Service } from "../../services/model.ts";
import { expandAction } from "../shared/action-grants.ts";

type Lookup = Pick<CheckContext, "match">;

/**
 * @param patterns The option `allowed_wildcards`.
 * @returns whether the entry means actions of a service, and each of them is one of the patterns.
 */
export function isExcused(
  meaning: ActionMatch,
  patterns: readonly string[],
  lookup: Lookup,
): boolean {
  if (meaning.kind !== "action" && meaning.kind !== "pattern") return false;
  const names = namesOf(meaning.service, patterns, lookup);
  const actions = meaning.kind === "action" ? [meaning.action] : meaning.actions;
  return actions.every(({ qualified }) => names.has(qualified));
}

/** The names that the patterns match, by service; the patterns never change, so each is worked out once. */
const known = memo((_: readonly string[]) => new WeakMap<Service, ReadonlySet<string>>());

function namesOf(
  service: Service,
  patterns: readonly string[],
  lookup: Lookup,
): ReadonlySet<string> {
  const byService = known(patterns);
  let names = byService.get(service);
  if (!names) {
    names = new Set(
      patterns
        .filter((pattern) => pattern.toLowerCase().startsWith(`${service.prefix}:`))
        .flatMap((pattern) => expandAction(pattern, lookup)),
    );
    byService.set(service, names);
  }
  return names;
}
