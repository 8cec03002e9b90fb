import { endpointKeySupport } from "../../policy/endpoint-keys.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { firstFew, quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";
import { valuesNode } from "./condition-keys.ts";

/** Keys whose value the caller chooses. */
const callerChosen: ReadonlySet<string> = new Set(["aws:referer", "aws:useragent"]);

/** Keys that do not do alone, or not here, what they seem to do. */
export function conditionUse(statement: Statement, subject: Subject): Iterable<Issue> {
  const { conditions } = statement;
  const mayBeFaulty =
    conditions.some(isOfUse) || (conditions.some(isOfSession) && assumesRole(statement));
  return mayBeFaulty ? faultyUses(statement, subject) : noIssues;
}

/** Whether a rule of this module is about the key, whatever the actions are. */
function isOfUse({ key, keyLower }: ConditionEntry): boolean {
  if (!keyLower.startsWith("aws:")) {
    return testedPrefixes.test(keyLower) || identityProviderKey(key) !== null;
  }
  return keyLower.startsWith("aws:vpc") || callerChosen.has(keyLower);
}

function* faultyUses(statement: Statement, subject: Subject): Generator<Issue> {
  const { conditions } = statement;
  const tested = new Set(conditions.map(({ keyLower }) => keyLower));
  for (const entry of conditions) {
    const { key, keyLower, keyNode } = entry;
    const issue = (code: Issue["code"], details: string): Issue => ({
      code,
      details,
      nodes: [keyNode],
    });
    if (callerChosen.has(keyLower)) {
      yield issue(
        "UNTRUSTWORTHY_CONDITION_KEY",
        `The caller chooses the value of ${quoted(key)}, so it protects nothing. Use another key.`,
      );
    }
    if (keyLower === "aws:vpcsourceip" && !tested.has("aws:sourcevpc")) {
      yield issue(
        "MISSING_PAIRED_CONDITION_KEYS",
        `Every VPC may use the same private addresses. ${statement.denies ? "Test `aws:SourceVpc` in another Deny." : "Test `aws:SourceVpc` beside `aws:VpcSourceIp`."}`,
      );
    }
    yield* endpointKey(entry, statement, issue);
    yield* serviceKeys(entry, statement, subject, issue);
  }
  if (subject.type !== "rcp" && subject.type !== "scp") yield* dynamodbAttributes(statement);
  yield* unsupportedActions(statement, subject);
  yield* companionActions(statement, subject);
}

/** Keys about the owner of a VPC endpoint, beside actions of services whose requests lack them. */
function* endpointKey(
  { key, keyLower }: ConditionEntry,
  statement: Statement,
  issue: (code: Issue["code"], details: string) => Issue,
): Generator<Issue> {
  const code = "USE_CONDITION_KEY_ONLY_WITH_SUPPORTED_SERVICES";
  const has = endpointKeySupport(keyLower);
  if (!has) return;
  if (statement.has("NotAction")) {
    yield issue(
      code,
      `\`NotAction\` reaches services whose requests never have ${quoted(key)}. Name actions of services that support the key.`,
    );
    return;
  }
  const without = statement.actions.filter(({ text }) => !has(text));
  if (without.length === 0) return;
  yield issue(
    code,
    `AWS lists the services that support ${quoted(key)} (as of 2026), and ${firstFew(without, ({ text }) => quoted(text))} ${without.length > 1 ? "go" : "goes"} beyond them. Name actions of those services only.`,
  );
}

function* serviceKeys(
  { key, keyLower, operator }: ConditionEntry,
  statement: Statement,
  { type, resourceType }: Subject,
  issue: (code: Issue["code"], details: string) => Issue,
): Generator<Issue> {
  const holdsGrants = type === "identity" || type === "resource";
  if (keyLower === "s3:prefix" && operator && operator.base.type === "String" && holdsGrants) {
    const negated = operator.base.negated;
    if ((statement.denies && !negated) || (statement.allows && negated)) {
      yield issue(
        "S3_PREFIX_IN_NEGATIVE_CONTEXT",
        "Requests can name the same objects with other prefixes. Use `StringLike` in an Allow or `StringNotLike` in a Deny.",
      );
    }
  }
  const isS3 = resourceType?.startsWith("AWS::S3::") === true;
  if (keyLower === "s3:resourceaccount" && isS3) {
    yield issue(
      "IRRELEVANT_CONDITION_KEY_IN_POLICY",
      `${quoted(key)} has one value for all requests to this resource, so it limits nothing. Remove it.`,
    );
  }
}

function* dynamodbAttributes({ conditions }: Statement): Generator<Issue> {
  const selects = conditions.some(
    ({ keyLower, operator, values }) =>
      keyLower === "dynamodb:select" &&
      operator?.base.name.startsWith("StringEquals") === true &&
      values.length > 0 &&
      values.every(({ text }) => text === "SPECIFIC_ATTRIBUTES"),
  );
  if (selects) return;
  for (const { keyLower, keyNode, operator } of conditions) {
    if (keyLower !== "dynamodb:attributes" || operator?.base.name === "Null") continue;
    yield {
      code: "DYNAMODB_ATTRIBUTES_WITHOUT_SELECT",
      details:
        "Requests that name no attributes return all of them. Test `dynamodb:Select` for `SPECIFIC_ATTRIBUTES` too.",
      nodes: [keyNode],
    };
  }
}

/** Services for which this rule reported nothing that ValidatePolicy did not report. */
const testedPrefixes = /^(?:s3|kms|dynamodb|sts):/;

const sessionTag = /^aws:requesttag\/|^aws:tagkeys$|^sts:transitivetagkeys$/;

/** Named actions whose requests never have a key of their statement. */
function* unsupportedActions(
  { actions, conditions }: Statement,
  { services, match: lookUp }: Subject,
): Generator<Issue> {
  for (const entry of conditions) {
    const { key, keyLower } = entry;
    const claim = identityProviderKey(key);
    if (!claim && !testedPrefixes.test(keyLower)) continue;
    const prefix = keyLower.slice(0, keyLower.indexOf(":"));
    if (!claim && !services.get(prefix)?.conditionKey(key)) continue;
    const unsupported = actions.filter(({ text }) => {
      const match = lookUp(text);
      if (match.kind !== "action") return false;
      if (match.action.supportsKey(key)) return false;
      // The reference lists the claims of few providers; a web identity has others.
      return (
        !claim || (match.action.service === "sts" && !/WithWebIdentity$/i.test(match.action.name))
      );
    });
    if (unsupported.length === 0) continue;
    yield {
      code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
      details: `Requests for ${firstFew(unsupported, ({ text }) => quoted(text))} never have the key ${quoted(key)} (reference data of ${services.date}). Move ${unsupported.length > 1 ? "the actions" : "the action"} to a statement without it.`,
      nodes: [...unsupported.map(({ node }) => node), valuesNode(entry)],
    };
  }
}

const isOfSession = ({ keyLower }: ConditionEntry) => sessionTag.test(keyLower);

function assumesRole({ actions }: Statement): boolean {
  return actions.some(({ text }) => /^sts:assumerole/i.test(text));
}

/** Keys of a session that count only beside the action that sets them. */
function* companionActions(
  statement: Statement,
  { type, match: lookUp }: Subject,
): Generator<Issue> {
  const { actions, conditions, allows } = statement;
  // A Deny of a limit policy, such as one without `sts:SourceIdentity`, is about the key all the same.
  if (type === "scp" || type === "rcp" || (type === "identity" && !allows)) return;
  if (!assumesRole(statement)) return;
  const holds = (name: string) =>
    actions.some(({ text }) => {
      const match = lookUp(text);
      if (match.kind === "any") return true;
      if (match.kind === "pattern") return match.actions.some((one) => one.name === name);
      return match.kind === "action" && match.action.name === name;
    });
  for (const { key, keyLower, keyNode } of conditions) {
    const needed = sessionTag.test(keyLower)
      ? "TagSession"
      : keyLower === "sts:sourceidentity"
        ? "SetSourceIdentity"
        : "";
    if (needed === "" || holds(needed)) continue;
    yield {
      code: "MISSING_ACTION_FOR_CONDITION_KEY",
      details: `Callers can set ${quoted(key)} only where \`sts:${needed}\` is allowed too, and this statement does not allow it. Add the action.`,
      nodes: [keyNode],
    };
  }
}
