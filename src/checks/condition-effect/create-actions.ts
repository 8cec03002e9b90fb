import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { suggestNames } from "../../services/suggest.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { didYouMean, quote, quoteList } from "../shared/quote.ts";
import { type Effect, isOpen, type ReadableEntry } from "./effect.ts";

/**
 * `ec2:CreateAction` and its like have the name of the action that creates the resource.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
 */
export function unknownCreateActions(
  entry: ReadableEntry,
  statement: Statement,
  { services }: Pick<CheckContext, "services">,
): Effect | null {
  const { operator, key, keyLower, values } = entry;
  const [, prefix] = /^([a-z0-9-]+):createaction$/.exec(keyLower) ?? [];
  if (prefix === undefined || operator.base.type !== "String" || operator.base.negated) return null;
  const service = services.get(prefix);
  if (!service || values.length === 0) return null;
  const texts = values.map(({ text }) => text);
  // Names with a colon or in lower case are of another form, which is reported for the key.
  if (texts.some((text) => isOpen(text) || hasWildcard(text) || !/^[A-Z]\w*$/.test(text)))
    return null;
  if (texts.some((text) => service.action(text) !== undefined)) return null;
  const names = service.actions.map(({ name }) => name);
  const near = [...suggestNames(names, texts[0] ?? "")].slice(0, 3);
  const [meant] = near;
  return {
    kind: "never",
    entry,
    reason: `${quote(key)} never has the ${texts.length === 1 ? "value" : "values"} ${quoteList(texts, 3)}: ${quote(service.prefix)} has no such action in the reference data of ${services.date}.`,
    suggestion:
      meant === undefined
        ? "Write the name of the action that creates the resource, such as `RunInstances`."
        : didYouMean(near),
    ...(meant === undefined || texts.length > 1
      ? {}
      : fixedBy(() => correctedEntry(statement, entry, { value: meant }), {
          title: "Correct the name of the action",
          effect: "repairs",
        })),
  };
}
