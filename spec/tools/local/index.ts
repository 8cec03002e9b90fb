import type { ToolContract } from "../../contract.ts";
import { localAnalyzePolicy } from "./analyze-policy.ts";
import { localGetConfig } from "./get-config.ts";
import { setConfig } from "./set-config.ts";
import { localValidatePolicies } from "./validate-policies.ts";

/** Contracts of the tools that local mode adds, or has instead of the hosted ones. */
export const localToolContracts: readonly ToolContract[] = [
  localValidatePolicies,
  localGetConfig,
  setConfig,
  localAnalyzePolicy,
];
