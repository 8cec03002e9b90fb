import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { firstFew, quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

const resourceTag = /^aws:resourcetag\/./;
const tagKeys = /^aws:(?:resourcetag|requesttag)(?:\/|$)|^aws:tagkeys$/i;
const tagName = /^aws:resourcetag(?:\/|$)/i;

const supportByAction = new WeakMap<Action, boolean>();

/** Whether requests of the action can have `aws:ResourceTag`. */
function supportsTags(action: Action, service: Service): boolean {
  let supports = supportByAction.get(action);
  if (supports === undefined) {
    supports =
      action.conditionKeys.some((key) => tagKeys.test(key)) ||
      action.resourceTypes.some((name) =>
        service.resourceType(name)?.conditionKeys.some((key) => tagName.test(key)),
      );
    supportByAction.set(action, supports);
  }
  return supports;
}

/** Resource tags tested on actions whose requests never have them. */
export function resourceTags(statement: Statement, subject: Subject): Iterable<Issue> {
  const tested = statement.conditions.filter(testsTag);
  return tested.length > 0 ? unsentTags(tested, statement, subject) : noIssues;
}

function* unsentTags(
  tested: readonly ConditionEntry[],
  statement: Statement,
  subject: Subject,
): Generator<Issue> {
  const { type } = subject;
  const allows = statement.effect === "Allow" && type === "identity";
  const denies = statement.effect === "Deny" && (type === "identity" || type === "scp");
  if (!allows && !denies) return;
  const unsupported = actionsOf(statement, subject.match).read.filter(lacksTags);
  const seen = new Set<string>();
  for (const entry of tested) {
    if (seen.has(entry.keyLower)) continue;
    seen.add(entry.keyLower);
    if (statement.has("NotAction")) {
      yield {
        code: allows
          ? "ALLOW_NOTACTION_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE"
          : "DENY_NOTACTION_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
        details: `\`NotAction\` leaves actions whose requests never have ${quoted(entry.key)}. Name the actions.`,
        nodes: [statement.at("NotAction"), entry.keyNode],
      };
      continue;
    }
    if (unsupported.length === 0) continue;
    const names = firstFew(unsupported, ({ entry: { text }, meaning }) =>
      meaning.kind === "action" ? quoted(text) : `some actions of ${quoted(text)}`,
    );
    yield {
      code: allows
        ? "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE"
        : "DENY_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
      details: `Requests for ${names} never have ${quoted(entry.key)} (reference data of ${subject.services.date}), so the statement does not apply to them. Move those actions to a statement without it.`,
      nodes: [...unsupported.map((action) => action.entry.node), entry.keyNode],
    };
  }
}

/** StringEquals and StringLike only; other operators are not reported. */
function testsTag({ keyLower, operator }: ConditionEntry): boolean {
  if (!resourceTag.test(keyLower) || !operator || operator.ifExists) return false;
  return operator.base.name === "StringEquals" || operator.base.name === "StringLike";
}

/** Whether requests for an action of the entry never have a tag of the resource. */
function lacksTags({ meaning }: ReadAction): boolean {
  switch (meaning.kind) {
    case "any":
      return true;
    case "action":
      return !supportsTags(meaning.action, meaning.service);
    case "pattern":
      return !meaning.actions.every((action) => supportsTags(action, meaning.service));
    default:
      return false;
  }
}
