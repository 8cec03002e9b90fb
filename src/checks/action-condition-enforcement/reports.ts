import { reachesEveryRole } from "../../access-analyzer/role-patterns.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import type { NodeRef } from "../../json/node.ts";
import type { ConditionEntry } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { grantsAction } from "../shared/action-grants.ts";
import { readCondition } from "../shared/condition-limits.ts";
import type { ConditionFault } from "../shared/condition-requirements.ts";
import {
  explainShortfall,
  explainShortfallOfAny,
  nameAlternatives,
  nameCondition,
  suggestAlternatives,
  suggestCondition,
  suggestRemoval,
} from "../shared/condition-texts.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { quote } from "../shared/quote.ts";
import { count, listed, sortedOnce } from "../shared/texts.ts";
import { exampleFor, exampleOfAny } from "./correction.ts";
import { severityOnNamed } from "./defaults.ts";
import type { Concerned } from "./matching.ts";
import type { ActionRequirement } from "./requirement.ts";

function textsOf({ entries }: Concerned): string[] {
  return entries.map(({ text }) => text);
}

function firstNode({ statement, entries }: Concerned): NodeRef {
  return entries[0]?.node ?? statement.node;
}

function describing({ description }: ActionRequirement): string {
  return description ? ` ${description}` : "";
}

function severityOf(...candidates: readonly (Report["severity"] | null)[]) {
  const severity = candidates.find((candidate) => candidate != null);
  return severity ? { severity } : {};
}

/** The actions of the requirement that an entry with a wildcard covers, and no others. */
function covering({ entries, granted }: Concerned): string {
  const [entry] = entries;
  if (!entry || !hasWildcard(entry.text) || entries.length > 1) return "";
  const names = granted.filter((name) => !hasWildcard(name));
  return names.length > 0 ? ` (which covers ${listed(names, 3)})` : "";
}

/** One report for the whole requirement, at the first statement that grants its actions. */
export function detectedReport(
  requirement: ActionRequirement,
  concerned: readonly Concerned[],
): Report | undefined {
  const [first] = concerned;
  if (!first) return undefined;
  const actions = sortedOnce(concerned.flatMap(textsOf));
  const where = concerned.length > 1 ? ` in ${count(concerned.length, "statement")}` : "";
  return {
    issue_type: "action_detected",
    statement: first.statement,
    node: firstNode(first),
    field_name: "action",
    action: actions.join(", "),
    ...severityOf(requirement.severity),
    message: `${listed(actions)} ${actions.length === 1 ? "is" : "are"} granted${where}, which the organisation's configuration wants to know.${describing(requirement)}`,
    suggestion: `Remove ${actions.length === 1 ? "it" : "them"} if there is no need, or have the grant reviewed.`,
  };
}

/**
 * Reports actions that a requirement forbids to grant.
 * @param statements Number of statements that the requirement concerns.
 */
export function forbiddenActionReport(
  requirement: ActionRequirement,
  concerned: Concerned,
  statements: number,
): Report {
  const actions = textsOf(concerned);
  return {
    issue_type: "forbidden_action",
    statement: concerned.statement,
    node: firstNode(concerned),
    field_name: "action",
    action: actions.join(", "),
    ...severityOf(requirement.severity),
    message: `${listed(actions)} may not be granted.${describing(requirement)}`,
    suggestion: `Remove ${actions.length === 1 ? "it" : "them"} from \`Action\`, or narrow the wildcard.${otherStatements(statements)}`,
  };
}

function otherStatements(statements: number): string {
  return statements > 1 ? ` The requirement concerns ${count(statements, "statement")}.` : "";
}

/**
 * Reports actions that are granted with a condition missing, or with one that is not wanted.
 * @param statements Number of statements that the requirement concerns.
 */
export function faultReport(
  requirement: ActionRequirement,
  concerned: Concerned,
  fault: ConditionFault,
  statements: number,
  context: CheckContext,
): Report {
  const { statement } = concerned;
  const actions = textsOf(concerned);
  const granted = `${listed(actions)}${covering(concerned)} ${actions.length === 1 ? "is" : "are"} granted`;
  const common = {
    statement,
    field_name: "condition",
    action: actions.join(", "),
    ...severityOf(
      fault.kind === "missing_any" ? null : fault.condition.severity,
      severityByReach(requirement, concerned, context),
      requirement.severity,
    ),
  } as const;
  const condition = statement.has("Condition") ? statement.at("Condition") : firstNode(concerned);
  const others = otherStatements(statements);

  switch (fault.kind) {
    case "missing": {
      const key = fault.condition.condition_key;
      const [insufficient] = readCondition(statement).of(key);
      const together =
        fault.others > 0
          ? ` All ${fault.others + 1} conditions of the requirement are needed together.`
          : "";
      const why = explainShortfall(statement, fault.condition);
      return {
        ...common,
        issue_type: "missing_required_condition",
        node: insufficient?.entry.keyNode ?? condition,
        condition_key: key,
        reasons: insufficient ? [insufficient.entry.keyNode] : [],
        message: `${granted} without the condition ${nameCondition(fault.condition)}.${together}${why && ` ${why}`}`,
        suggestion: `${suggestCondition(fault.condition)}${others}`,
        ...exampleFor(fault.condition, requirement, concerned, context),
        aws_issue_code: passRoleCode(concerned, key, context),
      };
    }
    case "missing_any": {
      const why = explainShortfallOfAny(statement, fault.alternatives);
      return {
        ...common,
        issue_type: "missing_required_condition_any_of",
        node: condition,
        message:
          requirement.message ??
          `${granted} without any of these conditions: ${nameAlternatives(fault.alternatives)}.${why && ` ${why}`}`,
        suggestion: `${requirement.suggestion ?? suggestAlternatives(fault.alternatives)}${others && `\n${others.trim()}`}`,
        ...exampleOfAny(fault.alternatives, requirement, concerned, context),
      };
    }
    case "forbidden": {
      const value = fault.value ? ` with the value ${quote(fault.value.text)}` : "";
      return {
        ...common,
        issue_type: "forbidden_condition_present",
        reasons: [fault.entry.keyNode],
        node: fault.value?.node ?? fault.entry.keyNode,
        condition_key: fault.condition.condition_key,
        message: `${granted} under the condition ${quote(fault.entry.key)}${value}, which may not be used here.`,
        suggestion: `${suggestRemoval(fault.condition, fault.entry.key)}${others}`,
      };
    }
  }
}

/** A default requirement may be less severe where the resources are named. */
function severityByReach(
  requirement: ActionRequirement,
  { statement, granted }: Concerned,
  context: CheckContext,
): Report["severity"] | null {
  const named = severityOnNamed(requirement);
  if (named === undefined) return null;
  const grants = grantsOf(statement, context);
  return granted.some((name) => grants.breadthOfEntry(name) === "everything") ? null : named;
}

const passRole = "iam:PassRole";
const silencingKeys = ["iam:PassedToService", "iam:AssociatedResourceArn"];

/**
 * Whether AWS takes the entry for a limit, as its answers show: `IfExists` does not do, but for
 * `StringLike`, and for Lambda the reason is unknown. Where there is no answer on record, it is one.
 */
function satisfiesAws({ operator, values }: ConditionEntry): boolean {
  if (!operator?.ifExists || operator.base.name === "StringLike") return true;
  return values.some(({ text }) => text === "lambda.amazonaws.com");
}

/** AWS reports the same where a resource reaches every role and nothing satisfies it. */
function passRoleCode(
  { statement, entries }: Concerned,
  missingKey: string,
  context: CheckContext,
): string | null {
  if (context.policy.type !== "IDENTITY_POLICY") return null;
  if (missingKey.toLowerCase() !== "iam:passedtoservice") return null;
  if (!statement.resources.some(({ text }) => reachesEveryRole(text))) return null;
  const limits = silencingKeys.flatMap((key) => readCondition(statement).of(key));
  if (limits.some(({ entry }) => satisfiesAws(entry))) return null;
  if (entries.some(({ text }) => text.toLowerCase() === passRole.toLowerCase())) {
    return "PASS_ROLE_WITH_STAR_IN_RESOURCE";
  }
  return entries.some(({ text }) => grantsAction(text, passRole, context))
    ? "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE"
    : null;
}
