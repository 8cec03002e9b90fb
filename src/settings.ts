import { z } from "zod";
import { type SettingSource, Settings, settingSources } from "../spec/settings.ts";
import { StartupError } from "./errors.ts";
import { problemsOf } from "./schema-problems.ts";
import { type SortedVariables, sortVariables } from "./variable-names.ts";

/** Settings, and whether authentication was configured explicitly. */
export interface ReadSettings {
  readonly settings: Settings;
  /** Whether `--auth` or a non-empty VALIDATOR_MCP_AUTH was given. */
  readonly authExplicit: boolean;
  /** For the log: variables that were ignored. */
  readonly warnings?: readonly string[];
}

/** Values by field, as the command line parsed them: text, or absent. */
export type Flags = Readonly<Partial<Record<keyof Settings, string>>>;
export type Environment = Readonly<Record<string, string | undefined>>;

type Field = keyof Settings;
const fields = Object.keys(settingSources) as Field[];
const variables = new Set(Object.values(settingSources).map(({ variable }) => variable));

const lists: ReadonlySet<Field> = new Set(["allowed_regions", "allowed_origins", "allowed_hosts"]);
const numbers: ReadonlySet<Field> = new Set([
  "port",
  "max_policies",
  "max_policy_bytes",
  "max_request_bytes",
  "request_timeout_s",
  "max_response_bytes",
  "analyze_rate_limit",
  "analyze_local_rate_limit",
  "http_max_connections",
  "http_max_keepalive_connections",
  "max_streams",
  "metrics_port",
  "workers",
  "max_queued_calls",
  "max_calls_per_caller",
]);

/** Converts the text of a setting to its type. Text that is not a whole number stays text, which the schema rejects. */
function typed(field: Field, text: string): unknown {
  if (lists.has(field)) {
    return text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }
  if (numbers.has(field)) return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (field === "access_log") return text.trim().toLowerCase();
  return field === "instructions" ? text : text.trim();
}

function sourceName({ flag, variable }: SettingSource): string {
  return flag ? `${flag} / ${variable}` : variable;
}

/**
 * Reads the settings: a flag overrides a `VALIDATOR_MCP_*` variable, a variable the default. All are
 * merged before they are validated. An empty variable counts as unset.
 * @throws {StartupError} Names the setting that is invalid, missing in hosted mode, or in conflict with another.
 */
export function readSettings(flags: Flags, environment: Environment): ReadSettings {
  const given: Partial<Record<Field, unknown>> = {};
  const sorted = sortVariables(environment, variables);
  for (const field of fields) {
    const name = settingSources[field].variable;
    const variable = sorted.serviceLinks.has(name) ? undefined : environment[name];
    const text = flags[field] ?? (variable?.trim() ? variable : undefined);
    if (text !== undefined) given[field] = typed(field, text);
  }
  refuseSse(given.transport);
  const parsed = Settings.safeParse(given);
  if (!parsed.success) throw invalidSetting(parsed.error.issues, given);
  const settings = parsed.data;
  const authExplicit = given.auth !== undefined;

  if (settings.instructions !== undefined && settings.instructions_file !== undefined) {
    throw new StartupError(
      "instructions_conflict",
      `${sourceName(settingSources.instructions)} and ${sourceName(settingSources.instructions_file)} are both set; set only one.`,
    );
  }
  const warnings = warningsAbout(sorted, settings);
  if (settings.mode === "hosted") checkHosted(settings, authExplicit);
  return { settings, authExplicit, warnings };
}

/** @throws {StartupError} If a variable is unknown, unless the operator wants warnings only. */
function warningsAbout({ serviceLinks, unknown }: SortedVariables, settings: Settings): string[] {
  const warnings: string[] = [];
  if (serviceLinks.size > 0) {
    warnings.push(
      `Ignored variables that Kubernetes makes for a Service: ${[...serviceLinks].join(", ")}. Set enableServiceLinks: false in the pod spec to avoid them.`,
    );
  }
  if (unknown.length === 0) return warnings;
  if (settings.unknown_names === "warn") return [...warnings, `Ignored: ${unknown.join("; ")}`];
  throw new StartupError(
    "invalid_setting",
    `${unknown.join("; ")}. Correct or remove it, or set ${sourceName(settingSources.unknown_names)} to warn.`.replaceAll(
      "?.",
      "?",
    ),
  );
}

function checkHosted(settings: Settings, authExplicit: boolean): void {
  if (settings.transport === "stdio") {
    throw new StartupError(
      "hosted_stdio",
      `hosted mode supports only HTTP; remove ${sourceName(settingSources.transport)} or set it to http.`,
    );
  }
  if (settings.config_source === undefined) {
    throw new StartupError(
      "config_required",
      `hosted mode needs an explicit config file: ${sourceName(settingSources.config_source)}. No file is looked for.${
        authExplicit ? "" : ` It needs ${sourceName(settingSources.auth)} too.`
      }`,
    );
  }
  if (settings.auth === "none" && !authExplicit) {
    throw new StartupError(
      "auth_not_explicit",
      `hosted mode needs ${sourceName(settingSources.auth)}; to run without authentication, set --auth none.`,
    );
  }
}

function refuseSse(transport: unknown): void {
  if (transport === "sse") {
    throw new StartupError(
      "invalid_setting",
      `${sourceName(settingSources.transport)}: sse was removed; use http.`,
    );
  }
}

function invalidSetting(
  issues: readonly z.core.$ZodIssue[],
  given: Partial<Record<Field, unknown>>,
): StartupError {
  const [problem] = problemsOf(issues);
  const field = String(problem?.path[0] ?? "") as Field;
  const source = settingSources[field];
  if (field === "auth") {
    return new StartupError(
      "unknown_auth",
      `${sourceName(source)}: ${JSON.stringify(String(given.auth).slice(0, 40))} is not an authentication provider; use one of ${Settings.shape.auth.unwrap().options.join(", ")}.`,
    );
  }
  const reason = numbers.has(field) ? wholeNumber(field) : (problem?.message ?? "invalid value");
  return new StartupError("invalid_setting", `${source ? sourceName(source) : field}: ${reason}.`);
}

/** @returns The range that the schema gives a number, for whatever is wrong with the value: sign, unit, quotes. */
function wholeNumber(field: Field): string {
  const { properties = {} } = z.toJSONSchema(Settings, { io: "input" });
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = properties[field] as {
    minimum?: number;
    maximum?: number;
  };
  const range =
    maximum === Number.MAX_SAFE_INTEGER
      ? `of at least ${minimum}`
      : `from ${minimum} to ${maximum}`;
  return `must be a whole number ${range}, in digits only`;
}
