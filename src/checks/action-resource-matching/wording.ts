import { arnFormatsOf } from "../../services/arn-overlap.ts";
import type { Action, Service } from "../../services/model.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";

/** Resource types that one suggestion shows the format of. */
const mostTypes = 4;
/** Characters; no format is longer. */
const longestFormat = 400;

/** `the resource type `object`` or `one of the resource types …`. */
export function neededTypes({ resourceTypes }: Action): string {
  return resourceTypes.length === 1
    ? `the resource type ${quoteList(resourceTypes)}`
    : `the resource types ${quoteList(resourceTypes)}`;
}

/** Format and example of each type the action takes, and the resources at hand when they are few. */
export function adviceFor(service: Service, action: Action, resources: readonly string[]): string {
  const formats = arnFormatsOf(service);
  const forms = action.resourceTypes.flatMap((type) => {
    const format = formats.get(service.resourceType(type)?.name ?? type)?.[0]?.text;
    if (!format) return [];
    const example = quote(exampleOf(format), longestFormat);
    return `of type ${quote(type)}, ${quote(format, longestFormat)}, such as ${example}`;
  });
  const shown = forms.slice(0, mostTypes).join("; or ");
  const more = forms.length > mostTypes ? `; or of ${forms.length - mostTypes} other types` : "";
  const present =
    resources.length <= 3
      ? ` The statement has ${joinWords(resources.map((resource) => quote(resource)))}.`
      : "";
  return `Add a resource ${shown}${more}.${present}`;
}

const values: Readonly<Record<string, string>> = {
  Partition: "aws",
  Region: "us-east-1",
  Account: "123456789012",
};

/** The format with something in place of each placeholder: `${BucketName}` becomes `bucket-name`. */
function exampleOf(format: string): string {
  return format.replace(/\$\{([^{}]*)\}/g, (_, name: string) =>
    Object.hasOwn(values, name)
      ? (values[name] ?? name)
      : name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase(),
  );
}
