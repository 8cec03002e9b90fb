import type { NeededInput } from "../../../spec/finding.ts";
import type { Report } from "../../engine/check.ts";
import { addConditions } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { reasonForCaller } from "../shared/condition-reasons.ts";
import {
  type Alternative,
  asksNothing,
  type ConditionFault,
  conditionFaults,
  conditionsByKind,
  conditionsOf,
  type RequiredCondition,
} from "../shared/condition-requirements.ts";
import {
  explainShortfall,
  nameAlternatives,
  nameCondition,
  openCondition,
  suggestAlternatives,
  suggestCondition,
  suggestRemoval,
  toldAbout,
} from "../shared/condition-texts.ts";
import { correctedNode, statementWithCondition } from "../shared/corrected.ts";
import { fixedBy, withEdit } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { listed } from "../shared/texts.ts";
import { principalMatcher } from "./patterns.ts";
import type { PrincipalRequirement } from "./requirement.ts";

const compiled = new WeakMap<PrincipalRequirement, (principal: string) => boolean>();

function matcherOf(requirement: PrincipalRequirement): (principal: string) => boolean {
  let matcher = compiled.get(requirement);
  if (!matcher) {
    matcher = principalMatcher(requirement.principals);
    compiled.set(requirement, matcher);
  }
  return matcher;
}

/** Holds the statement against the requirements of its principals, in order. */
export function* requirementReports(
  statement: Statement,
  principals: readonly PrincipalEntry[],
  requirements: readonly PrincipalRequirement[],
): Generator<Report> {
  for (const requirement of requirements) {
    const conditions = conditionsByKind(requirement.required_conditions);
    if (asksNothing(conditions)) continue;
    const matches = matcherOf(requirement);
    const matching = principals.filter(({ text }) => matches(text));
    if (matching.length === 0) continue;
    for (const fault of conditionFaults(statement, conditions)) {
      yield report(statement, matching, requirement, fault);
    }
  }
}

function report(
  statement: Statement,
  matching: readonly PrincipalEntry[],
  requirement: PrincipalRequirement,
  fault: ConditionFault,
): Report {
  const who = listed(
    matching.map(({ text }) => text),
    5,
  );
  const severity =
    (fault.kind === "missing_any" ? null : fault.condition.severity) ?? requirement.severity;
  const common = { field_name: "principal", ...(severity ? { severity } : {}) } as const;
  const node = matching[0]?.node ?? statement.at("Principal");
  const reasons = statement.conditions.map((entry) => entry.keyNode);
  switch (fault.kind) {
    case "missing": {
      const together = fault.others > 0 ? " All the required conditions are needed together." : "";
      const why = explainShortfall(statement, fault.condition);
      return {
        ...common,
        issue_type: "missing_principal_condition",
        node,
        message: `Access for ${who} needs the condition ${nameCondition(fault.condition)}.${together}${why && ` ${why}`}`,
        suggestion: suggestCondition(fault.condition),
        ...exampleFor(statement, fault.condition),
        fix: () => withRequired(statement, [fault.condition]),
      };
    }
    case "missing_any":
      return {
        ...common,
        issue_type: "missing_principal_condition_any_of",
        node,
        reasons,
        message: `${opening(matching, who)} ${whyOpen(statement, fault.alternatives)}`,
        suggestion: suggestAccess(matching, fault),
        // Where several fit, the author has to choose.
        fix: () => {
          const [only] = fault.alternatives;
          return only && fault.alternatives.length === 1
            ? withRequired(statement, conditionsOf(only))
            : null;
        },
      };
    case "forbidden": {
      const value = fault.value ? ` with the value ${quote(fault.value.text)}` : "";
      return {
        ...common,
        issue_type: "forbidden_principal_condition",
        node: fault.value?.node ?? fault.entry.keyNode,
        message: `Access for ${who} may not have the condition ${quote(fault.entry.key)}${value}.`,
        suggestion: suggestRemoval(fault.condition, fault.entry.key),
        ...fixedBy(() => withOppositeValue(fault), {
          title: "Write the value that the configuration does not forbid",
          effect: "changes",
        }),
      };
    }
  }
}

function opening(matching: readonly PrincipalEntry[], who: string): string {
  return matching.some(({ text }) => text === "*")
    ? "The statement lets in everyone (`*`)."
    : `Access for ${who} needs a condition.`;
}

/** Which entries there are and why each does not limit, or which keys would. */
function whyOpen(statement: Statement, alternatives: readonly Alternative[]): string {
  const { entries } = readCondition(statement);
  if (entries.length === 0)
    return `No condition limits it, such as one on ${someOf(alternatives)}.`;
  const reasons = entries.slice(0, 3).map((entry) => reasonForCaller(entry, statement));
  return [
    ...reasons,
    ...(entries.length > 3 ? ["The other entries do not limit it either."] : []),
  ].join(" ");
}

/** Three keys are enough for a sentence; the documentation of the check has the list. */
function someOf(alternatives: readonly Alternative[]): string {
  return nameAlternatives(alternatives.length > 5 ? commonOf(alternatives) : alternatives);
}

function commonOf(alternatives: readonly Alternative[]): readonly Alternative[] {
  const common = uses.flatMap(
    ([key]) =>
      alternatives.find((one) =>
        conditionsOf(one).some(({ condition_key }) => condition_key.toLowerCase() === key),
      ) ?? [],
  );
  return (common.length > 0 ? common : alternatives).slice(0, 3);
}

/** The operator's own text, or the statement with the condition where the requirement has its value. */
function exampleFor(
  statement: Statement,
  { example, condition_key, operator, expected_value: value }: RequiredCondition,
): Pick<Report, "example" | "correction"> {
  if (example != null) return { example };
  if (value == null) return {};
  const wanted = operator ?? (typeof value === "boolean" ? "Bool" : "StringEquals");
  const added = {
    [wanted]: { [condition_key]: typeof value === "boolean" ? String(value) : value },
  };
  return { correction: () => statementWithCondition(statement, added) };
}

/** The statement with the conditions that the config asks for. */
function withRequired(
  statement: Statement,
  conditions: readonly RequiredCondition[],
): FixProposal | null {
  if (!statement.allows) return null;
  const inputs = new Map<string, NeededInput>();
  const block: Record<string, Record<string, unknown>> = {};
  for (const condition of conditions) {
    const open = openCondition(condition);
    if (!open) return null;
    for (const [operator, keys] of Object.entries(open.block)) {
      block[operator] = { ...block[operator], ...keys };
    }
    for (const one of open.needs) inputs.set(one.placeholder, one);
  }
  return withEdit(addConditions(statement, block), {
    title: "Add the conditions that the configuration requires",
    effect: "narrows",
    needs_input: [...inputs.values()],
  });
}

/** The value that the requirement does not forbid, for a boolean. */
function withOppositeValue({ value }: Extract<ConditionFault, { kind: "forbidden" }>) {
  if (!value || !/^(?:true|false)$/i.test(value.text)) return null;
  return correctedNode(value.node, /^true$/i.test(value.text) ? "false" : "true");
}

function suggestAccess(
  matching: readonly PrincipalEntry[],
  { alternatives }: Extract<ConditionFault, { kind: "missing_any" }>,
): string {
  const instead = matching.some(({ text }) => text === "*")
    ? "Name the accounts, roles or services in place of `*`"
    : "Name narrower principals";
  // The message has the keys already; a list of them is worth its room only where it says more.
  return alternatives.some(toldAbout)
    ? `${instead}. Or:\n${suggestAlternatives(alternatives)}`
    : `${instead}, or add one of the conditions: ${forWhat(alternatives)} All keys that count: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html.`;
}

const uses: readonly (readonly [string, string])[] = [
  ["aws:principalorgid", "`aws:PrincipalOrgID` for callers of your organization"],
  ["aws:principalaccount", "`aws:PrincipalAccount` for callers of one account"],
  ["aws:sourcearn", "`aws:SourceArn` for an AWS service that acts for one resource"],
  ["aws:sourcevpce", "`aws:SourceVpce` for one network"],
];

/** The commonest of the keys, with what they are for; else the first alternative. */
function forWhat(alternatives: readonly Alternative[]): string {
  const keys = new Set(
    alternatives.flatMap(conditionsOf).map(({ condition_key }) => condition_key.toLowerCase()),
  );
  const common = uses.flatMap(([key, use]) => (keys.has(key) ? [use] : []));
  return `${common.length > 0 ? common.join("; ") : nameAlternatives(alternatives.slice(0, 1))}.`;
}
