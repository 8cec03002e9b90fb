import type { CheckContext, Correction } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { nullCheckedKeys } from "../shared/null-checked.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isOpen, passesWithoutKey, type ReadableEntry } from "./effect.ts";

type Context = Pick<CheckContext, "policy" | "services" | "match">;

/**
 * Keys with every item that a request is about. To limit a caller to listed items, all of them must be listed:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/specifying-conditions-route53.html
 */
const itemsOfRequest =
  /^(?:dynamodb:(?:leadingkeys|attributes)|route53:changeresourcerecordsets(?:normalizedrecordnames|recordtypes|actions))$/;

/** An Allow under `ForAnyValue` of one of those keys: one listed item lets all others of the request through. */
export function oneItemIsEnough(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!statement.allows || !itemsOfRequest.test(keyLower) || values.length === 0) return null;
  if (operator.setPrefix !== "ForAnyValue" || operator.base.negated) return null;
  if (operator.base.type === null) return null;
  const isLimited = statement.conditions.some(
    (one) => one.keyLower === keyLower && one.operator?.setPrefix === "ForAllValues",
  );
  if (isLimited) return null;
  const wanted = operatorText.replace(/^foranyvalue/i, "ForAllValues");
  return {
    kind: "others",
    entry,
    reason: `${quote(operatorText)} holds as soon as one value of ${quote(key)} in the request is listed.`,
    consequence:
      "A request can have several, so a caller reaches any other item by adding a listed one.",
    suggestion: `Write ${quote(wanted)}, and \`"Null": {${JSON.stringify(key)}: "false"}\` so that the request must have the key.`,
    ...fixedBy(() => withKeyRequired(entry, wanted, statement), {
      title: "Ask that every value of the request is listed",
      effect: "changes",
    }),
  };
}

/** The entry under another operator, and a test that the request has the key. */
function withKeyRequired(
  entry: ReadableEntry,
  operator: string,
  statement: Statement,
): Correction | null {
  const { key, keyLower, values } = entry;
  if (nullCheckedKeys(statement).has(keyLower)) {
    return correctedEntry(statement, entry, { operator });
  }
  const value = values.map(({ raw }) => raw);
  const tests = {
    [operator]: { [key]: value.length === 1 ? value[0] : value },
    Null: { [key]: "false" },
  };
  return statementWithCondition(statement, tests, {}, [entry]);
}

/** The items above, and the keys of the tags or of the encryption context that a request sets. */
const listedItems = new RegExp(
  `${itemsOfRequest.source}|^(?:aws:tagkeys|kms:encryptioncontextkeys|s3:requestobjecttagkeys)$`,
);

/**
 * A set operator that looks at the wrong items: a Deny of listed items under `ForAllValues`, which a request escapes by one
 * item more, and an Allow of all but listed items under `ForAnyValue`, which one other item meets. A mandatory control of
 * AWS Control Tower is such a Deny of its tag, so that one is medium:
 * https://docs.aws.amazon.com/controltower/latest/controlreference/mandatory-controls.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
export function oneItemEscapes(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  const { setPrefix, base } = operator;
  if (!listedItems.test(keyLower) || values.length === 0 || base.type !== "String") return null;
  if (values.some(({ text }) => /^\*+$/.test(text))) return null;
  const escapes = statement.denies && setPrefix === "ForAllValues" && !base.negated;
  const sneaks = statement.allows && setPrefix === "ForAnyValue" && base.negated;
  if (!escapes && !sneaks) return null;
  // A second test of the items says what is left.
  if (statement.conditions.some((one) => one !== entry && one.keyLower === keyLower)) return null;
  const wanted = escapes
    ? operatorText.replace(/^forallvalues/i, "ForAnyValue")
    : operatorText.replace(/^foranyvalue/i, "ForAllValues");
  return {
    kind: "others",
    entry,
    ...(escapes ? { severity: "medium" as const } : {}),
    reason: escapes
      ? `${quote(operatorText)} holds only where every value of ${quote(key)} in the request is listed.`
      : `${quote(operatorText)} holds as soon as one value of ${quote(key)} in the request is not listed.`,
    consequence: escapes
      ? "A request with one value more escapes this Deny."
      : "A request with a listed value passes when it has another one as well.",
    suggestion: `Write ${quote(wanted)}.`,
    ...fixedBy(() => withKeyRequired(entry, wanted, statement), {
      title: escapes ? "Deny each listed value" : "Ask that no value of the request is listed",
      effect: "changes",
    }),
  };
}

/**
 * A limit to the items of the caller that a scan passes, because it asks for no single item. The policies of the guide leave it out:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function scanPasses(
  entry: ReadableEntry,
  statement: Statement,
  context: Context,
): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!statement.allows || keyLower !== "dynamodb:leadingkeys" || values.length === 0) return null;
  if (operator.base.name === "Null" || !passesWithoutKey(entry)) return null;
  if (nullCheckedKeys(statement).has(keyLower)) return null;
  const scan = countingActions(statement, context).find(({ actions }) =>
    actions.some(({ qualified }) => qualified === "dynamodb:Scan"),
  );
  if (!scan || grantsOf(statement, context).breadthOfEntry("dynamodb:Scan") === "none") return null;
  return {
    kind: "always",
    entry,
    reason: `A scan asks for no single item, so its requests have no ${quote(key)}, and ${quote(operatorText)} holds without the key.`,
    consequence: `With ${quote(scan.entry.text)} this Allow reads every item of the table.`,
    suggestion: scan.isPattern
      ? `List the actions without \`dynamodb:Scan\`, or add \`"Null": {${JSON.stringify(key)}: "false"}\` so that the request must have the key.`
      : `Remove ${quote(scan.entry.text)}, or add \`"Null": {${JSON.stringify(key)}: "false"}\` so that the request must have the key.`,
    ...fixedBy(
      () =>
        statementWithCondition(statement, {
          Null: { [key]: "false" },
        }),
      {
        title: "Require the keys of the items",
        effect: "narrows",
        argument: "The added test can only make the Allow hold for fewer requests.",
      },
    ),
  };
}

/**
 * A list of a bucket that is limited to a folder only where the caller sends a prefix. Without it S3 lists the bucket:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export function optionalPrefix(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, operatorText, key, keyLower, values } = entry;
  if (!statement.allows || keyLower !== "s3:prefix" || values.length === 0) return null;
  if (!operator.ifExists || operator.base.negated || operator.base.type !== "String") return null;
  if (nullCheckedKeys(statement).has(keyLower)) return null;
  // The empty prefix is the whole bucket, which is allowed then.
  if (values.some(({ text }) => text === "" || /^\*+$/.test(text) || isOpen(text))) return null;
  return {
    kind: "always",
    entry,
    reason: `Callers choose whether they send ${quote(key)}, and ${quote(operatorText)} holds for requests without it.`,
    consequence: "This Allow lists the whole bucket too.",
    suggestion: `Write ${quote(operatorText.replace(/ifexists$/i, ""))}, so that the request must have a prefix.`,
    ...fixedBy(
      () => correctedEntry(statement, entry, { operator: operatorText.replace(/ifexists$/i, "") }),
      {
        title: "Require the prefix",
        effect: "narrows",
        argument: "Without IfExists the test holds for no request that it did not hold for before.",
      },
    ),
  };
}
