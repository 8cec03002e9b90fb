import { documentedCallers } from "../../policy/called-via.ts";
import { isBoolean, isIpOrCidr, isValueOf } from "../../policy/condition-value.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { keyFacts } from "../keys.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";
import { valuesNode } from "./condition-keys.ts";
import { isRegion, regionDate } from "./regions.ts";

const calledViaKeys: ReadonlySet<string> = new Set([
  "aws:calledvia",
  "aws:calledviafirst",
  "aws:calledvialast",
]);
/** Keys whose values have a form, beside those that hold the ARN of a KMS key. */
const limitedKeys: ReadonlySet<string> = new Set([
  ...calledViaKeys,
  "aws:requestedregion",
  "aws:sourcevpc",
  "aws:sourcevpce",
]);
/** One label and a suffix, the form that ValidatePolicy accepts. */
const servicePrincipal = /^[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|amazon\.com)$/;
const vpcId = /^vpc-(?:[0-9a-z]{8}|[0-9a-z]{17})$/i;
const vpceId = /^vpce-(?:[0-9a-z]{8}|[0-9a-z]{17})$/i;
const isoDate = /^\d{4}-/;
const epoch = /^\d+$/;
const kmsKeyArn = /^arn:[^:]*:kms:[^:]+:[^:]+:key\/.+$/;
const kmsKeyName = /kms-?key/;
const escapes = /\$\{[*?$]\}/g;
const hasVariable = (text: string) => text.includes("${");

/** Each value under each key, by the operator and by the key. */
export function conditionValues({ conditions }: Statement, subject: Subject): Iterable<Issue> {
  return conditions.some(mayBeFaulty) ? faultyValues(conditions, subject) : noIssues;
}

/** Of most entries neither the operator nor the key limits the values. */
function mayBeFaulty({ operator, keyLower, values }: ConditionEntry): boolean {
  if (limitedKeys.has(keyLower) || keyLower.includes("kms")) return true;
  if (!operator) return false;
  const { name, type } = operator.base;
  if (type === null || type === "Bool") return !values.every(({ text }) => isBoolean(text));
  if (type !== "String" && type !== "ARN") return true;
  return isLiteral(name) && values.some(({ text }) => hasWildcard(text));
}

function* faultyValues(
  conditions: readonly ConditionEntry[],
  { services }: Subject,
): Generator<Issue> {
  for (const entry of conditions) {
    for (const value of entry.values) {
      const ofOperator = byOperator(entry, value);
      if (ofOperator) yield ofOperator;
      const ofKey = byKey(entry, value, services);
      if (ofKey) yield ofKey;
    }
    yield* severalNumbers(entry);
  }
}

/** Whether the operator compares wildcards as they are; there are others for them. */
const isLiteral = (name: string) => name === "StringEquals" || name === "StringNotEquals";

function issueAt(value: ConditionValue, code: Issue["code"], details: string): Issue {
  return { code, details, nodes: [value.node] };
}

function byOperator(entry: ConditionEntry, value: ConditionValue): Issue | null {
  const { operator, operatorText, key } = entry;
  if (!operator) return null;
  const { text } = value;
  const { name, type } = operator.base;
  const variable = hasVariable(text.replaceAll(escapes, ""));
  if (variable && type !== "String" && type !== "ARN") {
    return issueAt(
      value,
      "INVALID_VARIABLE_FOR_OPERATOR",
      `${quoted(operatorText)} takes no policy variable. Write a fixed value, or use a String or Arn operator.`,
    );
  }
  const mismatch = (code: Issue["code"], expected: string) =>
    issueAt(value, code, `${quoted(text)} under ${quoted(operatorText)} is not ${expected}.`);
  switch (type) {
    case null:
    case "Bool":
      return isBoolean(text) ? null : mismatch("TYPE_MISMATCH_BOOLEAN", "`true` or `false`");
    case "Numeric":
      return isValueOf("Numeric", text) ? null : mismatch("TYPE_MISMATCH_NUMBER", "a number");
    case "Date":
      if (epoch.test(text) && !isoDate.test(text)) {
        return issueAt(
          value,
          "INVALID_DATE_VALUE",
          `${quoted(text)} is a number of seconds. Write the date in ISO 8601, such as \`2030-01-31T00:00:00Z\`.`,
        );
      }
      return isValueOf("Date", text) ? null : mismatch("TYPE_MISMATCH_DATE", "an ISO 8601 date");
    case "IPAddress":
      return isIpOrCidr(text)
        ? null
        : mismatch("TYPE_MISMATCH_IP_RANGE", "an IP address or CIDR range");
    case "Binary":
      return isValueOf("Binary", text) ? null : mismatch("TYPE_MISMATCH_STRING", "base64 text");
    default:
  }
  if (!isLiteral(name) || !hasWildcard(text.replaceAll(escapes, ""))) return null;
  return issueAt(
    value,
    "WILDCARD_WITHOUT_LIKE_OPERATOR",
    `${quoted(operatorText)} compares ${quoted(text)} of ${quoted(key)} literally, wildcards included. Use \`${name === "StringEquals" ? "StringLike" : "StringNotLike"}\`.`,
  );
}

function byKey(
  { keyLower, key, operator }: ConditionEntry,
  value: ConditionValue,
  services: Subject["services"],
): Issue | null {
  // The values of Null are `true` and `false`, whatever the key holds.
  if (operator?.base.type === null) return null;
  const { text } = value;
  if (hasWildcard(text) || hasVariable(text)) return null;
  const issue = (code: Issue["code"], expected: string) =>
    issueAt(value, code, `${quoted(text)} of ${quoted(key)} is not ${expected}.`);
  if (calledViaKeys.has(keyLower)) {
    if (servicePrincipal.test(text)) return null;
    const form = "a service principal of one label and suffix";
    return issue(
      "INVALID_SERVICE_PRINCIPAL_FORMAT",
      documentedCallers.has(text) ? `${form}. AWS documents the value, so it can stay` : form,
    );
  }
  switch (keyLower) {
    case "aws:requestedregion": {
      const ignoresCase = operator?.base.name.endsWith("IgnoreCase") === true;
      const name = ignoresCase ? text.toLowerCase() : text;
      return isRegion(name)
        ? null
        : issue("INVALID_REGION", `an AWS Region known on ${regionDate}`);
    }
    case "aws:sourcevpc":
      return vpcId.test(text) ? null : issue("INVALID_VPC_FORMAT", "a VPC id");
    case "aws:sourcevpce":
      return vpceId.test(text) ? null : issue("INVALID_VPCE_FORMAT", "a VPC endpoint id");
    default:
      if (!isKmsKeyArnKey(keyLower, services) || kmsKeyArn.test(text)) return null;
      return issue("INVALID_KMS_KEY_VALUE", "the ARN of a KMS key");
  }
}

/** Keys of services that hold the ARN of a KMS key, told by their names and types: AWS publishes no list. */
function isKmsKeyArnKey(key: string, services: Subject["services"]): boolean {
  if (key.startsWith("kms:") || !kmsKeyName.test(key)) return false;
  return keyFacts(services, key)?.type === "ARN";
}

/** Several numbers under one comparison: one of them decides. */
function* severalNumbers(entry: ConditionEntry): Generator<Issue> {
  const { operator, operatorText, values } = entry;
  if (operator?.base.type !== "Numeric" || values.length < 2) return;
  const { name } = operator.base;
  const least = name.startsWith("NumericGreaterThan");
  if (!least && !name.startsWith("NumericLessThan")) return;
  const numbers = values.map(({ text }) => Number(text)).filter((one) => Number.isFinite(one));
  if (numbers.length < 2) return;
  const deciding = least ? Math.min(...numbers) : Math.max(...numbers);
  yield {
    code: "REDUNDANT_CONDITION_VALUE_NUM",
    details: `Of the values under ${quoted(operatorText)} only ${deciding} decides. Remove the others.`,
    nodes: [valuesNode(entry)],
  };
}
