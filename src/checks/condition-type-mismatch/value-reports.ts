import type { CheckContext, Report } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { ConditionType, Operator } from "../../policy/condition-operator.ts";
import { holdsVariable, isBoolean, isValueOf, valueFormats } from "../../policy/condition-value.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { holdsPolicyVariable } from "../../policy/policy-variables.ts";
import { correctedNode } from "../shared/corrected.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { joinedValues, separated, textsOf } from "../shared/list-fixes.ts";
import { accountInput } from "../shared/placeholders.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";
import { sampleArnOfKey } from "../shared/sample-arn.ts";
import { type KeyTypes, typesOfKey } from "./key-types.ts";
import { meantBoolean, meantValue, ungrouped } from "./meant-value.ts";

/** What the values of one key are compared with when its own type does not decide. */
const operatorFormats: Partial<
  Record<ConditionType, { issue_type: string; accepts(text: string): boolean }>
> = {
  IPAddress: {
    issue_type: "invalid_ip_cidr_format",
    accepts: (text) => isValueOf("IPAddress", text),
  },
  ARN: {
    issue_type: "invalid_arn_format_for_operator",
    accepts: (text) => text === "*" || text.startsWith("arn:") || text.includes("${"),
  },
  Bool: {
    issue_type: "invalid_bool_value_for_operator",
    accepts: (text) => isValueOf("Bool", text),
  },
};

/** Access Analyzer's code for a value that does not suit its operator. */
const codes: Partial<Record<ConditionType, string>> = {
  Bool: "TYPE_MISMATCH_BOOLEAN",
  Date: "TYPE_MISMATCH_DATE",
  Numeric: "TYPE_MISMATCH_NUMBER",
  Binary: "TYPE_MISMATCH_STRING",
  IPAddress: "TYPE_MISMATCH_IP_RANGE",
};

/**
 * Values that are not of the key's type, or, where that is unknown or another, of the operator's.
 * @param types Null: the type of the key is unknown.
 */
export function* valueReports(
  entry: ConditionEntry,
  operator: Operator,
  types: KeyTypes | null,
  statement: Statement,
  context: Pick<CheckContext, "peer" | "services">,
): Iterable<Report> {
  const { type } = operator.base;
  if (type === null) return;
  // Where AWS does not replace a policy variable, `policy_variables` says so.
  const skipsVariables = context.peer("policy_variables") !== undefined;
  const values = skipsVariables
    ? entry.values.filter(({ text }) => !holdsPolicyVariable(text))
    : entry.values;
  if (types) {
    // A key with two types is compared as the operator says: no text is less than a number.
    const read: readonly ConditionType[] =
      type === "Numeric" && types.types.includes(type) ? [type] : types.types;
    const bad = values.find(
      ({ text }) => !read.some((one) => isValueOf(one, text) || mayBeArn(one, text, operator)),
    );
    if (bad) {
      const kinds = [...new Set(read)];
      yield {
        issue_type: "invalid_value_format",
        node: bad.node,
        message: `${quote(bad.text)} is not a value for ${quote(entry.key)}, which takes ${joinWords(
          kinds.map((kind) => formatFor(kind, entry, context)),
          0,
          "or",
        )}.${variableNote(bad.text, kinds)}`,
        ...adviceFor(bad, kinds, "use the condition key that was meant", entry),
        aws_issue_code: isOfKmsKey(kinds, entry)
          ? "INVALID_KMS_KEY_VALUE"
          : types.types.includes(type)
            ? codeOf(type, bad.text)
            : null,
      };
    }
    if (types.types.includes(type)) return;
    if (type === "Numeric") {
      if (types.types.includes("Date")) yield* dateUnderNumeric(entry, operator, values, statement);
      return;
    }
  }
  const format = operatorFormats[type];
  if (!format) return;
  for (const value of values) {
    const { text, node } = value;
    if (format.accepts(text)) continue;
    yield {
      issue_type: format.issue_type,
      node,
      message: `${quote(text)} is not a value for ${quote(entry.operatorText)}, which compares with ${valueFormats[type]}.${variableNote(text, [type])}`,
      ...adviceFor(value, [type], "use the operator that was meant", entry),
      aws_issue_code: codeOf(type, text),
    };
  }
}

/** Whether the values of a service's key are ARNs of KMS keys, as its name says. */
function isOfKmsKey(kinds: readonly ConditionType[], { keyLower }: ConditionEntry): boolean {
  return kinds.includes("ARN") && !keyLower.startsWith("kms:") && /kms-?key/.test(keyLower);
}

/** Keys of which the last part of the name does not tell whose ARN is meant. */
const arnExamples: Readonly<Record<string, string>> = {
  "aws:principalarn": "arn:aws:iam::111122223333:role/example-role",
  "iam:permissionsboundary": "arn:aws:iam::111122223333:policy/example-policy",
  "iam:policyarn": "arn:aws:iam::111122223333:policy/example-policy",
};

function formatFor(
  kind: ConditionType,
  entry: ConditionEntry,
  { services }: Pick<CheckContext, "services">,
): string {
  if (kind !== "ARN") return valueFormats[kind];
  if (isOfKmsKey([kind], entry)) {
    return "the ARN of a KMS key, such as `arn:aws:kms:eu-west-1:111122223333:key/1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d`";
  }
  if (entry.keyLower === "aws:sourcearn") {
    return "the ARN of the resource that a service acts for, such as `arn:aws:sns:eu-west-1:111122223333:alerts`";
  }
  const [prefix = "", name = ""] = entry.keyLower.split(":");
  const service = services.get(prefix);
  const example = Object.hasOwn(arnExamples, entry.keyLower)
    ? arnExamples[entry.keyLower]
    : service && sampleArnOfKey(name, service);
  return example ? `an ARN such as ${quote(example)}` : valueFormats.ARN;
}

/** Numeric operators compare dates as seconds since 1970; a date in words is no number. */
function* dateUnderNumeric(
  entry: ConditionEntry,
  { base }: Operator,
  values: readonly ConditionValue[],
  statement: Statement,
): Iterable<Report> {
  const bad = values.find(({ text }) => !isValueOf("Numeric", text) && isValueOf("Date", text));
  if (!bad) return;
  const wanted = operatorLike(entry, base.name.replace("Numeric", "Date"));
  yield {
    issue_type: "invalid_value_format",
    node: bad.node,
    message: `${quote(bad.text)} is not a value for ${quote(entry.operatorText)}, which compares with ${valueFormats.Numeric}.`,
    suggestion: `Use ${quote(wanted)}, which compares dates.`,
    aws_issue_code: "TYPE_MISMATCH_NUMBER",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Use the operator for dates",
      effect: "repairs",
    }),
  };
}

/** Under `StringLike` a `*` at either end of a pattern also matches parts that an ARN has there. */
function mayBeArn(type: ConditionType, text: string, { base }: Operator): boolean {
  return type === "ARN" && /^String(?:Not)?Like$/.test(base.name) && /^(?:arn:.*\*$|\*)/.test(text);
}

/** Types whose values have no comma and no white space. */
const listed: ReadonlySet<ConditionType> = new Set(["IPAddress", "Numeric", "ARN"]);

function adviceFor(
  { text, node }: ConditionValue,
  kinds: readonly ConditionType[],
  otherwise: string,
  entry: ConditionEntry,
): Pick<Report, "suggestion" | "correction" | "fix"> {
  const trimmed = text.trim();
  if (trimmed !== text && kinds.every((kind) => isValueOf(kind, trimmed))) {
    return {
      suggestion: `Write ${quote(trimmed)}, without the white space around it.`,
      ...fixedBy(() => correctedNode(node, trimmed), {
        title: "Remove the white space around the value",
        effect: "repairs",
      }),
    };
  }
  const meant = meantValue(kinds, text);
  if (meant) {
    const { value, title } = meant;
    return {
      suggestion: `Write \`"${value}"\`.`,
      ...fixedBy(() => correctedNode(node, value), { title, effect: "repairs" }),
    };
  }
  const isValue = (part: string) => kinds.some((kind) => isValueOf(kind, part));
  if (kinds.some((kind) => listed.has(kind)) && joinedValues(text, isValue)) {
    const number = kinds.includes("Numeric") ? ungrouped(trimmed) : null;
    if (number) {
      return { suggestion: `Write ${quote(number)}, or each value as an entry of a list.` };
    }
    return {
      suggestion: "Write each value as an entry of a list.",
      fix: () => separated(textsOf(entry), entry.keyNode, isValue),
    };
  }
  return {
    suggestion: `Write the value in that form, or ${otherwise}.`,
    fix: () => openPrincipalArn(entry, { text, node }),
  };
}

/** The ARN of a user or role that is given without its account. */
function openPrincipalArn(
  { keyLower }: ConditionEntry,
  { text, node }: Pick<ConditionValue, "text" | "node">,
): FixProposal | null {
  if (keyLower !== "aws:principalarn" || !/^(?:role|user)\/[\w+=,.@*/-]+$/.test(text)) return null;
  return {
    title: "Write the ARN of the principal",
    effect: "repairs",
    edits: [replaceValue(node, `arn:aws:iam::<account-id>:${text}`)],
    needs_input: [accountInput],
  };
}

/** Values of `Null` that are neither `true` nor `false`. */
export function* nullReports(
  entry: ConditionEntry,
  statement: Statement,
  context: Pick<CheckContext, "match">,
): Iterable<Report> {
  const { key, operatorText, values } = entry;
  const bad = values.filter(({ text }) => !isBoolean(text) && !holdsVariable(text));
  const [first] = bad;
  if (!first) return;
  const texts = bad.map(({ text }) => text);
  const isSlip = texts.every((text) => meantBoolean(text) !== null);
  const types = typesOfKey(entry, statement, context);
  const [kind] = types === null || types === "unconfirmed" ? [] : types.types;
  const family =
    kind === undefined ? "the operator of the key's type" : `${operatorOf(kind)} operator`;
  yield {
    issue_type: "invalid_value_format",
    severity: "warning",
    node: first.node,
    message: `${quoteList(texts, 5)} ${texts.length === 1 ? "is not a value" : "are not values"} for ${quote(operatorText)} on ${quote(key)}, which takes \`true\` (the key is absent) or \`false\` (it is there).`,
    suggestion: isSlip
      ? 'Write `"true"` or `"false"`.'
      : `Write \`"true"\` or \`"false"\`. To compare the value of the key, use ${family}.`,
    aws_issue_code: "TYPE_MISMATCH_BOOLEAN",
  };
}

function operatorOf(kind: ConditionType): string {
  if (kind === "IPAddress") return "an IP address";
  return kind === "ARN" ? "an ARN" : `a ${kind}`;
}

const variablesAllowed: ReadonlySet<ConditionType> = new Set(["String", "ARN", "Bool"]);

function variableNote(text: string, types: readonly ConditionType[]): string {
  return holdsVariable(text) && !types.some((type) => variablesAllowed.has(type))
    ? " AWS does not replace policy variables in such values."
    : "";
}

function codeOf(type: ConditionType, text: string): string | null {
  if (holdsVariable(text) && !variablesAllowed.has(type)) return "INVALID_VARIABLE_FOR_OPERATOR";
  return codes[type] ?? null;
}
