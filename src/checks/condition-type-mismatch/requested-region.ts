import type { Report } from "../../engine/check.ts";
import type { Operator } from "../../policy/condition-operator.ts";
import type { ConditionEntry } from "../../policy/model.ts";
import { regionDate, regionFault, regionShape, regions } from "../../policy/regions.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { joinedValues, separated, textsOf } from "../shared/list-fixes.ts";
import { didYouMean, quote } from "../shared/quote.ts";

/** Keys whose values are Regions. */
const regionKeys: ReadonlySet<string> = new Set([
  "account:targetregion",
  "aws:requestedregion",
  "cloudformation:targetregion",
  "ec2:region",
  "kms:primaryregion",
  "kms:replicaregion",
  "s3:locationconstraint",
  "secretsmanager:secretprimaryregion",
]);

/**
 * Buckets of `us-east-1` have no constraint, and older ones of `eu-west-1` have `EU`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucketConfiguration.html
 */
const otherConstraints: ReadonlySet<string> = new Set(["", "EU"]);

/** @returns whether a Region that the list does not have yet may be called so. */
function mayBeNew(text: string): boolean {
  if (/[*?]/.test(text)) return /^[a-z0-9*?-]+$/.test(text);
  return regionShape.test(text);
}

const isRegion = (text: string) => regions.includes(text);

/** @returns Whether the values of the key are names of Regions. */
export function hasRegions({ keyLower }: ConditionEntry): boolean {
  return regionKeys.has(keyLower);
}

/** Values that should name a Region and do not, one finding each. */
export function* unknownRegions(entry: ConditionEntry, { base }: Operator): Iterable<Report> {
  const { key, keyLower, values } = entry;
  if (!hasRegions(entry) || base.type !== "String") return;
  const isPattern = base.name.endsWith("Like");
  for (const { text, node } of values) {
    if (/\$\{|\{\{/.test(text)) continue;
    if (keyLower === "s3:locationconstraint" && otherConstraints.has(text)) continue;
    // A wildcard under a literal operator is another fault.
    if (!isPattern && /[*?]/.test(text)) continue;
    const fault = regionFault(base.name.includes("IgnoreCase") ? text.toLowerCase() : text);
    if (!fault) continue;
    if (joinedValues(text, isRegion)) {
      yield {
        issue_type: "invalid_region",
        node,
        message: `${quote(text)} is one value, and ${quote(key)} never has it: the value of a request is one Region.`,
        suggestion: "Write each Region as an entry of a list.",
        aws_issue_code: "INVALID_REGION",
        fix: () => separated(textsOf(entry), entry.keyNode, isRegion),
      };
      continue;
    }
    const [first] = fault.near;
    const { meant } = fault;
    yield {
      issue_type: "invalid_region",
      severity: first === undefined && mayBeNew(text) ? "warning" : "error",
      node,
      message: `${quote(text)} ${isPattern && /[*?]/.test(text) ? "matches no AWS Region" : "is not an AWS Region"} known on ${regionDate}, so ${quote(key)} never has that value.`,
      suggestion:
        first !== undefined
          ? didYouMean(fault.near)
          : mayBeNew(text)
            ? "Write the name of a Region, such as `eu-west-1`. A Region that is newer than this list is in order."
            : "Write the code of a Region, such as `eu-west-1`.",
      aws_issue_code: "INVALID_REGION",
      ...(meant === null
        ? {}
        : fixedBy(() => correctedNode(node, meant), {
            title: "Correct the name of the Region",
            effect: "repairs",
          })),
    };
  }
}
