import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import type { KeptAction } from "./kept.ts";

/** What the statement's condition does about the resources that a wildcard reaches. */
export type ResourceLimit =
  | { readonly kind: "none" }
  /** The keys that limit them, as written. */
  | { readonly kind: "limited"; readonly keys: readonly string[] }
  /** Keys that could limit are there, but these actions do not support them. */
  | {
      readonly kind: "unsupported_keys";
      readonly keys: readonly string[];
      readonly actions: readonly string[];
    };

const accountKeys: ReadonlySet<string> = new Set([
  "aws:resourceaccount",
  "aws:resourceorgid",
  "aws:resourceorgpaths",
  "s3:resourceaccount",
]);

/**
 * Keys of services that narrow what an action touches, where it has no better one; the reference lists
 * which actions support them.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const narrowingKeys =
  /^(?:[a-z0-9-]+:createaction|cloudwatch:namespace|codestar-notifications:notificationsforresource|dynamodb:leadingkeys|iam:awsservicename|iam:passedtoservice|kms:viaservice|kms:encryptioncontext:.+|ec2:vpc|events:managedby|ram:resourcesharename|route53:changeresourcerecordsets.+|s3:prefix|wafv2:logscope)$/;

/** @param actions The actions concerned, each once. */
export function resourceLimit(statement: Statement, actions: readonly KeptAction[]): ResourceLimit {
  const limiting = limitingEntries(statement);
  const accounts = limiting.filter(({ keyLower }) => accountKeys.has(keyLower));
  if (accounts.length > 0) return { kind: "limited", keys: keysOf(accounts) };

  const candidates = limiting.filter(
    ({ keyLower }) => isTagKey(keyLower) || narrowingKeys.test(keyLower),
  );
  if (candidates.length === 0) return { kind: "none" };
  const families = [
    ...Map.groupBy(candidates, ({ keyLower }) => keyLower.split("/", 1)[0]).values(),
  ];
  // Made-up families fall out at the first action, so the rest is as short as the real ones are few.
  let supported = families;
  for (const action of actions) {
    supported = supported.filter(([entry]) => limits(action, entry));
    if (supported.length === 0) break;
  }
  const [family] = supported;
  if (family) return { kind: "limited", keys: keysOf(family) };
  const unsupported = families
    .slice(0, 4)
    .map(([entry]) => actions.filter((action) => !limits(action, entry)))
    .reduce((fewest, those) => (those.length < fewest.length ? those : fewest), actions);
  return {
    kind: "unsupported_keys",
    keys: keysOf(candidates),
    actions: unsupported.map(({ text }) => text),
  };
}

function limits({ meaning }: KeptAction, entry: ConditionEntry | undefined): boolean {
  if (meaning.kind !== "action" || entry === undefined) return false;
  const { action } = meaning;
  // What is passed along with the request limits only what the request creates.
  const isRequested = /^aws:(?:requesttag\/|tagkeys$)/.test(entry.keyLower);
  if (isRequested && action.accessLevel === "tagging") return false;
  return action.supportsKey(entry.key);
}

function keysOf(entries: readonly { readonly key: string }[]): string[] {
  return [...new Set(entries.map(({ key }) => key))];
}

/** Tags of the resource or the request; a tag of the caller says nothing about the resource. */
function isTagKey(keyLower: string): boolean {
  if (keyLower === "aws:tagkeys") return true;
  return keyLower.includes("tag/") && !keyLower.startsWith("aws:principaltag/");
}
