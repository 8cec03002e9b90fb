import type { CheckContext } from "../../engine/check.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";

/** A name that no author writes. */
const someName = "\u0001";

/**
 * Whether `NotResource` excludes every resource of each type that the actions work on. What is left are requests
 * without a resource, such as text messages to telephones, which SNS allows apart from topics so:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
export function excludesEveryType(
  { actions, notResources }: Statement,
  { match }: Pick<CheckContext, "match">,
): boolean {
  return (
    actions.length > 0 &&
    actions.every(({ text }) => {
      const meaning = match(text);
      if (meaning.kind !== "action" || meaning.action.resourceTypes.length === 0) return false;
      const { service } = meaning;
      const formats = meaning.action.resourceTypes.flatMap(
        (name) => service.resourceType(name)?.arnFormats ?? [],
      );
      return formats.length > 0 && formats.every((format) => isExcluded(format, notResources));
    })
  );
}

function isExcluded(format: string, notResources: Statement["notResources"]): boolean {
  return notResources.some(({ text }) => {
    const partition = splitArn(text)?.partition ?? "aws";
    const inPartition = format.replace("${Partition}", partition);
    return globMatches(text, inPartition.replace(/\$\{[^}]*\}/g, someName));
  });
}
