import { z } from "zod";

/**
 * Kinds of tool error, for code and tests; callers see the message only.
 * Numbers in the comments are rows of the contract's table of tool errors.
 */
export const ToolErrorKind = z.enum([
  "invalid_arguments", // T1, T2, T12, T23
  "too_many_policies", // T3
  "policy_too_large", // T4
  "request_too_large", // T5
  "request_timeout", // T6
  "no_policies", // T7
  "invalid_policy_entry", // T9
  "unknown_policy_type", // T11, T18
  "missing_parameter", // T13
  "unknown_service", // T14
  "too_many_values", // lists of `query`
  "unsupported_partition", // T15
  "region_not_allowed", // T16
  "rate_limited", // T17
  "no_credentials", // T19
  "cloud_api_error", // T20
  "cloud_network_error", // T21
  "cloud_timeout", // T22
  "overloaded", // the worker queue is full
  "not_ready", // reference data did not load in time
]);
export type ToolErrorKind = z.infer<typeof ToolErrorKind>;

/** Kinds of start-up error. Each ends the process with one line on standard error. */
export const StartupErrorKind = z.enum([
  "auth_not_explicit", // S1
  "config_required", // S2
  "config_missing", // S3
  "config_unreadable", // S4
  "config_invalid", // S5
  "custom_check", // S6
  "cache_directory", // S7
  "aws_services_dir", // S8
  "config_is_url", // S9
  "instructions_conflict", // S10
  "invalid_setting", // S11
  "unknown_auth", // S12
  "auth_token", // S13
  "auth_jwt", // S14
  "auth_provider", // S15
  "gateway_outside_function", // S16
  "gateway_public_url", // S17
  "auth0_discovery", // S18
  "instructions_file", // S19
  "secret_in_flag", // S20
  "hosted_stdio", // D36
  "listen", // the address is taken or not ours
]);
export type StartupErrorKind = z.infer<typeof StartupErrorKind>;
