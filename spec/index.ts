/** The published contract, as Zod objects: `import { Finding } from "validator-mcp/spec"`. */
export { AuditRecord, Outcome } from "./audit.ts";
export { ConfigFile, ConfigSettings, CustomCheck, IgnorePattern } from "./config.ts";
export type { ToolContract } from "./contract.ts";
export { StartupErrorKind, ToolErrorKind } from "./errors.ts";
export {
  FieldName,
  Finding,
  Fix,
  FixEffect,
  FixFinding,
  LeanFinding,
  Location,
  NeededInput,
  PatchOperation,
} from "./finding.ts";
export { Health, Ready } from "./health.ts";
export { PolicyType, PolicyTypeSource } from "./policy.ts";
export { Profile, profiles, Scope, scopeOfTag, Tag } from "./scopes.ts";
export { AuthProvider, Settings, settingSources } from "./settings.ts";
export { ConfiguredSeverity, Severity, SeverityCounts } from "./severity.ts";
export { analyzePolicy } from "./tools/analyze-policy.ts";
export { describeChecks } from "./tools/describe-checks.ts";
export { getConfig } from "./tools/get-config.ts";
export { toolContracts } from "./tools/index.ts";
export { query } from "./tools/query.ts";
export { PolicyInput, validatePolicies } from "./tools/validate-policies.ts";
