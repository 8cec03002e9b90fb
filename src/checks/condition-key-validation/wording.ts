import type { CheckContext } from "../../engine/check.ts";
import { globalConditionKeys, isTagKey } from "../../policy/global-condition-keys.ts";
import { suggestNames } from "../../services/suggest.ts";
import { didYouMean, quote, quoteList, thousands } from "../shared/quote.ts";
import { withinBudget } from "../shared/suggestion-budget.ts";
import type { InvalidKey } from "./invalid-key.ts";
import { keysOf } from "./listed-keys.ts";

/** Keys of an action that a suggestion names. */
const mostKeys = 10;

const globalNames: readonly string[] = globalConditionKeys.map(({ name }) => name);

const tag = /^aws:(RequestTag|ResourceTag|PrincipalTag)(?:\/(.*))?$/is;

export type Kind = "request tag" | "resource tag" | "tag key" | "global" | "service";

/** What kind of key it is, so what can be wrong with it. */
export function kindOf(keyLower: string): Kind {
  const [, family, tagKey] = tag.exec(keyLower) ?? [];
  if (family !== undefined) {
    if (tagKey === undefined || !isTagKey(tagKey)) return "tag key";
    if (family === "requesttag") return "request tag";
    if (family === "resourcetag") return "resource tag";
  }
  return keyLower.startsWith("aws:") ? "global" : "service";
}

/** Says that, and why, nothing but global keys can be judged. */
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
  if (!action) return `${names} ${be} ${why}. A condition on an unknown key does not hold.`;
  const of = quote(action.entry.text);
  const dated = `in the reference data of ${services.date}`;
  switch (kindOf(entry.keyLower)) {
    case "tag key":
      return `${names} ${plural ? "hold" : "holds"} no tag key: after the slash stand 1 to 128 letters, digits, blanks or \`+ - = . _ : / @\`.`;
    case "request tag":
      return `${of} takes no tags in its request ${dated}, so the request never carries ${names}.`;
    case "resource tag":
      return `Neither ${of} nor a resource type it works on offers resource tags ${dated}, so its requests never carry ${names}.`;
    case "global":
      return `${names} ${be} no global condition key and no key of ${of} ${dated}.`;
    case "service":
      return `${names} ${be} no condition key of ${of} ${dated}.`;
  }
}

export function adviceFor({ entry, action }: InvalidKey, { policy }: CheckContext): string {
  const own = action ? keysOf(action.service, action.actions) : [];
  const near = withinBudget(policy, () => [
    ...new Set(
      [globalNames, own].flatMap((names) =>
        suggestNames(names, entry.key).filter((name) => !/[$<]/.test(name)),
      ),
    ),
  ]);
  const hints: string[] = [];
  if (entry.keyLower === "aws:arn") {
    hints.push("AWS replaced it by `aws:PrincipalArn` and `aws:SourceArn`.");
  } else if (near.length > 0) {
    hints.push(didYouMean(near.slice(0, 3)));
  }
  const kind = kindOf(entry.keyLower);
  if (action && (kind === "request tag" || kind === "resource tag")) {
    hints.push(`Put ${quote(action.entry.text)} into a statement without this condition.`);
  }
  if (action) hints.push(keysHint(action.entry.text, own));
  else if (near.length === 0) hints.push("Look the key up among the global condition keys.");
  return hints.join(" ");
}

function keysHint(action: string, own: readonly string[]): string {
  const globals =
    "Global keys such as `aws:PrincipalOrgID` or `aws:SourceIp` work with any action.";
  if (own.length === 0) return `${quote(action)} has no condition keys of its own. ${globals}`;
  const more = own.length - mostKeys;
  const rest = more > 0 ? `, and ${thousands(more)} more` : "";
  const names = own.slice(0, mostKeys).map((name) => quote(name));
  return `Keys of ${quote(action)}: ${names.join(", ")}${rest}. ${globals}`;
}
