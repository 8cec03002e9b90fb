/**
 * Mutation testing: `npm run mutation -- [group …] [--write] [--fresh]`. Changes the code in one place at
 * a time and asks the tests of groups.ts to notice. Lists each unnoticed change; ends with 1 when
 * less than `goal` percent of a group was noticed. `--write` keeps table and list in mutation/report.md,
 * `--fresh` forgets the results of earlier runs. `--only patterns.ts` takes the files of the groups whose
 * path ends so.
 */
import { globSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { groups } from "./groups.ts";

const goal = 90;
const root = join(import.meta.dirname, "..");
const cache = "node_modules/.cache/stryker";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    only: { type: "string" },
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

type LogLevel = NonNullable<NonNullable<ConstructorParameters<typeof Stryker>[0]>["logLevel"]>;
type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

interface Row {
  readonly group: string;
  readonly noticed: number;
  readonly mutants: number;
  readonly survivors: readonly MutantResult[];
}

function mutated(group: string): readonly string[] {
  const patterns = groups[group]?.mutate ?? [];
  const { only } = values;
  if (only === undefined) return patterns;
  return globSync([...patterns], { cwd: root }).filter((path) => path.endsWith(`/${only}`));
}

async function runGroup(group: string): Promise<Row> {
  process.env.MUTATION_GROUP = group;
  // Without the file nothing of code that has left the group is counted either.
  const file = values.only === undefined ? group : `${group}-${basename(values.only)}`;
  if (values.fresh) rmSync(`${cache}/${file}.json`, { force: true });
  const stryker = new Stryker({
    mutate: [...mutated(group), "!**/*.test.ts"],
    testRunner: "vitest",
    vitest: { configFile: "mutation/vitest.config.ts" },
    plugins: ["@stryker-mutator/vitest-runner"],
    // TypeScript 7 has no programming interface to rewrite the project file with; nothing here needs it.
    tsconfigFile: "none",
    coverageAnalysis: "perTest",
    // Code that runs once on import is noticed by no test in particular, so all of them have to run.
    ignoreStatic: !groups[group]?.constants,
    concurrency: 1,
    timeoutMS: 10_000,
    // The table of the login takes more than the default of 5 minutes on a busy machine.
    dryRunTimeoutMinutes: 15,
    incremental: true,
    incrementalFile: `${cache}/${file}.json`,
    ignorePatterns: ["/dist", "/bench", "/reports"],
    reporters: [],
    allowConsoleColors: false,
    // What the report says is ours to say; a suite that fails before anything is changed still shows.
    // The name of the level: its enum has no values at run time.
    logLevel: "error" as LogLevel,
  });
  const results = await stryker.runMutationTest();
  const counted = results.filter(({ status }) => status !== "Ignored" && status !== "CompileError");
  const survivors = counted.filter(({ status }) => status !== "Killed" && status !== "Timeout");
  return { group, mutants: counted.length, noticed: counted.length - survivors.length, survivors };
}

const percent = (row: Pick<Row, "noticed" | "mutants">) =>
  row.mutants === 0 ? "" : `${((100 * row.noticed) / row.mutants).toFixed(1)} %`;

/** One line per change: place, what it was changed to. */
function lineOf({ fileName, location, replacement, status }: MutantResult): string {
  const { line, column } = location.start;
  const how = status === "Survived" ? "" : ` (${status})`;
  const change = replacement?.replaceAll(/\s+/g, " ") ?? "";
  return `${relative(root, fileName)}:${line}:${column} -> ${change}${how}`;
}

const rows: Row[] = [];
const broken: string[] = [];
for (const name of names) {
  let row: Row;
  try {
    row = await runGroup(name);
  } catch (error) {
    // Its tests fail without any change, as Stryker has said: no reason to know less of the others.
    process.stdout.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    broken.push(name);
    continue;
  }
  rows.push(row);
  for (const survivor of row.survivors) process.stdout.write(`${lineOf(survivor)}\n`);
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
if (values.write) {
  const unnoticed = rows.flatMap(({ survivors }) => survivors.map(lineOf)).join("\n");
  writeFileSync(
    join(import.meta.dirname, "report.md"),
    `# Mutation testing\n\nMade by \`npm run mutation -- --write\`; README.md says why the rest is left.\n\n${table}\n\nNot noticed:\n\n\`\`\`text\n${unnoticed}\n\`\`\`\n`,
  );
}
const short = rows.some(({ noticed, mutants }) => noticed * 100 < goal * mutants);
process.exitCode = short || broken.length > 0 ? 1 : 0;
