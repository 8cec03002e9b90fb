import type { ToolContract } from "../contract.ts";
import { analyzePolicy } from "./analyze-policy.ts";
import { describeChecks } from "./describe-checks.ts";
import { getConfig } from "./get-config.ts";
import { query } from "./query.ts";
import { validatePolicies } from "./validate-policies.ts";

/** Contracts of all hosted tools, in the order in which lists show them. */
export const toolContracts: readonly ToolContract[] = [
  validatePolicies,
  query,
  describeChecks,
  getConfig,
  analyzePolicy,
];
