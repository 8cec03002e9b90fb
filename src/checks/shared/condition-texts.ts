import type { NeededInput } from "../../../spec/finding.ts";
import type { ConditionBlock } from "../../fixes/condition-block.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { Statement } from "../../policy/model.ts";
import { readCondition } from "./condition-limits.ts";
import {
  type Alternative,
  type ConditionGroup,
  conditionsOf,
  type RequiredCondition,
} from "./condition-requirements.ts";
import { kebab } from "./kebab.ts";
import { input } from "./placeholders.ts";
import { quote } from "./quote.ts";
import { listed } from "./texts.ts";

/** @returns `` `aws:SourceIp` ``, with operator and value when the requirement names them. */
export function nameCondition(condition: RequiredCondition): string {
  const { condition_key, operator } = condition;
  const values = expectedValues(condition);
  const under = operator ? ` under ${quote(operator)}` : "";
  const set =
    values.length > 1 ? ` set to one of ${listed(values, 5)}` : ` set to ${listed(values)}`;
  return `${quote(condition_key)}${under}${values.length > 0 ? set : ""}`;
}

function expectedValues({ expected_value: expected }: RequiredCondition): string[] {
  if (expected == null) return [];
  return (Array.isArray(expected) ? expected : [expected]).map(String);
}

/** @returns the alternatives of an `any_of`, a group as one: `` `a`, `b` or (`c` and `d`) ``. */
export function nameAlternatives(alternatives: readonly Alternative[]): string {
  const names = alternatives.map((alternative) => {
    if (!isGroup(alternative)) return nameCondition(alternative);
    const group = alternative.all_of.map(nameCondition).join(" and ");
    return alternative.all_of.length > 1 ? `(${group})` : group;
  });
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function isGroup(alternative: Alternative): alternative is ConditionGroup {
  return "all_of" in alternative;
}

/** @returns why the entries that have the key are not enough; empty when there are none. */
export function explainShortfall(statement: Statement, condition: RequiredCondition): string {
  const [read] = readCondition(statement).of(condition.condition_key);
  if (!read) return "";
  const operator = quote(read.entry.operatorText);
  const name = `The ${quote(read.entry.key)} under ${operator} is not enough`;
  if (read.isNull) return `${name}: it asks whether the key is there, not what it says.`;
  if (read.negated && !statement.denies) return `${name}: it lets everything else through.`;
  if (read.passesWhenAbsent) return `${name}: it passes when a request has no such key.`;
  if (read.vacuous) return `${name}: a value in it matches everything.`;
  if (read.optional) return `${name}: it passes when a request has no such key.`;
  return `${name}: the operator or a value is not what is required.`;
}

/**
 * @returns why the first alternative that the statement tests is not enough; empty when it tests none. Groups are left
 * out: one of their conditions may be enough, and another be missing.
 */
export function explainShortfallOfAny(
  statement: Statement,
  alternatives: readonly Alternative[],
): string {
  const tested = alternatives
    .filter((alternative) => !isGroup(alternative))
    .flatMap(conditionsOf)
    .find(({ condition_key }) => readCondition(statement).of(condition_key).length > 0);
  return tested ? explainShortfall(statement, tested) : "";
}

/** @returns what to add for a missing condition. */
export function suggestCondition(condition: RequiredCondition): string {
  return (
    condition.description ?? `Add ${nameCondition(condition)} to the statement's \`Condition\`.`
  );
}

/** @returns what the config says about an alternative, if anything. */
export function toldAbout(alternative: Alternative): string | null {
  return alternative.message ?? (isGroup(alternative) ? null : alternative.description) ?? null;
}

/** @returns one line per alternative of an `any_of`. */
export function suggestAlternatives(alternatives: readonly Alternative[]): string {
  const lines = alternatives.map((alternative) => {
    const told = toldAbout(alternative);
    const names = conditionsOf(alternative).map(nameCondition).join(" and ");
    return told ? `- ${names}: ${told}` : `- ${names}`;
  });
  return ["Add one of these to the statement's `Condition`:", ...lines].join("\n");
}

/** @returns what to do about a condition that may not be there. */
export function suggestRemoval(condition: RequiredCondition, key: string): string {
  return condition.description ?? `Remove ${quote(key)} from the condition, or its value.`;
}

/** @returns a condition block that meets the requirement; null where only its author knows a value. */
export function conditionFor(condition: RequiredCondition): ConditionBlock | null {
  const values = expectedValues(condition);
  const value = values.length > 1 ? values : (values[0] ?? sampleValue(condition.condition_key));
  if (value === unknownValue) return null;
  return {
    [condition.operator ?? sampleOperator(condition)]: { [condition.condition_key]: value },
  };
}

/** @returns the example of the first alternative that has one. */
export function exampleOfAlternatives(alternatives: readonly Alternative[]): string | null {
  for (const condition of alternatives.flatMap(conditionsOf)) {
    if (condition.example) return condition.example;
  }
  return null;
}

const operatorOfType = {
  String: "StringEquals",
  Numeric: "NumericLessThanEquals",
  Date: "DateLessThan",
  Bool: "Bool",
  Binary: "BinaryEquals",
  IPAddress: "IpAddress",
  ARN: "ArnLike",
} as const;

function sampleOperator({ condition_key, expected_value }: RequiredCondition): string {
  if (typeof expected_value === "boolean") return "Bool";
  const key = globalConditionKey(condition_key);
  const operator = key?.type ? operatorOfType[key.type] : "StringEquals";
  return key?.multivalued ? `ForAnyValue:${operator}` : operator;
}

const samples: ReadonlyMap<string, string> = new Map([
  ["aws:sourceip", "203.0.113.0/24"],
  ["aws:sourcearn", "arn:aws:s3:::example-bucket"],
  ["aws:sourcevpc", "vpc-0123456789abcdef0"],
  ["aws:sourcevpce", "vpce-0123456789abcdef0"],
  ["aws:principalarn", "arn:aws:iam::111122223333:role/example"],
  ["aws:multifactorauthpresent", "true"],
  ["aws:securetransport", "true"],
  ["iam:passedtoservice", "ec2.amazonaws.com"],
]);

const unknownValue = "VALUE";

/** A condition that meets a requirement, with placeholders for values that only its author knows. */
export interface OpenCondition {
  readonly block: ConditionBlock;
  readonly needs: readonly NeededInput[];
}

/** Types of keys whose values the author can be asked for. */
const asksFor: ReadonlySet<string> = new Set(["String", "ARN", "IPAddress"]);

/** @returns null where a placeholder would say nothing, as for a number or a date. */
export function openCondition(condition: RequiredCondition): OpenCondition | null {
  const { condition_key: key, operator } = condition;
  const values = expectedValues(condition);
  const sample = sampleValue(key);
  const type = globalConditionKey(key)?.type ?? "String";
  const known = values.length > 1 ? values : (values[0] ?? (type === "Bool" ? sample : undefined));
  const written = operator ?? sampleOperator(condition);
  if (known === unknownValue || (known === undefined && !asksFor.has(type))) return null;
  if (known !== undefined) return { block: { [written]: { [key]: known } }, needs: [] };
  const asked = input(
    kebab(key.slice(key.indexOf(":") + 1)),
    `The value that ${globalConditionKey(key)?.name ?? "the condition key"} must have`,
    sample === unknownValue ? "example" : sample,
  );
  return { block: { [written]: { [key]: asked.placeholder } }, needs: [asked] };
}

function sampleValue(key: string): string {
  const lower = key.toLowerCase();
  const known = samples.get(lower);
  if (known) return known;
  if (lower.endsWith("account")) return "111122223333";
  if (lower.endsWith("orgid")) return "o-exampleorgid";
  if (lower.endsWith("orgpaths")) return "o-exampleorgid/r-ab12/ou-ab12-11111111/*";
  return unknownValue;
}
