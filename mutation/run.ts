/**
 * Mutation testing: `node mutation/run.ts [group …] [--write]`. Changes the code in one place at a time and
 * asks the tests of groups.ts to notice. Lists each change nobody noticed; ends with 1 when fewer than
 * `goal` percent of all were noticed. `--write` keeps the table in mutation/report.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { groups } from "./groups.ts";

const goal = 90;
const cache = "node_modules/.cache/stryker";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(groups);
const unknown = names.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown: ${unknown.join(", ")}. Groups: ${Object.keys(groups).join(", ")}.\n`,
  );
  process.exit(2);
}

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

interface Row {
  readonly group: string;
  readonly noticed: number;
  readonly mutants: number;
  readonly survivors: readonly MutantResult[];
}

async function runGroup(group: string): Promise<Row> {
  process.env.MUTATION_GROUP = group;
  const stryker = new Stryker({
    mutate: [...(groups[group]?.mutate ?? []), "!**/*.test.ts"],
    testRunner: "vitest",
    vitest: { configFile: "mutation/vitest.config.ts" },
    plugins: ["@stryker-mutator/vitest-runner"],
    // TypeScript 7 has no programming interface to rewrite the project file with; nothing here needs it.
    tsconfigFile: "none",
    coverageAnalysis: "perTest",
    // Code that runs once on import is not seen by tests that share the module.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 20_000,
    incremental: true,
    force: values.fresh,
    incrementalFile: `${cache}/${group}.json`,
    ignorePatterns: ["/dist", "/bench", "/docs", "/reports"],
    reporters: [],
    allowConsoleColors: false,
  });
  const results = await stryker.runMutationTest();
  const counted = results.filter(({ status }) => status !== "Ignored" && status !== "CompileError");
  const survivors = counted.filter(({ status }) => status !== "Killed" && status !== "Timeout");
  return { group, mutants: counted.length, noticed: counted.length - survivors.length, survivors };
}

const percent = (row: Pick<Row, "noticed" | "mutants">) =>
  row.mutants === 0 ? "" : `${((100 * row.noticed) / row.mutants).toFixed(1)} %`;

const rows: Row[] = [];
for (const name of names) {
  const row = await runGroup(name);
  rows.push(row);
  for (const { fileName, location, replacement, status } of row.survivors) {
    const place = `${fileName}:${location.start.line}:${location.start.column}`;
    process.stdout.write(`${status} ${place} -> ${replacement?.replaceAll(/\s+/g, " ")}\n`);
  }
  process.stdout.write(`${name}: ${row.noticed} of ${row.mutants} noticed (${percent(row)})\n`);
}

const all = {
  group: "all",
  mutants: rows.reduce((total, { mutants }) => total + mutants, 0),
  noticed: rows.reduce((total, { noticed }) => total + noticed, 0),
};
const table = [
  "| group | changes | noticed | share |",
  "| --- | ---: | ---: | ---: |",
  ...[...rows, all].map(
    (row) => `| ${row.group} | ${row.mutants} | ${row.noticed} | ${percent(row)} |`,
  ),
].join("\n");
process.stdout.write(`\n${table}\n`);
if (values.write)
  writeFileSync(join(import.meta.dirname, "report.md"), `# Mutation testing\n\n${table}\n`);
mkdirSync(cache, { recursive: true });
process.exitCode = all.noticed * 100 < goal * all.mutants ? 1 : 0;
