import type { CheckContext } from "../../engine/check.ts";
import { expressionOf } from "../../policy/expression.ts";
import { globMatches, hasWildcard, isAnyAction } from "../../policy/wildcard.ts";
import type { Service } from "../../services/model.ts";

/** What the look-ups need of a check's context. */
type Lookup = Pick<CheckContext, "match">;
type ExpressionLookup = Pick<CheckContext, "match" | "matches">;

const ignoreCase = { ignoreCase: true } as const;

/**
 * What an entry of `Action` matches: names in AWS's spelling for known actions and patterns, `*`
 * for everything, the entry itself when the reference data does not know it.
 */
export function expandAction(text: string, { match }: Lookup): readonly string[] {
  const meaning = match(text);
  switch (meaning.kind) {
    case "any":
      return ["*"];
    case "action":
      return [meaning.action.qualified];
    case "pattern":
      return meaning.actions.map(({ qualified }) => qualified);
    default:
      return [text];
  }
}

/** @returns whether a policy's entry grants an action of the config; either may hold wildcards. */
export function grantsAction(entry: string, wanted: string, lookup: Lookup): boolean {
  if (isAnyAction(entry)) return true;
  if (globMatches(entry, wanted, ignoreCase) || globMatches(wanted, entry, ignoreCase)) return true;
  if (!hasWildcard(entry) || !hasWildcard(wanted)) return false;
  const meaning = lookup.match(entry);
  if (meaning.kind !== "pattern") return false;
  return namesMatching(meaning.service, wanted).some((name) =>
    globMatches(entry, name, ignoreCase),
  );
}

/** @returns whether a policy's entry grants an action that an expression of the config matches. */
export function grantsExpression(
  entry: string,
  expression: string,
  lookup: ExpressionLookup,
): boolean {
  if (isAnyAction(entry)) return true;
  const meaning = lookup.match(entry);
  // Letter case does not matter to expressions, so AWS's spelling is used, and its answer is kept.
  if (meaning.kind === "action") {
    return namesOfExpression(meaning.service, expression).includes(meaning.action.qualified);
  }
  if (!hasWildcard(entry)) return lookup.matches(expression, entry, "start");
  if (meaning.kind !== "pattern") {
    return lookup.matches(expression, withoutTrailingStars(entry), "start");
  }
  return namesOfExpression(meaning.service, expression).some((name) =>
    globMatches(entry, name, ignoreCase),
  );
}

/** A loop, not an expression: `\*+$` takes quadratic time on a long run of stars that is not at the end. */
function withoutTrailingStars(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 42) end--;
  return text.slice(0, end);
}

type NamesByText = Map<string, readonly string[]>;

/** What the config's patterns and expressions mean for a service never changes, so it is kept. */
const globNames = new WeakMap<Service, NamesByText>();
const expressionNames = new WeakMap<Service, NamesByText>();

function kept(
  cache: WeakMap<Service, NamesByText>,
  service: Service,
  text: string,
  matches: (name: string) => boolean,
): readonly string[] {
  let names = cache.get(service);
  if (!names) {
    names = new Map();
    cache.set(service, names);
  }
  let found = names.get(text);
  if (!found) {
    found = service.actions.map(({ qualified }) => qualified).filter(matches);
    names.set(text, found);
  }
  return found;
}

/** @returns the service's actions that a pattern of the config covers. */
export function namesMatching(service: Service, pattern: string): readonly string[] {
  return kept(globNames, service, pattern, (name) => globMatches(pattern, name, ignoreCase));
}

/** @returns the service's actions that an expression of the config matches from the start. */
export function namesOfExpression(service: Service, expression: string): readonly string[] {
  if (!mayMatch(expression, service)) return nothing;
  const compiled = expressionOf(expression);
  return kept(expressionNames, service, expression, (name) => compiled.matchesStart(name));
}

const nothing: readonly string[] = [];

/** `^ssm:Run.*`. An alternative may begin differently, and a quantifier may make the colon optional. */
const ofOneService = /^\^([A-Za-z0-9-]+):(?![?*{])[^|]*$/;

/** Most expressions are about one service, and a policy may have hundreds: the names of others are not compared. */
function mayMatch(expression: string, { prefix }: Service): boolean {
  const [, wanted] = ofOneService.exec(expression) ?? [];
  return wanted === undefined || wanted.toLowerCase() === prefix;
}
