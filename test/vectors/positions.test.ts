import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import { PolicyType } from "../../spec/policy.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { expectPlaces, type Language } from "../support/places.ts";
import { engineFor } from "../support/run-check.ts";

const Config = z.record(z.string(), z.unknown()).default({});

const Validity = z.looseObject({
  policies: z.array(
    z.looseObject({
      id: z.string(),
      policyType: PolicyType.optional(),
      config: Config,
      policy: z.unknown(),
    }),
  ),
});
const Security = z.looseObject({
  vectors: z.array(
    z.looseObject({
      id: z.string(),
      policyType: PolicyType.nullable(),
      config: Config,
      statements: z.array(z.unknown()),
    }),
  ),
});

interface Case {
  readonly id: string;
  readonly type: PolicyType | null;
  readonly config: Record<string, unknown>;
  readonly policy: unknown;
}

function casesIn(folder: string): Case[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const validity = Validity.parse(read("validity-vectors.json")).policies.map(
    ({ id, policyType, config, policy }) => ({ id, type: policyType ?? null, config, policy }),
  );
  const security = Security.parse(read("security-vectors.json")).vectors.map(
    ({ id, policyType, config, statements }) => ({
      id,
      type: policyType,
      config,
      policy: { Version: "2012-10-17", Statement: statements },
    }),
  );
  return [...validity, ...security];
}

const texts: Record<Language, (policy: unknown) => string> = {
  JSON: (policy) => JSON.stringify(policy, null, 2),
  YAML: (policy) => stringify(policy),
};

const folder = process.env.VALIDATOR_VECTORS_DIR;

if (!folder) {
  console.info("positions of vectors: not run, VALIDATOR_VECTORS_DIR is not a folder");
  test.todo("positions run when VALIDATOR_VECTORS_DIR names the folder of the vectors");
} else {
  const cases = casesIn(folder);
  const services = embeddedServices();

  describe.each(["JSON", "YAML"] as const)("every finding spans its node in %s", (language) => {
    let found = 0;
    test.each(cases)("$id", async ({ type, config, policy }) => {
      const text = texts[language](policy);
      const document = await parseDocument(text);
      const { findings } = await validatePolicy(
        { document, name: null, declaredType: type, label: "policy" },
        engineFor(builtinChecks, config, services),
      );
      found += findings.length;
      expectPlaces(findings, text, policy, language);
    });

    test("and there are many", () => {
      expect(found).toBeGreaterThan(cases.length);
    });
  });
}
