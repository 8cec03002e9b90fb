import type { CheckContext } from "../../engine/check.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { Policy, PolicyDocument, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { isCarveOutOfPrincipals } from "../shared/caller-keys.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { nullCheckedKeys } from "../shared/null-checked.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { arnFieldForm } from "./arn-fields.ts";
import { arnKeyForm } from "./arn-keys.ts";
import { effectOfAddresses } from "./by-address.ts";
import {
  type Effect,
  exceptWithoutKey,
  isOpen,
  type ReadableEntry,
  readsWildcards,
} from "./effect.ts";
import { anyExternalId, isOpenExternalId } from "./external-id.ts";
import { isInSignedRequests, isLackedByOrdinaryCalls, isTagKeyName } from "./key-facts.ts";
import { meantValue, otherKey } from "./meant-values.ts";
import { sourceArnForm } from "./source-arns.ts";
import { isPossibleIn, valueFormOf } from "./value-forms.ts";
import { listForm } from "./value-lists.ts";
import { regionOfService } from "./via-service.ts";

type Context = Pick<CheckContext, "policy" | "peer">;

/** What the values of one entry say by themselves. */
export function effectOfValues(
  entry: ReadableEntry,
  statement: Statement,
  context: Context,
): Effect | null {
  const { operator, values } = entry;
  if (operator.base.type === null) return null;
  if (values.length === 0) {
    return emptyList(entry, statement);
  }
  if (operator.base.type === "IPAddress") return effectOfAddresses(entry, statement);
  return comparesItself(entry) ? itself(entry, statement) : starOrForm(entry, statement, context);
}

/** `aws:PrincipalOrgID` compared with `${aws:PrincipalOrgID}`. */
function comparesItself({ operator, keyLower, values }: ReadableEntry): boolean {
  return (
    operator.setPrefix === null &&
    values.some(({ text }) => {
      if (!text.startsWith("${")) return false;
      const [, name, fallback] = /^\$\{([^},]+)(,[^}]*)?\}$/.exec(text) ?? [];
      return name?.trim().toLowerCase() === keyLower && fallback === undefined;
    })
  );
}

/** What AWS makes of the variable in a request without the key is not documented, so nothing is said about those. */
function itself(entry: ReadableEntry, { allows }: Statement): Effect {
  const { negated } = entry.operator.base;
  return {
    kind: negated ? "never" : "always",
    entry,
    consequence: negated
      ? `This ${allows ? "Allow grants nothing to requests that have" : "Deny stops no request that has"} the key.`
      : "It holds for every request that has the key, whatever the value is.",
    reason: `${quote(entry.operatorText)} compares ${quote(entry.key)} with itself.`,
    suggestion:
      "Compare with the value that is meant, such as the id of the organization, or with another key: `aws:ResourceOrgID` with `${aws:PrincipalOrgID}`.",
  };
}

/** The empty list itself is for `policy_structure`, but under ForAllValues it is not a fault of form. */
function emptyList(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, key, operatorText } = entry;
  if (operator.setPrefix !== "ForAllValues") return null;
  if (!Array.isArray(valueIn(statement, entry))) return null;
  return {
    kind: "always",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} has an empty list, which holds for every request without the key.`,
    suggestion: "List the values that are meant, or remove the entry.",
    code: "EMPTY_ARRAY_CONDITION_FORALLVALUES",
    consequence: "Requests without the key are not limited by it.",
  };
}

function valueIn(statement: Statement, { operatorText, key }: ReadableEntry): unknown {
  const condition = statement.raw.Condition as Record<string, Record<string, unknown>> | undefined;
  return condition?.[operatorText]?.[key];
}

function starOrForm(entry: ReadableEntry, statement: Statement, context: Context): Effect | null {
  const { values } = entry;
  const { negated } = entry.operator.base;
  const isStar = ({ text }: { readonly text: string }) =>
    negated ? matchesEveryValue(entry.keyLower, text) : /^\*+$/.test(text);
  if (readsWildcards(entry) && (values.some(isStar) || isOpenExternalId(entry, statement))) {
    return star(entry, statement, context);
  }
  return impossible(entry, statement, context.policy);
}

function star(entry: ReadableEntry, statement: Statement, context: Context): Effect | null {
  const { operator, key, keyLower, operatorText, values } = entry;
  const present =
    globalConditionKey(key)?.alwaysPresent === true ||
    (isInSignedRequests(keyLower) && context.policy.type !== "RESOURCE_POLICY");
  if (operator.base.negated) {
    if (isCarveOutOfPrincipals(entry, statement, context)) return null;
    // Alone, the star asks that the key is not there, as `Null` does; with ForAnyValue it asks for a value.
    const others = values.filter(({ text }) => !matchesEveryValue(keyLower, text));
    const value = values.find(({ text }) => matchesEveryValue(keyLower, text));
    const star = value?.text ?? "*";
    const isPlain = /^\*+$/.test(star);
    const asksForValue = operator.setPrefix === "ForAnyValue" && !operator.ifExists;
    const asksForAbsence =
      others.length === 0 &&
      (isTagKeyName(keyLower) || (isPlain && !present && !isOfOrganization(keyLower)));
    if (asksForAbsence && !(asksForValue && isPlain)) return null;
    return {
      kind: "never",
      entry,
      reason: `${quote(operatorText)} on ${quote(key)} excludes ${quote(star)}, which is every ${valueWord(keyLower, isPlain)}${present ? "" : ", so no request with the key meets it"}.`,
      suggestion:
        others.length > 0
          ? `Remove the ${quote(star)} from the list, so that only the other values are exempt.`
          : "List the values that are meant to be exempt.",
      code: isPlain ? "REDUNDANT_STATEMENT_DUE_TO_WILDCARD_IN_CONDITION" : null,
      ...(value ? { node: value.node } : {}),
      // A negated operator holds for requests without the key, but ForAnyValue asks for a value.
      ...(present || asksForValue ? {} : { consequence: "Only requests without the key meet it." }),
      ...(others.length > 0
        ? fixedBy(() => correctedEntry(statement, entry, { value: others.map(({ raw }) => raw) }), {
            title: "Remove the wildcard from the list of excluded values",
            effect: "changes",
          })
        : {}),
    };
  }
  const guarded = operator.setPrefix === "ForAllValues" && nullCheckedKeys(statement).has(keyLower);
  const optional =
    operator.ifExists || (operator.setPrefix === "ForAllValues" && !guarded && statement.allows);
  // A key that ordinary calls lack is reported for that, whatever its values are.
  if (optional && isLackedByOrdinaryCalls(keyLower) && statement.allows) return null;
  if (keyLower === "sts:externalid" && statement.allows) {
    return anyExternalId(entry);
  }
  if (!optional && !present) return null;
  return {
    kind: "always",
    entry,
    reason: optional
      ? `${quote(operatorText)} on ${quote(key)} holds for every value, because of \`*\`, and also without the key.`
      : `${quote(operatorText)} on ${quote(key)} holds for every value, because of \`*\`, and every request has the key.`,
    suggestion: optional
      ? 'List the values that are meant. To demand only that the key is there, write `"Null": {"<key>": "false"}`.'
      : "List the values that are meant, or remove the entry.",
    code: optional ? "REDUNDANT_KEY_DUE_TO_WILDCARD_IN_CONDITION" : null,
  };
}

/** A pattern for every caller matches all of these; one with a digit of an account does not. */
const principals = ["000000000000", "999999999999"].flatMap((account) =>
  ["role/a", "user/a", "root"].map((name) => `arn:aws:iam::${account}:${name}`),
);

/** Keys whose values are service principals, and some that a pattern for every service matches. */
const ofService = /^iam:(?:passedtoservice|awsservicename)$/;
const services = ["ec2", "lambda", "tasks.apprunner"].map((name) => `${name}.amazonaws.com`);

/** Whether a pattern matches every value that the key can have. */
function matchesEveryValue(keyLower: string, text: string): boolean {
  if (/^\*+$/.test(text)) return true;
  if (!/[*?]/.test(text) || isOpen(text)) return false;
  if (/^aws:(?:principal|resource|source|vpce)account$/.test(keyLower)) {
    return /^[*?]+$/.test(text) && globMatches(text, "111122223333");
  }
  if (isOfOrganization(keyLower)) {
    return /^(?:o-)?\*+(?:\/\*+)?$/.test(text);
  }
  if (ofService.test(keyLower)) return services.every((name) => globMatches(text, name));
  return keyLower === "aws:principalarn" && principals.every((arn) => globMatches(text, arn));
}

/** No policy is about callers or resources outside every organization: the id is meant. */
function isOfOrganization(keyLower: string): boolean {
  return /^aws:(?:principal|resource|source|vpce)org(?:id|paths)$/.test(keyLower);
}

function valueWord(keyLower: string, isPlain: boolean): string {
  if (isPlain) return "value";
  if (keyLower === "aws:principalarn") return "role, user and account root";
  if (ofService.test(keyLower)) return "service";
  return keyLower.endsWith("account") ? "account" : "organization";
}

/** A part that a template does not give may be any text, as a wildcard is. */
function withOpenParts(
  texts: readonly string[],
  isPattern: boolean,
  { openTexts }: Pick<PolicyDocument, "openTexts">,
): [texts: readonly string[], isPattern: boolean] {
  if (!openTexts || !texts.some((text) => openTexts.has(text))) return [texts, isPattern];
  return [texts.map((text) => openTexts.get(text) ?? text), true];
}

/** Values that the key can never have. A wildcard under a literal operator is another fault. */
function impossible(
  entry: ReadableEntry,
  statement: Statement,
  { document }: Policy,
): Effect | null {
  const { operator, key, keyLower, values } = entry;
  const texts = values.map(({ text }) => text);
  const isPattern = readsWildcards(entry);
  const form =
    valueFormOf(keyLower) ??
    listForm(keyLower, texts) ??
    sourceArnForm(keyLower, ...withOpenParts(texts, isPattern, document)) ??
    arnKeyForm(keyLower, texts) ??
    arnFieldForm(keyLower, texts, isPattern);
  if (!form) return null;
  // Under an ARN operator, a text that is not an ARN has the wrong type.
  if (operator.base.type === "ARN" && values.some(({ text }) => !text.startsWith("arn:")))
    return null;
  if (keyLower === "aws:principalarn" && values.some(({ text }) => !isArnLike(text))) return null;
  const ignoresCase = operator.base.name.includes("IgnoreCase");
  if (ignoresCase && form.hasCapitals) return null;
  const read = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  if (texts.some((text) => isPossibleIn(document, form, text, isPattern, read))) return null;
  const { negated } = operator.base;
  const [first] = values;
  const names = quoteList(texts, 3);
  const value = values.length === 1 ? meantValue(keyLower, first?.text ?? "", form) : null;
  const meantKey = value === null ? otherKey(key, texts) : null;
  const regional =
    values.length === 1 && first ? regionOfService(keyLower, first, statement) : null;
  return {
    kind: negated ? "always" : "never",
    entry,
    ...(first ? { node: first.node } : {}),
    reason: `${quote(key)} never has the ${values.length === 1 ? "value" : "values"} ${names}: its values are${/^[, ]/.test(form.words) ? "" : " "}${form.words}.`,
    suggestion:
      value !== null
        ? `Write ${quote(value)}.`
        : meantKey !== null
          ? `Such values are those of ${quote(meantKey)}.`
          : `Write ${values.length === 1 ? "a value" : "values"} of that form, or test the key that was meant.`,
    code: form.code,
    ...(value !== null
      ? fixedBy(() => correctedEntry(statement, entry, { value }), {
          title: "Write the value that is meant",
          effect: "repairs",
        })
      : meantKey !== null
        ? fixedBy(() => correctedEntry(statement, entry, { key: meantKey }), {
            title: "Test the key that has such values",
            effect: "repairs",
          })
        : {}),
    ...regional,
    ...exceptWithoutKey(entry),
  };
}

function isArnLike(text: string): boolean {
  return text.startsWith("arn:") || isOpen(text);
}
