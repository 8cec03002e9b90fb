import { analyzePolicy } from "./analyze-policy.ts";
import { describeChecks } from "./describe-checks.ts";
import { getConfig } from "./get-config.ts";
import { query } from "./query.ts";
import type { Tool } from "./tool.ts";
import { validatePolicies } from "./validate-policies.ts";

/** All hosted tools, in the order in which lists show them. */
export const tools: readonly Tool[] = [
  validatePolicies,
  query,
  describeChecks,
  getConfig,
  analyzePolicy,
];
