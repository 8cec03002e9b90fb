import { z } from "zod";
import { Profile } from "./scopes.ts";

const count = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const mebibyte = 1_048_576;

/** Ways to tell who calls. `gateway` exists in the serverless function only. */
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

/** What the process runs with: flags over `VALIDATOR_MCP_*` variables over defaults. */
export const Settings = z
  .strictObject({
    mode: z
      .enum(["local", "hosted"])
      .default("local")
      .describe("local: one user over stdio; hosted: many over HTTP."),
    transport: z
      .enum(["stdio", "http"])
      .optional()
      .describe("Default: http in hosted mode, stdio in local mode."),
    host: z.string().min(1).max(255).default("127.0.0.1").describe("Address to listen on."),
    port: z.int().min(0).max(65_535).default(8000).describe("Port to listen on; 0: any free one."),
    config_source: z
      .string()
      .optional()
      .describe("Path of the config file; required in hosted mode."),
    auth: AuthProvider.default("none").describe(
      "How callers prove who they are; to be given in hosted mode.",
    ),
    profile: Profile.default("full").describe("Which tools, resources and prompts exist at all."),
    custom_checks_dir: z.string().optional().describe("Directory of custom check modules."),
    aws_services_dir: z
      .string()
      .optional()
      .describe("Directory of pre-downloaded reference data; no outbound call is made for it."),
    reference_data_url: z
      .url()
      .optional()
      .describe("Service list to fetch reference data from; unset: the embedded data."),
    cache_directory: z.string().optional().describe("Writable directory for downloaded data."),
    instructions: z.string().optional().describe("Text added to the server's instructions."),
    instructions_file: z
      .string()
      .optional()
      .describe("File whose text is added to the instructions."),
    max_policies: count.default(50).describe("Policies per call."),
    max_policy_bytes: count.default(mebibyte).describe("Bytes of one policy."),
    max_request_bytes: count.default(8 * mebibyte).describe("Bytes of all policies of a call."),
    request_timeout_s: count.max(86_400).default(60).describe("Seconds of work per call."),
    max_response_bytes: count
      .default(4 * mebibyte)
      .describe("Bytes of a response; past it the response is degraded, not refused."),
    allowed_regions: z
      .array(z.string().regex(/^[a-z0-9-]+$/, "not the name of a region"))
      .optional()
      .describe("Regions analyze_policy may call, comma-separated; default: the server's own."),
    analyze_rate_limit: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(10)
      .describe("analyze_policy calls per minute and process; 0: no limit."),
    http_max_connections: count.default(50).describe("Outbound connections at once."),
    http_max_keepalive_connections: count
      .default(20)
      .describe("Idle outbound connections to AWS that are kept for the next call."),
    max_streams: count.default(256).describe("Open GET and listen streams at once."),
    allowed_origins: z
      .array(z.string())
      .optional()
      .describe("Origins accepted beside the server's own, comma-separated."),
    allowed_hosts: z
      .array(z.string())
      .optional()
      .describe("Host headers accepted, comma-separated; setting it switches the check on."),
    metrics_port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe("Port of GET /metrics on the same host; unset: off."),
    log_level: z
      .enum(["debug", "info", "warn", "error"])
      .default("info")
      .describe("Least severe level written to standard error."),
    workers: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe(
        "Worker threads for large calls; default: one per core but one, as many as memory has room for, at least 1.",
      ),
    max_queued_calls: count
      .max(10_000)
      .default(32)
      .describe("Large calls that may wait for a worker; past it callers are told to come back."),
  })
  .describe("Settings of the server process.");
export type Settings = z.infer<typeof Settings>;

/** Where a setting comes from: `--flag` and `VALIDATOR_MCP_<VARIABLE>`; null: not settable that way. */
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
]);

/** Sources of every setting, in the order of the schema. */
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
