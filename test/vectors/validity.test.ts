import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Finding } from "../../spec/finding.ts";
import { PolicyType } from "../../spec/policy.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { startsWithVariable } from "../../src/policy/arn.ts";
import { detectPolicyType } from "../../src/policy/detect-type.ts";
import { objectDocument, parseDocument } from "../../src/policy/document.ts";
import { statementsOf } from "../../src/policy/normalise.ts";
import { arnFormatsOf, overlaps, policyArn } from "../../src/services/arn-overlap.ts";
import { matchesConditionKey } from "../../src/services/condition-key-pattern.ts";
import { expandPattern } from "../../src/services/match-action.ts";
import { nodeAt } from "../support/places.ts";
import { engineFor } from "../support/run-check.ts";
import { serviceDataFrom } from "../support/service-data.ts";
import { supersededCases } from "./superseded.ts";

const dir = process.env.VALIDATOR_VECTORS_DIR;

const validated: ReadonlySet<string> = new Set([
  "policy_structure",
  "sid_uniqueness",
  "policy_size",
  "policy_type_validation",
  "action_validation",
  "resource_validation",
  "condition_key_validation",
  "condition_type_mismatch",
  "set_operator_validation",
  "ifexists_condition_usage",
  "action_resource_matching",
  "not_principal_validation",
  "mfa_condition_antipattern",
  "rcp_best_practices",
]);

/** Fields that a vector compares; what it does not give is null. */
const ExpectedFinding = z.strictObject({
  check_id: z.string(),
  issue_type: z.string(),
  severity: z.string(),
  statement_index: z.int(),
  statement_sid: z.string().nullable().default(null),
  action: z.string().nullable().default(null),
  resource: z.string().nullable().default(null),
  condition_key: z.string().nullable().default(null),
  field_name: z.string().nullable().default(null),
});
type ExpectedFinding = z.output<typeof ExpectedFinding>;

const Pad = z.strictObject({
  pointer: z.string(),
  char: z.string(),
  stringLength: z.int().optional(),
  compactUtf8Bytes: z.int().optional(),
});

const Vectors = z.looseObject({
  policies: z.array(
    z.looseObject({
      id: z.string(),
      rule: z.string(),
      policyType: PolicyType.optional(),
      detectedType: PolicyType.optional(),
      config: z.record(z.string(), z.unknown()).default({}),
      policy: z.unknown(),
      pad: Pad.optional(),
      expect: z.array(ExpectedFinding),
    }),
  ),
  typeDetection: z.array(
    z.looseObject({ id: z.string(), policy: z.unknown(), expectType: PolicyType }),
  ),
  actionExpansion: z.array(z.looseObject({ pattern: z.string(), expect: z.array(z.string()) })),
  conditionKeyMatch: z.array(
    z.looseObject({ pattern: z.string(), key: z.string(), match: z.boolean() }),
  ),
  arnOverlap: z.array(
    z.looseObject({
      service: z.string(),
      resourceType: z.string(),
      format: z.string(),
      resource: z.string(),
      overlap: z.boolean(),
    }),
  ),
});

const Fixture = z.looseObject({ services: z.record(z.string(), z.unknown()) });

function read(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

function projection(finding: Finding): ExpectedFinding {
  return ExpectedFinding.parse(
    Object.fromEntries(
      Object.keys(ExpectedFinding.shape).map((key) => [key, finding[key as keyof Finding]]),
    ),
  );
}

const utf8 = new TextEncoder();

/** Lengthens the string at the pointer until it, or the whole document, has the length asked for. */
function padded(policy: unknown, pad: z.output<typeof Pad>): unknown {
  const copy: unknown = structuredClone(policy);
  const steps = pad.pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop() ?? "";
  let holder = copy as Record<string, unknown>;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  const text = String(holder[last]);
  const bytes = utf8.encode(JSON.stringify(copy)).length;
  const missing =
    pad.stringLength !== undefined
      ? pad.stringLength - text.length
      : ((pad.compactUtf8Bytes ?? 0) - bytes) / utf8.encode(pad.char).length;
  holder[last] = text + pad.char.repeat(Math.ceil(missing));
  return copy;
}

if (!dir) {
  console.info("validity vectors are not run: VALIDATOR_VECTORS_DIR is not a folder");
}

describe.runIf(dir)("validity vectors", () => {
  const folder = dir ?? "";
  if (!dir) return;
  const vectors = Vectors.parse(read(folder, "validity-vectors.json"));
  const superseded = supersededCases(folder, "validity-vectors.json");
  const current = vectors.policies.filter(({ id }) => !superseded.has(id));
  const fixture = Fixture.parse(read(folder, "validity-fixture-services.json"));
  const definitions = Object.values(fixture.services) as Parameters<typeof serviceDataFrom>[0];
  const services = serviceDataFrom(definitions, { date: "2026-01-31" });
  const engineOf = (config: Record<string, unknown>): Engine =>
    engineFor(builtinChecks, config, services);

  describe("policies", () => {
    test.skip.each([...superseded])("%s: superseded by %s", () => {});
    test.each(current)("$id ($rule)", async (vector) => {
      const policy = vector.pad ? padded(vector.policy, vector.pad) : vector.policy;
      const result = await validatePolicy(
        {
          document: objectDocument(policy),
          name: null,
          declaredType: vector.policyType ?? null,
          label: vector.id,
        },
        engineOf(vector.config),
      );
      if (vector.detectedType) expect(result.policy.type).toBe(vector.detectedType);
      const found = result.findings.filter(({ check_id }) => validated.has(check_id));
      expect(found.map(projection)).toEqual(vector.expect);
    });
  });

  describe("places", () => {
    test.each(vectors.policies)("$id: each finding spans the node it names", async (vector) => {
      const policy = vector.pad ? padded(vector.policy, vector.pad) : vector.policy;
      const text = JSON.stringify(policy, null, 2);
      const { findings } = await validatePolicy(
        {
          document: await parseDocument(text),
          name: null,
          declaredType: vector.policyType ?? null,
          label: vector.id,
        },
        engineOf(vector.config),
      );
      const elsewhere = findings.filter(({ path, location }) => {
        const span = text.slice(location?.start.offset, location?.end.offset);
        const found: unknown = JSON.parse(span);
        return !nodeAt(policy, path).some((one) => isDeepStrictEqual(one, found));
      });
      expect(elsewhere.map(({ issue_type, path }) => `${issue_type} ${path}`)).toEqual([]);
    });
  });

  describe("type detection", () => {
    test.each(vectors.typeDetection)("$id", ({ policy, expectType }) => {
      expect(detectPolicyType(statementsOf(objectDocument(policy)))).toBe(expectType);
    });
  });

  describe("action expansion", () => {
    test.each(vectors.actionExpansion)("$pattern", ({ pattern, expect: actions }) => {
      expect(expandPattern(services, pattern)).toEqual({ actions, error: null });
    });
  });

  describe("condition keys", () => {
    test.each(vectors.conditionKeyMatch)("$key is $pattern: $match", ({ pattern, key, match }) => {
      expect(matchesConditionKey(pattern, key)).toBe(match);
    });
  });

  describe("ARN overlap", () => {
    test.each(vectors.arnOverlap)("$resource fits $format: $overlap", (vector) => {
      const service = services.get(vector.service);
      const formats = service ? arnFormatsOf(service).get(vector.resourceType) : undefined;
      const format = formats?.find(({ text }) => text === vector.format);
      const arn = policyArn(vector.resource);
      const fits =
        startsWithVariable(vector.resource) || (format && arn ? overlaps(format, arn) : null);
      expect(fits).toBe(vector.overlap);
    });
  });
});
