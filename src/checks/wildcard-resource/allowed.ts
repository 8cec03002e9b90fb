import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { ActionMatch, Service } from "../../services/model.ts";
import { expandAction } from "../shared/action-grants.ts";

type Lookup = Pick<CheckContext, "match">;

/**
 * @param patterns The option `allowed_wildcards`.
 * @returns a function that tells whether an entry means actions of a service, and each of them is one of the patterns.
 */
export function excusedBy(
  patterns: readonly string[],
  lookup: Lookup,
): (meaning: ActionMatch) => boolean {
  let last: Service | undefined;
  let names: ReadonlySet<string> = new Set();
  return (meaning) => {
    if (meaning.kind !== "action" && meaning.kind !== "pattern") return false;
    // Neighbours in a list are mostly of one service.
    if (meaning.service !== last) {
      last = meaning.service;
      names = namesOf(last, patterns, lookup);
    }
    if (meaning.kind === "action") return names.has(meaning.action.qualified);
    return meaning.actions.every(({ qualified }) => names.has(qualified));
  };
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
