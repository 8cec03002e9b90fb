import { z } from "zod";

/** Kinds of tool error, for code and tests; callers see the message only. */
export const ToolErrorKind = z.enum([
  "invalid_arguments", // not as the tool takes them
  "too_many_policies", // over max_policies
  "policy_too_large", // over max_policy_bytes
  "request_too_large", // over max_request_bytes
  "request_timeout", // over request_timeout_s
  "no_policies", // an empty list
  "invalid_policy_entry", // neither a document nor its text
  "unknown_policy_type",
  "missing_parameter", // that a kind of `query` needs
  "unknown_service", // to the reference data
  "too_many_values", // lists of `query`
  "unsupported_partition",
  "region_not_allowed",
  "rate_limited", // over analyze_rate_limit
  "no_credentials", // for AWS
  "cloud_api_error", // AWS refused the call
  "cloud_network_error", // AWS was not reached, or its answer not understood
  "cloud_timeout", // the time that the caller gave ran out
  "overloaded", // the worker queue is full
  "not_ready", // reference data did not load in time
]);
export type ToolErrorKind = z.infer<typeof ToolErrorKind>;

/** Kinds of start-up error. Each ends the process with one line on standard error. */
export const StartupErrorKind = z.enum([
  "auth_not_explicit", // hosted mode without a word on authentication
  "config_required", // hosted mode without a config file
  "config_missing", // no such file
  "config_unreadable", // or not one YAML document
  "config_invalid", // not as the config schema wants it
  "custom_check", // a module that does not load or holds no check
  "cache_directory", // not writable
  "aws_services_dir", // missing, or without its list
  "config_is_url",
  "instructions_conflict", // given as text and as a file
  "invalid_setting",
  "unknown_auth",
  "auth_token", // what `--auth token` needs is missing or wrong
  "auth_jwt", // the same of `--auth jwt`
  "auth_provider", // the same of a named provider
  "gateway_outside_function",
  "gateway_public_url", // a function URL that anyone may call
  "auth0_discovery", // no usable document at the configured URL
  "instructions_file", // cannot be read
  "secret_in_flag",
  "hosted_stdio", // hosted mode speaks HTTP
  "listen", // the address is taken or not ours
]);
export type StartupErrorKind = z.infer<typeof StartupErrorKind>;
