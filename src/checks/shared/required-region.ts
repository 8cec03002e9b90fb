import type { Statement } from "../../policy/model.ts";

/** @returns the Regions that the condition requires; an ARN in another one would never be reached. */
export function requiredRegions({ conditions }: Statement): readonly string[] {
  const required = conditions.find(
    ({ keyLower, operator }) =>
      keyLower === "aws:requestedregion" && operator?.base.name === "StringEquals",
  );
  return required?.values.map(({ text }) => text) ?? [];
}
