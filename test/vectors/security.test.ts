import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { PolicyType } from "../../spec/policy.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { engineFor } from "../support/run-check.ts";
import { supersededCases } from "./superseded.ts";

const securityChecks: ReadonlySet<string> = new Set([
  "wildcard_action",
  "wildcard_resource",
  "full_wildcard",
  "service_wildcard",
  "sensitive_action",
  "action_condition_enforcement",
  "principal_validation",
  "trust_policy_validation",
  "not_action_not_resource",
]);

/** Keys on which findings are compared; one that a case leaves out is null. */
const compared = [
  "check_id",
  "issue_type",
  "severity",
  "statement_index",
  "action",
  "resource",
  "condition_key",
] as const;

const Expected = z.partialRecord(z.enum(compared), z.union([z.string(), z.number(), z.null()]));
const Vectors = z.looseObject({
  vectors: z
    .array(
      z.looseObject({
        id: z.string(),
        title: z.string(),
        policyType: PolicyType.nullable(),
        name: z.string().optional(),
        config: z.record(z.string(), z.unknown()).optional(),
        statements: z.array(z.unknown()),
        target: z.array(Expected),
      }),
    )
    .min(1),
});

/** One line per finding, sorted: cases compare as multisets. */
function linesOf(findings: readonly Readonly<Record<string, unknown>>[]): string[] {
  return findings
    .map((finding) => compared.map((key) => `${key}=${finding[key] ?? null}`).join(" "))
    .sort();
}

const folder = process.env.VALIDATOR_VECTORS_DIR;

if (!folder) {
  // Said once on the console too: a silent skip looks like a pass.
  console.info("security vectors: not run, VALIDATOR_VECTORS_DIR is not a folder");
  test.todo("security vectors run when VALIDATOR_VECTORS_DIR names their folder");
} else {
  const content: unknown = JSON.parse(readFileSync(join(folder, "security-vectors.json"), "utf8"));
  const services = embeddedServices();
  const superseded = supersededCases(folder, "security-vectors.json");
  const current = Vectors.parse(content).vectors.filter(({ id }) => !superseded.has(id));

  describe("security vectors", () => {
    test.skip.each([...superseded])("%s: superseded by %s", () => {});
    test.each(current)("$id: $title", async (vector) => {
      const engine = engineFor(builtinChecks, vector.config, services);
      const name = vector.name ?? "policy.json";
      const document = await parseDocument({
        Version: "2012-10-17",
        Statement: vector.statements,
      });
      const { findings } = await validatePolicy(
        { document, name, declaredType: vector.policyType, label: name },
        engine,
      );
      const found = findings.filter(({ check_id }) => securityChecks.has(check_id));
      expect(linesOf(found)).toEqual(linesOf(vector.target));
    });
  });
}
