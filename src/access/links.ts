import { type Feasibility, isPossible } from "./feasible.ts";
import { type Dimension, idsOf, type Literal, type State, type Terms } from "./literals.ts";
import { literal, type Pattern, patternOf } from "./patterns.ts";
import { splitFields } from "./read-pattern.ts";
import { anyCase, foldUnit, isLetter } from "./tokens.ts";

interface Scope {
  readonly terms: Terms;
  readonly feasibility: Feasibility;
}

/**
 * F9: a request from a network of AWS has no public address.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-sourceip
 */
export const networkKeys: readonly string[] = [
  "aws:sourcevpc",
  "aws:sourcevpce",
  "aws:sourcevpcarn",
  "aws:vpcsourceip",
  "aws:vpceaccount",
  "aws:vpceorgid",
  "aws:vpceorgpaths",
];

/** Whether the facts that tie keys together (F9 to F11, F15) can be kept. */
export function linksHold(state: State, scope: Scope): boolean {
  return (
    addressHolds(state, scope) &&
    mfaHolds(state, scope) &&
    tagsHold(state, scope) &&
    ownerHolds(state, scope)
  );
}

/** The dimension of a key, when the state tests it. */
function tested(state: State, scope: Scope, name: string): Dimension | null {
  const dimension = scope.terms.find(name);
  return dimension && state[dimension.index] ? dimension : null;
}

/** Whether every request of the state has the key. */
export function mustHave(state: State, scope: Scope, name: string): boolean {
  const dimension = tested(state, scope, name);
  if (!dimension) return false;
  return !scope.feasibility.of(dimension, state[dimension.index] ?? []).absent;
}

function addressHolds(state: State, scope: Scope): boolean {
  return (
    !mustHave(state, scope, "aws:sourceip") ||
    !networkKeys.some((name) => mustHave(state, scope, name))
  );
}

/** F11: an age of the MFA says that there was one. */
function mfaHolds(state: State, scope: Scope): boolean {
  if (!mustHave(state, scope, "aws:multifactorauthage")) return true;
  const present = tested(state, scope, "aws:multifactorauthpresent");
  if (!present) return true;
  const literals = literalsAt(state, scope, present);
  const isTrue = patternLiteral(scope, present, "one", [literal("true")], false);
  return possible(scope, present, [...literals, isTrue]) !== "no";
}

/** F15: the account of a resource is the one that its ARN names. */
function ownerHolds(state: State, scope: Scope): boolean {
  if (!mustHave(state, scope, "aws:resourceaccount")) return true;
  const owner = tested(state, scope, "aws:resourceaccount");
  const resource = tested(state, scope, "@resource");
  if (!owner || !resource) return true;
  const own = literalsAt(state, scope, owner);
  const resources = literalsAt(state, scope, resource);
  const patterns = scope.feasibility.patterns(resource, resources);
  if (patterns.length > maxResources) return true;
  return patterns.some((pattern) => {
    const account = accountOf(pattern);
    if (account !== null) {
      const isIt = patternLiteral(scope, owner, "one", [literal(account)], false);
      if (possible(scope, owner, [...own, isIt]) === "no") return false;
    }
    const isOne = patternLiteral(scope, resource, "one", [pattern], false);
    return possible(scope, resource, [...resources, isOne]) !== "no";
  });
}

/** Most patterns of resources whose accounts are looked at; with more, any account is taken. */
const maxResources = 50;

/** The account in the ARNs of a pattern; null: none, or not a fixed one. */
function accountOf({ fielded, tokens }: Pattern): string | null {
  const account = fielded ? (splitFields(tokens)[4] ?? []) : [];
  const isFixed = account.length === 12 && account.every((token) => token >= 48 && token <= 57);
  return isFixed ? String.fromCharCode(...account) : null;
}

function literalsAt(state: State, { terms }: Scope, { index }: Dimension): readonly Literal[] {
  return (state[index] ?? []).map((id) => terms.get(id));
}

function patternLiteral(
  { terms }: Scope,
  { index }: Dimension,
  quantifier: Literal["quantifier"],
  patterns: readonly ReturnType<typeof literal>[],
  negated: boolean,
): Literal {
  return terms.literal({
    dimension: index,
    absentOk: negated,
    quantifier,
    texts: { negated, patterns },
    ranges: null,
  });
}

function possible(scope: Scope, dimension: Dimension, literals: readonly Literal[]) {
  const ids = idsOf(literals);
  return scope.feasibility.of(dimension, ids).present;
}

/** F10: a tag of the request is there exactly when its key is among the tag keys, in any letter case. */
function tagsHold(state: State, scope: Scope): boolean {
  const tagKeys = tagKeysState(state, scope);
  if (!tagKeys) return true;
  const { dimension, ids } = tagKeys;
  return isPossible(scope.feasibility.of(dimension, ids));
}

export const requestTag = "aws:requesttag/";

/** The literals of `aws:TagKeys`, with those that follow from the tags of the request. */
export function tagKeysState(
  state: State,
  scope: Scope,
): { readonly dimension: Dimension; readonly ids: readonly number[] } | null {
  const dimension = scope.terms.find("aws:tagkeys");
  if (!dimension) return null;
  const literals = [...literalsAt(state, scope, dimension)];
  for (const tag of scope.terms.dimensions) {
    const ids = state[tag.index];
    if (!tag.name.startsWith(requestTag) || !ids) continue;
    const key = [anyCasePattern(tag.name.slice(requestTag.length))];
    const { absent, present } = scope.feasibility.of(tag, ids);
    if (!absent) {
      literals.push(patternLiteral(scope, dimension, "some", key, false));
    } else if (present === "no") {
      literals.push(patternLiteral(scope, dimension, "every", key, true));
    }
  }
  if (literals.length === 0) return null;
  const ids = idsOf(literals);
  return { dimension, ids };
}

function anyCasePattern(text: string) {
  return patternOf(
    Array.from(text, (_, at) => {
      const unit = text.charCodeAt(at);
      return isLetter(unit) ? anyCase + foldUnit(unit) : unit;
    }),
  );
}
