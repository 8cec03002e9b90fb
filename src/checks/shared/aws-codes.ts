import type { Severity } from "../../../spec/severity.ts";
import type { IssueCode } from "../../access-analyzer/codes.ts";
import type { Check, CodePlace, IssueType } from "../../engine/check.ts";
import { codeFixes } from "./code-fixes.ts";
import {
  areTogetherForRolesAnywhere,
  exemptsByChosenValue,
  isAllowedElsewhere,
  isNoArn,
  isOutsideConditions,
  isReportedWildcard,
  isTakenBack,
  isWildcardSubject,
  keepsOtherNetworksOut,
  testsForServices,
} from "./left-out-codes.ts";

interface CodeReport {
  readonly check_id: string;
  readonly severity: Severity;
  /** Whether it is left out, because other checks report the fault in their own way. */
  readonly isLeftOut?: (place: CodePlace) => boolean;
  /** Where it is more severe. */
  readonly worse?: {
    readonly severity: Severity;
    readonly where: (place: CodePlace) => boolean;
  };
  /** When it is reported, one sentence. */
  readonly when: string;
}

/**
 * Codes of AWS's policy checks that no check of ours finds on its own, by the check with their subject. An
 * `error` is what AWS refuses or what can never work; AWS's suggestions are `info`.
 * Source of each: its paragraph in the policy check reference of the IAM User Guide.
 */
const homes: Partial<Record<IssueCode, CodeReport>> = {
  DUPLICATE_KEYS_WITH_DIFFERENT_CASE: {
    check_id: "condition_type_mismatch",
    severity: "error",
    when: "One operator has the same key twice, in different letter case.",
  },
  INVALID_CONDITION_DATA_TYPE: {
    check_id: "condition_type_mismatch",
    severity: "error",
    when: "The values of one key have different JSON types.",
  },
  INVALID_CONDITION_MULTIPLE_BOOLEAN: {
    check_id: "condition_effect",
    severity: "high",
    when: "`Bool` has several values; with both of them it tests nothing.",
  },
  INVALID_DATE_VALUE: {
    check_id: "condition_effect",
    severity: "info",
    when: "A date is written as a number of seconds. It works, but people misread it.",
  },
  INVALID_KMS_KEY_VALUE: {
    check_id: "condition_type_mismatch",
    severity: "warning",
    isLeftOut: isNoArn,
    when: "A key that holds the ARN of a KMS key is compared with something else.",
  },
  INVALID_SERVICE_PRINCIPAL_FORMAT: {
    check_id: "condition_effect",
    severity: "info",
    isLeftOut: isOutsideConditions,
    when: "`aws:CalledVia` has a value of a form that AWS's policy check refuses, and that AWS documents.",
  },
  NULL_WITH_QUALIFIER: {
    check_id: "set_operator_validation",
    severity: "info",
    when: "`Null` has a set operator, which changes nothing.",
  },
  FORANYVALUE_WITH_AUDIENCE_CLAIM_TYPE: {
    check_id: "set_operator_validation",
    severity: "warning",
    when: "`ForAnyValue` is used on the audience of an OIDC provider, which has one value.",
  },
  DEPRECATED_GLOBAL_CONDITION_KEY: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "A global key has a newer one that replaces it.",
  },
  USE_CONDITION_KEY_ONLY_WITH_SUPPORTED_SERVICES: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "A key that only some services send limits a statement that reaches other services too.",
  },
  UNTRUSTWORTHY_CONDITION_KEY: {
    check_id: "condition_key_validation",
    severity: "warning",
    worse: { severity: "high", where: exemptsByChosenValue },
    when: "A statement tests a value that the caller chooses: high where that value exempts callers from a Deny of an identity policy, an SCP or an RCP.",
  },
  MISSING_PAIRED_CONDITION_KEYS: {
    check_id: "condition_key_validation",
    severity: "warning",
    isLeftOut: keepsOtherNetworksOut,
    when: "`aws:VpcSourceIp` is tested without `aws:SourceVpc`.",
  },
  IRRELEVANT_CONDITION_KEY_IN_POLICY: {
    check_id: "condition_key_validation",
    severity: "info",
    when: "A key has one value for all requests to the resource.",
  },
  RECOMMENDED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL: {
    check_id: "condition_key_validation",
    severity: "info",
    when: "Access of a service is limited by a key that does not say whose request it is.",
  },
  UNSUPPORTED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "A statement for a service tests a key that its requests never have.",
  },
  DYNAMODB_ATTRIBUTES_WITHOUT_SELECT: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "`dynamodb:Attributes` is tested without `dynamodb:Select`.",
  },
  S3_PREFIX_IN_NEGATIVE_CONTEXT: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "`s3:prefix` excludes prefixes, which callers can avoid.",
  },
  ALLOW_NOTACTION_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE: {
    check_id: "condition_key_validation",
    severity: "info",
    when: "An Allow with `NotAction` tests a resource tag, which many actions never send.",
  },
  DENY_NOTACTION_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE: {
    check_id: "condition_key_validation",
    severity: "warning",
    when: "A Deny with `NotAction` tests a resource tag, which many actions never send.",
  },
  CONFIRM_AUDIENCE_CLAIM_TYPE: {
    check_id: "condition_effect",
    severity: "info",
    when: "An OIDC audience is tested. AWS asks to confirm that tokens hold one audience.",
  },
  WILDCARD_USAGE_TOO_PERMISSIVE: {
    check_id: "condition_effect",
    severity: "warning",
    isLeftOut: isReportedWildcard,
    when: "A wildcard opens a key that draws a boundary.",
  },
  SPECIFIC_GITHUB_REPO_AND_BRANCH_RECOMMENDED: {
    check_id: "condition_effect",
    severity: "info",
    isLeftOut: isWildcardSubject,
    when: "The subject of GitHub has no wildcard and lacks a branch. AWS asks to name one.",
  },
  UNSUPPORTED_ACTION_IN_POLICY: {
    check_id: "action_resource_matching",
    severity: "error",
    // `trust_policy_validation` reports such actions.
    isLeftOut: ({ policy }) => policy.type === "TRUST_POLICY",
    when: "The policy that a template gives a bucket, an access point or a table has an action of another service.",
  },
  UNSUPPORTED_RESOURCE_ARN_IN_POLICY: {
    check_id: "action_resource_matching",
    severity: "error",
    when: "The policy that a template gives a bucket has the resource `*`, or an ARN of another service.",
  },
  RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY: {
    check_id: "rcp_best_practices",
    severity: "info",
    isLeftOut: testsForServices,
    when: "A Deny tests a key about the principal without `aws:PrincipalIsAWSService`.",
  },
  VARIABLE_USAGE_TOO_PERMISSIVE: {
    check_id: "condition_effect",
    severity: "warning",
    when: "A policy variable opens a key that draws a boundary.",
  },
  EQUIVALENT_TO_NULL_FALSE: {
    check_id: "condition_effect",
    severity: "info",
    when: "`StringLike` with `*` tests only whether the key exists.",
  },
  EQUIVALENT_TO_NULL_TRUE: {
    check_id: "condition_effect",
    severity: "info",
    when: "`StringNotLike` with `*` tests only whether the key is absent.",
  },
  INVALID_ROLE_REFERENCE: {
    check_id: "policy_type_validation",
    severity: "warning",
    when: "A principal is the id of a deleted role.",
  },
  INVALID_USER_REFERENCE: {
    check_id: "policy_type_validation",
    severity: "warning",
    when: "A principal is the id of a deleted user.",
  },
  ROLE_TRUST_POLICY_UNSUPPORTED_WILDCARD_IN_PRINCIPAL: {
    check_id: "policy_type_validation",
    severity: "error",
    when: '`"Principal": "*"` is in a role trust policy.',
  },
  MISSING_ACTION_FOR_CONDITION_KEY: {
    check_id: "trust_policy_validation",
    severity: "warning",
    isLeftOut: isAllowedElsewhere,
    when: "A key of sessions is tested, and no statement allows the action that sets it.",
  },
  MISSING_ACTION_FOR_ROLES_ANYWHERE_TRUST_POLICY: {
    check_id: "trust_policy_validation",
    severity: "error",
    isLeftOut: areTogetherForRolesAnywhere,
    when: "A role for IAM Roles Anywhere lacks one of its three actions.",
  },
  RCP_MISSING_RELATED_SERVICE_PRINCIPAL_CONDITION_KEY: {
    check_id: "rcp_best_practices",
    severity: "warning",
    when: "A Deny tests a source key without `aws:PrincipalIsAWSService`.",
  },
  RCP_MISSING_SERVICE_CONDITION_KEY_NULL_CHECK: {
    check_id: "rcp_best_practices",
    severity: "warning",
    when: "A Deny tests a source key without a test that it exists.",
  },
  PASS_ROLE_WITH_NOT_RESOURCE: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "`iam:PassRole` is allowed on everything but the listed roles.",
  },
  PASS_ROLE_WITH_STAR_IN_ACTION_AND_NOT_RESOURCE: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "A pattern allows `iam:PassRole` on everything but the listed roles.",
  },
  PASS_ROLE_WITH_NOT_ACTION_AND_NOT_RESOURCE: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "`NotAction` leaves `iam:PassRole` allowed on everything but the listed roles.",
  },
  PASS_ROLE_WITH_STAR_IN_RESOURCE_AND_NOT_ACTION: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "`NotAction` leaves `iam:PassRole` allowed on every role.",
  },
  PASS_ROLE_WITH_STAR_IN_RESOURCE: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "`iam:PassRole` is allowed on every role.",
  },
  PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE: {
    check_id: "action_condition_enforcement",
    severity: "info",
    isLeftOut: isTakenBack("iam:PassRole"),
    when: "A pattern allows `iam:PassRole` on every role.",
  },
};

/** @returns the check with the codes that have its subject, and their issue types. */
export function withAwsCodes(check: Check): Check {
  const mine = Object.entries(homes).filter(([, { check_id }]) => check_id === check.check_id);
  if (mine.length === 0) return check;
  const added = mine.map(([code, { severity, worse, when }]): [string, IssueType] => [
    code.toLowerCase(),
    { severity: worse ? [worse.severity, severity] : severity, when },
  ]);
  return {
    ...check,
    issue_types: { ...check.issue_types, ...Object.fromEntries(added) },
    aws_codes: {
      ...check.aws_codes,
      ...Object.fromEntries(
        mine.map(([code, { severity, isLeftOut, worse }]) => {
          const fix = codeFixes[code as IssueCode];
          const rule = {
            issue_type: code.toLowerCase(),
            severity:
              isLeftOut || worse
                ? (place: CodePlace) =>
                    isLeftOut?.(place)
                      ? ("none" as const)
                      : worse?.where(place)
                        ? worse.severity
                        : severity
                : severity,
          };
          return [code, fix ? { ...rule, fix } : rule];
        }),
      ),
    },
  };
}
