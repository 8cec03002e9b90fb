import { FactSlot } from "../../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../../policy/model.ts";
import {
  globMatches,
  globsOverlap,
  hasWildcard,
  isAnyAction,
  isAnyResource,
} from "../../../policy/wildcard.ts";
import type { Action } from "../../../services/model.ts";
import { conditionAlwaysHolds } from "./grant-conditions.ts";

/** Real policies have a handful; past this number a Deny does not count, which only reports more. */
const mostEntries = 100;

/** Denies that cover an action; the same list for all actions that the same Denies cover. */
export type Bans = readonly Statement[];

const none: Bans = [];

function bansOf(policy: Policy, counts: (deny: Statement) => boolean): Bans {
  let entries = 0;
  return policy.statements.filter((statement) => {
    if (!statement.denies || !counts(statement)) return false;
    entries += sizeOf(statement);
    return entries <= mostEntries;
  });
}

function sizeOf({ actions, notActions, resources, notResources }: Statement): number {
  return actions.length + notActions.length + resources.length + notResources.length;
}

const known = new FactSlot<Policy, DeniesOfPolicy>();
const conditional = new FactSlot<Policy, DeniesOfPolicy>();

/** @returns what the Denies of a policy take back from its Allows. */
export function deniesOf(policy: Policy, dataDate: string): DeniesOfPolicy {
  let denies = known.get(policy);
  if (!denies) {
    denies = new DeniesOfPolicy(bansOf(policy, (deny) => conditionAlwaysHolds(deny, dataDate)));
    known.set(policy, denies);
  }
  return denies;
}

/** @returns the Denies of a policy that hold for some requests only. */
export function conditionalDeniesOf(policy: Policy, dataDate: string): DeniesOfPolicy {
  let denies = conditional.get(policy);
  if (!denies) {
    denies = new DeniesOfPolicy(bansOf(policy, (deny) => !conditionAlwaysHolds(deny, dataDate)));
    conditional.set(policy, denies);
  }
  return denies;
}

/** Only a Deny counts that covers the Allow for certain. */
export class DeniesOfPolicy {
  readonly #bans: Bans;
  readonly #byAction = new Map<string, Bans>();
  readonly #byKnownAction = new Map<Action, Bans>();
  readonly #lists = new Map<string, Bans>();
  readonly #services = new Map<string, boolean>();

  constructor(bans: Bans) {
    this.#bans = bans;
  }

  /** Whether the policy has such a Deny. */
  get exist(): boolean {
    return this.#bans.length > 0;
  }

  /** @returns whether some Deny may cover an action of the service, by its lower-case prefix. */
  concern(prefix: string): boolean {
    if (this.#bans.length === 0) return false;
    let concerns = this.#services.get(prefix);
    if (concerns === undefined) {
      concerns = this.#bans.some(
        ({ actions, notActions }) =>
          notActions.length > 0 || actions.some(({ text }) => mayMeanService(text, prefix)),
      );
      this.#services.set(prefix, concerns);
    }
    return concerns;
  }

  /** As `of`, for an action of the reference. */
  ofKnown(action: Action): Bans {
    if (!this.concern(action.service)) return none;
    let bans = this.#byKnownAction.get(action);
    if (!bans) {
      bans = this.of(action.qualified);
      this.#byKnownAction.set(action, bans);
    }
    return bans;
  }

  /**
   * @param action A name, or a pattern of which all has to be denied.
   * @returns the Denies that cover it, on whatever resources.
   */
  of(action: string): Bans {
    if (this.#bans.length === 0) return none;
    let bans = this.#byAction.get(action);
    if (!bans) {
      const covering = this.#bans.filter((ban) => coversAction(ban, action));
      const key = covering.map(({ index }) => index).join(" ");
      bans = this.#lists.get(key) ?? covering;
      this.#lists.set(key, bans);
      this.#byAction.set(action, bans);
    }
    return bans;
  }
}

function mayMeanService(text: string, prefix: string): boolean {
  const colon = text.indexOf(":");
  const service = colon < 0 ? text : text.slice(0, colon);
  return hasWildcard(service) || service.toLowerCase() === prefix;
}

/** More resources in a statement than anybody writes; holding each against the Denies is not worth it. */
const mostResources = 200;

/** @returns the entries of the Allow's `Resource` that the Denies do not cover. */
export function leftBy(bans: Bans, allow: Statement): readonly Entry[] {
  const { resources } = allow;
  if (bans.length === 0 || resources.length > mostResources) return resources;
  const about = bans.filter((ban) => coversPrincipals(ban, allow));
  return resources.filter(({ text }) => !about.some((ban) => coversResource(ban, text)));
}

/** @returns whether the Denies cover every resource there is. */
export function takesEveryResource(bans: Bans, allow: Statement): boolean {
  return bans.some((ban) => coversPrincipals(ban, allow) && coversResource(ban, "*"));
}

/**
 * @param actions Names or patterns, all of them of the Allow.
 * @returns the Denies that together take back all of it, in order; null where something is left.
 */
export function takenBackBy(
  denies: DeniesOfPolicy,
  allow: Statement,
  actions: readonly string[],
): readonly Statement[] | null {
  const resources = allow.resources.length > 0 ? allow.resources.map(({ text }) => text) : ["*"];
  if (resources.length > mostResources) return null;
  const taking = new Set<Statement>();
  // Actions that the same Denies cover have the same list, which is compared with the resources once.
  for (const bans of new Set(actions.map((action) => denies.of(action)))) {
    const about = bans.filter((deny) => coversPrincipals(deny, allow));
    for (const resource of resources) {
      const deny = about.find((one) => coversResource(one, resource));
      if (!deny) return null;
      taking.add(deny);
    }
  }
  return [...taking].sort((a, b) => a.index - b.index);
}

/** @returns whether the Deny covers every resource and principal of the Allow. */
export function coversGrant(deny: Statement, allow: Statement): boolean {
  if (!coversPrincipals(deny, allow)) return false;
  const { resources } = allow;
  if (resources.length === 0) return coversResource(deny, "*");
  return (
    resources.length <= mostResources && resources.every(({ text }) => coversResource(deny, text))
  );
}

function coversAction({ actions, notActions }: Statement, action: string): boolean {
  if (notActions.length > 0) {
    return !notActions.some(
      ({ text }) => isAnyAction(text) || globsOverlap(text, action, { ignoreCase: true }),
    );
  }
  return actions.some(({ text }) => isAnyAction(text) || globCovers(text, action, true));
}

function coversResource({ resources, notResources }: Statement, allowed: string): boolean {
  if (notResources.length > 0) {
    return !notResources.some(({ text }) => isAnyResource(text) || globsOverlap(text, allowed));
  }
  return resources.some(({ text }) => isAnyResource(text) || globCovers(text, allowed, false));
}

/** In an identity policy both statements are about its holder. */
function coversPrincipals(deny: Statement, allow: Statement): boolean {
  if (deny.notPrincipals.length > 0) return false;
  if (allow.principals.length === 0 && allow.notPrincipals.length === 0) return true;
  if (deny.principals.some(({ type, text }) => type === "AWS" && text === "*")) return true;
  return (
    allow.principals.length > 0 &&
    allow.principals.every(({ type, text }) =>
      deny.principals.some((denied) => denied.type === type && denied.text === text),
    )
  );
}

/** @returns whether everything that the inner pattern matches is matched by the outer one, for certain. */
function globCovers(outer: string, inner: string, ignoreCase: boolean): boolean {
  // A `?` matches one character and a star any number, so it covers no star.
  if (outer.includes("?") && inner.includes("*")) return outer === inner;
  return globMatches(outer, inner, { ignoreCase });
}
