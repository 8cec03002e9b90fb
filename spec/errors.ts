import { z } from "zod";

/** Kinds of tool error, for code, tests and traces; callers see the message only. */
export const ToolErrorKind = z.enum([
  "invalid_arguments", // the arguments do not match the input schema
  "too_many_policies", // over max_policies
  "policy_too_large", // over max_policy_bytes
  "request_too_large", // over max_request_bytes
  "request_timeout", // over request_timeout_s
  "no_policies", // an empty list
  "invalid_policy_entry", // neither a document nor its text
  "unknown_policy_type",
  "missing_parameter", // a kind of `query` needs it
  "unknown_service", // not in the reference data
  "too_many_values", // in a list given to `query`
  "unsupported_partition",
  "region_not_allowed",
  "rate_limited", // over analyze_rate_limit
  "no_credentials", // no AWS credentials found
  "cloud_api_error", // AWS refused the call
  "cloud_network_error", // AWS could not be reached, or its response could not be parsed
  "cloud_timeout", // over timeout_seconds of the call
  "overloaded", // the worker queue is full
  "not_ready", // the reference data did not load in time
]);
export type ToolErrorKind = z.infer<typeof ToolErrorKind>;

/** Kinds of start-up error. Each ends the process with one line on standard error. */
export const StartupErrorKind = z.enum([
  "auth_not_explicit", // hosted mode without --auth
  "config_required", // hosted mode without a config file
  "config_missing", // no such file
  "config_unreadable", // the file cannot be read, or is not one YAML document
  "config_invalid", // the file does not match the config schema
  "custom_check", // a module does not load or exports no check
  "cache_directory", // not writable
  "aws_services_dir", // missing, or without its list
  "config_is_url",
  "instructions_conflict", // given both as text and as a file
  "invalid_setting",
  "unknown_auth",
  "auth_token", // a variable of `--auth token` is missing or invalid
  "auth_jwt", // a variable of `--auth jwt` is missing or invalid
  "auth_provider", // a variable of another provider is missing or invalid
  "gateway_outside_function",
  "gateway_public_url", // a function URL that anyone can call
  "auth_login", // what login needs is missing or wrong
  "auth_discovery", // no usable document of the provider that people log in at
  "auth0_discovery", // no usable discovery document at the configured URL
  "instructions_file", // cannot be read
  "secret_in_flag",
  "hosted_stdio", // hosted mode supports HTTP only
  "listen", // the address is in use or does not belong to this machine
]);
export type StartupErrorKind = z.infer<typeof StartupErrorKind>;
