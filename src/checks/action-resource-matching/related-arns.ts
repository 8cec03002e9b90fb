import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { replaceVariables } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { type ArnFormat, allFormatsOf, formatsOfType } from "../../services/arn-overlap.ts";
import type { Action, Service } from "../../services/model.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";

/** Entries of `Resource` beyond which no related ARN is looked for. */
const mostResources = 50;

/**
 * ARNs of a type that the action works on, of the resources that the statement names: the objects of its
 * buckets, the indexes of its tables, or the buckets of its objects.
 */
export function relatedArns(
  action: Action,
  service: Service,
  { resources }: Statement,
  { policy }: Pick<CheckContext, "policy">,
): string[] {
  const wanted = action.resourceTypes.flatMap((type) => formatsOfType(service, type));
  const found = resources.slice(0, mostResources).flatMap(({ text, node }) => {
    const candidates = wanted.flatMap((format) => [
      ...shortened(text, format),
      ...lengthened(text, format, service),
    ]);
    const fits = (candidate: string) =>
      new ResourcesOfStatement([{ text: candidate, node }], true, policy.type).fits(
        service,
        action,
      );
    const [first] = [...new Set(candidates)].filter(fits);
    return first === undefined ? [] : [first];
  });
  return [...new Set(found)];
}

const special = /[.*+?^${}()|[\]\\]/g;

/** One field or segment for each placeholder of a format. */
function patternOf(format: string): string {
  return replaceVariables(format, "\u0000")
    .split("\u0000")
    .map((text) => text.replace(special, "\\$&"))
    .join("[^:/]*");
}

/** Expressions of a format, for a text of the format and for one that begins with it. */
const expressionsOf = memo(({ text }: ArnFormat) => {
  const pattern = patternOf(text);
  return { whole: new RegExp(`^${pattern}$`), start: new RegExp(`^(${pattern})[:/]`) };
});

/** `arn:aws:s3:::bucket/key` as an ARN of the format `arn:${Partition}:s3:::${BucketName}`. */
function shortened(text: string, format: ArnFormat): string[] {
  const match = expressionsOf(format).start.exec(text);
  const short = match?.[1];
  return short === undefined || namesNothing.test(short) ? [] : [short];
}

/** Shortened to it, `arn:aws:s3:::*\/logs/*` would reach every bucket, and every object with it. */
const namesNothing = /:\**$/;

/** What makes an ARN of a longer format of one of a shorter: the expression it fits, and the text to add. */
interface Extension {
  readonly whole: RegExp;
  readonly rest: string;
}

/** By service and longer format. */
const extensions = memo((_: Service) => new Map<ArnFormat, readonly Extension[]>());

function extensionsTo(longer: ArnFormat, service: Service): readonly Extension[] {
  const known = extensions(service);
  let found = known.get(longer);
  if (!found) {
    const all = allFormatsOf(service);
    found = all.flatMap((shorter) => {
      const rest = longer.text.slice(shorter.text.length);
      if (!longer.text.startsWith(shorter.text) || !/^[:/]/.test(rest)) return [];
      const added = replaceVariables(rest, "*").replace(/\*(?:[^*]*\*)+$/, "*");
      return [{ whole: expressionsOf(shorter).whole, rest: added }];
    });
    known.set(longer, found);
  }
  return found;
}

/** `arn:aws:s3:::bucket` with what the longer format adds, as a wildcard. */
function lengthened(text: string, longer: ArnFormat, service: Service): string[] {
  return extensionsTo(longer, service).flatMap(({ whole, rest }) =>
    whole.test(text) ? [`${text}${rest}`] : [],
  );
}
