import type { LookUpInput, LookUpOutput } from "../../spec/look-ups.ts";
import { asciiLower, byCodePoint } from "../ascii.ts";
import { quote } from "../checks/shared/quote.ts";
import { ToolError } from "../errors.ts";
import { keyType } from "../policy/condition-key-type.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import { matchesConditionKey } from "../services/condition-key-pattern.ts";
import { loadServices } from "../services/load-services.ts";
import type { ConditionKey, Service, ServiceData } from "../services/model.ts";
import { suggestNames } from "../services/suggest.ts";
import { Yielder } from "../yielder.ts";
import { hint, serviceOf } from "./service-of.ts";

type Question<Kind extends LookUpInput["kind"]> = Extract<LookUpInput, { kind: Kind }>;
type Answer<Kind extends LookUpOutput["kind"]> = Extract<LookUpOutput, { kind: Kind }>;

/**
 * Answers one look-up. Loads the services that it needs, and yields to the event loop between them.
 * @throws {ToolError} `unknown_service`; `invalid_arguments` for an unknown key or resource type.
 */
export async function lookUp(
  input: LookUpInput,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<LookUpOutput> {
  switch (input.kind) {
    case "condition_key":
      return conditionKey(input, services, signal);
    case "resource_type":
      return resourceType(input, services, signal);
    case "wildcard_only_actions": {
      const service = await serviceOf(input, services, signal);
      const actions = service.actions
        .filter(({ resourceTypes }) => resourceTypes.length === 0)
        .map(({ qualified }) => qualified);
      return { kind: input.kind, service: service.prefix, actions, total: actions.length };
    }
  }
}

async function conditionKey(
  { kind, key, service: only }: Question<"condition_key">,
  services: ServiceData,
  signal: AbortSignal | undefined,
): Promise<Answer<"condition_key">> {
  const global = globalConditionKey(key);
  const described: ConditionKey[] = [];
  const actions: string[] = [];
  const resourceTypes: string[] = [];
  const spellings = new Set<string>();
  const known = new Set<string>();
  const prefixes =
    only == null
      ? services.prefixes
      : [(await serviceOf({ kind, service: only }, services, signal)).prefix];
  const yielder = new Yielder(signal);
  for (const prefix of prefixes) {
    await loadServices(services, [prefix], signal);
    if (yielder.isDue) await yielder.yieldNow();
    const service = services.get(prefix);
    if (!service) continue;
    for (const { name } of service.conditionKeys) known.add(name);
    const found = service.conditionKey(key);
    if (found) described.push(found);
    for (const type of service.resourceTypes) {
      const spelling = type.conditionKeys.find((name) => matchesConditionKey(name, key));
      if (spelling === undefined) continue;
      spellings.add(spelling);
      resourceTypes.push(`${service.prefix}:${type.name}`);
    }
    for (const action of service.actions) {
      if (!action.supportsKey(key)) continue;
      const spelling = action.conditionKeys.find((name) => matchesConditionKey(name, key));
      if (spelling !== undefined) spellings.add(spelling);
      actions.push(action.qualified);
    }
  }
  const [first] = [...described.map(({ name }) => name), ...spellings];
  if (!global && first === undefined) throw unknownKey(key, [...known], services);
  const types = [...new Set(described.flatMap((one) => one.types))];
  return {
    kind,
    key: first ?? global?.name ?? key,
    types: types.length === 0 && global?.type ? [global.type] : types,
    multivalued: global
      ? global.multivalued
      : types.some((type) => keyType(type)?.multivalued ?? false),
    global: global !== undefined,
    description: described.find(({ description }) => description !== null)?.description ?? null,
    actions: actions.sort(byCodePoint),
    resource_types: resourceTypes.sort(byCodePoint),
  };
}

function unknownKey(key: string, known: readonly string[], services: ServiceData): ToolError {
  return new ToolError(
    "invalid_arguments",
    `The condition key ${quote(key)} is not in the reference data of ${services.date}.${hint(suggestNames(known, key))}`,
  );
}

async function resourceType(
  { kind, resource_type: wanted }: Question<"resource_type">,
  services: ServiceData,
  signal: AbortSignal | undefined,
): Promise<Answer<"resource_type">> {
  const colon = wanted.indexOf(":");
  if (colon < 1) {
    throw new ToolError(
      "invalid_arguments",
      `A resource type is written \`service:name\`, e.g. \`s3:bucket\`; ${quote(wanted)} is not.`,
    );
  }
  const service = await serviceOf({ kind, service: wanted.slice(0, colon) }, services, signal);
  const name = wanted.slice(colon + 1);
  const type = service.resourceType(name);
  if (!type) throw unknownType(service, name, services);
  const lower = asciiLower(type.name);
  return {
    kind,
    resource_type: `${service.prefix}:${type.name}`,
    arn_formats: [...type.arnFormats],
    condition_keys: [...type.conditionKeys].sort(byCodePoint),
    actions: service.actions
      .filter(({ resourceTypes }) => resourceTypes.some((one) => asciiLower(one) === lower))
      .map(({ qualified }) => qualified),
  };
}

function unknownType(service: Service, name: string, services: ServiceData): ToolError {
  const known = service.resourceTypes.map((type) => type.name);
  const near = suggestNames(known, name).map((one) => `${service.prefix}:${one}`);
  return new ToolError(
    "invalid_arguments",
    `${quote(service.prefix)} has no resource type ${quote(name)} in the reference data of ${services.date}.${hint(near)}`,
  );
}
