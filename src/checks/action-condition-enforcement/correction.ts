import type { CheckContext, Correction, Report } from "../../engine/check.ts";
import { type ConditionBlock, withCondition } from "../../fixes/condition-block.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import type { Alternative, RequiredCondition } from "../shared/condition-requirements.ts";
import { conditionFor, exampleOfAlternatives } from "../shared/condition-texts.ts";
import { splitStatement, statementWithCondition } from "../shared/corrected.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { servicesThatAssume } from "../shared/grants/pass-role.ts";
import { isDefault } from "./defaults.ts";
import type { Concerned } from "./matching.ts";
import type { ActionRequirement } from "./requirement.ts";

type Example = Pick<Report, "example" | "correction">;

/** @returns the example of a condition that is missing: the author's own, else the statement with it. */
export function exampleFor(
  condition: RequiredCondition,
  requirement: ActionRequirement,
  concerned: Concerned,
  context: CheckContext,
): Example {
  if (condition.example != null) return { example: condition.example };
  return {
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
  const own = requirement.example ?? exampleOfAlternatives(alternatives);
  if (own != null) return { example: own };
  if (!isDefault(requirement)) return {};
  // The account of the caller is right for most buckets, and every action on objects sends the key.
  const block = { StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" } };
  return { correction: () => withBlock(concerned, block, context) };
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
  return splitStatement(context.policy, statement, moved, {
    rest: {},
    moved: { Condition: withCondition(statement, block) },
  });
}
