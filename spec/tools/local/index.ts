import type { ToolContract } from "../../contract.ts";
import { describeChecks } from "../describe-checks.ts";
import { query } from "../query.ts";
import { localAnalyzePolicy } from "./analyze-policy.ts";
import { localGetConfig } from "./get-config.ts";
import { setConfig } from "./set-config.ts";
import { localValidatePolicies } from "./validate-policies.ts";

/** Contracts of all tools of local mode, in the order lists show them. */
export const localToolContracts: readonly ToolContract[] = [
  localValidatePolicies,
  query,
  describeChecks,
  localGetConfig,
  setConfig,
  localAnalyzePolicy,
];
