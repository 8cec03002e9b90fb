/**
 * The API for custom checks: `import { defineCheck } from "validator-mcp/check"`.
 * See examples/custom-checks for a worked example.
 */
import type { z } from "zod";
import type { Check as BuiltinCheck } from "./engine/check.ts";

export type { CheckContext, CheckExample, Correction, IssueType, Report } from "./engine/check.ts";
export * from "./fixes/edits.ts";
export type { Edit, FixProposal } from "./fixes/proposal.ts";
export { childNode, keyNode, type NodeRef } from "./json/node.ts";
export type {
  ConditionEntry,
  ConditionValue,
  Entry,
  Policy,
  PolicyDocument,
  PrincipalEntry,
  Statement,
} from "./policy/model.ts";
export type { Action, ActionMatch, Service, ServiceLookup } from "./services/model.ts";

type Documentation =
  | "docstring"
  | "risk_explanation"
  | "risk_category"
  | "documentation_url"
  | "remediation_steps"
  | "issue_types"
  | "examples";

/** A check with optional documentation. */
export type Check<Schema extends z.ZodType = z.ZodType> = Omit<
  BuiltinCheck<Schema>,
  Documentation
> &
  Partial<Pick<BuiltinCheck<Schema>, Documentation>>;

/** Types the `run` functions of a custom check by its options schema. Export the result. */
export function defineCheck<Schema extends z.ZodType>(check: Check<Schema>): Check<Schema> {
  return check;
}
