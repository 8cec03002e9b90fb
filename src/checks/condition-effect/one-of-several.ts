import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { withoutEmptyTexts } from "../shared/list-fixes.ts";
import { quote } from "../shared/quote.ts";
import { arnFieldForm } from "./arn-fields.ts";
import { type Effect, type ReadableEntry, readsWildcards } from "./effect.ts";
import { meantValue } from "./meant-values.ts";
import { meantService } from "./service-names.ts";
import { isPossibleIn, valueFormOf } from "./value-forms.ts";
import { listForm } from "./value-lists.ts";
import { regionOfService } from "./via-service.ts";

/**
 * Keys of which a value of another form is a slip. Not `aws:PrincipalArn`: authors list the ARNs of roles and of their
 * sessions to be sure, and the ones that match nothing do no harm. Nor the claims of tokens, for the same reason. Roles of
 * IAM Identity Center without their path count where no other value has it.
 */
const excepted = /^aws:(?:principalarn|principaltype)$|:(?:sub|aud)$|^sts:externalid$/;

function isExcepted({ keyLower, values }: ReadableEntry): boolean {
  if (!excepted.test(keyLower)) return false;
  if (keyLower !== "aws:principalarn") return true;
  return (
    !values.some(({ text }) => text.includes(":role/AWSReservedSSO_")) ||
    values.some(({ text }) => /:role\/aws-reserved\/|\*AWSReservedSSO_/.test(text))
  );
}

/** Values of one entry above this number are not read one by one. */
const mostValues = 200;

/**
 * One of several values that the key never has, such as a misspelt service or an account of 11 digits. The entry as a
 * whole can hold, but not for whom or what this value is meant.
 */
export function oneOfSeveral(
  entry: ReadableEntry,
  statement: Statement,
  { services, policy: { document } }: Pick<CheckContext, "services" | "policy">,
): Effect | null {
  const { operator, key, keyLower, values } = entry;
  if (values.length < 2 || values.length > mostValues) return null;
  if (operator.base.type !== "String" && operator.base.type !== "ARN") return null;
  if (isExcepted(entry) || operator.base.name.includes("IgnoreCase")) return null;
  const isPattern = readsWildcards(entry);
  for (const value of values) {
    const { text, node } = value;
    const form =
      valueFormOf(keyLower) ??
      listForm(keyLower, [text]) ??
      arnFieldForm(keyLower, [text], isPattern);
    if (keyLower === "aws:principalarn" && !text.includes(":role/AWSReservedSSO_")) continue;
    const isWrong = form !== undefined && !isPossibleIn(document, form, text, isPattern);
    const meant = isWrong
      ? meantValue(keyLower, text, form)
      : meantService(text, keyLower, services.prefixes);
    if (!isWrong && meant === null) continue;
    return {
      kind: "value",
      entry,
      node,
      reason:
        isWrong && form
          ? `${quote(key)} never has the value ${quote(text)}: its values are ${form.words}.`
          : `${quote(key)} never has the value ${quote(text)}: no service is called so.`,
      suggestion: meant === null ? "Correct the value, or remove it." : `Write ${quote(meant)}.`,
      consequence: "The other values can match.",
      code: isWrong && form ? form.code : null,
      ...(meant === null
        ? {}
        : fixedBy(
            () =>
              correctedEntry(statement, entry, {
                value: values.map(({ raw }, at) => (values[at] === value ? meant : raw)),
              }),
            { title: "Write the value that is meant", effect: "repairs" },
          )),
      ...(text === "" ? { fix: () => withoutEmptyTexts(values) } : {}),
      ...(isWrong && meant === null ? regionOfService(keyLower, value, statement) : {}),
    };
  }
  return null;
}
