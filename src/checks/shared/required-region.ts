import type { Statement } from "../../policy/model.ts";
import { regionShape } from "../../policy/regions.ts";

/** @returns the Regions that the condition requires; an ARN in another one would never be reached. */
export function requiredRegions({ conditions }: Statement): readonly string[] {
  const required = conditions.find(
    ({ keyLower, operator }) =>
      keyLower === "aws:requestedregion" && operator?.base.name === "StringEquals",
  );
  const texts = required?.values.map(({ text }) => text) ?? [];
  return texts.filter((text) => regionShape.test(text));
}
