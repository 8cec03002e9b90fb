import type { DocumentRule, StatementRule } from "../types.ts";
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
import { trustRules } from "./trust.ts";
import { policyVariables } from "./variables.ts";

/** Rules about the whole document; the order does not matter. */
export const documentRules: readonly DocumentRule[] = [
  documentElements,
  statementElementTypes,
  documentSize,
  uniqueSids,
  redundantStatements,
];

/** Rules about one statement; the order does not matter. */
export const statementRules: readonly StatementRule[] = [
  requiredElements,
  sidForm,
  emptyElements,
  principalForm,
  servicePrincipals,
  redundantSessions,
  trustRules,
  rcpShape,
  rcpActions,
  actionNames,
  actionsOfResourceType,
  resourceEntries,
  redundantEntries,
  roleGrants,
  resourceTags,
  operatorNames,
  operatorTypes,
  conditionKeyNames,
  conditionUse,
  conditionValues,
  likeValues,
  addressRanges,
  policyVariables,
];
