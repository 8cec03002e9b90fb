/**
 * Measures the verdicts on labelled policies: `npm run verdicts`.
 *
 * `--write` writes bench/report/verdicts.md. `--only TEXT` takes the entries whose id contains TEXT and prints their
 * findings. `--draw N` prints N findings on AWS managed policies, drawn with `--seed`, as YAML to be read by hand.
 * `--examples` lists the examples that do not hold when they are pasted.
 * The sample `judged-sample.jsonl` is read from the folder that VALIDATOR_VECTORS_DIR names, if it is set.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { managedPolicies } from "../test/support/managed-policies.ts";
import { type Entry, ownEntries, sampleEntries } from "./verdicts/entries.ts";
import { exampleTable, pasteExamples } from "./verdicts/examples.ts";
import { defaultEngine, measure, scoreOf } from "./verdicts/measure.ts";
import { readingsTable } from "./verdicts/readings.ts";
import { checkTable, countTable, disagreements, scoreTable } from "./verdicts/report.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    only: { type: "string" },
    draw: { type: "string" },
    examples: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});

const engine = defaultEngine();

/** Managed policies as entries without labels. */
const managed = (): Entry[] =>
  managedPolicies().map(({ name, document }) => ({
    id: name,
    kind: "good" as const,
    policyType: null,
    policy: document,
    mustReport: [],
    mustNotReport: [],
    why: "published by AWS",
  }));

/** Numbers from 0 to 1 from a linear congruential generator, so that a draw can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed >>> 0;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

async function draw(count: number, seed: number): Promise<void> {
  const outcomes = await measure(managed(), engine);
  const all = outcomes.flatMap(({ entry, findings }) =>
    findings.map((finding) => ({ policy: entry.id, finding })),
  );
  const random = numbers(seed);
  const drawn = [];
  while (drawn.length < count && all.length > 0) {
    drawn.push(...all.splice(Math.floor(random.next().value * all.length), 1));
  }
  console.log(
    stringify(
      drawn.map(({ policy, finding }) => ({
        policy,
        check_id: finding.check_id,
        issue_type: finding.issue_type,
        severity: finding.severity,
        path: finding.path,
        message: finding.message,
        suggestion: finding.suggestion,
        fingerprint: finding.fingerprint,
      })),
    ),
  );
}

async function main(): Promise<void> {
  if (values.draw !== undefined) return draw(Number(values.draw), Number(values.seed));
  const sets: Record<string, Entry[]> = { "own set": ownEntries() };
  const folder = process.env.VALIDATOR_VECTORS_DIR;
  const sample = folder ? join(folder, "judged-sample.jsonl") : undefined;
  if (sample && existsSync(sample)) sets.sample = sampleEntries(sample);
  else console.error("sample: skipped, VALIDATOR_VECTORS_DIR has no judged-sample.jsonl");

  const only = values.only;
  if (only !== undefined) {
    const chosen = Object.values(sets)
      .flat()
      .filter(({ id }) => id.includes(only));
    for (const { entry, isValid, findings, missed } of await measure(chosen, engine)) {
      console.log(
        `\n${entry.id} (${entry.kind}): ${isValid ? "valid" : "not valid"}. ${entry.why}`,
      );
      for (const f of findings) {
        console.log(`  ${f.severity} ${f.check_id}/${f.issue_type} ${f.path}: ${f.message}`);
      }
      for (const label of missed) console.log(`  missed: ${JSON.stringify(label)}`);
    }
    return;
  }

  const outcomes = Object.fromEntries(
    await Promise.all(
      Object.entries(sets).map(async ([name, set]) => [name, await measure(set, engine)] as const),
    ),
  );
  const onManaged = await measure(managed(), engine);
  const everything = [...Object.values(outcomes).flat(), ...onManaged];
  const pasted = await pasteExamples(everything, engine);
  if (values.examples) {
    for (const { id, finding, faults } of pasted) {
      if (faults.length === 0) continue;
      console.log(`${id} ${finding.check_id}/${finding.issue_type} ${finding.path}: ${faults}`);
      console.log(`  ${finding.example_path} <- ${finding.example}`);
    }
    return;
  }
  const held = pasted.filter(({ faults }) => faults.length === 0).length;
  const failed = onManaged.filter(({ isValid }) => !isValid).length;
  const failing = engine.settings.fail_on_severity;
  const lines = [
    "# Verdicts",
    "",
    "Written by `npm run verdicts -- --write`. The own set is test/judged; the sample is a file of the same shape.",
    "",
    ...scoreTable(
      Object.fromEntries(Object.entries(outcomes).map(([name, set]) => [name, scoreOf(set)])),
    ),
    "",
    ...Object.entries(outcomes).flatMap(([name, set]) => [
      `## By check: ${name}`,
      "",
      ...checkTable(set),
      "",
      "Policies on which a label and the checks disagree:",
      "",
      ...disagreements(set, failing),
      "",
    ]),
    "## AWS managed policies",
    "",
    `${failed} of ${onManaged.length} fail by default.`,
    "",
    ...countTable(onManaged.flatMap(({ findings }) => findings)),
    "",
    "## Examples",
    "",
    `Every example was written in place of the node at its path and the result validated: ${held} of ${pasted.length} hold.`,
    "An example holds when the finding is gone, no finding that fails the policy came in, and no part grants nothing.",
    "",
    ...exampleTable(
      everything.flatMap(({ findings }) => findings),
      pasted,
    ),
    "",
    ...readingsTable(),
  ];
  const text = `${lines.join("\n").trimEnd()}\n`;
  if (values.write) writeFileSync(join(import.meta.dirname, "../bench/report/verdicts.md"), text);
  else console.log(text);
}

await main();
