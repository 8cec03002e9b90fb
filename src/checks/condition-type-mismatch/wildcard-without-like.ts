import type { CheckContext, Report } from "../../engine/check.ts";
import type { Operator } from "../../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { isCarveOutOfPrincipals } from "../shared/caller-keys.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import type { KeyTypes } from "./key-types.ts";

const literalOperators: ReadonlySet<string> = new Set([
  "StringEquals",
  "StringNotEquals",
  "StringEqualsIgnoreCase",
  "StringNotEqualsIgnoreCase",
]);

/** `${*}` and `${?}` are those characters themselves; what a template puts in is not known. */
function hasLiteralWildcard(text: string): boolean {
  return hasWildcard(text.replace(/\$\{[^{}]*\}|\{\{[^{}]*\}\}/g, ""));
}

/**
 * Keys whose values are patterns themselves: a rule of Contributor Insights names its log groups with a `*`
 * at the end, and AWS's example compares them as text.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/iam-cw-condition-keys-contributor.html
 */
const patternKeys: ReadonlySet<string> = new Set(["cloudwatch:requestinsightruleloggroups"]);

/**
 * Sources that billing sends with the star as a character, as the policies of its guides compare them.
 * https://docs.aws.amazon.com/cur/latest/userguide/cur-s3.html,
 * https://docs.aws.amazon.com/cur/latest/userguide/dataexports-s3-bucket.html
 */
const billingSource =
  /^arn:[^:]*:(?:cur:[^:]*:[^:]*:definition|bcm-data-exports:[^:]*:[^:]*:export)\/\*$/;

/**
 * Values that requests send with the star as a character: the principal of a function's permission, and the name of a
 * wildcard certificate.
 * https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html,
 * https://docs.aws.amazon.com/acm/latest/userguide/acm-conditions.html
 */
const sentWithStar: Readonly<Record<string, RegExp>> = {
  "lambda:principal": /^\*$/,
  "acm:domainnames": /^\*\.[^*?]+$/,
};

function isMisread(keyLower: string, text: string): boolean {
  if (!hasWildcard(text)) return false;
  if (Object.hasOwn(sentWithStar, keyLower) && sentWithStar[keyLower]?.test(text)) return false;
  if (keyLower === "aws:sourcearn" && billingSource.test(text)) return false;
  return hasLiteralWildcard(text);
}

/** @returns whether the operator compares a wildcard of the entry as plain text. */
export function comparesWildcards(
  { keyLower, values }: ConditionEntry,
  { base }: Operator,
): boolean {
  if (patternKeys.has(keyLower)) return false;
  return literalOperators.has(base.name) && values.some(({ text }) => isMisread(keyLower, text));
}

/** A wildcard under an operator that compares text: one finding for an entry, at the first value. */
export function wildcardWithoutLike(
  entry: ConditionEntry,
  operator: Operator,
  types: KeyTypes | null,
  statement: Statement,
  context: Pick<CheckContext, "policy" | "peer">,
): Report | null {
  const found = entry.values.filter(({ text }) => isMisread(entry.keyLower, text));
  const [first] = found;
  if (!first || isCarveOutOfPrincipals(entry, statement, context)) return null;
  const { base } = operator;
  const ignoresCase = base.name.includes("IgnoreCase");
  const isArn = types?.types.includes("ARN") === true;
  const like = operatorLike(
    entry,
    `${isArn ? "Arn" : "String"}${base.negated ? "NotLike" : "Like"}`,
  );
  const onlyStar = found.every(({ text }) => /^\*+$/.test(text));
  const texts = found.map(({ text }) => text);
  const severe = statement.denies || context.policy.type === "TRUST_POLICY";
  return {
    issue_type: "wildcard_without_like",
    severity: severe ? "error" : "high",
    node: first.node,
    message: `${quote(entry.operatorText)} compares ${quoteList(texts, 3)} with ${quote(entry.key)} as plain text: a ${/\*/.test(texts.join("")) ? "`*`" : "`?`"} matches only itself, so ${
      base.negated
        ? "the test holds for the values that are meant, too"
        : "no value that is meant matches"
    }.`,
    suggestion: ignoresCase
      ? `Write ${quote(like)}, which reads wildcards; it tells capital and small letters apart.`
      : `Write ${quote(like)}, which reads wildcards. Where the character itself is meant, write \`\${*}\` or \`\${?}\`.`,
    aws_issue_code: ignoresCase ? null : "WILDCARD_WITHOUT_LIKE_OPERATOR",
    ...(ignoresCase || onlyStar
      ? {}
      : fixedBy(() => correctedEntry(statement, entry, { operator: like }), {
          title: "Use the operator that reads wildcards",
          effect: "changes",
        })),
  };
}
