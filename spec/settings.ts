import { z } from "zod";
import { Profile } from "./scopes.ts";

/** An origin as browsers send it: scheme and host, port only if it is not the default, nothing else. */
const Origin = z
  .string()
  .regex(
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i,
    "must list origins such as https://tools.example.com, without path, query or user name",
  );

/** A Host header: a name or address, with an optional port. */
const HostName = z
  .string()
  .regex(
    /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i,
    "must list host names such as mcp.example.com or mcp.example.com:8443, without scheme and path",
  );

const count = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const mebibyte = 1_048_576;

/** Authentication providers. `gateway` exists in the AWS Lambda function only. */
export const AuthProvider = z.enum([
  "none",
  "token",
  "jwt",
  "azure",
  "google",
  "github",
  "keycloak",
  "auth0",
  "workos",
  "gateway",
]);
export type AuthProvider = z.infer<typeof AuthProvider>;

/** Settings of the process. A flag overrides a `VALIDATOR_MCP_*` variable, a variable the default. */
export const Settings = z
  .strictObject({
    mode: z
      .enum(["local", "hosted"])
      .default("local")
      .describe("local: one user over stdio; hosted: many callers over HTTP."),
    transport: z
      .enum(["stdio", "http"])
      .optional()
      .describe("Default: http in hosted mode, stdio in local mode."),
    host: z.string().min(1).max(255).default("127.0.0.1").describe("Address to listen on."),
    port: z.int().min(0).max(65_535).default(8000).describe("Port to listen on; 0: any free port."),
    config_source: z
      .string()
      .optional()
      .describe("Path of the config file; required in hosted mode."),
    auth: AuthProvider.default("none").describe(
      "How callers are authenticated; must be set in hosted mode.",
    ),
    profile: Profile.default("full").describe("Which tools, resources and prompts are available."),
    custom_checks_dir: z.string().optional().describe("Directory of custom check modules."),
    aws_services_dir: z
      .string()
      .optional()
      .describe("Directory of downloaded reference data; makes outbound requests unnecessary."),
    reference_data_url: z
      .url("must be an absolute URL")
      .optional()
      .describe("URL of the service list to fetch reference data from; default: embedded data."),
    cache_directory: z.string().optional().describe("Writable directory for downloaded data."),
    instructions: z
      .string()
      .optional()
      .describe("Text added to the server's instructions to models."),
    instructions_file: z
      .string()
      .optional()
      .describe("File whose text is added to the server's instructions to models."),
    max_policies: count.default(50).describe("Maximum number of policies per call."),
    max_policy_bytes: count.default(mebibyte).describe("Maximum bytes of one policy."),
    max_request_bytes: count
      .default(8 * mebibyte)
      .describe("Maximum bytes of all policies of a call together."),
    request_timeout_s: count.max(86_400).default(60).describe("Time limit of a call, in seconds."),
    max_response_bytes: count
      .default(4 * mebibyte)
      .describe("Maximum bytes of a response; a longer one is shortened, not refused."),
    allowed_regions: z
      .array(
        z
          .string()
          .regex(/^[a-z0-9-]+$/, "must list regions such as eu-west-1, separated by commas"),
      )
      .optional()
      .describe("Regions that analyze_policy may call, comma-separated; default: the server's."),
    analyze_rate_limit: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(10)
      .describe("analyze_policy calls to AWS per minute and process; 0: no limit."),
    analyze_local_rate_limit: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe("analyze_policy calls with engine local per minute and process; 0: no limit."),
    http_max_connections: count.default(50).describe("Maximum number of outbound connections."),
    http_max_keepalive_connections: count
      .default(20)
      .describe("Maximum number of idle outbound connections to AWS kept open for reuse."),
    max_streams: count.default(256).describe("Maximum number of open event streams."),
    allowed_origins: z
      .array(Origin)
      .optional()
      .describe("Origins accepted in addition to the server's, comma-separated."),
    allowed_hosts: z
      .array(HostName)
      .optional()
      .describe("Accepted Host headers, comma-separated; if unset, Host is not checked."),
    metrics_port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe("Port of GET /metrics on the same host; if unset, there are no metrics."),
    log_level: z
      .enum(["debug", "info", "warn", "error"])
      .default("info")
      .describe("Least severe level written to standard error."),
    access_log: z
      .enum(["on", "off"])
      .default("off")
      .describe("Whether each HTTP request is a line of the log, with its duration."),
    unknown_names: z
      .enum(["error", "warn"])
      .default("error")
      .describe(
        "Unknown VALIDATOR_MCP_* variables, settings, check options and iam: scopes: refuse to start, or warn and ignore them.",
      ),
    workers: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe(
        "Worker threads for large calls. Default: CPU cores minus one, reduced so that 256 MiB per worker fits in half the memory; at least 1.",
      ),
    max_calls_per_caller: count
      .max(10_000)
      .default(64)
      .describe(
        "Calls of one caller that are accepted and not yet answered; further calls of that caller are refused.",
      ),
    max_queued_calls: count
      .max(10_000)
      .default(128)
      .describe("Maximum number of large calls that wait for a worker; more are refused."),
  })
  .describe("Settings of the server process.");
export type Settings = z.infer<typeof Settings>;

/** The flag and the `VALIDATOR_MCP_*` variable of a setting; null: there is no flag. */
export interface SettingSource {
  readonly flag: string | null;
  readonly variable: string;
}

const flagless: ReadonlySet<keyof Settings> = new Set([
  "reference_data_url",
  "http_max_connections",
  "http_max_keepalive_connections",
  "max_streams",
  "allowed_origins",
  "allowed_hosts",
  "metrics_port",
  "log_level",
  "workers",
  "max_queued_calls",
  "max_calls_per_caller",
]);

/** Flag and variable of every setting, in the order of the schema. */
export const settingSources = Object.fromEntries(
  (Object.keys(Settings.shape) as (keyof Settings)[]).map((field) => {
    const base = field === "config_source" ? "config" : field;
    return [
      field,
      {
        flag: flagless.has(field) ? null : `--${base.replaceAll("_", "-")}`,
        variable: `VALIDATOR_MCP_${base.toUpperCase()}`,
      },
    ];
  }),
) as Record<keyof Settings, SettingSource>;
