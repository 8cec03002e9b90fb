import type { AnalysisType, DocumentRule, StatementRule } from "../types.ts";
import { actionNames, actionsOfResourceType, rcpActions } from "./actions.ts";
import { addressRanges } from "./addresses.ts";
import { conditionKeyNames } from "./condition-keys.ts";
import { operatorNames, operatorTypes } from "./condition-operators.ts";
import { conditionUse } from "./condition-use.ts";
import { conditionValues } from "./condition-values.ts";
import { documentElements, documentSize, statementElementTypes } from "./document.ts";
import { roleGrants } from "./grants.ts";
import { likeValues } from "./like-values.ts";
import { principalForm, rcpShape, redundantSessions, servicePrincipals } from "./principals.ts";
import { redundantEntries, redundantStatements } from "./redundancy.ts";
import { resourceEntries } from "./resources.ts";
import { emptyElements, requiredElements, sidForm, uniqueSids } from "./statement.ts";
import { resourceTags } from "./tag-conditions.ts";
import { audienceClaims, trustRules } from "./trust.ts";
import { policyVariables, variableInId } from "./variables.ts";

/** Rules about the whole document; the order does not matter. */
export const documentRules: readonly DocumentRule[] = [
  documentElements,
  statementElementTypes,
  documentSize,
  variableInId,
  uniqueSids,
  redundantStatements,
];

interface Listed {
  readonly rule: StatementRule;
  /** Absent: all types. */
  readonly types?: readonly AnalysisType[];
  /** The rule is about conditions only. */
  readonly needsCondition?: true;
}

/** In an order that does not matter to AWS's answer, and that our findings keep. */
const statementRules: readonly Listed[] = [
  { rule: requiredElements },
  { rule: sidForm },
  { rule: emptyElements },
  { rule: principalForm, types: ["resource", "trust", "rcp"] },
  { rule: servicePrincipals, types: ["resource"] },
  { rule: redundantSessions, types: ["trust"] },
  { rule: trustRules, types: ["trust"] },
  { rule: audienceClaims, types: ["resource", "trust"], needsCondition: true },
  { rule: rcpShape, types: ["rcp"] },
  { rule: rcpActions, types: ["rcp"] },
  { rule: actionNames },
  { rule: actionsOfResourceType },
  { rule: resourceEntries },
  { rule: redundantEntries },
  { rule: roleGrants, types: ["identity"] },
  { rule: resourceTags, needsCondition: true },
  { rule: operatorNames, needsCondition: true },
  { rule: operatorTypes, needsCondition: true },
  { rule: conditionKeyNames, needsCondition: true },
  { rule: conditionUse, needsCondition: true },
  { rule: conditionValues, needsCondition: true },
  { rule: likeValues, needsCondition: true },
  { rule: addressRanges, needsCondition: true },
  { rule: policyVariables },
];

/** Most statements have no condition, so the rules about one are left out for them. */
export interface RulesOfType {
  readonly withCondition: readonly StatementRule[];
  readonly withoutCondition: readonly StatementRule[];
}

/** @returns the rules about one statement of a policy of the type. */
export function statementRulesOf(type: AnalysisType): RulesOfType {
  const ofType = statementRules.filter(({ types }) => !types || types.includes(type));
  return {
    withCondition: ofType.map(({ rule }) => rule),
    withoutCondition: ofType.flatMap(({ rule, needsCondition }) => (needsCondition ? [] : rule)),
  };
}
