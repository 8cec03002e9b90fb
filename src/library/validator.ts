import { LibraryOptions, LibraryValidateOptions } from "../../spec/library.ts";
import { LookUpInput, type LookUpOutput, lookUpKinds } from "../../spec/look-ups.ts";
import type { Severity } from "../../spec/severity.ts";
import type { CheckDescription } from "../../spec/tools/describe-checks.ts";
import { QueryInput, type QueryOutput } from "../../spec/tools/query.ts";
import type { Detail, ValidationResult } from "../../spec/tools/validate-policies.ts";
import { builtinChecks } from "../checks/index.ts";
import { checkFrom } from "../config/custom-check.ts";
import { digestOf } from "../config/digest.ts";
import { type ConfigText, parseConfigText } from "../config/read.ts";
import { refuseKeys } from "../config/refuse-keys.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { ConfigurableCheck } from "../config/sections.ts";
import { createEngine } from "../engine/engine.ts";
import { lookUp } from "../query/look-up.ts";
import { runQuery } from "../query/run-query.ts";
import { embeddedServices } from "../services/embedded.ts";
import type { ServiceData } from "../services/model.ts";
import { describeRegistry } from "../tools/check-description.ts";
import { runValidation, sum, type ValidationRuntime } from "../tools/run-validation.ts";
import { version } from "../version.ts";
import { forProgram, invalidOptions, ValidatorError, type ValidatorErrorCode } from "./errors.ts";
import type {
  Issues,
  PolicyResult,
  ValidateOptions,
  Validation,
  ValidatorOptions,
} from "./options.ts";

/** Validates policies with one config. Its methods may be called at the same time. */
export interface Validator {
  /**
   * Validates a policy, or every policy in a template, a plan or an answer of AWS.
   * @param policy The document, or its JSON or YAML text; findings of a text have a line and column.
   * @throws {ValidatorError} For an option that is wrong or a policy over its limit. Faults of the policy
   * itself are findings.
   */
  validate<Level extends Detail = "findings">(
    policy: object | string,
    options?: ValidateOptions<Level>,
  ): Promise<Validation<Level>>;
  /**
   * @param actionPattern E.g. `s3:Get*`, in any letter case.
   * @returns Actions as `service:Name`, sorted; none if nothing matches; `["*"]` for all actions.
   * @throws {ValidatorError} `unknown_service`, or `invalid_arguments` for a text that is not `service:Name`.
   */
  expand(actionPattern: string): Promise<string[]>;
  /**
   * Looks something up in the AWS reference data: the questions of the tool `query`, and look-ups in
   * reverse (`condition_key`, `resource_type`, `wildcard_only_actions`).
   * @throws {ValidatorError} For an unknown service, key or resource type, or a missing field.
   */
  query<Asked extends Question>(question: Asked): Promise<AnswerTo<Asked>>;
  /** Every check with its documentation, severity and options, sorted by id. */
  describeChecks(): CheckDescription[];
  /** Identifies the config and the checks; the same as that of a server with the same config. */
  readonly config_digest: string;
  /** Day of the AWS reference data, `YYYY-MM-DD`. */
  readonly data_date: string;
  /** What the config says that has no effect. */
  readonly warnings: readonly string[];
}

type Question = QueryInput | LookUpInput;

/** The answer has the kind of the question. */
export type AnswerTo<Asked extends Question> = Extract<
  QueryOutput | LookUpOutput,
  { kind: Asked["kind"] }
>;

/** Keys of a config that load files; the library opens none but its own data. */
const keysOfFiles = [
  [["custom_checks"], "loads files; pass the checks in the option checks"],
  [["custom_checks_dir"], "loads files; pass the checks in the option checks"],
  [["settings", "aws_services_dir"], "loads files; the library has its own reference data"],
  [["organization", "aws_services_dir"], "loads files; the library has its own reference data"],
] as const;

/** Of the whole process: reading it again would cost each validator its memory. */
let embedded: ServiceData | undefined;

/**
 * Prepares a validator: reads the config and creates the checks. Reference data of a service is read
 * from the package when a policy first uses it. Opens no socket, no other file and no thread.
 * @throws {ValidatorError} `config_invalid` names every fault of the config; `custom_check`.
 */
export function createValidator(options: ValidatorOptions = {}): Promise<Validator> {
  return asProgram(() => create(options));
}

async function create({
  config: given = {},
  checks = [],
  onCheckError = () => {},
  ...rest
}: ValidatorOptions): Promise<Validator> {
  const settings = LibraryOptions.safeParse(rest);
  if (!settings.success) throw invalidOptions(settings.error);
  const text = await readConfig(given);
  refuseKeys(text, "config", keysOfFiles);
  const { config, registry, warnings } = resolveConfig(
    text,
    "config",
    [...builtinChecks.map((check) => ({ check, source: "builtin" as const })), ...custom(checks)],
    false,
    settings.data.unknown_names,
  );
  embedded ??= embeddedServices();
  const services = embedded;
  const base: ValidationRuntime = {
    version,
    // One call has one policy, so only its own size needs a limit.
    settings: {
      max_policies: Number.MAX_SAFE_INTEGER,
      max_policy_bytes: settings.data.max_policy_bytes,
      max_request_bytes: Number.MAX_SAFE_INTEGER,
    },
    config,
    registry,
    digest: digestOf(config, registry),
    engine: createEngine(config, registry, services, onCheckError),
    services,
  };
  const runtimeFor = thresholds(base);
  return {
    config_digest: base.digest,
    data_date: services.date,
    warnings,
    describeChecks: () => describeRegistry(registry, config),
    validate: (policy, given) => asProgram(() => validate(policy, given, runtimeFor)),
    expand: (pattern) => asProgram(() => expand(pattern, services)),
    async query<Asked extends Question>(question: Asked) {
      // The answer has the kind of the question.
      return (await asProgram(() => answer(question, services))) as AnswerTo<Asked>;
    },
  };
}

async function asProgram<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw forProgram(error);
  }
}

async function readConfig(given: unknown): Promise<ConfigText> {
  if (typeof given === "string") return parseConfigText(given, "given as text");
  return { value: asJson(given, "config_invalid", "The config"), lineOf: () => null };
}

/**
 * A copy, so that the program may change the object afterwards, and free of what a document on the wire
 * cannot hold: cycles, members that are undefined, functions.
 */
function asJson(value: unknown, code: ValidatorErrorCode, subject: string): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch (error) {
    throw new ValidatorError(code, `${subject} cannot be written as JSON.`, { cause: error });
  }
}

const documentOf = (value: unknown, subject: string) =>
  typeof value === "object" ? asJson(value, "invalid_policy_entry", subject) : value;

function custom(checks: readonly unknown[]): ConfigurableCheck[] {
  return checks.map((value, index) => {
    try {
      return { check: checkFrom(value), source: "config_module" };
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it is not a check";
      throw new ValidatorError("custom_check", `checks[${index}]: ${reason}.`);
    }
  });
}

type RuntimeFor = (severities: readonly Severity[] | undefined) => ValidationRuntime;

/** @returns The runtime with another `fail_on_severity`, and its digest. */
function thresholds(base: ValidationRuntime): RuntimeFor {
  // At most one for each set of severities.
  const known = new Map<string, ValidationRuntime>();
  return (severities) => {
    if (!severities) return base;
    const fail_on_severity = [...new Set(severities)].sort();
    const key = fail_on_severity.join();
    let runtime = known.get(key);
    if (!runtime) {
      const settings = { ...base.config.settings, fail_on_severity };
      const config = { ...base.config, settings };
      const digest = digestOf(config, base.registry);
      runtime = { ...base, config, digest, engine: { ...base.engine, settings } };
      known.set(key, runtime);
    }
    return runtime;
  };
}

async function validate<Level extends Detail>(
  policy: object | string,
  { signal, ...options }: ValidateOptions<Level> = {},
  runtimeFor: RuntimeFor,
): Promise<Validation<Level>> {
  const parsed = LibraryValidateOptions.safeParse(options);
  if (!parsed.success) throw invalidOptions(parsed.error);
  const { name, baseline, fail_on_severity, policy_type, ...input } = parsed.data;
  const entry = {
    policy: documentOf(policy, "The policy"),
    baseline: documentOf(baseline, "The baseline"),
    name,
    policy_type,
  };
  const { output } = await runValidation(
    { ...input, policies: [entry], policy_type: undefined },
    {
      runtime: runtimeFor(fail_on_severity),
      maxResultBytes: Number.POSITIVE_INFINITY,
      ...(signal && { signal }),
    },
  );
  const { results, config_digest, report } = output;
  return {
    is_valid: results.every(({ is_valid }) => is_valid),
    severity_counts: sum(results.map(({ severity_counts }) => severity_counts)),
    issues: issuesOf<Level>(results, input.detail),
    // The level of detail decides which fields the findings have.
    results: results as PolicyResult<Level>[],
    config_digest,
    ...(report !== undefined && { report }),
  };
}

function issuesOf<Level extends Detail>(
  results: readonly Pick<ValidationResult, "issues">[],
  detail: Detail,
): Issues<Level> {
  const all = results.flatMap(({ issues }): object[] => issues ?? []);
  return (detail === "summary" ? null : all) as Issues<Level>;
}

async function expand(pattern: string, services: ServiceData): Promise<string[]> {
  const output = await runQuery({ kind: "expand_wildcard", patterns: [pattern] }, services);
  const [result] = output.kind === "expand_wildcard" ? output.results : [];
  if (!result || result.error === null) return result?.actions ?? [];
  const isName = /^[^:]+:[^:]+$/.test(pattern) && !/\s/.test(pattern);
  throw new ValidatorError(isName ? "unknown_service" : "invalid_arguments", result.error);
}

async function answer(
  question: Question,
  services: ServiceData,
): Promise<QueryOutput | LookUpOutput> {
  const isLookUp = lookUpKinds.some((kind) => kind === question?.kind);
  if (isLookUp) {
    const input = LookUpInput.safeParse(question);
    if (!input.success) throw invalidOptions(input.error);
    return lookUp(input.data, services);
  }
  const input = QueryInput.safeParse(question);
  if (!input.success) throw invalidOptions(input.error);
  return runQuery(input.data, services);
}
