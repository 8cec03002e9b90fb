import { splitArn } from "../../../policy/arn.ts";
import type { Entry } from "../../../policy/model.ts";
import { globMatches } from "../../../policy/wildcard.ts";
import type { Action, Service } from "../../../services/model.ts";

/** A name that no author writes. */
const someName = "\u0001";

/**
 * Whether the entries cover every resource of each type that the action works on. What they leave are requests without
 * a resource, such as text messages to telephones, which `sns:Publish` allows beside topics:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
export function coverEveryType(
  entries: readonly Entry[],
  { resourceTypes }: Action,
  service: Service,
): boolean {
  if (entries.length === 0 || resourceTypes.length === 0) return false;
  const formats = resourceTypes.flatMap((name) => service.resourceType(name)?.arnFormats ?? []);
  return formats.length > 0 && formats.every((format) => isCovered(format, entries));
}

function isCovered(format: string, entries: readonly Entry[]): boolean {
  return entries.some(({ text }) => {
    const partition = splitArn(text)?.partition ?? "aws";
    const inPartition = format.replace("${Partition}", partition);
    return globMatches(text, inPartition.replace(/\$\{[^}]*\}/g, someName));
  });
}
