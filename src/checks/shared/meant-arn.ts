import type { NeededInput } from "../../../spec/finding.ts";
import { isKnownArnService } from "../../access-analyzer/services.ts";
import { splitArn } from "../../policy/arn.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { type ArnFormat, allFormatsOf, overlaps, policyArn } from "../../services/arn-overlap.ts";
import type { ServiceLookup } from "../../services/model.ts";
import { suggestNames } from "../../services/suggest.ts";
import { input } from "./placeholders.ts";

/** An ARN that an author meant, and what is left to fill in. */
export interface MeantArn {
  readonly text: string;
  readonly inputs: readonly NeededInput[];
}

/**
 * The ARN with the service field of the actions beside it, where its own does not exist or has no such
 * resources: `arn:aws:stepfunctions:…:stateMachine:orders` beside `states:StartExecution` means a state machine,
 * and `arn:aws:kinesis:…:deliverystream/orders` a stream of `firehose`. The rest of the ARN has to show that: by
 * the words of one format, or by the name of an unknown service that is nearly right.
 * @param formats Of the resources that the actions work on.
 */
export function withServiceOf(
  text: string,
  formats: readonly ArnFormat[],
  services: ServiceLookup,
): MeantArn | null {
  const arn = splitArn(text);
  if (!arn || !/^[a-z0-9-]+$/i.test(arn.service)) return null;
  const isKnown = isKnownArnService(services, arn.service);
  const { prefix, partition, region, account, resource } = arn;
  const meant = new Set<string>();
  for (const format of formats) {
    if (hasWildcard(format.service) || format.service === arn.service) continue;
    if (!hasWordsOf(format, arn) && (isKnown || !isNearService(format, arn))) continue;
    const one = [prefix, partition, format.service, region, account, resource].join(":");
    const parts = policyArn(one);
    if (parts && overlaps(format, parts)) meant.add(one);
  }
  const [only] = meant;
  if (only === undefined || meant.size > 1) return null;
  return isKnown && isOfItsService(text, arn.service, services) ? null : { text: only, inputs: [] };
}

/**
 * The ARN of an object behind an access point, where the word before its key is missing:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html
 */
export function objectOfAccessPoint(text: string): string | null {
  const [, point, key] =
    /^(arn:[^:]*:s3:[^:]*:[^:]*:accesspoint\/[a-z0-9.-]+)\/(?!object(?:\/|$))(.+)$/s.exec(text) ??
    [];
  return point === undefined || key === undefined ? null : `${point}/object/${key}`;
}

/** The same, where the actions work on objects. */
export function withObjectWord(text: string, formats: readonly ArnFormat[]): MeantArn | null {
  const meant = objectOfAccessPoint(text);
  const parts = meant === null ? null : policyArn(meant);
  if (meant === null || !parts || !formats.some((format) => overlaps(format, parts))) return null;
  return { text: meant, inputs: [] };
}

/** Whether the ARN is of a type that the reference lists for the service in it. */
function isOfItsService(text: string, prefix: string, services: ServiceLookup): boolean {
  const service = services.get(prefix);
  const written = policyArn(text);
  // A service without formats, or a text that is no ARN, tells nothing.
  if (!service || !written) return true;
  const formats = allFormatsOf(service);
  return formats.length === 0 || formats.some((format) => overlaps(format, written));
}

function hasWordsOf(format: ArnFormat, { resource }: { readonly resource: string }): boolean {
  const words = format.resource.split("*", 1)[0] ?? "";
  return /[a-z]{2}/i.test(words) && resource.startsWith(words);
}

function isNearService(format: ArnFormat, { service }: { readonly service: string }): boolean {
  return suggestNames([format.service], service.toLowerCase()).length > 0;
}

/**
 * The ARN of the role that a session is of. The ARN of a session lacks the path of its role.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
 */
export function withRoleOfSession(text: string, formats: readonly ArnFormat[]): MeantArn | null {
  const [, partition, account, role] =
    /^arn:([^:]*):(?:sts|iam):[^:]*:([^:]*):assumed-role\/([^/:]+)(?:\/[^:]*)?$/.exec(text) ?? [];
  if (role === undefined) return null;
  const meant = `arn:${partition}:iam::${account}:role/${role}`;
  const parts = policyArn(meant);
  const isRole = parts && formats.some((format) => overlaps(format, parts));
  return isRole ? { text: meant, inputs: [] } : null;
}

/**
 * The ARN with the word for the type of its resource, where that is missing or misspelt and the ARN is of no
 * type of its service: `arn:aws:events:…:default` is the bus `event-bus/default`.
 * @param formats Of the resources that the actions work on.
 * @returns null where several types fit.
 */
export function withTypeWord(
  text: string,
  formats: readonly ArnFormat[],
  services: ServiceLookup,
): MeantArn | null {
  const arn = splitArn(text);
  if (!arn || /[*?]/.test(arn.resource.slice(0, 2))) return null;
  const { prefix, partition, region, account } = arn;
  const meant = new Set<string>();
  const longer = new Set<string>();
  for (const format of formats) {
    if (format.service !== arn.service) continue;
    const resource = typed(arn.resource, format.resource);
    if (resource === null) continue;
    const withEnd = (end: string) => {
      const one = [prefix, partition, arn.service, region, account, resource + end].join(":");
      const parts = policyArn(one);
      return parts && overlaps(format, parts) ? one : null;
    };
    const exact = withEnd("");
    if (exact !== null) meant.add(exact);
    // A stream of a log group is behind the name of the group.
    const behind = withEnd(":*") ?? withEnd("/*");
    if (exact === null && behind !== null) longer.add(behind);
  }
  const found = meant.size > 0 ? meant : longer;
  const [only] = found;
  if (only === undefined || found.size > 1) return null;
  return isOfItsService(text, arn.service, services) ? null : { text: only, inputs: [] };
}

/** @returns the resource part with the first word of a format, such as `event-bus/*`. */
function typed(resource: string, format: string): string | null {
  const [, word = "", mark = ""] = /^([a-z][a-z-]+)([:/])\*/i.exec(format) ?? [];
  if (word === "") return null;
  const [, head = "", rest] = /^([^:/]*)[:/](.*)$/s.exec(resource) ?? [];
  if (rest === undefined) return `${word}${mark}${resource}`;
  const behind = /^([^:/]*)[:/]/.exec(rest)?.[1] ?? "";
  // One mark too many: `/function:resize`.
  if (head === "" && behind.toLowerCase() === word.toLowerCase()) return typed(rest, format);
  // The name of a log group or parameter may begin with a slash.
  if (head === "") return `${word}${mark}${mark === "/" ? rest : resource}`;
  const isNear = head !== word && suggestNames([word], head.toLowerCase()).length > 0;
  return isNear || head.toLowerCase() === word.toLowerCase() ? `${word}${mark}${rest}` : null;
}

/**
 * The ARN with placeholders for an empty Region and account that the format of such a resource has:
 * `arn:aws:lambda:::function:orders`.
 * @returns null where formats differ in the fields they have.
 */
export function withEmptyFields(text: string, formats: readonly ArnFormat[]): MeantArn | null {
  const arn = splitArn(text);
  if (!arn || (arn.region !== "" && arn.account !== "")) return null;
  const { prefix, partition, service, resource } = arn;
  // A wildcard in front leaves the type of the resource open.
  if (/^[*?]/.test(resource)) return null;
  const meant = new Map<string, readonly string[]>();
  for (const format of formats) {
    if (format.service !== service) continue;
    const open = (["region", "account"] as const).filter(
      (field) => arn[field] === "" && format[field] === "*",
    );
    if (open.length === 0) continue;
    const filled = (region: string, account: string) =>
      [
        prefix,
        partition,
        service,
        open.includes("region") ? region : arn.region,
        open.includes("account") ? account : arn.account,
        resource,
      ].join(":");
    const parts = policyArn(filled("*", "*"));
    if (!parts || !overlaps(format, parts)) continue;
    const names = open.map((field) => (field === "region" ? "region" : "account-id"));
    meant.set(filled("<region>", "<account-id>"), names);
  }
  const [only] = meant;
  if (only === undefined || meant.size > 1) return null;
  const [arnText, names] = only;
  return { text: arnText, inputs: names.map((name) => input(name)) };
}
