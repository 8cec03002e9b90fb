import { memo } from "../../memo.ts";
import { type ArnFormat, formatsOfType } from "../../services/arn-overlap.ts";
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

/**
 * Format and example of each type the action takes, and the resources of the statement when they are few.
 * @param related ARNs that fit, made of those resources; they come first.
 */
export function adviceFor(
  service: Service,
  action: Action,
  resources: readonly string[],
  related: readonly string[] = [],
): string {
  const forms = byUse(action.resourceTypes).flatMap((type) => {
    const [format] = formatsOfType(service, type);
    return format ? `of type ${quote(type)}, ${formAndExample(format)}` : [];
  });
  const shown = forms.slice(0, mostTypes).join("; or ");
  const more = forms.length > mostTypes ? `; or of ${forms.length - mostTypes} other types` : "";
  const present =
    resources.length <= 3
      ? ` The statement has ${joinWords(resources.map((resource) => quote(resource)))}.`
      : "";
  const start =
    related.length > 0 ? `Add ${quoteList(related, 3)}, or another resource` : "Add a resource";
  return `${start} ${shown}${more}.${present}`;
}

/** Access points are another way to a resource, so they come last. */
function byUse(types: readonly string[]): readonly string[] {
  const isDetour = (type: string) => /accesspoint/i.test(type);
  return [...types.filter((type) => !isDetour(type)), ...types.filter(isDetour)];
}

const values: Readonly<Record<string, string>> = {
  Partition: "aws",
  Region: "us-east-1",
  Account: "123456789012",
  SecretId: "secret-AbCdEf",
};

const formAndExample = memo(
  ({ text }: ArnFormat) =>
    `${quote(text, longestFormat)}, such as ${quote(exampleOf(text), longestFormat)}`,
);

/** The format with something in place of each placeholder: `${BucketName}` becomes `bucket-name`. */
function exampleOf(format: string): string {
  return format.replace(/\$\{([^{}]*)\}/g, (_, name: string) =>
    Object.hasOwn(values, name)
      ? (values[name] ?? name)
      : name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase(),
  );
}
