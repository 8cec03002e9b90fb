import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

/** Actions that only set tags: an Allow may keep them from a tag that others manage. */
const setsTags = /:(?:create|add|tag|put)[a-z]*tag(?:s|ging)?$|:tag[a-z]+$/;

/**
 * An Allow to create what lacks a tag, where the tag is to be required.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html#access_tags_control-requests
 */
export function* refusesTag(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, values } = entry;
  if (operator.base.name !== "Null" || !keyLower.startsWith("aws:requesttag/")) return;
  if (!values.every(({ text }) => text.toLowerCase() === "true")) return;
  const { actions, conditions } = statement;
  // A tag that is required beside it shows that this one is to be left out, as AmazonDataZoneFullAccess has it.
  if (conditions.some((one) => one.keyLower.startsWith("aws:requesttag/") && !asksAbsence(one)))
    return;
  if (conditions.some((one) => /resourcetag\/|^aws:tagkeys$|:createaction$/.test(one.keyLower)))
    return;
  if (actions.length === 0 || actions.every(({ text }) => setsTags.test(text.toLowerCase())))
    return;
  yield {
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

function asksAbsence({ operator, values }: Statement["conditions"][number]): boolean {
  return operator?.base.name === "Null" && values.every(({ text }) => /^true$/i.test(text));
}
