import { lettersOf } from "../ascii.ts";
import { memo } from "../memo.ts";
import { globMatches, hasWildcard, isAnyAction, isAnyResource } from "../policy/wildcard.ts";
import { lowerNamesOf } from "./lower-names.ts";
import type { Action, ActionMatch, Service, ServiceLookup } from "./model.ts";

/** `service:Name`, wildcards in the name only. */
const shape = /^[A-Za-z0-9_-]+:[A-Za-z0-9*?_-]+$/;

/**
 * Resolves an `Action` or `NotAction` entry with the reference data. Takes time linear in the length
 * of the text plus the number of actions of its service.
 */
export function matchAction(services: ServiceLookup, text: string): ActionMatch {
  const found = foundOf(services);
  const before = found.get(text);
  // Reference data that is loaded later has other services.
  if (before && services.get(before.service.prefix) === before.service) return before;
  return lookUpAnew(services, text, found);
}

function lookUpAnew(services: ServiceLookup, text: string, found: Found): ActionMatch {
  const match = lookUp(services, text);
  if (match.kind === "action" && match.action.qualified === text) {
    found.set(match.action.qualified, match);
  }
  return match;
}

/**
 * Resolves the entries of one policy, each text once. Names in AWS's spelling have one answer for all policies, so only the
 * others are kept here: a map of all of them took a sixth of the time of the look-ups.
 */
export function matcherOf(services: ServiceLookup): (text: string) => ActionMatch {
  const found = foundOf(services);
  const others = new Map<string, ActionMatch>();
  const current = new Set<Service>();
  let last: Service | undefined;
  return (text) => {
    const before = found.get(text);
    // Neighbours in a list are mostly of one service.
    if (before && before.service === last) return before;
    if (before && isCurrent(before.service, services, current)) {
      last = before.service;
      return before;
    }
    let match = others.get(text);
    if (!match) {
      match = lookUpAnew(services, text, found);
      others.set(text, match);
    }
    return match;
  };
}

/** Reference data that is loaded later has other services. */
function isCurrent(service: Service, services: ServiceLookup, current: Set<Service>): boolean {
  if (current.has(service)) return true;
  if (services.get(service.prefix) !== service) return false;
  current.add(service);
  return true;
}

/**
 * Answers for names in AWS's spelling, which nearly all entries have. There are as many as the reference
 * data has actions at most, and no text of a caller is kept.
 */
const foundOf = memo((_: ServiceLookup): Found => new Map());

type Found = Map<string, Extract<ActionMatch, { kind: "action" }>>;

function lookUp(services: ServiceLookup, text: string): ActionMatch {
  if (isAnyAction(text)) return { kind: "any" };
  if (!shape.test(text)) return { kind: "malformed" };
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon);
  const name = text.slice(colon + 1);
  const service = services.get(prefix);
  if (!service) return { kind: "unknown_service", service: prefix.toLowerCase() };
  if (hasWildcard(name)) {
    return { kind: "pattern", service, actions: likeOnce(service, name) };
  }
  const action = service.action(name);
  return action ? { kind: "action", service, action } : { kind: "unknown_action", service, name };
}

/** Actions by pattern. Policies of all authors share most patterns: `Get*`, `Describe*`, `List*`. */
const patterns = memo((_: Service) => new Map<string, readonly Action[]>());
/** Of one service: whatever callers write, all services together hold 11 MB at most. */
const mostPatterns = 64;
const longestPattern = 40;

function likeOnce(service: Service, name: string): readonly Action[] {
  if (name.length > longestPattern) return actionsLike(service, name);
  const known = patterns(service);
  let actions = known.get(name);
  if (!actions) {
    actions = actionsLike(service, name);
    if (known.size >= mostPatterns) {
      // The oldest goes; a map keeps the order in which its keys came.
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    known.set(name, actions);
  }
  return actions;
}

/** Either `actions` (`service:Name`, sorted, `["*"]` for all actions) or the reason why there are none. */
export interface Expansion {
  readonly actions: readonly string[];
  readonly error: string | null;
}

/** Expands a pattern to the actions that it matches, and a plain name to its canonical spelling. */
export function expandPattern(services: ServiceLookup, pattern: string): Expansion {
  const match = matchAction(services, pattern);
  switch (match.kind) {
    case "any":
      return { actions: ["*"], error: null };
    case "malformed":
      return { actions: [], error: malformedReason(pattern) };
    case "unknown_service":
      return { actions: [], error: unknownServiceReason(services, match.service) };
    case "unknown_action":
      return { actions: [], error: null };
    case "action":
      return { actions: [match.action.qualified], error: null };
    case "pattern":
      return { actions: match.actions.map((action) => action.qualified), error: null };
  }
}

/** @returns One sentence that says why the text is not `service:Name`. */
export function malformedReason(text: string): string {
  if (!text.includes(":")) return "An action is written `service:Name`; the colon is missing.";
  if (/\s/.test(text)) return "An action must not contain whitespace.";
  if (/^[^:]*[*?]/.test(text)) {
    return "The service prefix of an action cannot contain a wildcard; only its name can.";
  }
  if (text.startsWith(":") || text.endsWith(":")) {
    return "An action is written `service:Name`; one of the two parts is empty.";
  }
  return "An action is `service:Name`, of letters, digits, `-` and `_`, with `*` and `?` in the name.";
}

/** @returns One sentence, with the date of the data, because the service may be newer. */
export function unknownServiceReason(services: ServiceLookup, prefix: string): string {
  // Longer than any service name, so the message does not repeat it.
  const name = prefix.length > 64 ? "named" : `\`${prefix}\``;
  return `The service ${name} is not in the reference data of ${services.date}.`;
}

function actionsLike(service: Service, name: string): readonly Action[] {
  if (isAnyResource(name)) return service.actions;
  const { lower, letters, longest } = namesOf(service);
  const shortest = lengthWithoutStars(name, longest);
  if (shortest > longest) return [];
  // Runs of `*` are collapsed, so a long pattern is as cheap as a short one.
  const pattern = name.replace(/\*{2,}/g, "*").toLowerCase();
  // A name that lacks a letter of the pattern cannot match it.
  const wanted = lettersOf(pattern.replace(/[*?]/g, ""));
  return service.actions.filter((_, index) => {
    const name = lower[index] ?? "";
    if (name.length < shortest || (wanted & ~(letters[index] ?? 0)) !== 0) return false;
    return globMatches(pattern, name);
  });
}

/** Counts the characters of a pattern other than `*`, up to one more than `most`: a pattern can have 900 KB. */
function lengthWithoutStars(pattern: string, most: number): number {
  let length = 0;
  for (let at = 0; at < pattern.length && length <= most; at++) {
    if (pattern[at] !== "*") length++;
  }
  return length;
}

interface Names {
  /** Lower case, in the order of the service's actions. */
  readonly lower: readonly string[];
  /** {@link lettersOf} each name. */
  readonly letters: readonly number[];
  /** Length of the longest name, in characters. */
  readonly longest: number;
}

const namesOf = memo((service: Service): Names => {
  const lower = lowerNamesOf(service);
  return {
    lower,
    letters: lower.map(lettersOf),
    longest: Math.max(0, ...lower.map((name) => name.length)),
  };
});
