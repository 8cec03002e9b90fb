import { partitionDefaults } from "../../spec/tools/analyze-policy.ts";
import { ToolError } from "../errors.ts";

export type Partition = keyof typeof partitionDefaults;

export const partitions = Object.keys(partitionDefaults) as readonly Partition[];

/** First letters of a partition's region names; those of `aws` have none in common. */
const regionPrefixes: Readonly<Record<Exclude<Partition, "aws">, string>> = {
  "aws-cn": "cn-",
  "aws-us-gov": "us-gov-",
  "aws-eusc": "eusc-",
  "aws-iso": "us-iso-",
  "aws-iso-b": "us-isob-",
  "aws-iso-e": "eu-isoe-",
  "aws-iso-f": "us-isof-",
};

/** @throws {ToolError} for any other word. */
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

/** What the caller asks for and what the operator allows. */
export interface RegionRequest {
  /** Undefined: not given. */
  readonly partition: Partition | undefined;
  /** Null: not given. */
  readonly region: string | null;
  /** Undefined: not set, so the server's own region only. Empty: every region. */
  readonly allowed: readonly string[] | undefined;
  /** The region this server runs in; undefined when it cannot tell. */
  readonly ambient: string | undefined;
}

/**
 * The region to ask in. Without one from the caller: the server's own when it belongs to the partition
 * and is allowed, else the partition's default, else the only allowed region of the partition.
 * @throws {ToolError} when the region is not allowed, or not of the partition.
 */
export function chooseRegion(request: RegionRequest): string {
  const { partition = "aws", region, ambient } = request;
  // Not knowing where it runs, a server must not be open to every region of the world.
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

/** It becomes a part of a host name, so nothing else may pass where every region is allowed. */
const regionName = /^[a-z]{2,5}(-[a-z]{2,12}){1,3}-\d{1,2}$/;

function refused(region: string, allowed: readonly string[]): ToolError {
  const bounds = allowed.length === 0 ? "every AWS region" : allowed.join(", ");
  return new ToolError(
    "region_not_allowed",
    `Region ${region} is not allowed; this server asks in: ${bounds} (allowed_regions).`,
  );
}

/** A caller's word, short enough to be shown back. */
export function quoted(word: string): string {
  return JSON.stringify(word.length > 64 ? `${word.slice(0, 64)}…` : word);
}
