import type { Action, Service } from "../../services/model.ts";
import { arnFormatsOf } from "../shared/arn-overlap.ts";
import { joinWords, quote, quoteList } from "../shared/quote.ts";

/** Resource types that one suggestion shows the format of. */
const mostTypes = 4;

/** `the resource type `object`` or `one of the resource types …`. */
export function neededTypes({ resourceTypes }: Action): string {
  return resourceTypes.length === 1
    ? `the resource type ${quoteList(resourceTypes)}`
    : `the resource types ${quoteList(resourceTypes)}`;
}

/** Format and example of each type the action takes, and the resources at hand when they are few. */
export function adviceFor(service: Service, action: Action, resources: readonly string[]): string {
  const formats = arnFormatsOf(service);
  const lines = action.resourceTypes.flatMap((type) => {
    const format = formats.get(service.resourceType(type)?.name ?? type)?.[0]?.text;
    return format ? `${quote(type)}: ${quote(format)}, such as ${quote(exampleOf(format))}` : [];
  });
  const more = lines.length - mostTypes;
  const list = joinWords(lines.slice(0, mostTypes), Math.max(0, more), "or");
  const present =
    resources.length <= 3
      ? ` The statement has ${joinWords(resources.map((resource) => quote(resource)))}.`
      : "";
  return `Add a resource of the form ${list}.${present}`;
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
