import { childNode, type NodeRef } from "../../json/node.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { ownerOfBorrowedKey } from "../borrowed.ts";
import { conditionNodes } from "../conditions.ts";
import { keyFacts, lacksTagKey } from "../keys.ts";
import { isAcceptedWithoutReference, isKnownArnService } from "../services.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

/** With a slash and nothing behind it, too. */
const tagKeyPrefix = /^aws:(?:resource|request|principal)tag\/?$/;

/** The name of each condition key, under each operator. */
export function conditionKeyNames(statement: Statement, subject: Subject): Iterable<Issue> {
  const { conditions } = statement;
  const areFine = conditions.every((entry) => isFine(entry, subject)) && !mayRepeatKeys(conditions);
  return areFine ? noIssues : faultyKeys(statement, subject);
}

/** Whether the key is a known one, as nearly all are. */
function isFine({ key, keyLower }: ConditionEntry, { services }: Subject): boolean {
  const isOutdated = unsupportedGlobalKeys.has(keyLower) || deprecatedGlobalKeys.has(keyLower);
  return !isOutdated && !key.endsWith("/") && keyFacts(services, key) !== undefined;
}

function mayRepeatKeys(conditions: readonly ConditionEntry[]): boolean {
  if (conditions.length < 2) return false;
  return new Set(conditions.map(({ keyLower }) => keyLower)).size < conditions.length;
}

function* faultyKeys(statement: Statement, subject: Subject): Generator<Issue> {
  for (const entry of statement.conditions) yield* keyName(entry, subject);
  yield* duplicateKeys(statement);
}

function* keyName(entry: ConditionEntry, { services }: Subject): Generator<Issue> {
  const { key, keyLower, keyNode } = entry;
  const issue = (code: Issue["code"], details: string): Issue => ({
    code,
    details,
    nodes: [keyNode],
  });
  const colon = key.indexOf(":");
  if (colon < 0) {
    yield issue(
      "INVALID_CONDITION_KEY_FORMAT",
      `${quoted(key)} is not a condition key. Write \`prefix:name\`.`,
    );
    return;
  }
  const prefix = keyLower.slice(0, colon);
  if (prefix === "aws") {
    yield* globalKey(entry, services.date, issue);
    return;
  }
  if (prefix === "saml" || prefix.includes(".") || identityProviderKey(key)) return;
  if (ownerOfBorrowedKey(key) !== undefined) return;
  if (!isKnownArnService(services, prefix)) {
    yield issue(
      "INVALID_SERVICE",
      `The prefix of the condition key ${quoted(key)} is not a service in the reference data of ${services.date}.`,
    );
    return;
  }
  if (isAcceptedWithoutReference(prefix) && !services.get(prefix)) return;
  if (!key.endsWith("/") && keyFacts(services, key)) return;
  const service = services.get(prefix);
  yield service && lacksTagKey(service, keyLower)
    ? issue(
        "MISSING_TAG_KEY_IN_CONDITION",
        `${quoted(key)} needs the key of a tag behind it: ${quoted(`${key.replace(/\/$/, "")}/team`)}.`,
      )
    : issue(
        "INVALID_SERVICE_CONDITION_KEY",
        `${quoted(key)} is not a condition key of \`${prefix}\` in the reference data of ${services.date}.`,
      );
}

/** Keys that AWS accepts no longer, with what replaced them. Source: the check reference. */
const unsupportedGlobalKeys: ReadonlyMap<string, string> = new Map([
  ["aws:arn", "`aws:PrincipalArn` or `aws:SourceArn`"],
]);
/** Keys with a named successor; global condition keys page of the IAM User Guide. */
const deprecatedGlobalKeys: ReadonlyMap<string, string> = new Map([
  [
    "aws:sourceowner",
    "`aws:SourceAccount` for services and `aws:PrincipalAccount` for users and roles",
  ],
]);

function* globalKey(
  { key, keyLower }: ConditionEntry,
  date: string,
  issue: (code: Issue["code"], details: string) => Issue,
): Generator<Issue> {
  const replacement = unsupportedGlobalKeys.get(keyLower);
  if (replacement !== undefined) {
    yield issue(
      "UNSUPPORTED_GLOBAL_CONDITION_KEY",
      `AWS no longer supports ${quoted(key)}. Use ${replacement}.`,
    );
  } else if (deprecatedGlobalKeys.has(keyLower)) {
    yield issue(
      "DEPRECATED_GLOBAL_CONDITION_KEY",
      `${quoted(key)} is deprecated. Use ${deprecatedGlobalKeys.get(keyLower)}.`,
    );
  } else if (tagKeyPrefix.test(keyLower)) {
    yield issue(
      "MISSING_TAG_KEY_IN_CONDITION",
      `${quoted(key)} needs the key of a tag behind it: ${quoted(`${key.replace(/\/$/, "")}/team`)}.`,
    );
  } else if (!keyFacts(undefined, key)) {
    yield issue(
      "INVALID_GLOBAL_CONDITION_KEY",
      `${quoted(key)} is not a global condition key in the reference data of ${date}. Correct the name.`,
    );
  }
}

/** The same key twice under one operator, in different letter case. */
function* duplicateKeys(statement: Statement): Generator<Issue> {
  for (const { operator, keys } of conditionNodes(statement)) {
    const seen = new Map<string, string>();
    for (const { key, keyNode } of keys) {
      const first = seen.get(key.toLowerCase());
      if (first === undefined) seen.set(key.toLowerCase(), key);
      else {
        yield {
          code: "DUPLICATE_KEYS_WITH_DIFFERENT_CASE",
          details: `${quoted(operator)} holds ${quoted(first)} and ${quoted(key)}, which are one key. Merge their values.`,
          nodes: [keyNode],
        };
      }
    }
  }
}

/** The node of the values under a key. */
export function valuesNode(entry: ConditionEntry): NodeRef {
  const { parent } = entry.keyNode;
  return childNode(parent ?? entry.keyNode, entry.key);
}
