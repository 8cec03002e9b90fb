import { asciiLower } from "../../ascii.ts";
import { memo } from "../../memo.ts";
import type { Action } from "../../services/model.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { sampleArns } from "../shared/sample-arn.ts";
import { removesBoundary } from "./boundary-removal.ts";
import { needsDocument } from "./by-kind.ts";
import { limitingKeys } from "./limiting-keys.ts";
import type { Selected } from "./selection.ts";
import type { KnownAction, Sensitive } from "./sensitive.ts";
import { grantsRights } from "./severity.ts";

/** @returns those of the actions that the reference knows. */
export function knownActions(selection: readonly Selected[]): readonly KnownAction[] {
  const found: KnownAction[] = [];
  for (const { sensitive } of selection) if (sensitive.known) found.push(sensitive.known);
  return found;
}

/** The message names as many; the advice is about these. */
const mostActions = 10;
const mostForms = 2;
const mostKeys = 3;

/** Services whose calls people make with their own sign-in, so that asking for MFA makes sense. */
const peoplesServices: ReadonlySet<string> = new Set([
  "iam",
  "sts",
  "organizations",
  "account",
  "sso",
]);

/**
 * What to do about the actions of one finding: first the ARN forms to name, then the condition keys
 * that the reference lists for all of them, best first.
 */
export function adviceFor(selection: readonly Selected[]): string {
  const whole = selection.find(({ breadth }) => breadth === "self");
  if (whole) {
    return `Name the roles that need it instead of the whole ${whole.to}, or leave it to the account that owns the resource.`;
  }
  if (selection.every(({ name }) => removesBoundary(name))) {
    return "Remove the action: a boundary limits only those who cannot remove it. Leave it to the administrators of the account.";
  }
  const [first] = selection;
  if (first && selection.length === 1) {
    return first.breadth === "everything" ? forWide(first.sensitive) : forNamed(first.sensitive);
  }
  const shown = selection.slice(0, mostActions);
  const wide = shown.filter(({ breadth }) => breadth === "everything");
  return textFor(knownActions(shown), shown.length, knownActions(wide));
}

/** Half of the findings are about one action, for which the advice is always the same. */
const forWide = memo(({ known }: Sensitive) => textFor(listOf(known), 1, listOf(known)));
const forNamed = memo(({ known }: Sensitive) => textFor(listOf(known), 1, []));

const listOf = (known: KnownAction | null): readonly KnownAction[] => (known ? [known] : []);

/**
 * @param known Those of the actions that the reference knows.
 * @param total How many actions there are.
 * @param wide Those that reach every resource.
 */
function textFor(
  known: readonly KnownAction[],
  total: number,
  wide: readonly KnownAction[],
): string {
  const sentences: string[] = [];
  const forms = formsOf(wide);
  if (forms.size > 0) {
    const texts = Array.from(forms, (form) => quote(form));
    sentences.push(`Name the resources in \`Resource\`, such as ${joinWords(texts)}.`);
  }
  const keys = keysForAll(known, total);
  if (total === 1 && known.some(({ action }) => needsDocument(action))) {
    sentences.push(
      "Or allow the action on instances with a condition on `aws:ResourceTag/…` and, in a second statement, on the documents that are used: a condition for both tests tags of the document too.",
    );
  } else if (keys.length > 0) {
    const actions = total === 1 ? "the action" : "the actions";
    sentences.push(
      `${forms.size > 0 ? "Or limit" : "Limit"} ${actions} with a condition on ${joinWords(keys, 0, "or")}.`,
    );
  }
  if (known.some(({ action }) => peoplesServices.has(action.service))) {
    sentences.push("Where people use it, ask for MFA as well (`aws:MultiFactorAuthPresent`).");
  }
  if (sentences.length === 0) {
    return "Remove the action if it is not used, or limit it with a condition on a tag of the caller (`aws:PrincipalTag/…`).";
  }
  return sentences.join(" ");
}

/** Whether `aws:ResourceAccount` limits the action: it works on resources, and IAM reaches those of the caller's account alone. */
export function mayReachOtherAccounts({ resourceTypes, service }: Action): boolean {
  return resourceTypes.length > 0 && service !== "iam";
}

/**
 * Whether the action creates the resource that it names, which has no tags before, although the reference lists the keys
 * of tags for its type: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_iam-tags.html
 */
export function createsResource({ name, resourceTypes }: Action): boolean {
  const created = name.startsWith("Create") ? name.slice("Create".length).toLowerCase() : null;
  return resourceTypes.some((type) => type.replaceAll("-", "").toLowerCase() === created);
}

/** ARN forms of the actions, at most {@link mostForms}. */
function formsOf(actions: readonly KnownAction[]): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const { action, service } of actions) {
    for (const form of sampleArns(action, service, 1)) forms.add(form);
    if (forms.size === mostForms) break;
  }
  return forms;
}

/** A key that advice may name. */
interface Candidate {
  readonly key: string;
  readonly quoted: string;
  /** A key that it means, in lower case. */
  readonly lower: string;
}

const candidate = (key: string): Candidate => ({
  key,
  quoted: quote(key),
  lower: asciiLower(key.replace("…", "team")),
});
const ofRights = ["iam:PermissionsBoundary", "iam:PolicyARN"].map(candidate);
const ofTags = [candidate("aws:ResourceTag/…")];
const ofServices: ReadonlyMap<string, readonly Candidate[]> = new Map(
  Object.entries(limitingKeys).map(([prefix, keys]) => [prefix, keys.map(candidate)]),
);
const none: readonly Candidate[] = [];

const ofResources = candidate("aws:ResourceAccount");
const ofCallers = candidate("aws:PrincipalTag/…");

/** Keys that every action supports, best first and quoted: tags of the resource, service keys, global keys. */
function keysForAll(known: readonly KnownAction[], total: number): string[] {
  const [first] = known;
  if (!first || known.length < total) return [ofCallers.quoted];
  if (known.some(({ action }) => needsDocument(action))) return [ofCallers.quoted];
  const removes = known.some(({ action }) => removesBoundary(action.qualified));
  const keys = new Set<string>();
  const add = (candidates: readonly Candidate[]) => {
    for (const { key, quoted, lower } of candidates) {
      if (keys.size === mostKeys) return;
      if (removes && key === "iam:PermissionsBoundary") continue;
      if (known.every(({ action }) => action.supportsKey(lower))) keys.add(quoted);
    }
  };
  if (known.every(({ action }) => grantsRights(action.qualified))) add(ofRights);
  if (!known.some(({ action }) => createsResource(action))) add(ofTags);
  add(ofServices.get(first.service.prefix) ?? none);
  if (keys.size < mostKeys) {
    const reachOthers = known.every(({ action }) => mayReachOtherAccounts(action));
    keys.add((reachOthers ? ofResources : ofCallers).quoted);
  }
  return [...keys];
}
