import type { CheckContext } from "../../engine/check.ts";
import { asciiLower } from "../../services/ascii.ts";
import type { Action, Service } from "../../services/model.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { sampleArns } from "../shared/sample-arn.ts";
import { removesBoundary } from "./boundary-removal.ts";
import { limitingKeys } from "./limiting-keys.ts";
import type { Selected } from "./selection.ts";
import { grantsRights } from "./severity.ts";

type Context = Pick<CheckContext, "match" | "policy">;

/** A selected action that the reference knows. */
export interface KnownAction {
  readonly action: Action;
  readonly service: Service;
}

export function knownActions(selection: readonly Selected[], { match }: Context): KnownAction[] {
  return selection.flatMap(({ name }) => {
    const meaning = match(name);
    return meaning.kind === "action" ? [{ action: meaning.action, service: meaning.service }] : [];
  });
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
 * that the reference lists for all of them, best first (V2).
 */
export function adviceFor(selection: readonly Selected[], context: Context): string {
  const whole = selection.find(({ breadth }) => breadth === "self");
  if (whole) {
    return `Name the roles that need it instead of the whole ${whole.to}, or leave it to the account that owns the resource.`;
  }
  if (selection.every(({ name }) => removesBoundary(name))) {
    return "Remove the action: a boundary limits only those who cannot remove it. Leave it to the administrators of the account.";
  }
  const shown = selection.slice(0, mostActions);
  const known = knownActions(shown, context);
  const sentences: string[] = [];
  const wide = shown.filter(({ breadth }) => breadth === "everything").map(({ name }) => name);
  const forms = new Set(
    known
      .filter(({ action }) => wide.includes(action.qualified))
      .flatMap(({ action, service }) => sampleArns(action, service, 1)),
  );
  if (forms.size > 0) {
    const texts = [...forms].slice(0, mostForms).map((form) => quote(form));
    sentences.push(`Name the resources in \`Resource\`, such as ${joinWords(texts)}.`);
  }
  const keys = keysForAll(known, shown.length);
  if (keys.length > 0) {
    const quoted = keys.map((key) => quote(key));
    const actions = selection.length === 1 ? "the action" : "the actions";
    sentences.push(
      `${forms.size > 0 ? "Or limit" : "Limit"} ${actions} with a condition on ${joinWords(quoted, 0, "or")}.`,
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

/** Keys that every action supports, best first: tags of the resource, service keys, global keys. */
function keysForAll(known: readonly KnownAction[], total: number): string[] {
  const [first] = known;
  if (!first || known.length < total) return ["aws:PrincipalTag/…"];
  const removes = known.some(({ action }) => removesBoundary(action.qualified));
  const supports = (key: string) => {
    if (removes && key === "iam:PermissionsBoundary") return false;
    const lower = asciiLower(key.replace("…", "team"));
    return known.every(({ action }) => action.supportsKey(lower));
  };
  const rights = known.every(({ action }) => grantsRights(action.qualified))
    ? ["iam:PermissionsBoundary", "iam:PolicyARN"].filter(supports)
    : [];
  const tags = ["aws:ResourceTag/…"].filter(supports);
  const ofService = (limitingKeys[first.service.prefix] ?? []).filter(supports);
  const global = known.every(({ action }) => mayReachOtherAccounts(action))
    ? "aws:ResourceAccount"
    : "aws:PrincipalTag/…";
  return [...new Set([...rights, ...tags, ...ofService, global])].slice(0, mostKeys);
}
