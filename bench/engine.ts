import { builtinChecks } from "../src/checks/index.ts";
import { resolveConfig } from "../src/config/resolve.ts";
import type { Check } from "../src/engine/check.ts";
import { createEngine } from "../src/engine/engine.ts";
import { validatePolicyLean } from "../src/engine/run.ts";
import type { Engine } from "../src/engine/types.ts";
import { parseDocument } from "../src/policy/document.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { managedPolicies } from "../test/support/managed-policies.ts";
import { costsOf, cpuSeconds } from "./measure.ts";
import type { Section } from "./report.ts";

/** The checks every policy needs: grammar, names, and the wildcards. */
const firstEight: ReadonlySet<string> = new Set([
  "policy_structure",
  "sid_uniqueness",
  "action_validation",
  "resource_validation",
  "wildcard_action",
  "wildcard_resource",
  "full_wildcard",
  "service_wildcard",
]);

/** The engine with its default config and the embedded reference data. */
export function benchEngine(checks: readonly Check[] = builtinChecks): Engine {
  const { config, registry } = resolveConfig(
    { value: {}, lineOf: () => null },
    "bench",
    checks.map((check) => ({ check, source: "builtin" as const })),
  );
  return createEngine(config, registry, embeddedServices(), (id, error) => {
    throw new Error(`${id} failed`, { cause: error });
  });
}

/**
 * Validates a policy as a call with the default detail does.
 * @param fixes False: without fixes, as with the detail `summary`.
 * @returns number of findings.
 */
export async function validate(policy: unknown, engine: Engine, fixes = true): Promise<number> {
  const document = await parseDocument(policy);
  const { findings } = await validatePolicyLean(
    { document, name: null, declaredType: null, label: "policy-0", fixes },
    engine,
  );
  return findings.length;
}

export async function validateAll(policies: readonly unknown[], engine: Engine): Promise<number> {
  let findings = 0;
  for (const policy of policies) findings += await validate(policy, engine);
  return findings;
}

export async function engineSection(rounds = 5): Promise<Section> {
  const all = benchEngine();
  const eight = benchEngine(builtinChecks.filter(({ check_id }) => firstEight.has(check_id)));
  const policies = managedPolicies();
  const objects = policies.map(({ document }) => document);
  const texts = objects.map((document) => JSON.stringify(document, null, 2));

  const started = cpuSeconds();
  const findings = await validateAll(objects, all);
  const firstPass = cpuSeconds() - started;
  const costs = await costsOf(
    {
      [`${firstEight.size} checks, objects`]: () => validateAll(objects, eight),
      [`${firstEight.size} checks, texts`]: () => validateAll(texts, eight),
      [`all ${builtinChecks.length} checks, objects`]: () => validateAll(objects, all),
      [`all ${builtinChecks.length} checks, texts`]: () => validateAll(texts, all),
    },
    { rounds, atLeastS: 0 },
  );
  const slowest = await slowestOf(policies, all);
  return {
    id: "engine",
    title: "Engine",
    about: `All ${policies.length} AWS managed policies through parser and engine on one core: ${findings} findings with all checks.`,
    tables: [
      {
        title: "Policies per second of processor time (goal: 3,000)",
        rows: Object.entries(costs).map(([run, seconds]) => ({
          run,
          "policies/s": Math.round(policies.length / seconds),
        })),
      },
      {
        title: "Single figures",
        rows: [
          {
            figure: "first pass of a fresh process, loads all services (s)",
            value: firstPass,
            goal: "",
          },
          { figure: `largest document: ${slowest.name} (ms)`, value: slowest.ms, goal: "< 100" },
        ],
      },
    ],
  };
}

async function slowestOf(
  policies: readonly { readonly name: string; readonly document: unknown }[],
  engine: Engine,
): Promise<{ name: string; ms: number }> {
  const largest = policies
    .toSorted((a, b) => JSON.stringify(b.document).length - JSON.stringify(a.document).length)
    .slice(0, 20);
  const costs = await costsOf(
    Object.fromEntries(
      largest.map(({ name, document }) => [name, () => validate(document, engine)]),
    ),
    { rounds: 3, atLeastS: 0.005 },
  );
  const [name = "", seconds = Number.NaN] =
    Object.entries(costs).sort(([, a], [, b]) => b - a)[0] ?? [];
  return { name, ms: seconds * 1000 };
}
