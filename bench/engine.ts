/**
 * Speed of the engine on one core: all checks over the AWS managed policies, as objects and as text.
 * Figures of a shared machine vary; compare those of one run.
 */
import { builtinChecks } from "../src/checks/index.ts";
import { resolveConfig } from "../src/config/resolve.ts";
import { createEngine } from "../src/engine/engine.ts";
import { type Engine, validatePolicy } from "../src/engine/run.ts";
import { parseDocument } from "../src/policy/document.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { managedPolicies } from "../test/support/managed-policies.ts";

export function benchEngine(checkIds?: ReadonlySet<string>): Engine {
  const checks = builtinChecks
    .filter(({ check_id }) => !checkIds || checkIds.has(check_id))
    .map((check) => ({ check, source: "builtin" as const }));
  const { config, registry } = resolveConfig({ value: {}, lineOf: () => null }, "bench", checks);
  return createEngine(config, registry, embeddedServices(), (id, error) => {
    throw new Error(`${id} failed`, { cause: error });
  });
}

export async function judge(policy: unknown, engine: Engine): Promise<number> {
  const document = await parseDocument(policy);
  const { findings } = await validatePolicy(
    { document, name: null, declaredType: null, label: "policy-0" },
    engine,
  );
  return findings.length;
}

export interface EngineFigures {
  readonly policies: number;
  readonly findings: number;
  readonly first_pass_s: number;
  readonly objects_per_s: number;
  readonly texts_per_s: number;
  readonly slowest_ms: number;
  readonly slowest: string;
}

async function pass(policies: readonly unknown[], engine: Engine) {
  const started = process.cpuUsage();
  let findings = 0;
  for (const policy of policies) findings += await judge(policy, engine);
  const { user, system } = process.cpuUsage(started);
  return { seconds: (user + system) / 1e6, findings };
}

/** @param rounds Passes over all policies; the median counts. */
export async function engineFigures(rounds = 5): Promise<EngineFigures> {
  const engine = benchEngine();
  const policies = managedPolicies();
  const objects = policies.map(({ document }) => document);
  const texts = objects.map((document) => JSON.stringify(document, null, 2));
  const first = await pass(objects, engine);
  const median = async (of: readonly unknown[]) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push((await pass(of, engine)).seconds);
    return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  };
  let slowest = { ms: 0, name: "" };
  for (const { name, document } of policies) {
    const started = performance.now();
    await judge(document, engine);
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { ms, name };
  }
  return {
    policies: policies.length,
    findings: first.findings,
    first_pass_s: first.seconds,
    objects_per_s: policies.length / (await median(objects)),
    texts_per_s: policies.length / (await median(texts)),
    slowest_ms: slowest.ms,
    slowest: slowest.name,
  };
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await engineFigures(), null, 2)}\n`);
