import type { Finding } from "../../spec/finding.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { openText } from "../../src/containers/open.ts";
import type { Place } from "../../src/containers/types.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import { validatePlace } from "../../src/engine/validate-place.ts";
import { Lines } from "../../src/json/text-tree.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { engineFor } from "./run-check.ts";

const engine = engineFor(builtinChecks, {}, embeddedServices());

/** What the built-in checks find in each policy of a file. One that is not read has none. */
export async function findingsByPlace(
  text: string,
  name: string | null,
): Promise<{ readonly place: Place; readonly findings: readonly Finding[] }[]> {
  const opened = await openText({ text, name });
  const about = { lines: new Lines(text), name: null, label: name ?? "file", declaredType: null };
  const found: { place: Place; findings: readonly Finding[] }[] = [];
  for (const place of opened?.places ?? []) {
    const input = opened && place.state !== "not_read" && { opened, place, ...about, fixes: false };
    const result = input ? await validatePlace(input, engine, validatePolicy) : null;
    found.push({ place, findings: result?.findings ?? [] });
  }
  return found;
}

/** What the built-in checks find in the first policy of a file. */
export async function findingsOfFirst(text: string, name = "main.tf"): Promise<readonly Finding[]> {
  const [first] = await findingsByPlace(text, name);
  if (!first) throw new Error("no place");
  return first.findings;
}

/** Findings that fail a policy by default, as `severity check_id`. */
export function failing(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => ["error", "critical", "high"].includes(severity))
    .map(({ severity, check_id }) => `${severity} ${check_id}`);
}
