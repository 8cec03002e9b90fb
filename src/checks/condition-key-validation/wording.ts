import { editDistance } from "../../edit-distance.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import { globalConditionKeys, isTagKey } from "../../policy/global-condition-keys.ts";
import { misspeltClaim } from "../../policy/identity-provider-key.ts";
import type { Policy } from "../../policy/model.ts";
import { suggestNames } from "../../services/suggest.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { didYouMean, quote, quoteList } from "../shared/quote.ts";
import { withinBudget } from "../shared/suggestion-budget.ts";
import { claimAdvice } from "./claim-names.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { keysOf } from "./listed-keys.ts";
import { sendersOf } from "./unsent-keys.ts";

const globalNames: readonly string[] = globalConditionKeys.map(({ name }) => name);

const tag = /^aws:(RequestTag|ResourceTag|PrincipalTag)(?:\/(.*))?$/is;
/** `ec2:ResourceTag/team` */
const tagOfService = /^[a-z0-9-]+:(?:RequestTag|ResourceTag)\/(.+)$/is;

export type Kind = "request tag" | "resource tag" | "tag key" | "global" | "service";

/** What kind of key it is, so what can be wrong with it. */
export function kindOf(keyLower: string): Kind {
  const [, family, tagKey] = tag.exec(keyLower) ?? [];
  if (family !== undefined) {
    if (tagKey === undefined || !isTagKey(tagKey)) return "tag key";
    if (family === "requesttag") return "request tag";
    if (family === "resourcetag") return "resource tag";
    return "global";
  }
  const [, ofService] = tagOfService.exec(keyLower) ?? [];
  if (ofService !== undefined && !isTagKey(ofService)) return "tag key";
  return keyLower.startsWith("aws:") ? "global" : "service";
}

/** Says that, and why, only global keys can be validated. */
export function unknownWithoutActions(notAction: boolean, { services }: CheckContext): string {
  const element = notAction ? "`NotAction`" : "`*`";
  return `not among the global condition keys known on ${services.date}; ${element} leaves no action whose own keys it could be checked against`;
}

/** @param keys Of the whole group, as written, once each. */
export function problemOf(
  { entry, action, why }: InvalidKey,
  keys: readonly string[],
  { services }: CheckContext,
): string {
  const names = quoteList(keys, 20);
  const plural = keys.length > 1;
  const be = plural ? "are" : "is";
  const aKey = plural ? "condition keys" : "a condition key";
  if (!action) return `${names} ${be} ${why}. No request carries an unknown key.`;
  const of = quote(action.entry.text);
  const dated = `in the reference data of ${services.date}`;
  switch (kindOf(entry.keyLower)) {
    case "tag key":
      return `In ${names} the key of the tag is missing or malformed: after the slash come 1 to 128 letters, digits, spaces or \`+ - = . _ : / @\`.`;
    case "request tag":
      return `${of} takes no tags in its request ${dated}, so the request never carries ${names}.`;
    case "resource tag":
      return `Neither ${of} nor a resource type it works on offers resource tags ${dated}, so its requests never carry ${names}.`;
    case "global":
      return `${names} ${be} not known as ${plural ? "global condition keys or as keys" : "a global condition key or as a key"} of ${of} ${dated}.`;
    case "service":
      return `${names} ${be} not ${aKey} of ${of} ${dated}.`;
  }
}

/** Names for a key that is not known, nearest first, at most three. */
function nearKeys({ entry, action, near: found }: InvalidKey, policy: Policy): readonly string[] {
  if (found) return found;
  const claim = misspeltClaim(entry.key);
  if (claim !== null) return [claim];
  const own = action ? keysOf(action.service, action.actions) : [];
  const near = withinBudget(policy, () => [
    ...new Set([
      ...[globalNames, own].flatMap((names) =>
        suggestNames(names, entry.key).filter((name) => !/[$<]/.test(name)),
      ),
      ...nearFamilies(entry.key, own),
    ]),
  ]);
  const edits = (name: string) => editDistance(name.toLowerCase(), entry.keyLower);
  return [...near].sort((one, other) => edits(one) - edits(other)).slice(0, 3);
}

/** Keys with a part that the author chooses after a slash, such as the name of a tag, with this part. */
function nearFamilies(key: string, own: readonly string[]): readonly string[] {
  const families = [
    "aws:PrincipalTag",
    "aws:RequestTag",
    "aws:ResourceTag",
    ...own.flatMap(familyOf),
  ];
  // `aws:ResourceTag:team`, `aws:PrincipalTag.team`
  const [, family, tagKey] = /^([^:/]+:[a-z]+tags?)[:.]([^/]+)$/i.exec(key) ?? [];
  const at = key.indexOf("/");
  const [head, tail] =
    family === undefined ? [key.slice(0, at), key.slice(at + 1)] : [family, tagKey];
  if (at < 0 && family === undefined) return [];
  return suggestNames([...new Set(families)], head).map((name) => `${name}/${tail}`);
}

/**
 * The one key that is called like this behind another prefix: `PrincipalOrgID`, `iam:PrincipalOrgID`. A key of
 * a service must be one of every action of the statement.
 */
function keyOfAnotherPrefix({ entry, action, statement }: InvalidKey): string | null {
  const nameOf = (key: string) => key.slice(key.indexOf(":") + 1).toLowerCase();
  const own =
    action && statement.actions.every(({ text }) => text.startsWith(`${action.service.prefix}:`))
      ? keysOf(action.service, action.actions)
      : [];
  const name = nameOf(entry.key);
  const alike = [...new Set([...globalNames, ...own])].filter((key) => nameOf(key) === name);
  const [only] = alike;
  return only !== undefined && alike.length === 1 ? only : null;
}

/** What is before the slash in `s3:ExistingObjectTag/<key>`. */
function familyOf(name: string): string[] {
  return /^([^/$<]+)\/(?:\$\{[^}]*\}|<[^>]*>)$/.exec(name)?.slice(1) ?? [];
}

/** What to write in place of a key; `isGroup`: the finding is about several keys. */
export function adviceFor(
  invalid: InvalidKey,
  isGroup: boolean,
  { policy, services }: CheckContext,
): Pick<Report, "suggestion" | "correction" | "fix"> {
  const { entry, action, statement } = invalid;
  const kind = kindOf(entry.keyLower);
  if (entry.keyLower === "aws:arn") {
    return { suggestion: "AWS replaced it by `aws:PrincipalArn` and `aws:SourceArn`." };
  }
  const family = /^aws:(?:principal|request|resource)tag(?=\/?$)/i.exec(entry.key)?.[0];
  if (kind === "tag key" && family !== undefined) {
    return {
      suggestion: `Write the key of the tag after a slash, such as ${quote(`${family}/team`)}.`,
    };
  }
  if (kind === "tag key") {
    return {
      suggestion: /[*?]/.test(entry.key)
        ? "Write the key of one tag as it is: a `*` or `?` in it matches only itself. For several tags, write a statement for each."
        : "Write the key of the tag in this form after the slash.",
    };
  }
  const apart = action
    ? `Put ${quote(action.entry.text)} into a statement without this condition.`
    : "";
  if (kind === "request tag" || kind === "resource tag") return { suggestion: apart };
  const ofProvider = claimAdvice(invalid, isGroup);
  if (ofProvider) return ofProvider;
  const prefix = entry.keyLower.slice(0, Math.max(0, entry.keyLower.indexOf(":")));
  const owner = services.get(prefix);
  const isOthers = owner?.conditionKey(entry.key) !== undefined;
  const meant = isGroup || isOthers ? null : keyOfAnotherPrefix(invalid);
  if (meant !== null) {
    return {
      suggestion: didYouMean([meant]),
      ...fixedBy(() => correctedEntry(statement, entry, { key: meant }), {
        title: "Correct the prefix of the condition key",
        effect: "repairs",
      }),
    };
  }
  const near = nearKeys(invalid, policy);
  const [first, second] = near;
  if (first !== undefined) {
    const edits = (name: string) => editDistance(name.toLowerCase(), entry.keyLower);
    const isClear = second === undefined || edits(first) < edits(second);
    return {
      suggestion: didYouMean(near),
      ...(!isGroup && isClear && edits(first) <= 2
        ? fixedBy(() => correctedEntry(statement, entry, { key: first }), {
            title: "Correct the name of the condition key",
            effect: "repairs",
          })
        : {}),
    };
  }
  if (action && owner && isOthers) {
    return { suggestion: `${sendersOf(owner, entry.key)} ${apart}` };
  }
  return {
    suggestion: action
      ? `Look up the condition keys of ${quote(action.entry.text)}, or use a global key such as \`aws:PrincipalOrgID\` or \`aws:SourceIp\`.`
      : "Look the key up among the global condition keys.",
  };
}
