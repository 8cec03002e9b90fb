import { asciiLower } from "../ascii.ts";
import { sortedJson } from "../json/sorted-json.ts";
import { isRecord, type JsonObject } from "../record.ts";
import type { Unknown, Unknowns } from "./unknowns.ts";

/**
 * What takes the place of parts of which it is not known what they grant. `none`: nothing, in both versions. `most`: the
 * most that the version may allow. `least`: the least.
 */
export type OpenPartFilling = "none" | "most" | "least";

/** A statement, or an action of one, of which it is not known what it grants. */
interface OpenPart {
  /** Equal for equal parts of two versions. */
  readonly key: string;
  /** Null: the effect is not known. */
  readonly effect: "allow" | "deny" | null;
}

/** A document whose statements can be read, beside those parts. */
export interface KnownParts {
  readonly document: unknown;
  readonly open: readonly OpenPart[];
  /** Of the statements that can be read, without entries that cannot. */
  readonly keys: ReadonlySet<string>;
  /** Keys of those of them that deny. */
  readonly denies: readonly string[];
  /** Keys of those that allow callers whose names are not known. */
  readonly openCallers: readonly string[];
  /** Some allow callers by what they are not, or by conditions on who they are. */
  readonly limitsCallers: boolean;
}

/** An action without a colon and a wildcard matches no request. */
const noAction = "none";

/** Keys whose values follow from the caller. */
const callerKeys =
  /^(?:aws:(?:principal(?:arn|account|type|isawsservice|servicename.*)|userid|username)|kms:calleraccount)$/;

/** Splits a document into what a comparison can read, and the parts of which it is not known what they grant. */
export function knownParts(
  document: unknown,
  filling: OpenPartFilling,
  unknowns: Unknowns,
): KnownParts {
  return new Reader(filling, unknowns).document(document);
}

class Reader {
  readonly #filling: OpenPartFilling;
  readonly #unknowns: Unknowns;
  readonly #open: OpenPart[] = [];
  readonly #keys = new Set<string>();
  readonly #denies: string[] = [];
  readonly #openCallers: string[] = [];
  #limitsCallers = false;
  #hasPrincipals = false;

  constructor(filling: OpenPartFilling, unknowns: Unknowns) {
    this.#filling = filling;
    this.#unknowns = unknowns;
  }

  document(value: unknown): KnownParts {
    const list = isRecord(value) ? value.Statement : undefined;
    this.#hasPrincipals = [list].flat().some((one) => isRecord(one) && hasPrincipal(one));
    const statements = Array.isArray(list)
      ? list.map((one) => this.#statement(one))
      : this.#statement(list);
    return {
      document: isRecord(value) ? { ...value, Statement: statements } : value,
      open: this.#open,
      keys: this.#keys,
      denies: this.#denies,
      openCallers: this.#openCallers,
      limitsCallers: this.#limitsCallers,
    };
  }

  #statement(value: unknown): unknown {
    if (typeof value === "string" && this.#isOpen(value)) {
      this.#open.push({ key: value, effect: null });
      return this.#filled({}, null);
    }
    if (!isRecord(value)) return value;
    const { Sid: _sid, ...rest } = value;
    const effect = effectOf(value.Effect);
    const hasOpenCaller = this.#isOpen(value.Principal);
    if (this.#isOpenAsAWhole(value, effect, hasOpenCaller)) {
      this.#open.push({ key: sortedJson(rest), effect });
      return this.#filled(value, effect);
    }
    const actions: readonly unknown[] = [value.Action].flat();
    const isPartly = actions.some((entry) => this.#isOpen(entry));
    const known = { ...rest, Action: actions.filter((entry) => !this.#isOpen(entry)) };
    this.#keep(isPartly ? known : rest, effect, hasOpenCaller);
    if (!isPartly) return value;
    const filled = actions.map((entry) => {
      if (!this.#isOpen(entry)) return entry;
      this.#open.push({ key: sortedJson({ ...rest, Action: entry }), effect });
      return this.#grantsMore(effect) ? "*" : noAction;
    });
    return { ...value, Action: Array.isArray(value.Action) ? filled : filled[0] };
  }

  #keep(statement: JsonObject, effect: OpenPart["effect"], hasOpenCaller: boolean): void {
    const key = sortedJson(statement);
    this.#keys.add(key);
    if (effect === "deny") this.#denies.push(key);
    if (effect !== "allow") return;
    if (hasOpenCaller) this.#openCallers.push(key);
    this.#limitsCallers ||= Object.hasOwn(statement, "NotPrincipal") || asksForCaller(statement);
  }

  /** Whether to put everything in the place of a part. */
  #grantsMore(effect: OpenPart["effect"]): boolean {
    if (this.#filling === "most") return effect !== "deny";
    return this.#filling === "least" && effect === "deny";
  }

  #filled(statement: JsonObject, effect: OpenPart["effect"]): JsonObject {
    const isMore = this.#grantsMore(effect);
    const { Action, NotAction, Resource, NotResource } = statement;
    const isKnown = (one: unknown) => one !== undefined && !this.#isOpen(one);
    const named = isKnown(Action) ? { Action } : { Action: "*" };
    const actions = isKnown(NotAction) ? { NotAction } : named;
    const resources = NotResource === undefined ? { Resource: Resource ?? "*" } : { NotResource };
    return {
      Effect: isMore && this.#filling === "most" ? "Allow" : "Deny",
      ...(isMore ? actions : { Action: noAction }),
      ...(isMore ? resources : { Resource: "*" }),
      ...(this.#hasPrincipals && { Principal: "*" }),
    };
  }

  #isOpenAsAWhole(
    statement: JsonObject,
    effect: OpenPart["effect"],
    hasOpenCaller: boolean,
  ): boolean {
    const { Effect, NotAction, Principal, NotPrincipal, Condition } = statement;
    if ([Effect, NotAction, NotPrincipal].some((one) => this.#isOpen(one))) return true;
    if (this.#hasOpenNames(Condition)) return true;
    if (!hasOpenCaller) return false;
    if (!isRecord(Principal) || effect !== "allow") return true;
    if (Object.keys(Principal).some((type) => this.#isOpen(type))) return true;
    return this.#isOpen(Principal.Service) || asksForCaller(statement);
  }

  /** Whether the operators and keys of a condition are not all known. */
  #hasOpenNames(condition: unknown): boolean {
    if (!isRecord(condition)) return this.#isOpen(condition);
    return Object.entries(condition).some(
      ([operator, keys]) =>
        this.#isOpen(operator) ||
        (isRecord(keys) ? Object.keys(keys).some((key) => this.#isOpen(key)) : this.#isOpen(keys)),
    );
  }

  /** Whether a value has a part that is not known. */
  #isOpen(value: unknown): boolean {
    if (typeof value === "string") {
      return this.#unknowns.split(value).some((part) => typeof part === "object" && !isFixed(part));
    }
    if (Array.isArray(value)) return value.some((item) => this.#isOpen(item));
    if (!isRecord(value)) return false;
    return Object.entries(value).some(
      ([name, member]) => this.#isOpen(name) || this.#isOpen(member),
    );
  }
}

/** The partition is that of the other ARNs. */
function isFixed({ like }: Unknown): boolean {
  return like === "partition" || like === "url_suffix";
}

function hasPrincipal(statement: JsonObject): boolean {
  return Object.hasOwn(statement, "Principal") || Object.hasOwn(statement, "NotPrincipal");
}

function effectOf(value: unknown): OpenPart["effect"] {
  const effect = typeof value === "string" ? asciiLower(value.trim()) : null;
  return effect === "allow" || effect === "deny" ? effect : null;
}

function asksForCaller({ Condition }: JsonObject): boolean {
  if (!isRecord(Condition)) return false;
  return Object.values(Condition).some(
    (keys) => isRecord(keys) && Object.keys(keys).some((key) => callerKeys.test(asciiLower(key))),
  );
}

/**
 * Whether the parts that are not known, and others that were not read, may give the later version access of which a
 * comparison of the known parts says nothing.
 * @param hasMore Both versions have the same further parts, which were not read.
 * @returns One sentence; null: they do not.
 */
export function doubtAbout(now: KnownParts, before: KnownParts, hasMore: boolean): string | null {
  const [keysNow, keysBefore] = [now, before].map(
    ({ open }) => new Set(open.map(({ key }) => key)),
  );
  const isNew = now.open.some(({ key, effect }) => effect !== "deny" && !keysBefore?.has(key));
  if (isNew) return "It is not known what a statement grants that the old version does not have.";
  const isGone = before.open.some(({ key, effect }) => effect !== "allow" && !keysNow?.has(key));
  if (isGone) return "It is not known what a statement denies that the new version does not have.";
  const callers = now.openCallers.filter((key) => !before.keys.has(key));
  if (callers.length > 0 && before.limitsCallers) {
    return "It is not known whether the old version allows callers whose names the file does not give.";
  }
  // What both versions allow is new where only the old one denies it.
  const mayAllow =
    hasMore || callers.length > 0 || now.open.some(({ effect }) => effect !== "deny");
  const denies = before.denies.every((key) => now.keys.has(key));
  return mayAllow && !denies
    ? "A Deny of the old version is gone or changed, and it is not known what it denied."
    : null;
}
