import {
  type ActionDetails,
  maxQueryValues,
  type QueryInput,
  type QueryOutput,
  queryAccessLevels,
} from "../../spec/tools/query.ts";
import { asciiLower } from "../ascii.ts";
import { sensitiveActionOf } from "../checks/sensitive-action/catalogue.ts";
import { quote } from "../checks/shared/quote.ts";
import { ToolError } from "../errors.ts";
import type { WrittenOutput } from "../results/prepared-output.ts";
import { writeInPieces } from "../results/write-in-pieces.ts";
import { loadServices } from "../services/load-services.ts";
import {
  expandPattern,
  malformedReason,
  matchAction,
  unknownServiceReason,
} from "../services/match-action.ts";
import type { Action, Service, ServiceData } from "../services/model.ts";
import { suggestActions, suggestServices } from "../services/suggest.ts";
import { Yielder } from "../yielder.ts";
import { hint, missingParameter, serviceOf } from "./service-of.ts";

type Answer<Kind extends QueryOutput["kind"]> = Extract<QueryOutput, { kind: Kind }>;
type Question<Kind extends QueryInput["kind"]> = Extract<QueryInput, { kind: Kind }>;

/** A query whose answer is written. Plain data. */
export interface WriteQueryTask {
  readonly input: QueryInput;
  /** Maximum bytes of the complete result. */
  readonly maxResultBytes: number;
}

/**
 * Answers one query and writes the answer.
 * @throws {ToolError} as `runQuery` does, or `too_many_values` when the answer does not fit.
 */
export async function writeQuery(
  { input, maxResultBytes }: WriteQueryTask,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<WrittenOutput> {
  const output = await runQuery(input, services, signal);
  // Never shortened: callers would take a partial list of actions for the complete one.
  const refuse = (bytes: number): never => {
    throw new ToolError(
      "too_many_values",
      `The answer to this \`${input.kind}\` has at least ${bytes} bytes; the limit is ` +
        `${maxResultBytes} (max_response_bytes). Request less at once.`,
    );
  };
  return writeInPieces(output, { maxResultBytes, refuse, signal });
}

/**
 * Answers one query. Loads the services that it needs, and yields to the event loop during long lists.
 * @throws {ToolError} `missing_parameter`, `too_many_values`, `unknown_service`, `invalid_arguments`.
 */
export async function runQuery(
  input: QueryInput,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<QueryOutput> {
  switch (input.kind) {
    case "service_actions":
      return serviceActions(input, await serviceOf(input, services, signal));
    case "condition_keys": {
      const service = await serviceOf(input, services, signal);
      return {
        kind: input.kind,
        service: service.prefix,
        condition_keys: service.conditionKeys.map((key) => key.name),
      };
    }
    case "arn_formats": {
      const service = await serviceOf(input, services, signal);
      return {
        kind: input.kind,
        service: service.prefix,
        arn_formats: service.resourceTypes.map((type) => ({
          resource_type: type.name,
          arn_formats: [...type.arnFormats],
        })),
      };
    }
    case "action_details": {
      const actions = bounded(input.kind, "actions", input.actions);
      const look = (action: string) => actionDetails(action, services);
      return { kind: input.kind, results: await each(actions, look, services, signal) };
    }
    case "expand_wildcard": {
      const patterns = bounded(input.kind, "patterns", input.patterns);
      const look = (pattern: string) => {
        const { actions, error } = expandPattern(services, pattern);
        return { pattern, actions: [...actions], error };
      };
      return { kind: input.kind, results: await each(patterns, look, services, signal) };
    }
  }
}

function serviceActions(
  input: Question<"service_actions">,
  service: Service,
): Answer<"service_actions"> {
  const level = input.access_level ? asciiLower(input.access_level) : null;
  if (level !== null && !queryAccessLevels.some((known) => known === level)) {
    throw new ToolError(
      "invalid_arguments",
      `\`${input.kind}\` of ${quote(service.prefix)}: the access level ` +
        `${quote(input.access_level ?? "")} does not exist. Use one of ` +
        `${queryAccessLevels.join(", ")}.`,
    );
  }
  const part = asciiLower(input.name_filter ?? "");
  const actions = service.actions
    .filter((action) => level === null || action.accessLevel === level)
    .filter((action) => asciiLower(action.name).includes(part))
    .map((action) => action.qualified);
  return { kind: input.kind, service: service.prefix, actions, total: actions.length };
}

function actionDetails(requested: string, services: ServiceData): ActionDetails {
  const details: ActionDetails = {
    action: requested,
    valid: false,
    error: null,
    service: null,
    access_level: null,
    resource_types: [],
    condition_keys: [],
    description: null,
    sensitive: sensitiveActionOf(requested) ?? null,
  };
  const match = matchAction(services, requested);
  switch (match.kind) {
    case "any":
      return { ...details, valid: true };
    case "malformed":
      return { ...details, error: malformedReason(requested) };
    case "unknown_service":
      return {
        ...details,
        error:
          unknownServiceReason(services, match.service) +
          hint(suggestServices(services, match.service)),
      };
    case "unknown_action":
      return {
        ...details,
        service: match.service.prefix,
        error:
          `${quote(match.service.prefix)} has no action ${quote(match.name)} in the reference ` +
          `data of ${services.date}.${hint(suggestActions(match.service, match.name))}`,
      };
    case "pattern": {
      // `service:*` is valid even for a service without actions.
      const valid = match.actions.length > 0 || match.actions === match.service.actions;
      const reason = `Nothing in the reference data of ${services.date} matches this pattern.`;
      return { ...details, valid, error: valid ? null : reason };
    }
    case "action":
      return { ...details, ...facts(match.action), valid: true };
  }
}

function facts(action: Action) {
  return {
    service: action.service,
    access_level: action.accessLevel,
    resource_types: [...action.resourceTypes],
    condition_keys: [...action.conditionKeys],
    description: action.description ?? "N/A",
  };
}

function bounded(kind: string, field: string, values: readonly string[]): readonly string[] {
  if (values.length === 0) throw missingParameter(kind, field);
  if (values.length > maxQueryValues) {
    throw new ToolError(
      "too_many_values",
      `\`${kind}\`: \`${field}\` has ${values.length} entries; the limit is ` +
        `${maxQueryValues}. Use several calls.`,
    );
  }
  return values;
}

async function each<Result>(
  values: readonly string[],
  look: (value: string) => Result,
  services: ServiceData,
  signal: AbortSignal | undefined,
): Promise<Result[]> {
  const prefixes = values.map((value) => value.slice(0, Math.max(0, value.indexOf(":"))));
  await loadServices(services, new Set(prefixes.map(asciiLower)), signal);
  const yielder = new Yielder(signal);
  const results: Result[] = [];
  for (const value of values) {
    results.push(look(value));
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  return results;
}
