import type { CheckContext } from "../../engine/check.ts";
import {
  type VariableKind,
  type VariableText,
  variableKind,
} from "../../policy/policy-variables.ts";
import { suggestNames } from "../../services/suggest.ts";

type Lookup = Pick<CheckContext, "services">;

/**
 * Variables of policies for devices, which the reference lacks.
 * https://docs.aws.amazon.com/iot/latest/developerguide/basic-policy-variables.html
 */
const ofDevice = /^iot:(?:ClientId|Connection\.Thing\.|Certificate\.)/i;

/** What `${…}` is, the keys of services included. */
export function kindOf(
  { key }: VariableText,
  { services }: Lookup,
): Exclude<VariableKind, { kind: "service" }> {
  const kind = variableKind(key);
  if (kind.kind !== "service") return kind;
  if (kind.prefix === "iot" && ofDevice.test(key)) return { kind: "known" };
  const service = services.get(kind.prefix);
  if (!service) return { kind: "placeholder" };
  const known = service.conditionKey(key);
  if (known) {
    const isList = known.types.length > 0 && known.types.every((type) => /^ArrayOf/i.test(type));
    return { kind: isList ? "multivalued" : "known" };
  }
  // Template languages have prefixes that are those of services (`${ssm:/path}`), so only a name
  // that is nearly a key of the service counts as a misspelt one.
  const near = suggestNames(
    service.conditionKeys.map(({ name }) => name),
    key,
  ).filter((name) => Math.abs(name.length - key.length) <= 2 && !/[$<]/.test(name));
  return near.length > 0 ? { kind: "unknown", near } : { kind: "placeholder" };
}

/** @returns whether it is a policy variable, in order or not, and no placeholder of a template. */
export function isVariable(variable: VariableText, lookup: Lookup): boolean {
  return kindOf(variable, lookup).kind !== "placeholder";
}
