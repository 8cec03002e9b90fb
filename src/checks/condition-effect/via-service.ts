import type { Report } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import { splitArn } from "../../policy/arn.ts";
import type { ConditionValue, Statement } from "../../policy/model.ts";
import { regions } from "../../policy/regions.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { input } from "../shared/placeholders.ts";
import { quote } from "../shared/quote.ts";

const knownRegions: ReadonlySet<string> = new Set(regions);
type RegionalFix = Pick<Report, "correction" | "fix"> & { readonly suggestion: string };

const promised = { title: "Name the Region of the service", effect: "repairs" } as const;

/**
 * A value of `kms:ViaService` without its Region. A service calls KMS in the Region of the key.
 * @returns null for any other value.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service
 */
export function regionOfService(
  keyLower: string,
  { text, node }: ConditionValue,
  statement: Statement,
): RegionalFix | null {
  if (keyLower !== "kms:viaservice") return null;
  const [, service, suffix = ".amazonaws.com"] =
    /^([a-z0-9-]+)(\.amazonaws\.com(?:\.cn)?)?$/.exec(text) ?? [];
  if (service === undefined) return null;
  const region = regionOf(statement);
  const value = (name: string) => `${service}.${name}${suffix}`;
  if (region === null) {
    return {
      suggestion: `Write the service with the Region of the key, such as ${quote(value("eu-west-1"))}.`,
      fix: () => ({
        ...promised,
        edits: [replaceValue(node, value("<region>"))],
        needs_input: [input("region", "Region of the KMS key")],
      }),
    };
  }
  return {
    suggestion: `Write ${quote(value(region))}.`,
    ...fixedBy(() => correctedNode(node, value(region)), promised),
  };
}

/** The one Region that the resources of the statement name. */
function regionOf({ resources }: Statement): string | null {
  const named = new Set(resources.map(({ text }) => splitArn(text)?.region ?? ""));
  const [region = ""] = named;
  return named.size === 1 && knownRegions.has(region) ? region : null;
}
