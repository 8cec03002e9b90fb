import type { NeededInput } from "../../../spec/finding.ts";
import { severityRank } from "../../../spec/severity.ts";
import type { CheckContext, Correction, Report } from "../../engine/check.ts";
import { type ConditionBlock, withCondition } from "../../fixes/condition-block.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { ConditionType } from "../../policy/condition-operator.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { hasWildcard, isAnyResource } from "../../policy/wildcard.ts";
import { isRecord } from "../../record.ts";
import type { Alternative, RequiredCondition } from "../shared/condition-requirements.ts";
import { conditionFor, exampleOfAlternatives } from "../shared/condition-texts.ts";
import { splitStatement, statementWithCondition } from "../shared/corrected.ts";
import { splitEdits } from "../shared/fix-split.ts";
import { currentVersion } from "../shared/grammar.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { servicesThatAssume } from "../shared/grants/pass-role.ts";
import { accountInput, input, serviceInput } from "../shared/placeholders.ts";
import { isDefault } from "./defaults.ts";
import type { Concerned } from "./matching.ts";
import type { ActionRequirement } from "./requirement.ts";

type Example = Pick<Report, "example" | "correction" | "fix">;

/** @returns the example of a condition that is missing: the author's own, else the statement with it. */
export function exampleFor(
  condition: RequiredCondition,
  requirement: ActionRequirement,
  concerned: Concerned,
  context: CheckContext,
): Example {
  const fix = () => conditionFix(condition, requirement, concerned, context);
  if (condition.example != null) return { example: condition.example, fix };
  return {
    fix,
    correction: () => {
      const block = isPassedTo(requirement, condition)
        ? passedToBlock(context)
        : conditionFor(condition);
      return block && withBlock(concerned, block, context);
    },
  };
}

/** @returns the example of several conditions of which one is needed. */
export function exampleOfAny(
  alternatives: readonly Alternative[],
  requirement: ActionRequirement,
  concerned: Concerned,
  context: CheckContext,
): Example {
  const example = requirement.example ?? exampleOfAlternatives(alternatives);
  if (example != null) return { example };
  if (!isDefault(requirement)) return {};
  // The account of the caller is right for most buckets, and every action on objects sends the key.
  const accountOf = (value: string) => ({ StringEquals: { "aws:ResourceAccount": value } });
  const own = accountOf("${aws:PrincipalAccount}");
  const isReplaced = replacesVariables(context.policy);
  return {
    correction: () => withBlock(concerned, isReplaced ? own : accountOf("111122223333"), context),
    fix: () =>
      isReplaced
        ? blockFix(concerned, own, [], context)
        : blockFix(concerned, accountOf("<account-id>"), [accountInput], context),
  };
}

/** Policies of the older version compare variables as plain text. */
function replacesVariables({ document: { raw } }: Policy): boolean {
  return isRecord(raw) && raw.Version === currentVersion;
}

/** The condition that is missing, with placeholders for values that nothing implies. */
function conditionFix(
  condition: RequiredCondition,
  requirement: ActionRequirement,
  concerned: Concerned,
  context: CheckContext,
): FixProposal | null {
  if (isPassedTo(requirement, condition)) {
    const known = passedToBlock(context);
    const open = { StringEquals: { "iam:PassedToService": "<service>.amazonaws.com" } };
    return blockFix(concerned, known ?? open, known ? [] : [serviceInput], context);
  }
  if (condition.expected_value != null) {
    const block = conditionFor(condition);
    return block && blockFix(concerned, block, [], context);
  }
  const { condition_key: key, operator } = condition;
  const type = globalConditionKey(key)?.type ?? "String";
  const form = forms[type];
  if (!form || operator != null) return null;
  const value = input("value", "The value that the condition key must have", form.example);
  const block = { [form.operator]: { [key]: value.placeholder } };
  const severity = condition.severity ?? requirement.severity ?? context.severity;
  const isMinor = severityRank[severity] < severityRank.medium;
  return blockFix(concerned, block, [value], context, isMinor);
}

/** How a key is compared with a value that the author gives, by the type of the key. */
const forms: Partial<Record<ConditionType, { operator: string; example: string }>> = {
  String: { operator: "StringEquals", example: "example" },
  ARN: { operator: "ArnLike", example: "arn:aws:iam::111122223333:role/example" },
  IPAddress: { operator: "IpAddress", example: "203.0.113.0/24" },
};

/** Every concerned action under the condition; the others keep their statement. */
function blockFix(
  { statement, entries }: Concerned,
  block: ConditionBlock,
  needs_input: readonly NeededInput[],
  context: CheckContext,
  isMinor = false,
): FixProposal | null {
  const texts = new Set(entries.map(({ text }) => text));
  const moved = statement.actions.filter(({ text }) => texts.has(text));
  if (statement.notActions.length > 0 || moved.length === 0 || !statement.allows) return null;
  if (moved.some(({ text }) => hasWildcard(text))) return null;
  const grants = grantsOf(statement, context);
  const useful =
    moved.length === statement.actions.length ||
    statement.actions.some(
      (entry) => !texts.has(entry.text) && grants.breadthOfEntry(entry.text) !== "none",
    );
  const split = moved.length < statement.actions.length;
  // The wildcard of both statements would be reported, which may weigh more than what is repaired.
  if (
    !useful ||
    (split && statement.resources.some(({ text }) => isAnyResource(text)) && isMinor)
  ) {
    return null;
  }
  const Condition = withCondition(statement, block);
  if (!Condition) return null;
  const edits = splitEdits(context.policy, statement, moved, { rest: {}, moved: { Condition } });
  return (
    edits && {
      title: "Add the condition that the actions need",
      effect: hasTestOf(statement, block) ? "changes" : "narrows",
      edits,
      needs_input,
      argument: "One more test in an Allow allows no further request.",
    }
  );
}

/** A test of the same key under the same operator is replaced, not added to. */
function hasTestOf({ conditions }: Statement, block: ConditionBlock): boolean {
  return conditions.some(({ operatorText, key }) =>
    Object.entries(block).some(
      ([operator, keys]) =>
        operator.toLowerCase() === operatorText.toLowerCase() &&
        Object.keys(keys).some((one) => one.toLowerCase() === key.toLowerCase()),
    ),
  );
}

function isPassedTo(requirement: ActionRequirement, { condition_key }: RequiredCondition): boolean {
  return isDefault(requirement) && condition_key.toLowerCase() === "iam:passedtoservice";
}

/** The services that take roles by the other actions of the policy; null when there are none. */
function passedToBlock({ policy }: CheckContext): ConditionBlock | null {
  const services = new Set(
    policy.statements
      .filter(({ allows }) => allows)
      .flatMap(({ actions }) => actions.flatMap(({ text }) => servicesThatAssume(text))),
  );
  if (services.size === 0 || services.size > 3) return null;
  const [service] = services;
  return {
    StringEquals: { "iam:PassedToService": services.size === 1 ? service : [...services] },
  };
}

/**
 * The condition on the whole statement where all of its actions are concerned, else on a statement of
 * their own, because other actions may not send the key.
 */
function withBlock(
  { statement, entries }: Concerned,
  block: ConditionBlock,
  context: CheckContext,
): Correction | null {
  const texts = new Set(entries.map(({ text }) => text));
  const moved = new Set(statement.actions.filter(({ text }) => texts.has(text)));
  if (statement.notActions.length > 0) return null;
  if (moved.size === statement.actions.length) {
    const isExact = entries.every(({ text }) => !hasWildcard(text));
    return isExact ? statementWithCondition(statement, block) : null;
  }
  if (entries.some(({ text }) => hasWildcard(text))) return null;
  const grants = grantsOf(statement, context);
  const stays = statement.actions.filter((entry) => !moved.has(entry));
  if (!stays.some(({ text }) => grants.breadthOfEntry(text) !== "none")) return null;
  const Condition = withCondition(statement, block);
  return (
    Condition &&
    splitStatement(context.policy, statement, moved, { rest: {}, moved: { Condition } })
  );
}
