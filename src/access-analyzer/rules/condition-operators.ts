import { parseOperator } from "../../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { hasPlainCondition } from "../../policy/plain-form.ts";
import type { ServiceLookup } from "../../services/model.ts";
import { conditionNodes } from "../conditions.ts";
import { keyFacts } from "../keys.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

/** The name of each operator. */
export function operatorNames(statement: Statement): Iterable<Issue> {
  // Without keys an operator has no entry.
  const areFine = hasPlainCondition(statement) && statement.conditions.every(hasFineOperator);
  return areFine ? noIssues : faultsOfNames(statement);
}

function hasFineOperator({ operator, values }: ConditionEntry): boolean {
  if (!operator) return false;
  const { base, ifExists, setPrefix } = operator;
  if (base.name === "Null") return !ifExists && !setPrefix;
  return base.name !== "Bool" || values.length < 2;
}

function* faultsOfNames(statement: Statement): Generator<Issue> {
  for (const { operator: text, operatorNode, keys } of conditionNodes(statement)) {
    const operator = parseOperator(text);
    const nodes = [operatorNode];
    if (!operator) {
      yield {
        code: "INVALID_CONDITION_OPERATOR",
        details: `${quoted(text)} is not a condition operator. Correct the name.`,
        nodes,
      };
      continue;
    }
    if (operator.base.name === "Null") {
      if (operator.ifExists) {
        yield {
          code: "NULL_WITH_IF_EXISTS",
          details: "`Null` takes no `IfExists`: it tests whether the key exists. Use `Null`.",
          nodes,
        };
      } else if (operator.setPrefix) {
        yield {
          code: "NULL_WITH_QUALIFIER",
          details: `${quoted(text)} always gives the same result. Use \`Null\`.`,
          nodes,
        };
      }
    }
    for (const { key, valuesNode, values } of keys) {
      if (operator.base.name !== "Bool" || !Array.isArray(values) || values.length < 2) continue;
      yield {
        code: "INVALID_CONDITION_MULTIPLE_BOOLEAN",
        details: `${quoted(key)} under \`Bool\` has ${values.length} values. Give one.`,
        nodes: [valuesNode],
      };
    }
  }
}

/** Each operator against the type of its key. */
export function operatorTypes({ conditions }: Statement, { services }: Subject): Iterable<Issue> {
  const areFine = conditions.every((entry) => isForKey(entry, services));
  return areFine ? noIssues : mismatches(conditions, services);
}

/** Whether operator and key are for one type, as most are, and as many values; or one of them has no type. */
function isForKey({ operator, key }: ConditionEntry, services: ServiceLookup): boolean {
  if (!operator || operator.base.type === null) return true;
  const facts = keyFacts(services, key);
  if (!facts) return true;
  const { base, setPrefix } = operator;
  return (
    facts.type === base.type &&
    (facts.multivalued ? setPrefix !== null : setPrefix !== "ForAllValues")
  );
}

function* mismatches(
  conditions: readonly ConditionEntry[],
  services: ServiceLookup,
): Generator<Issue> {
  for (const entry of conditions) {
    const { operator, operatorText, key } = entry;
    const facts = keyFacts(services, key);
    if (!operator || !facts || operator.base.type === null) continue;
    const issue = (code: Issue["code"], details: string): Issue => ({
      code,
      details,
      nodes: [entry.keyNode],
    });
    if (facts.multivalued && !operator.setPrefix) {
      yield issue(
        "MISSING_QUALIFIER",
        `${quoted(key)} can have several values. Put \`ForAllValues:\` or \`ForAnyValue:\` before ${quoted(operatorText)}.`,
      );
    }
    if (!facts.multivalued && facts.type !== null && operator.setPrefix === "ForAllValues") {
      yield issue(
        "FORALLVALUES_WITH_SINGLE_VALUED_KEY",
        `${quoted(key)} has one value, so \`ForAllValues\` only lets requests without the key through. Use \`${operator.base.name}\`.`,
      );
    }
    if (facts.type === "ARN" && /^StringL|^StringNotL/.test(operator.base.name)) {
      yield issue(
        "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
        `${quoted(key)} holds an ARN. Use \`${operator.base.negated ? "ArnNotLike" : "ArnLike"}\`, which compares field by field.`,
      );
    }
    if (facts.type !== null && !fits(entry, facts.type)) {
      yield issue(
        "TYPE_MISMATCH",
        `${quoted(operatorText)} does not fit ${quoted(key)}, whose type is ${facts.type}.`,
      );
    }
  }
}

/** String and Arn operators take each other's keys, as ValidatePolicy accepts them. */
function fits({ operator, keyLower }: ConditionEntry, type: string): boolean {
  const family = operator?.base.type;
  if (family === type) return true;
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-epochtime
  if (keyLower === "aws:epochtime" && family === "Numeric") return true;
  // AWS's example for the key compares it as text with a policy variable.
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-ec2instancesourceprivateipv4
  if (keyLower === "aws:ec2instancesourceprivateipv4" && family === "String") return true;
  const texts = ["String", "ARN"];
  return texts.includes(String(family)) && texts.includes(type);
}
