import type { PolicyType } from "../../../spec/policy.ts";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import {
  entriesOf,
  type Located,
  type LocatedMember,
  locatedLeaf,
  locatedList,
  locatedObject,
} from "../located.ts";
import type { Unknowns } from "../unknowns.ts";
import { elements, withVariables } from "./policy-document.ts";

/** Statements that an input of a module has, as a document. */
export interface ModuleStatements {
  /** From the name of the input to the statements: `[0].statements`. */
  readonly where: string;
  readonly located: Located;
  readonly policyType: PolicyType;
  /** Whether some of the statements are not in the file. */
  readonly isPart: boolean;
}

/**
 * Whether the value of an input may have statements. Modules pass them to a data source `aws_iam_policy_document`, whose
 * arguments they have:
 * https://registry.terraform.io/modules/terraform-aws-modules/lambda/aws/latest (`policy_statements`),
 * https://registry.terraform.io/modules/terraform-aws-modules/iam/aws/latest/submodules/iam-role (`trust_policy_permissions`),
 * https://registry.terraform.io/modules/cloudposse/iam-policy/aws/latest (`iam_policy`, a list of objects with `statements`).
 */
export const mayHaveStatements = (name: string) =>
  /(?:statements|permissions|policy|policies)$/.test(name);

/** @returns the statements of an input; none for another value. */
export function moduleStatements(
  name: string,
  value: Located,
  unknowns: Unknowns,
): readonly ModuleStatements[] {
  const found: ModuleStatements[] = [];
  const add = (where: string, part: Located | null) => {
    const statements = part && documentOf(name, part, unknowns);
    if (statements) found.push({ where, ...statements });
  };
  if (/(?:statements|permissions)$/.test(name)) {
    add("", value);
  } else if (Array.isArray(value.value)) {
    for (const [index, one] of membersOf(value).entries()) {
      add(`[${index}].statements`, partOf(one, "statements"));
    }
  } else {
    add(".statements", partOf(value, "statements"));
  }
  return found;
}

function documentOf(
  name: string,
  value: Located,
  unknowns: Unknowns,
): Omit<ModuleStatements, "where"> | null {
  const all = membersOf(value);
  const entries = all.filter(isStatement);
  const others = all.filter((one) => !isStatement(one));
  // Whole lists that are added may be empty, or any statements.
  const isUnknown = ({ value: other }: Located) =>
    typeof other === "string" && unknowns.whole(other) !== null;
  if (entries.length === 0 || !others.every(isUnknown)) return null;
  const hasPrincipal = entries.some((one) => partOf(one, "principals") !== null);
  const isTrust = /assume|trust/.test(name);
  const policyType = isTrust
    ? "TRUST_POLICY"
    : hasPrincipal
      ? "RESOURCE_POLICY"
      : "IDENTITY_POLICY";
  const statements = all.map((one) =>
    isStatement(one) ? statementOf(one, policyType, unknowns) : one,
  );
  const span = value.node;
  const members: LocatedMember[] = [
    { name: "Version", key: span, located: locatedLeaf("2012-10-17", span) },
    { name: "Statement", key: span, located: locatedList(statements, span) },
  ];
  return { located: locatedObject(members, span), policyType, isPart: others.length > 0 };
}

const isStatement = ({ value }: Located) =>
  isRecord(value) &&
  ["actions", "not_actions"].some((name) => Array.isArray(value[name])) &&
  (value.effect === undefined || typeof value.effect === "string");

/** The items of a list and the values of a map: modules take both. */
function membersOf({ value, node }: Located): Located[] {
  if (Array.isArray(value)) return entriesOf({ value, node });
  if (!isRecord(value) || !node.members) return [];
  return [...node.members].map(([name, member]) => ({ value: value[name], node: member.value }));
}

function partOf({ value, node }: Located, name: string): Located | null {
  const member = node.members?.get(name)?.value;
  return isRecord(value) && member && value[name] !== null
    ? { value: value[name], node: member }
    : null;
}

function statementOf(statement: Located, policyType: PolicyType, unknowns: Unknowns): Located {
  const { node } = statement;
  const effect = partOf(statement, "effect") ?? locatedLeaf("Allow", node);
  const members: LocatedMember[] = [{ name: "Effect", key: effect.node, located: effect }];
  for (const [argument, element] of elements) {
    const part = partOf(statement, argument);
    if (part) members.push({ name: element, key: part.node, located: withVariables(part) });
  }
  const hasResource = members.some(({ name }) => name.endsWith("Resource"));
  // The module fills in the resource that has the policy.
  if (!hasResource && policyType === "RESOURCE_POLICY") {
    const source = "the resource of the module";
    const token = unknowns.token({ source, like: "text", span: node });
    members.push({ name: "Resource", key: node, located: locatedLeaf(token, node) });
  }
  for (const [argument, element] of principals) {
    const part = partOf(statement, argument);
    if (part) members.push({ name: element, key: part.node, located: principalOf(part) });
  }
  const condition = partOf(statement, "condition") ?? partOf(statement, "conditions");
  if (condition) {
    members.push({ name: "Condition", key: condition.node, located: conditionOf(condition) });
  }
  return locatedObject(members, node);
}

const principals = [
  ["principals", "Principal"],
  ["not_principals", "NotPrincipal"],
] as const;

/** `{type, identifiers}` objects, or an unknown value. */
function principalOf(part: Located): Located {
  const byType = new Map<string, Located[]>();
  for (const one of membersOf(part)) {
    const type = partOf(one, "type")?.value;
    const identifiers = partOf(one, "identifiers");
    if (typeof type !== "string" || !identifiers) continue;
    addAll(byType, type, entriesOf(identifiers));
  }
  if (byType.size === 0) return part;
  const [everyone, ...others] = byType.get("*") ?? [];
  if (everyone && byType.size === 1 && others.length === 0) return everyone;
  return objectOf(byType, part.node);
}

/** `{test, variable, values}` objects, or an unknown value. */
function conditionOf(part: Located): Located {
  const byTest = new Map<string, Map<string, Located[]>>();
  for (const one of membersOf(part)) {
    const [test, variable] = [partOf(one, "test")?.value, partOf(one, "variable")?.value];
    const values = partOf(one, "values");
    if (typeof test !== "string" || typeof variable !== "string" || !values) continue;
    const keys = byTest.get(test) ?? new Map<string, Located[]>();
    byTest.set(test, keys);
    addAll(keys, variable, entriesOf(withVariables(values)));
  }
  if (byTest.size === 0) return part;
  const span = part.node;
  const members = [...byTest].map(([name, keys]) => ({
    name,
    key: span,
    located: objectOf(keys, span),
  }));
  return locatedObject(members, span);
}

/** In place: a copy for each of 10,000 objects of one type would take quadratic time. */
function addAll(lists: Map<string, Located[]>, name: string, more: readonly Located[]): void {
  const list = lists.get(name) ?? [];
  for (const one of more) list.push(one);
  lists.set(name, list);
}

function objectOf(lists: ReadonlyMap<string, readonly Located[]>, span: Span): Located {
  return locatedObject(
    [...lists].map(([name, values]) => {
      const key = values[0]?.node ?? span;
      return { name, key, located: locatedList(values, key) };
    }),
    span,
  );
}
