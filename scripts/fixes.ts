/**
 * Tries every fix on labelled and published policies: `npm run fixes`.
 *
 * `--write` writes bench/report/fixes.md. `--only TEXT` takes the findings whose `check_id/issue_type` contains TEXT and
 * prints the faults of their fixes; `--fixes` prints the fixes as well. `--shares` only counts.
 * The samples are read from the folder that VALIDATOR_VECTORS_DIR names, if it is set.
 */
import { parseArgs } from "node:util";
import type { Finding } from "../spec/finding.ts";
import { builtinChecks } from "../src/checks/index.ts";
import { resolveConfig } from "../src/config/resolve.ts";
import { createEngine } from "../src/engine/engine.ts";
import type { Engine } from "../src/engine/types.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { corpora } from "./fixes/corpora.ts";
import { familyOf } from "./fixes/families.ts";
import { type Tried, tryFix, validated } from "./fixes/try.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    shares: { type: "boolean", default: false },
    fixes: { type: "boolean", default: false },
    only: { type: "string" },
    corpus: { type: "string" },
    every: { type: "string", default: "1" },
    most: { type: "string", default: "3" },
  },
});

const services = embeddedServices();

function engineFor(checks: Readonly<Record<string, unknown>> = {}): Engine {
  const targets = builtinChecks.map((check) => ({ check, source: "builtin" as const }));
  const { config, registry } = resolveConfig(
    { value: checks, lineOf: () => null },
    "config.yaml",
    targets,
  );
  return createEngine(config, registry, services, (checkId, error) => {
    defects.push(`${checkId}: ${error instanceof Error ? error.message : error}`);
  });
}
const defects: string[] = [];

interface Row {
  findings: number;
  fixes: number;
  input: number;
  tried: number;
  good: number;
}
const rows = new Map<string, Row>();
const tried: Tried[] = [];
const plain = engineFor();
for (const [corpus, subjects] of corpora(process.env.VALIDATOR_VECTORS_DIR)) {
  if (values.corpus && !corpus.includes(values.corpus)) continue;
  for (const subject of subjects.filter((_, index) => index % Number(values.every) === 0)) {
    const engine = subject.checks ? engineFor(subject.checks) : plain;
    const { policy } = subject;
    const { findings } = await validated(policy, subject, engine);
    for (const finding of findings as readonly Finding[]) {
      const name = `${finding.check_id}/${finding.issue_type}`;
      if (values.only && !name.includes(values.only)) continue;
      const row = rows.get(name) ?? { findings: 0, fixes: 0, input: 0, tried: 0, good: 0 };
      rows.set(name, row);
      row.findings++;
      if (!finding.fix) continue;
      row.fixes++;
      if (finding.fix.needs_input.length > 0) row.input++;
      if (values.shares || typeof policy !== "object") continue;
      if (values.only && row.tried >= Number(values.most) * 50) continue;
      row.tried++;
      const outcome = await tryFix(subject, policy, findings, finding, finding.fix, engine);
      if (outcome.faults.length === 0) row.good++;
      else tried.push(outcome);
    }
  }
}
const shown = new Map<string, number>();
for (const { id, finding, fix, faults } of tried) {
  const name = `${finding.check_id}/${finding.issue_type} ${fix.effect}`;
  const count = (shown.get(name) ?? 0) + 1;
  shown.set(name, count);
  if (count > Number(values.most)) continue;
  console.log(`${id} ${name} ${finding.path}: ${faults}`);
  if (values.fixes) console.log(`   ${JSON.stringify(fix)}`);
}
const total = { validity: [0, 0, 0], security: [0, 0, 0] };
for (const [name, row] of [...rows].sort()) {
  console.log(
    `${name.padEnd(75)} ${row.findings} ${row.fixes} ${row.input} ${row.tried} ${row.good}`,
  );
  const sum = total[familyOf(name.split("/")[0] ?? "")];
  sum[0] = (sum[0] ?? 0) + row.findings;
  sum[1] = (sum[1] ?? 0) + row.fixes;
}
console.log(total, [...new Set(defects)].slice(0, 20));
