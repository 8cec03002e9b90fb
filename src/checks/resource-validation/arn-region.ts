import type { Report } from "../../engine/check.ts";
import { replaceVariables, splitArn } from "../../policy/arn.ts";
import { otherPartition, regionDate, regionFault, regionShape } from "../../policy/regions.ts";
import { didYouMean, quote } from "../shared/quote.ts";

type RegionReport = Pick<
  Report,
  "issue_type" | "severity" | "message" | "suggestion" | "aws_issue_code"
> & { readonly corrected?: string };

/** What is to say about the Region of an ARN that is otherwise well formed; null when all is well. */
export function arnRegionReport(text: string): RegionReport | null {
  const arn = splitArn(text);
  if (!arn || arn.region === "" || arn.region === "*") return null;
  const { region, partition } = arn;
  if (replaceVariables(region, "") !== region || region.includes("{{")) return null;
  const fault = regionFault(region);
  if (!fault) return ofPartition(text, partition, region);
  const [first] = fault.near;
  const about = `The resource ${quote(text)} has the Region ${quote(region)}`;
  if (first === undefined && !regionShape.test(region) && !/[*?]/.test(region)) {
    return {
      issue_type: "invalid_resource",
      message: `${about}, which is not the name of a Region.`,
      suggestion:
        "Write a Region such as `eu-west-1`, `*` for all, or nothing where the resource has none.",
      aws_issue_code: "INVALID_ARN_REGION",
    };
  }
  return {
    issue_type: "invalid_region",
    severity: first === undefined ? "warning" : "error",
    message: /[*?]/.test(region)
      ? `${about}, which matches no AWS Region known on ${regionDate}.`
      : `${about}, which is not an AWS Region known on ${regionDate}.`,
    suggestion:
      first === undefined
        ? "Write the name of a Region. A Region that is newer than this list is in order."
        : didYouMean(fault.near),
    aws_issue_code: "INVALID_ARN_REGION",
    ...(fault.meant === null ? {} : { corrected: withParts(text, { region: fault.meant }) }),
  };
}

/** A Region belongs to one partition, so an ARN with another one names nothing. */
function ofPartition(text: string, partition: string, region: string): RegionReport | null {
  const own = otherPartition(partition, region);
  if (own === undefined) return null;
  return {
    issue_type: "invalid_region",
    severity: "error",
    message: `The resource ${quote(text)} has the partition ${quote(partition)}, but the Region ${quote(region)} is in the partition ${quote(own)}.`,
    suggestion: `Write ${quote(`arn:${own}:`)} for resources in that Region.`,
    aws_issue_code: "INVALID_ARN_REGION",
    corrected: withParts(text, { partition: own }),
  };
}

function withParts(text: string, change: { partition?: string; region?: string }): string {
  const arn = splitArn(text);
  if (!arn) return text;
  const { prefix, partition, service, region, account, resource } = { ...arn, ...change };
  return [prefix, partition, service, region, account, resource].join(":");
}
