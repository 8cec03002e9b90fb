import type { Report } from "../../engine/check.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import {
  type Alternative,
  asksNothing,
  type ConditionFault,
  conditionFaults,
  conditionsByKind,
  conditionsOf,
} from "../shared/condition-requirements.ts";
import {
  exampleCondition,
  explainShortfall,
  nameAlternatives,
  nameCondition,
  suggestAlternatives,
  suggestCondition,
  suggestRemoval,
  toldAbout,
} from "../shared/condition-texts.ts";
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
        example: exampleCondition(fault.condition),
      };
    }
    case "missing_any":
      return {
        ...common,
        issue_type: "missing_principal_condition_any_of",
        node,
        message: `Access for ${who} needs one of these conditions: ${nameAlternatives(fault.alternatives)}.`,
        suggestion: suggestAccess(matching, fault),
      };
    case "forbidden": {
      const value = fault.value ? ` with the value ${quote(fault.value.text)}` : "";
      return {
        ...common,
        issue_type: "forbidden_principal_condition",
        node: fault.value?.node ?? fault.entry.keyNode,
        message: `Access for ${who} may not have the condition ${quote(fault.entry.key)}${value}.`,
        suggestion: suggestRemoval(fault.condition, fault.entry.key),
      };
    }
  }
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
    : `${instead}, or add one of the conditions: ${forWhat(alternatives)}`;
}

const uses: readonly (readonly [string, string])[] = [
  ["aws:principalorgid", "`aws:PrincipalOrgID` for callers of your organisation"],
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
