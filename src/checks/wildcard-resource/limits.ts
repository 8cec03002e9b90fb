import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { limitingEntries } from "../shared/condition-limits.ts";

/** What the statement's condition does about the resources that a wildcard reaches. */
export type ResourceLimit =
  | { readonly kind: "none" }
  /** The keys that limit them, as written. */
  | { readonly kind: "limited"; readonly keys: readonly string[] }
  /** Tag keys are there, but these actions do not know them. */
  | {
      readonly kind: "unsupported_tags";
      readonly keys: readonly string[];
      readonly actions: readonly string[];
    };

const accountKeys: ReadonlySet<string> = new Set([
  "aws:resourceaccount",
  "aws:resourceorgid",
  "aws:resourceorgpaths",
]);

/** @param actions The kept actions, each once. */
export function resourceLimit(
  statement: Statement,
  actions: readonly string[],
  { match }: Pick<CheckContext, "match">,
): ResourceLimit {
  const limiting = limitingEntries(statement);
  const accounts = limiting.filter(({ keyLower }) => accountKeys.has(keyLower));
  if (accounts.length > 0) return { kind: "limited", keys: keysOf(accounts) };

  const tags = limiting.filter(({ keyLower }) => isTagKey(keyLower));
  if (tags.length === 0) return { kind: "none" };
  const families = [...Map.groupBy(tags, ({ keyLower }) => keyLower.split("/", 1)[0]).values()];
  // Made-up families fall out at the first action, so the rest is as short as the real ones are few.
  let supported = families;
  for (const action of actions) {
    supported = supported.filter(([entry]) => supportsKey(action, entry, match));
    if (supported.length === 0) break;
  }
  const [family] = supported;
  if (family) return { kind: "limited", keys: keysOf(family) };
  const unsupported = families
    .slice(0, 4)
    .map(([entry]) => actions.filter((action) => !supportsKey(action, entry, match)))
    .reduce((fewest, those) => (those.length < fewest.length ? those : fewest), actions);
  return { kind: "unsupported_tags", keys: keysOf(tags), actions: unsupported };
}

function supportsKey(
  action: string,
  entry: ConditionEntry | undefined,
  match: CheckContext["match"],
): boolean {
  const meaning = match(action);
  return meaning.kind === "action" && entry !== undefined && meaning.action.supportsKey(entry.key);
}

function keysOf(entries: readonly { readonly key: string }[]): string[] {
  return [...new Set(entries.map(({ key }) => key))];
}

/** Tags of the resource or the request; a tag of the caller says nothing about the resource. */
function isTagKey(keyLower: string): boolean {
  if (keyLower === "aws:tagkeys") return true;
  return keyLower.includes("tag/") && !keyLower.startsWith("aws:principaltag/");
}
