import type { Statement } from "../../policy/model.ts";
import { regionShape, regions } from "../../policy/regions.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";

/** @returns the Regions that the condition requires; an ARN in another one would never be reached. */
export function requiredRegions(statement: Statement): readonly string[] {
  return valuesUnder(statement, "StringEquals").filter((text) => regionShape.test(text));
}

/** @returns a Region for an example that the condition does not exclude. */
export function sampleRegion(statement: Statement): string {
  const [required] = requiredRegions(statement);
  if (required !== undefined) return required;
  const [pattern] = valuesUnder(statement, "StringLike");
  if (pattern === undefined) return usual;
  const matched = hasWildcard(pattern)
    ? [usual, ...regions].find((region) => globMatches(pattern, region))
    : pattern;
  return matched !== undefined && regionShape.test(matched) ? matched : usual;
}

const usual = "us-east-1";

function valuesUnder({ conditions }: Statement, base: string): readonly string[] {
  const test = conditions.find(
    ({ keyLower, operator }) => keyLower === "aws:requestedregion" && operator?.base.name === base,
  );
  return test?.values.map(({ text }) => text) ?? [];
}
