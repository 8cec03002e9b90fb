import { memo } from "../memo.ts";
import { replaceVariables, splitArn } from "../policy/arn.ts";
import { globsOverlap } from "../policy/wildcard.ts";
import type { Service } from "./model.ts";

/** An ARN format of the reference data, or the ARN of a policy, as globs part by part. */
interface Parts {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

/** A format such as `arn:${Partition}:s3:::${BucketName}`. */
export interface ArnFormat extends Parts {
  /** As the data has it. */
  readonly text: string;
  /** Its last placeholder takes no slash, because another format continues with one. */
  readonly noSlash: boolean;
}

/** The ARN of a policy; a variable in it may be anything. */
export type PolicyArn = Parts;

function partsOf(text: string): Parts | null {
  const arn = splitArn(text);
  if (!arn) return null;
  return {
    partition: replaceVariables(arn.partition, "*"),
    service: replaceVariables(arn.service, "*"),
    region: replaceVariables(arn.region, "*"),
    account: replaceVariables(arn.account, "*"),
    resource: replaceVariables(arn.resource, "*"),
  };
}

/** @returns null when the text does not have the six parts of an ARN. */
export function policyArn(text: string): PolicyArn | null {
  const arn = partsOf(text);
  // Multi-Region access points have no Region, unlike the other access points.
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/MultiRegionAccessPointRequests.html
  const multiRegion =
    arn?.service === "s3" && arn.region === "" && arn.resource.startsWith("accesspoint/");
  return arn && multiRegion ? { ...arn, region: "*" } : arn;
}

/**
 * ARN formats of a service, by the name of the resource type. A type without a definition is not
 * there, and a format that is not an ARN is left out.
 */
export const arnFormatsOf = memo(compile);

/** All formats of a service, in the order of its types. */
export const allFormatsOf = memo((service: Service): readonly ArnFormat[] =>
  [...arnFormatsOf(service).values()].flat(),
);

function compile(service: Service): ReadonlyMap<string, readonly ArnFormat[]> {
  const continued = new Set<string>();
  for (const { arnFormats } of service.resourceTypes) {
    for (const format of arnFormats) {
      const plain = replaceVariables(format, "*");
      for (let at = plain.indexOf("/"); at >= 0; at = plain.indexOf("/", at + 1)) {
        continued.add(plain.slice(0, at));
      }
    }
  }
  return new Map(
    service.resourceTypes.map(({ name, arnFormats }) => [
      name,
      arnFormats.flatMap((text) => {
        const parts = partsOf(text);
        if (!parts) return [];
        const open = parts.resource.endsWith("*") && namesEnd(parts);
        return { ...parts, text, noSlash: open && continued.has(replaceVariables(text, "*")) };
      }),
    ]),
  );
}

/**
 * Could some real ARN match both? Parts are compared as globs on both sides, with letter case. A
 * placeholder for partition or region is never empty; one for the account may be where the format
 * has a region: AWS's own documents, parameters and models have no account.
 */
export function overlaps(format: ArnFormat, arn: PolicyArn): boolean {
  return (
    globsOverlap(format.service, arn.service) &&
    filled(format.partition, arn.partition) &&
    filled(format.region, arn.region) &&
    (arn.account === "" && format.region === "*"
      ? globsOverlap(format.account, "")
      : filled(format.account, arn.account)) &&
    resourcesOverlap(format, arn)
  );
}

function resourcesOverlap(format: ArnFormat, arn: PolicyArn): boolean {
  if (namesWithoutSlash.has(format.service) && !segmentsFit(format, arn)) return false;
  if (!(format.noSlash && slashesIn(arn.resource) > slashesIn(format.resource))) {
    if (globsOverlap(format.resource, arn.resource)) return true;
  }
  if (!arn.account.endsWith("*")) return false;
  // AWS compares whole texts: a star at the end of the account runs over the next colons too.
  for (let at = format.resource.indexOf(":"); at >= 0; at = format.resource.indexOf(":", at + 1)) {
    const rest = format.resource.slice(at + 1);
    if (namesAfterColon.has(format.service) && slashesIn(arn.resource) > slashesIn(rest)) continue;
    if (globsOverlap(rest, arn.resource)) return true;
  }
  return false;
}

/**
 * Services whose names after a colon have no slash.
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/API_CreateBackupVault.html,
 * https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html and
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html
 */
const namesAfterColon: ReadonlySet<string> = new Set(["backup", "rds", "states"]);

/**
 * Services whose names have no slash. Elsewhere a name after a slash may have further ones.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-restrictions-limitations-naming-rules.html and
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-tables-buckets-naming.html
 */
const namesWithoutSlash: ReadonlySet<string> = new Set(["dynamodb", "s3", "s3tables"]);

/** Whether names of the type end before the next slash. */
function namesEnd({ service, resource }: Parts): boolean {
  return !resource.includes("/") || namesWithoutSlash.has(service);
}

/** Compares what is between slashes, up to the first wildcard of the policy. The last part of a format may have slashes. */
function segmentsFit(format: ArnFormat, arn: PolicyArn): boolean {
  const wanted = format.resource.split("/");
  const given = arn.resource.split("/", wanted.length);
  for (const [index, segment] of wanted.slice(0, -1).entries()) {
    const part = given[index];
    if (part === undefined || /[*?]/.test(part)) return true;
    if (!globsOverlap(segment, part)) return false;
  }
  return true;
}

function slashesIn(text: string): number {
  return text.split("/").length - 1;
}

function filled(format: string, part: string): boolean {
  if (part === "" && format.includes("*")) return false;
  return globsOverlap(format, part);
}
