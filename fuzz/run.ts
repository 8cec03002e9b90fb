/** Fuzzes the server in process. See README.md beside this file. */
import { parseArgs } from "node:util";
import { findingsFolder, readFinding } from "./findings.ts";
import { fuzzTarget, replay, type Summary } from "./supervise.ts";
import { targets } from "./targets/index.ts";

const usage = `npm run fuzz -- --minutes N [--seed S] [--only ${targets.map(({ name }) => name).join(",")}]
npm run fuzz -- --replay FILE`;

const progressMs = 60_000;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "1" },
      seed: { type: "string", default: String(Date.now()) },
      only: { type: "string" },
      replay: { type: "string" },
      "hang-seconds": { type: "string", default: "20" },
    },
  });
  const hangMs = positive(values["hang-seconds"], "--hang-seconds") * 1_000;
  if (values.replay !== undefined) return replayed(values.replay, hangMs);
  const only = values.only?.split(",");
  const chosen = targets.filter(({ name }) => only?.includes(name) ?? true);
  const unknown = only?.find((name) => !targets.some((target) => target.name === name));
  if (unknown !== undefined) throw new Error(`There is no target ${unknown}.\n${usage}`);
  const shares = chosen.reduce((sum, { share }) => sum + share, 0);
  const totalMs = positive(values.minutes, "--minutes") * 60_000;
  console.log(`seed ${values.seed}`);
  const summaries: Summary[] = [];
  for (const { name, module, share } of chosen) {
    const forMs = (totalMs * share) / shares;
    summaries.push(await fuzzed(name, module, values.seed, forMs, hangMs));
  }
  console.log(`\n${table(summaries)}`);
  return summaries.every(({ failures }) => failures === 0);
}

function positive(text: string, flag: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${flag} is a number above 0.\n${usage}`);
  return value;
}

async function fuzzed(
  target: string,
  module: string,
  seed: string,
  forMs: number,
  hangMs: number,
): Promise<Summary> {
  const started = performance.now();
  let said = started;
  return fuzzTarget({
    target,
    module,
    seed,
    forMs,
    hangMs,
    folder: findingsFolder,
    onProgress(cases, failures) {
      if (performance.now() - said < progressMs) return;
      said = performance.now();
      const rate = Math.round(cases / ((said - started) / 1_000));
      console.log(
        `${target}: ${cases.toLocaleString("en")} cases, ${rate}/s, ${failures} failures`,
      );
    },
    onFinding({ kind, detail }, path) {
      console.log(
        `${target}: ${kind}: ${detail.slice(0, 300)}\n  npm run fuzz -- --replay ${path}`,
      );
    },
  });
}

async function replayed(path: string, hangMs: number): Promise<boolean> {
  const finding = readFinding(path);
  const failure = await replay(finding, hangMs);
  if (!failure) {
    console.log(`${finding.target}: holds now (it was: ${finding.kind})`);
    return true;
  }
  console.log(`${finding.target}: ${failure.kind}: ${failure.detail}`);
  return false;
}

function table(summaries: readonly Summary[]): string {
  const rows = summaries.map(({ target, cases, seconds, failures, found }) =>
    [
      target.padEnd(10),
      cases.toLocaleString("en").padStart(12),
      Math.round(cases / seconds)
        .toLocaleString("en")
        .padStart(9),
      String(failures).padStart(9),
      [...found].map(([signature, { count }]) => `\n    ${count} × ${signature}`).join(""),
    ].join(" "),
  );
  return [`target            cases   cases/s  failures`, ...rows].join("\n");
}

process.exitCode = (await main()) ? 0 : 1;
