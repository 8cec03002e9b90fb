import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

/** Actions that only set tags: an Allow may keep them from a tag that others manage. */
const setsTags = /:(?:create|add|tag|put)[a-z]*tag(?:s|ging)?$|:tag[a-z]+$/;

/**
 * An Allow to create what lacks a tag, where the tag is to be required.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html#access_tags_control-requests
 */
export function refusesTag(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, values } = entry;
  if (operator.base.name !== "Null" || !keyLower.startsWith("aws:requesttag/")) return null;
  if (switchValue(values) !== true) return null;
  const { actions, conditions } = statement;
  // A tag that is required beside it shows that this one is to be left out, as AmazonDataZoneFullAccess has it.
  if (conditions.some((one) => one.keyLower.startsWith("aws:requesttag/") && !asksAbsence(one)))
    return null;
  if (conditions.some((one) => /resourcetag\/|^aws:tagkeys$|:createaction$/.test(one.keyLower)))
    return null;
  if (actions.length === 0 || actions.every(({ text }) => setsTags.test(text.toLowerCase())))
    return null;
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `\`Null\` on ${quote(key)} is \`true\`, so this Allow refuses the requests that set the tag and lets those without it through.`,
    suggestion: `Write \`"Null": {${JSON.stringify(key)}: "false"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { value: "false" }), {
      title: "Require the tag",
      effect: "changes",
    }),
  };
}

/** Actions that create what the tag is for. Of those that change tags, a Deny may keep a tag from being set at all. */
const creates =
  /^[a-z0-9-]+:(?:allocate|copy|create|import|launch|register|request|restore|run)(?!tags?$)[a-z]*$/i;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/tagging-and-policies.html */
const uploads = /^s3:PutObject$/i;

/**
 * A Deny of creating what has a tag, where the tag is to be required. With callers that are exempt, or a second test, the
 * Deny may reserve the tag for them.
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_examples_tagging.html
 */
export function stopsTagged(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, values } = entry;
  if (operator.base.name !== "Null") return null;
  const ofObject = keyLower.startsWith("s3:requestobjecttag/");
  if (!ofObject && !keyLower.startsWith("aws:requesttag/")) return null;
  if (switchValue(values) !== false) return null;
  const { actions, conditions } = statement;
  if (conditions.length > 1 || actions.length === 0) return null;
  if (!actions.every(({ text }) => (ofObject ? uploads : creates).test(text))) return null;
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `\`Null\` on ${quote(key)} is \`false\`, so this Deny stops the requests that set the tag and not those without it.`,
    suggestion: `Write \`"Null": {${JSON.stringify(key)}: "true"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { value: "true" }), {
      title: "Deny the requests without the tag",
      effect: "changes",
    }),
  };
}

/** `Null` with `true`: the request must not have the key. */
export function asksAbsence({ operator, values }: Statement["conditions"][number]): boolean {
  return operator?.base.name === "Null" && switchValue(values) === true;
}
