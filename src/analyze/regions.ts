import { partitionDefaults } from "../../spec/tools/analyze-policy.ts";
import { ToolError } from "../errors.ts";

export type Partition = keyof typeof partitionDefaults;

export const partitions = Object.keys(partitionDefaults) as readonly Partition[];

/** Common prefix of a partition's region names; those of `aws` have none. */
const regionPrefixes: Readonly<Record<Exclude<Partition, "aws">, string>> = {
  "aws-cn": "cn-",
  "aws-us-gov": "us-gov-",
  "aws-eusc": "eusc-",
  "aws-iso": "us-iso-",
  "aws-iso-b": "us-isob-",
  "aws-iso-e": "eu-isoe-",
  "aws-iso-f": "us-isof-",
};

/** @throws {ToolError} For an unknown partition. */
export function partitionOf(word: string): Partition {
  const found = partitions.find((partition) => partition === word);
  if (found) return found;
  throw new ToolError(
    "unsupported_partition",
    `Unsupported partition ${quoted(word)}; use one of ${partitions.join(", ")}.`,
  );
}

function partitionOfRegion(region: string): Partition {
  for (const [partition, prefix] of Object.entries(regionPrefixes)) {
    if (region.startsWith(prefix)) return partition as Partition;
  }
  return "aws";
}

/** The region requested by the caller, and the regions allowed by the operator. */
export interface RegionRequest {
  /** Undefined: not given. */
  readonly partition: Partition | undefined;
  /** Null: not given. */
  readonly region: string | null;
  /** Undefined: not set, so only the ambient region. Empty: every region. */
  readonly allowed: readonly string[] | undefined;
  /** The region in which this process runs; undefined if unknown. */
  readonly ambient: string | undefined;
}

/**
 * The region to call. If the caller gives none: the ambient region if it belongs to the partition and
 * is allowed, else the partition's default, else the only allowed region of the partition.
 * @throws {ToolError} If the region is not allowed, or does not belong to the partition.
 */
export function chooseRegion(request: RegionRequest): string {
  const { partition = "aws", region, ambient } = request;
  // If the ambient region is unknown, allow only the partition's default region, not all of them.
  const allowed = request.allowed ?? [ambient ?? partitionDefaults[partition]];
  const isAllowed = (name: string) => allowed.length === 0 || allowed.includes(name);
  if (region !== null) {
    const there = partitionOfRegion(region);
    if (!isAllowed(region) || !regionName.test(region)) throw refused(quoted(region), allowed);
    if (request.partition && there !== partition) {
      throw refused(`${quoted(region)} (partition ${there}, not ${partition})`, allowed);
    }
    return region;
  }
  const here = (name: string) => partitionOfRegion(name) === partition;
  const inPartition = allowed.filter(here);
  const candidates = [
    ambient !== undefined && here(ambient) ? ambient : undefined,
    partitionDefaults[partition],
    inPartition.length === 1 ? inPartition[0] : undefined,
  ];
  const chosen = candidates.find((name) => name !== undefined && isAllowed(name));
  if (chosen === undefined) throw refused(quoted(partitionDefaults[partition]), allowed);
  return chosen;
}

/** The region becomes part of a host name, so it must match this even if every region is allowed. */
const regionName = /^[a-z]{2,5}(-[a-z]{2,12}){1,3}-\d{1,2}$/;

function refused(region: string, allowed: readonly string[]): ToolError {
  const bounds = allowed.length === 0 ? "every AWS region" : allowed.join(", ");
  return new ToolError(
    "region_not_allowed",
    `Region ${region} is not allowed; this server may call: ${bounds} (allowed_regions).`,
  );
}

/** A value of the caller, shortened and quoted for a message. */
export function quoted(word: string): string {
  return JSON.stringify(word.length > 64 ? `${word.slice(0, 64)}…` : word);
}
