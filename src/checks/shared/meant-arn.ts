import type { NeededInput } from "../../../spec/finding.ts";
import { isKnownArnService } from "../../access-analyzer/services.ts";
import { splitArn } from "../../policy/arn.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { type ArnFormat, arnFormatsOf, overlaps, policyArn } from "../../services/arn-overlap.ts";
import type { ServiceLookup } from "../../services/model.ts";
import { suggestNames } from "../../services/suggest.ts";
import { input } from "./placeholders.ts";

/** An ARN that an author meant, and what is left to fill in. */
export interface MeantArn {
  readonly text: string;
  readonly inputs: readonly NeededInput[];
}

/**
 * The ARN with the service field of the actions beside it, where its own does not exist:
 * `arn:aws:stepfunctions:…:stateMachine:orders` beside `states:StartExecution` means a state machine. The
 * rest of the ARN has to show that: by the words of one format, or by a service name that is nearly right.
 * @param formats Of the resources that the actions work on.
 */
export function withServiceOf(
  text: string,
  formats: readonly ArnFormat[],
  services: ServiceLookup,
): MeantArn | null {
  const arn = splitArn(text);
  if (!arn || !/^[a-z0-9-]+$/i.test(arn.service)) return null;
  if (isKnownArnService(services, arn.service)) return null;
  const { prefix, partition, region, account, resource } = arn;
  const meant = new Set<string>();
  for (const format of formats) {
    if (hasWildcard(format.service) || !tellsType(format, arn)) continue;
    const one = [prefix, partition, format.service, region, account, resource].join(":");
    const parts = policyArn(one);
    if (parts && overlaps(format, parts)) meant.add(one);
  }
  const [only] = meant;
  return only === undefined || meant.size > 1 ? null : { text: only, inputs: [] };
}

function tellsType(
  format: ArnFormat,
  arn: { readonly service: string; readonly resource: string },
): boolean {
  const words = format.resource.split("*", 1)[0] ?? "";
  if (/[a-z]{2}/i.test(words) && arn.resource.startsWith(words)) return true;
  return suggestNames([format.service], arn.service.toLowerCase()).length > 0;
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
  const service = arn && services.get(arn.service);
  const written = policyArn(text);
  if (!service || !written || /[*?]/.test(arn.resource.slice(0, 2))) return null;
  const { prefix, partition, region, account } = arn;
  const meant = new Set<string>();
  for (const format of formats) {
    if (format.service !== arn.service) continue;
    const resource = typed(arn.resource, format.resource);
    if (resource === null) continue;
    const one = [prefix, partition, arn.service, region, account, resource].join(":");
    const parts = policyArn(one);
    if (parts && overlaps(format, parts)) meant.add(one);
  }
  const [only] = meant;
  if (only === undefined || meant.size > 1) return null;
  for (const same of arnFormatsOf(service).values()) {
    if (same.some((format) => overlaps(format, written))) return null;
  }
  return { text: only, inputs: [] };
}

/** @returns the resource part with the first word of a format, such as `event-bus/*`. */
function typed(resource: string, format: string): string | null {
  const [, word = "", mark = ""] = /^([a-z][a-z-]+)([:/])\*/i.exec(format) ?? [];
  if (word === "") return null;
  const [, head = "", rest] = /^([^:/]*)[:/](.*)$/s.exec(resource) ?? [];
  if (rest === undefined) return `${word}${mark}${resource}`;
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
