/**
 * The library: `import { createValidator } from "validator-mcp"`. The same engine, checks and reference
 * data as the server's.
 */
export type { AccessAnswer } from "../../spec/access.ts";
export type {
  Finding,
  Fix,
  FixEffect,
  FixFinding,
  LeanFinding,
  Location,
} from "../../spec/finding.ts";
export type { LookUpInput, LookUpOutput } from "../../spec/look-ups.ts";
export type { PolicyType, PolicyTypeWord } from "../../spec/policy.ts";
export type { Severity, SeverityCounts } from "../../spec/severity.ts";
export type { CheckDescription } from "../../spec/tools/describe-checks.ts";
export type { ActionDetails, QueryInput, QueryOutput } from "../../spec/tools/query.ts";
export type { Detail, ReportFormat, Summary } from "../../spec/tools/validate-policies.ts";
export type { Check } from "../check.ts";
export { ValidatorError, type ValidatorErrorCode } from "./errors.ts";
export type {
  Issues,
  PolicyResult,
  ValidateOptions,
  Validation,
  ValidatorOptions,
} from "./options.ts";
export { type AnswerTo, createValidator, type Validator } from "./validator.ts";
