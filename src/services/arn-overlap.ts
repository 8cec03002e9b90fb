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
  /** Slashes of the resource part. */
  readonly slashes: number;
  /** What is before the last slash of the resource part, slash by slash; null where names may have slashes. */
  readonly segments: readonly string[] | null;
  /** What is behind each colon of the resource part. */
  readonly behindColons: readonly string[];
}

/** The ARN of a policy; a variable in it may be anything. */
export type PolicyArn = Parts;

function partsOf(text: string): Parts | null {
  const arn = splitArn(text);
  if (!arn) return null;
  const { partition, service, region, account, resource } = arn;
  return {
    partition: replaceVariables(partition, "*"),
    service: replaceVariables(service, "*"),
    region: replaceVariables(region, "*"),
    account: replaceVariables(account, "*"),
    resource: replaceVariables(resource, "*"),
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

/** ARN formats by the list of types of an action: the actions of a service share most lists. */
const formatsOfLists = memo(
  (_: Service) => new Map<readonly string[], readonly ArnFormat[] | null>(),
);

/** @returns the formats of all of the types; null where one has none, so that any ARN may be of it. */
export function arnFormatsOfTypes(
  service: Service,
  types: readonly string[],
): readonly ArnFormat[] | null {
  const lists = formatsOfLists(service);
  let formats = lists.get(types);
  if (formats === undefined) {
    const found = types.map((type) => formatsOfType(service, type));
    formats = found.some(({ length }) => length === 0) ? null : found.flat();
    lists.set(types, formats);
  }
  return formats;
}

/** @returns the formats of a type, in any letter case; empty where it has none. */
export function formatsOfType(service: Service, type: string): readonly ArnFormat[] {
  return arnFormatsOf(service).get(service.resourceType(type)?.name ?? type) ?? none;
}

const none: readonly ArnFormat[] = [];

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
        const { service: owner, resource } = parts;
        const open = resource.endsWith("*") && namesEnd(parts);
        const behindColons: string[] = [];
        for (let at = resource.indexOf(":"); at >= 0; at = resource.indexOf(":", at + 1)) {
          behindColons.push(resource.slice(at + 1));
        }
        return {
          ...parts,
          text,
          noSlash: open && continued.has(replaceVariables(text, "*")),
          slashes: slashesIn(resource),
          segments: namesWithoutSlash.has(owner) ? resource.split("/").slice(0, -1) : null,
          behindColons,
        };
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
  // The resource first: it is what tells the types of a service apart.
  return (
    resourcesOverlap(format, arn) &&
    globsOverlap(format.service, arn.service) &&
    filled(format.partition, arn.partition) &&
    filled(format.region, arn.region) &&
    (arn.account === "" && format.region === "*"
      ? globsOverlap(format.account, "")
      : filled(format.account, arn.account))
  );
}

function resourcesOverlap(format: ArnFormat, { account, resource }: PolicyArn): boolean {
  const { segments, behindColons } = format;
  if (segments !== null && !segmentsFit(segments, resource)) return false;
  if (
    mayBegin(format.resource, resource) &&
    !(format.noSlash && slashesIn(resource) > format.slashes) &&
    globsOverlap(format.resource, resource)
  ) {
    return true;
  }
  if (behindColons.length === 0 || !account.endsWith("*")) return false;
  // AWS compares whole texts: a star at the end of the account runs over the next colons too.
  const hasNoSlash = namesAfterColon.has(format.service);
  return behindColons.some(
    (rest) =>
      !(hasNoSlash && slashesIn(resource) > slashesIn(rest)) && globsOverlap(rest, resource),
  );
}

/** Whether the first characters of two patterns agree. Most types of resources differ there. */
function mayBegin(one: string, other: string): boolean {
  const first = one[0];
  const second = other[0];
  return first === second || isWild(first) || isWild(second);
}

function isWild(character: string | undefined): boolean {
  return character === "*" || character === "?";
}

/**
 * Services whose names after a colon have no slash.
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/API_CreateBackupVault.html,
 * https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_CreateCacheCluster.html,
 * https://docs.aws.amazon.com/dms/latest/APIReference/API_CreateReplicationTask.html,
 * https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html,
 * https://docs.aws.amazon.com/redshift/latest/APIReference/API_CreateCluster.html,
 * https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html and
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html
 */
const namesAfterColon: ReadonlySet<string> = new Set([
  "backup",
  "dms",
  "elasticache",
  "lambda",
  "rds",
  "redshift",
  "states",
]);

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
function segmentsFit(wanted: readonly string[], resource: string): boolean {
  const given = resource.split("/", wanted.length);
  for (const [index, segment] of wanted.entries()) {
    const part = given[index];
    if (part === undefined || /[*?]/.test(part)) return true;
    if (!globsOverlap(segment, part)) return false;
  }
  return true;
}

function slashesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("/"); at >= 0; at = text.indexOf("/", at + 1)) count++;
  return count;
}

function filled(format: string, part: string): boolean {
  if (part === "" && format.includes("*")) return false;
  return globsOverlap(format, part);
}
