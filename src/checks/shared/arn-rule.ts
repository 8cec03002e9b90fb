import {
  hasAccountWord,
  hasVariable,
  partitions,
  replaceVariables,
  splitArn,
} from "../../policy/arn.ts";
import { regions } from "../../policy/regions.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { joinWords, quote } from "./quote.ts";

export const maxArnLength = 2048;

/** What keeps a text from being the ARN of a resource, and the Access Analyzer code for it. */
export interface ArnFault {
  readonly problem: string;
  readonly advice: string;
  readonly code: string | null;
  /** The ARN that is meant, where that is certain. */
  readonly corrected?: string;
}

const service = /^[a-z0-9-]+$/;
const region = /^[a-z0-9*?-]*$/;
const exactAccount = /^(?:\*|\d{12}|aws)?$/;
const accountPattern = /^[\d*?]{1,12}$/;
const shape = "`arn:partition:service:region:account:resource`";

/** Nearly all ARNs of policies: one look, where the rules below take each part by itself. */
const plainArn = /^arn:aws:[a-z0-9-]+:[a-z0-9*?-]*:(?:\*|\d{12}|aws)?:[^\n\r]+$/;

/**
 * Compares a text with the form of ARNs in policies: six parts, of which partition, region and account
 * may hold wildcards, the service never.
 * @param variables `${...}` may be (a piece of) any part; else only in the resource part,
 * which takes anything.
 * @returns null when the text has that form.
 */
export function arnFault(text: string, variables: boolean): ArnFault | null {
  if (plainArn.test(text)) return null;
  const found = faultIn(text, variables);
  if (!found || found.corrected !== undefined) return found;
  const corrected = certainArn(text.trim());
  if (corrected === null || faultIn(corrected, variables)) return found;
  return { ...found, advice: `Write ${quote(corrected)}.`, corrected };
}

/**
 * The ARN that is meant, where only its beginning is wrong: `arn:` or `arn:aws:` is missing, letter
 * case is wrong in one of the first four parts, the Region has underscores, the account id has hyphens, the
 * partition has another name, or it is the address of a bucket or a queue.
 */
function certainArn(text: string): string | null {
  const byAddress = arnOfAddress(text);
  if (byAddress !== null) return byAddress;
  const fields = text.split(":");
  if (fields.length === 5 && fields[0] === "arn" && withoutPartition.test(text)) {
    return `arn:aws:${text.slice("arn:".length)}`;
  }
  const colon = text.indexOf(":");
  const first = text.slice(0, colon).toLowerCase();
  if (colon < 0) return null;
  if (partitions.includes(first)) return certainArn(`arn:${text}`);
  // The buckets of the partition `aws` have nothing between their colons.
  if (first === "s3" && text.startsWith(":::", colon) && text.length > colon + 3) {
    return `arn:aws:s3${text.slice(colon)}`;
  }
  const [, partition, service, rest] = /^[^:]*:([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  if (first !== "arn" || partition === undefined || service === undefined) return null;
  // The console shows account ids with hyphens.
  const whole = rest
    ?.replace(/^([^:]*:)(\d{4})-(\d{4})-(\d{4})(?=:)/, "$1$2$3$4")
    .replace(/^[^:]*/, regionMeant);
  return `arn:${partitionMeant(partition)}:${service.toLowerCase()}:${whole}`;
}

/** The ARN of a bucket or of an IAM resource without its partition. */
const withoutPartition = /^arn:(?:s3:::[a-z0-9*]|iam::(?:\d{12}|aws):[a-z])/;

/** `s3://bucket/key`, and the address of a queue. */
function arnOfAddress(text: string): string | null {
  const object = /^s3:\/\/([a-z0-9*][a-z0-9.*-]*(?:\/\S*)?)$/.exec(text)?.[1];
  if (object !== undefined) return `arn:aws:s3:::${object.replace(/\/$/, "/*")}`;
  const [, region, account, name] =
    /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com\/(\d{12})\/([\w.-]+)$/.exec(text) ?? [];
  return region === undefined ? null : `arn:aws:sqs:${region}:${account}:${name}`;
}

/** Names that people give to partitions. */
const partitionNames: ReadonlyMap<string, string> = new Map([
  ["aws-gov", "aws-us-gov"],
  ["aws-gov-us", "aws-us-gov"],
  ["aws-usgov", "aws-us-gov"],
  ["aws-china", "aws-cn"],
]);

function partitionMeant(written: string): string {
  const lower = written.toLowerCase();
  return partitionNames.get(lower) ?? lower;
}

/** `US-EAST-1`, `us_east_1` as they are written in ARNs. */
function regionMeant(written: string): string {
  const region = written.toLowerCase().replaceAll("_", "-");
  return regions.includes(region) ? region : written;
}

function faultIn(text: string, variables: boolean): ArnFault | null {
  const template = variables && hasVariable(text);
  const arn = splitArn(text, template);
  if (text === "") {
    return fault("is empty", "Write an ARN, or `*` for every resource.", "MISSING_ARN_FIELD");
  }
  if (!text.startsWith("arn:")) {
    return fault(
      "does not begin with `arn:`",
      `Write the whole ARN, ${shape}, or \`*\` for every resource.`,
      arn || text.endsWith(":*") ? "INVALID_ARN_PREFIX" : "MISSING_ARN_FIELD",
    );
  }
  if (!arn) return tooFewParts(text);
  return partFault({
    partition: template ? asWildcard(arn.partition) : arn.partition,
    service: template ? replaceVariables(arn.service, "x") : arn.service,
    region: template ? asWildcard(arn.region) : arn.region,
    account: template ? asWildcard(arn.account) : arn.account,
    resource: arn.resource,
  });
}

/** A variable may be any piece of its part, as a star may. */
function asWildcard(part: string): string {
  return replaceVariables(part, "*");
}

function tooFewParts(text: string): ArnFault {
  const fields = text.split(":");
  const corrected = withMissingColon(fields);
  return {
    ...fault(
      `has ${fields.length} parts, where an ARN has six`,
      corrected === null
        ? `Write all six parts, ${shape}; region and account may be empty, but their colons stay.`
        : `Write ${quote(corrected)}.`,
      // AWS's check accepts any short ARN that ends in a lone star; `arn:aws:*` has no service all the same.
      fields.at(-1) === "*" ? null : "MISSING_ARN_FIELD",
    ),
    ...(corrected === null ? {} : { corrected }),
  };
}

/** Buckets have neither Region nor account, and IAM has no Region, so a missing colon is plain. */
function withMissingColon(fields: readonly string[]): string | null {
  const [prefix, partition = "", service, fourth = "", last = ""] = fields;
  // Neither colon of a bucket's ARN is there: `arn:aws:s3:reports/*`.
  if (fields.length === 4 && prefix === "arn" && isPartition(partition) && service === "s3") {
    return /^[a-z0-9][a-z0-9.-]{2,}(?:\/.*)?$/.test(fourth) && !regions.includes(fourth)
      ? `arn:${partition}:s3:::${fourth}`
      : null;
  }
  if (fields.length !== 5 || prefix !== "arn" || !isPartition(partition) || last === "")
    return null;
  if (service === "s3" && fourth === "") return `arn:${partition}:s3:::${last}`;
  if (service === "iam" && exactAccount.test(fourth) && fourth !== "") {
    return `arn:${partition}:iam::${fourth}:${last}`;
  }
  return null;
}

function partFault(
  arn: Readonly<Record<"partition" | "service" | "region" | "account" | "resource", string>>,
): ArnFault | null {
  if (!isPartition(arn.partition)) {
    return fault(
      `names the partition ${quote(arn.partition)}, which does not exist`,
      `Use one of ${joinWords(
        partitions.map((name) => `\`${name}\``),
        0,
        "or",
      )}.`,
      "INVALID_PARTITION",
    );
  }
  if (!service.test(arn.service)) return serviceFault(arn.service);
  if (!region.test(arn.region)) {
    return fault(
      `has the region ${quote(arn.region)}, which is not the name of a Region`,
      "Write a region such as `eu-west-1`, `*` for all, or nothing where the resource has none.",
      "INVALID_ARN_REGION",
    );
  }
  if (placeholder.test(arn.account)) {
    return fault(
      `still has the placeholder ${quote(arn.account)} in place of an account id`,
      "Write the 12 digits of the account.",
      "INVALID_ARN_ACCOUNT",
    );
  }
  if (!isAccount(arn.account) && !hasAccountWord(arn)) {
    return fault(
      `has the account ${quote(arn.account)}, which is not an account id`,
      "Write the 12 digits of an account, `*` for any, `aws` for resources of AWS, or nothing where the resource has none.",
      "INVALID_ARN_ACCOUNT",
    );
  }
  if (arn.resource === "") {
    return fault(
      "has no resource after the fifth colon",
      "Add the resource, or `*` for all of the service.",
      "INVALID_ARN_RESOURCE",
    );
  }
  if (/[\n\r]/.test(arn.resource)) {
    return fault(
      "holds a line break",
      "Remove the line break; AWS compares it like any other character, and no resource has one.",
      null,
    );
  }
  return null;
}

function serviceFault(name: string): ArnFault {
  if (name === "") {
    return fault("has no service", "Write the service after the partition, such as `s3`.", null);
  }
  if (hasWildcard(name)) {
    return fault(
      `has a wildcard in the service ${quote(name)}, which IAM refuses`,
      "Write one ARN for each service, or `*` as the whole resource.",
      "WILDCARD_IN_SERVICE_NAME",
    );
  }
  const lower = name.toLowerCase();
  if (service.test(lower)) {
    return fault(
      `writes the service ${quote(name)} with capital letters`,
      `Write \`${lower}\`; in an ARN letter case counts.`,
      "INVALID_ARN_SERVICE_CASE",
    );
  }
  return fault(
    `has the service ${quote(name)}, which is not the name of a service`,
    "Write the service as its ARNs have it: lower-case letters, digits and hyphens.",
    null,
  );
}

function isPartition(part: string): boolean {
  if (partitions.includes(part)) return true;
  return hasWildcard(part) && partitions.some((name) => globMatches(part, name));
}

/** Words that documentation and templates put where an account id belongs: `account-id`, `ACCOUNT_ID`, `YourAccountNumber`. */
const placeholder = /^(?=.{4,40}$)[<[]?[A-Za-z_-]*acc(?:oun)?t[A-Za-z_-]*[>\]]?$/i;

function isAccount(part: string): boolean {
  return exactAccount.test(part) || (accountPattern.test(part) && hasWildcard(part));
}

function fault(problem: string, advice: string, code: string | null): ArnFault {
  return { problem, advice, code };
}
