import { z } from "zod";
import { Expression } from "./expression.ts";
import { PolicyType } from "./policy.ts";
import { ConfiguredSeverity, Severity, severitiesFrom } from "./severity.ts";
import { ConfigException, maxExceptions } from "./suppression.ts";

export const severityList = z.union([
  z.array(Severity),
  Severity.transform((severity) => [severity]),
]);

const HiddenSeverities = severityList
  .nullable()
  .default(null)
  .describe("Drop findings of these severities; one severity or a list.");

const closed = {
  ignore_settings: z.strictObject({
    enabled: z.boolean().default(true),
    allowed_users: z.array(z.string()).default([]),
    post_denial_feedback: z.boolean().default(false),
  }),
  documentation: z.strictObject({
    base_url: z
      .url()
      .nullable()
      .default(null)
      .describe("Documentation links become {base_url}/{check_id}."),
    include_aws_docs: z
      .boolean()
      .default(true)
      .describe("With base_url: also add the AWS documentation link to the suggestion."),
  }),
};

const unusedInteger = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** `settings` of the config file. Unknown keys are accepted with a warning. */
export const ConfigSettings = z
  .looseObject({
    fail_on_severity: z
      .union([z.array(Severity).min(1), Severity.transform(severitiesFrom)])
      .default(["error", "critical", "high"])
      .describe(
        "A policy is invalid when a reported finding has one of these severities. A single severity includes all severities above it, in the order error, critical, high, warning, medium, low, info; a list is taken exactly as given. A document that could not be read or fully checked is always invalid.",
      ),
    hide_severities: HiddenSeverities,
    suppress_superseded_findings: z
      .boolean()
      .default(true)
      .describe("Drop findings on a statement that a finding of a broader check already covers."),
    enable_builtin_checks: z.boolean().default(true).describe("false: only custom checks run."),
    parallel_execution: z.boolean().default(true).describe("No effect on results."),
    max_concurrency: z
      .int()
      .min(Number.MIN_SAFE_INTEGER)
      .max(10_000)
      .default(10)
      .describe("No effect: the policies of a call are validated one after another."),
    on_check_error: z
      .enum(["fail", "warn"])
      .default("fail")
      .describe("When a check throws: report a finding (fail), or only write a log line (warn)."),
    allow_template_variables: z
      .boolean()
      .default(true)
      .describe(
        "Accept placeholders such as ${var.x} or {{ x }} where a literal is expected. When set here, it overrides the option of the same name of a check.",
      ),
    trust_policy_names: z
      .boolean()
      .default(false)
      .describe("Apply filepath ignore patterns to policy names, which callers choose."),
    aws_services_dir: z
      .string()
      .nullable()
      .default(null)
      .describe("Directory of reference data; overridden by the server setting of the same name."),
    cache_enabled: z.boolean().default(true).describe("Keep downloaded reference data on disk."),
    cache_ttl_hours: z
      .number()
      .positive()
      .default(168)
      .describe("Hours after which downloaded reference data is fetched again."),
    cache_directory: z
      .string()
      .nullable()
      .default(null)
      .describe(
        "Directory for downloaded data; overridden by the server setting of the same name.",
      ),
    severity_labels: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .default({})
      .describe("Labels for pull requests; no effect here."),
    ignore_settings: closed.ignore_settings.prefault({}).describe("No effect here."),
    documentation: closed.documentation.prefault({}).describe("Documentation links of findings."),
    off_diff_comment_mode: z
      .enum(["summary_only", "individual", "modified_statements_only"])
      .default("summary_only")
      .describe("No effect here."),
    comment_tag: z
      .union([z.literal(""), z.string().regex(/^[A-Za-z0-9._-]{1,32}$/)])
      .nullable()
      .default(null)
      .describe("No effect here."),
    max_concurrent: unusedInteger.optional().describe("No effect; old name of max_concurrency."),
    parallel: z.boolean().optional().describe("No effect."),
    max_workers: unusedInteger.nullable().optional().describe("No effect."),
    fail_fast: z.boolean().optional().describe("No effect."),
  })
  .describe("Settings for all checks.");
export type ConfigSettings = z.infer<typeof ConfigSettings>;

/** Settings accepted for compatibility with older files, without effect. */
export const ignoredSettings: ReadonlySet<string> = new Set([
  "max_concurrent",
  "parallel",
  "max_workers",
  "fail_fast",
]);

/** Settings that are validated and shown by `get_config`, without effect in this server. */
export const inertSettings: ReadonlySet<string> = new Set([
  "severity_labels",
  "ignore_settings",
  "off_diff_comment_mode",
  "comment_tag",
]);

export const expressions = z.union([Expression, z.array(Expression).min(1)]);

/** Old names of the fields of an ignore pattern. */
export const ignoreFieldAliases = {
  filepath_regex: "filepath",
  action_matches: "action",
  resource_matches: "resource",
  statement_sid: "sid",
  condition_key_matches: "condition_key",
} as const;

const ignoreFields = ["filepath", "action", "resource", "sid", "condition_key"] as const;
export type IgnoreField = (typeof ignoreFields)[number];

/** Drops findings for which every field of the pattern matches; in a list, one match is enough. */
export const IgnorePattern = z
  .strictObject(
    Object.fromEntries(
      [...ignoreFields, ...Object.keys(ignoreFieldAliases)].map((field) => [
        field,
        expressions.optional(),
      ]),
    ) as Record<IgnoreField | keyof typeof ignoreFieldAliases, z.ZodOptional<typeof expressions>>,
  )
  .refine((pattern) => Object.values(pattern).some((value) => value !== undefined), {
    error: "an ignore pattern needs at least one field; an empty one would drop every finding",
  })
  .describe("Drops findings for which every field matches.");
export type IgnorePattern = z.infer<typeof IgnorePattern>;

/** Keys that every check's section has in addition to the check's options. */
export const commonCheckKeys = {
  enabled: z.boolean().describe("false: the check does not run."),
  severity: ConfiguredSeverity.nullable().describe("Replaces the check's default severity."),
  description: z.string().nullable().describe("Shown by describe_checks."),
  ignore_patterns: z
    .array(IgnorePattern)
    .describe("Drop findings that match one of these patterns."),
  hide_severities: severityList.nullable().describe("Replaces settings.hide_severities."),
};

/** The keys common to all checks' sections, with their defaults. */
export function CommonSection(defaultEnabled: boolean) {
  return z.strictObject({
    enabled: commonCheckKeys.enabled.default(defaultEnabled),
    severity: commonCheckKeys.severity.default(null),
    description: commonCheckKeys.description.default(null),
    ignore_patterns: commonCheckKeys.ignore_patterns.default([]),
    hide_severities: commonCheckKeys.hide_severities.default(null),
  });
}

/** One custom check named in the config. */
export const CustomCheck = z
  .looseObject({
    module: z
      .string()
      .min(1)
      .describe("Path of an ES module, relative to the config file, or a package name."),
    enabled: z.boolean().default(true).describe("false: the module is not loaded."),
    severity: ConfiguredSeverity.nullable().default(null),
    description: z.string().nullable().default(null),
    config: z.record(z.string(), z.unknown()).default({}).describe("Options of the checks in it."),
  })
  .describe("A custom check.");
export type CustomCheck = z.infer<typeof CustomCheck>;

/** Top-level keys of the config file that are not sections of checks. */
export const topLevelShape = {
  settings: ConfigSettings.prefault({}),
  custom_checks: z.array(CustomCheck).default([]).describe("Custom checks to load."),
  custom_checks_dir: z
    .string()
    .nullable()
    .default(null)
    .describe("Directory of custom checks; each is off until its section enables it."),
  policy_types: z
    .array(
      z.looseObject({
        pattern: z.string().min(1).describe("Glob for the name of a policy; `*` also matches `/`."),
        type: PolicyType,
      }),
    )
    .default([])
    .describe(
      "Policy types by policy name; the first match wins. Built-in patterns are tried afterwards.",
    ),
  exceptions: z
    .array(ConfigException)
    .max(maxExceptions)
    .default([])
    .describe("Findings that are accepted, each with a reason; reports count them."),
  custom_instructions: z
    .string()
    .nullable()
    .default(null)
    .describe("Text added to the server's instructions."),
};

export const TopLevel = z.looseObject(topLevelShape);
export type TopLevel = z.infer<typeof TopLevel>;

/** What the schema of the config file needs to know of a check. */
export interface ConfigurableCheck {
  readonly check_id: string;
  readonly description: string;
  readonly default_enabled?: boolean;
  readonly options: z.ZodType;
}

/**
 * Schema of a whole config file, for editors: every built-in check has its section.
 * @param checks The built-in checks. Sections of custom checks are accepted without validation.
 */
export function ConfigFile(checks: readonly ConfigurableCheck[]) {
  const sections = Object.fromEntries(
    checks.map((check) => [
      check.check_id,
      z
        .union([CheckSection(check), z.literal(false), z.null()])
        .optional()
        .describe(check.description),
    ]),
  );
  return z
    .looseObject({
      ...Object.fromEntries(
        Object.entries(topLevelShape).map(([key, schema]) => [key, schema.optional()]),
      ),
      checks: z
        .looseObject(sections)
        .optional()
        .describe("Old place of the checks' sections; keys of top-level sections override it."),
      organization: ConfigSettings.partial()
        .optional()
        .describe("Old name of settings; its keys override those of settings."),
      ...sections,
    })
    .describe("The config file of validator-mcp.");
}

/** Schema of one check's section: the check's options and the common keys, all optional. */
function CheckSection(check: ConfigurableCheck) {
  const options = check.options instanceof z.ZodObject ? check.options.shape : {};
  return z
    .strictObject({ ...commonCheckKeys, ...options })
    .partial()
    .describe(check.description);
}
