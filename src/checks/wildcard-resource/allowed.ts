import type { CheckContext } from "../../engine/check.ts";
import type { ActionMatch, Service } from "../../services/model.ts";
import { expandAction } from "../shared/action-grants.ts";

type Lookup = Pick<CheckContext, "match">;

/** The names that the configured patterns match; they never change, so each is worked out once. */
interface Allowed {
  /** The patterns, in lower case. */
  readonly texts: ReadonlySet<string>;
  readonly byService: WeakMap<Service, ReadonlySet<string>>;
}

const known = new WeakMap<readonly string[], Allowed>();

/**
 * @param patterns The option `allowed_wildcards`.
 * @returns whether every real action of the entry is an action of the patterns.
 */
export function isExcused(
  text: string,
  meaning: ActionMatch,
  patterns: readonly string[],
  lookup: Lookup,
): boolean {
  const { texts, byService } = allowedBy(patterns);
  if (meaning.kind === "any") return false;
  if (meaning.kind !== "action" && meaning.kind !== "pattern") return texts.has(text.toLowerCase());
  const { service } = meaning;
  let names = byService.get(service);
  if (!names) {
    names = new Set(
      patterns
        .filter((pattern) => pattern.toLowerCase().startsWith(`${service.prefix}:`))
        .flatMap((pattern) => expandAction(pattern, lookup)),
    );
    byService.set(service, names);
  }
  if (meaning.kind === "action") return names.has(meaning.action.qualified);
  const known = names;
  return meaning.actions.every(({ qualified }) => known.has(qualified));
}

function allowedBy(patterns: readonly string[]): Allowed {
  let allowed = known.get(patterns);
  if (!allowed) {
    const texts = new Set(patterns.map((pattern) => pattern.toLowerCase()));
    allowed = { texts, byService: new WeakMap() };
    known.set(patterns, allowed);
  }
  return allowed;
}
