/**
 * Compares the local analysis with real answers of AWS's ValidatePolicy operation: `npm run parity`.
 *
 * `--checks` compares the codes that the findings of validate_policies carry instead. `--write` writes bench/report/parity.md. `--differences` lists what still differs. The answers,
 * `aa-oracle-sample.jsonl.gz`, are read from the folder that VALIDATOR_VECTORS_DIR names; without it the
 * script says so and ends.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { embeddedServices } from "../src/services/embedded.ts";
import { type Counts, levels, measureParity, type Parity, readAnswers } from "./parity/measure.ts";
import { defaultEngine } from "./verdicts/measure.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    differences: { type: "boolean", default: false },
    checks: { type: "boolean", default: false },
  },
});

const Catalogue = z.array(z.looseObject({ code: z.string(), since: z.string() }));

const share = (part: number, whole: number) =>
  whole === 0 ? "-" : (part / whole).toFixed(3).replace(/^1\.000$/, "1");

const figures = ({ hits, extra, missed }: Counts) =>
  `${share(hits, hits + extra)} / ${share(hits, hits + missed)}`;

function table(counts: Parity["raw"]): string[] {
  const sum = Object.fromEntries(
    levels.map((level) => [level, { hits: 0, extra: 0, missed: 0 } as Counts]),
  );
  for (const row of counts.values()) {
    for (const level of levels) {
      const total = sum[level];
      if (!total) continue;
      total.hits += row[level].hits;
      total.extra += row[level].extra;
      total.missed += row[level].missed;
    }
  }
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const line = (name: string, row: Readonly<Record<string, Counts>>) => {
    const { hits = 0, extra = 0, missed = 0 } = row.finding ?? {};
    const cells = levels.map((level) => {
      const one = row[level];
      return one ? figures(one) : "-";
    });
    return `| ${name} | ${hits + missed} | ${missed} | ${extra} | ${cells.join(" | ")} |`;
  };
  return [
    `| code | findings | missed | extra | ${levels.join(" | ")} |`,
    `| --- | ---: | ---: | ---: | ${levels.map(() => "---:").join(" | ")} |`,
    ...rows.map(([code, row]) => line(code, row)),
    line("all", sum),
  ];
}

async function main(): Promise<void> {
  const folder = process.env.VALIDATOR_VECTORS_DIR;
  const file = folder ? join(folder, "aa-oracle-sample.jsonl.gz") : "";
  if (!folder || !existsSync(file)) {
    console.error("parity: skipped, VALIDATOR_VECTORS_DIR has no aa-oracle-sample.jsonl.gz");
    return;
  }
  const catalogue = Catalogue.parse(
    JSON.parse(readFileSync(join(folder, "access-analyzer-codes.json"), "utf8")),
  );
  const since = new Map(
    catalogue.map(({ code, since: day }) => [code, day.length === 4 ? `${day}-99` : day]),
  );
  const services = embeddedServices();
  const answers = readAnswers(file);
  const parity = await measureParity(
    answers,
    services,
    since,
    values.checks ? defaultEngine() : undefined,
  );
  if (values.differences) {
    for (const line of parity.differences) console.log(line);
    return;
  }
  const { several, same } = parity.order;
  const text = [
    "# Parity with AWS's policy checks",
    "",
    `Written by \`npm run parity -- --write\`: the local analysis against ${answers.length} real answers of ValidatePolicy, reference data of ${services.date}.`,
    "Cells are precision / recall; per policy, per (code, place), per finding with all places, and with spans.",
    "",
    "## What the date of the data explains set apart",
    "",
    ...table(parity.adjusted),
    "",
    `The order is the same in ${same} of ${several} answers with several findings.`,
    `Findings of class ERROR on documents that AWS called clean: ${parity.errorsOnClean.length}.`,
    "",
    "## Raw",
    "",
    ...table(parity.raw),
    "",
  ].join("\n");
  if (values.write) writeFileSync(join(import.meta.dirname, "../bench/report/parity.md"), text);
  else console.log(text);
}

await main();
