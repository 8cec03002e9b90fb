import type { Check } from "../engine/check.ts";
import { accessNotGranted } from "./access-not-granted.ts";
import { actionConditionEnforcement } from "./action-condition-enforcement.ts";
import { actionResourceMatching } from "./action-resource-matching.ts";
import { actionValidation } from "./action-validation.ts";
import { addressRanges } from "./address-ranges.ts";
import { arnFields } from "./arn-fields.ts";
import { conditionEffect } from "./condition-effect.ts";
import { conditionKeyValidation } from "./condition-key-validation.ts";
import { conditionTypeMismatch } from "./condition-type-mismatch.ts";
import { emptyElements } from "./empty-elements.ts";
import { federatedSubject } from "./federated-subject.ts";
import { fullWildcard } from "./full-wildcard.ts";
import { ifexistsConditionUsage } from "./ifexists-condition-usage.ts";
import { mfaConditionAntipattern } from "./mfa-condition-antipattern.ts";
import { noNewAccess } from "./no-new-access.ts";
import { noPublicAccess } from "./no-public-access.ts";
import { notActionNotResource } from "./not-action-not-resource.ts";
import { notPrincipalValidation } from "./not-principal-validation.ts";
import { policySize } from "./policy-size.ts";
import { policyStructure } from "./policy-structure.ts";
import { policyTypeValidation } from "./policy-type-validation.ts";
import { policyVariables } from "./policy-variables.ts";
import { principalValidation } from "./principal-validation.ts";
import { rcpBestPractices } from "./rcp-best-practices.ts";
import { redundancy } from "./redundancy.ts";
import { resourceValidation } from "./resource-validation.ts";
import { sensitiveAction } from "./sensitive-action.ts";
import { serviceLinkedRoles } from "./service-linked-roles.ts";
import { serviceWildcard } from "./service-wildcard.ts";
import { setOperatorValidation } from "./set-operator-validation.ts";
import { withAwsCodes } from "./shared/aws-codes.ts";
import { sidUniqueness } from "./sid-uniqueness.ts";
import { trustPolicyValidation } from "./trust-policy-validation.ts";
import { wildcardAction } from "./wildcard-action.ts";
import { wildcardResource } from "./wildcard-resource.ts";

/** Every built-in check, in run order. */
export const builtinChecks: readonly Check[] = [
  // The document
  policyStructure,
  sidUniqueness,
  policySize,
  policyTypeValidation,
  // Elements against the reference data
  actionValidation,
  resourceValidation,
  conditionKeyValidation,
  conditionTypeMismatch,
  setOperatorValidation,
  ifexistsConditionUsage,
  actionResourceMatching,
  // What is granted
  wildcardAction,
  wildcardResource,
  fullWildcard,
  serviceWildcard,
  notActionNotResource,
  notPrincipalValidation,
  sensitiveAction,
  actionConditionEnforcement,
  mfaConditionAntipattern,
  // Who is let in
  principalValidation,
  trustPolicyValidation,
  rcpBestPractices,
  // What conditions do
  conditionEffect,
  policyVariables,
  federatedSubject,
  // What is allowed, with proof
  noNewAccess,
  accessNotGranted,
  noPublicAccess,
  // What AWS's own policy checks report beside these
  arnFields,
  serviceLinkedRoles,
  redundancy,
  emptyElements,
  addressRanges,
].map(withAwsCodes);
