/** Floods of one caller: `node bench/floods/run.ts [--container] [--seconds N] [--only TEXT] [--best N]`. */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { floods, moreFloods, unknownKeys } from "../../test/support/floods.ts";
import { requestFloods } from "../../test/support/request-floods.ts";
import { percentile } from "../measure.ts";
import { sectionText } from "../report.ts";
import { type FloodResult, flood, rowOf } from "./measure.ts";
import { startFlooded } from "./target.ts";

const { values } = parseArgs({
  options: {
    container: { type: "boolean", default: false },
    seconds: { type: "string", default: "8" },
    only: { type: "string" },
    best: { type: "string", default: "1" },
  },
});
const seconds = Number(values.seconds);
const tries = Number(values.best);
if (!(seconds > 0) || !(tries >= 1)) {
  process.stderr.write("--seconds and --best are numbers above 0.\n");
  process.exit(2);
}
const all = [
  ...floods,
  ...moreFloods,
  ...requestFloods,
  ["tokens of unknown keys while the provider hangs", unknownKeys] as const,
];
const chosen = all.filter(([name]) => name.includes(values.only ?? ""));
const worst = ({ call, health, ready }: FloodResult) =>
  Math.max(percentile(call.ms, 99) / 5, percentile(health.ms, 99), percentile(ready.ms, 99));

const rows = [];
for (const [name, plan] of chosen) {
  const results: FloodResult[] = [];
  for (let at = 0; at < tries; at++) {
    // Each flood meets a fresh process: what one leaves behind is not the other's.
    const { container } = values;
    const target = await startFlooded({ container, providerHangs: plan === unknownKeys });
    try {
      results.push(await flood(target, plan, seconds));
    } finally {
      await target.stop();
    }
  }
  const [best] = results.sort((left, right) => worst(left) - worst(right));
  if (!best) continue;
  rows.push(rowOf(name, best));
  process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
}
const where = values.container ? "the built container with 1 GiB" : "a process with 512 MB of heap";
process.stdout.write(
  sectionText({
    id: "floods",
    title: "Floods",
    about: `One caller floods ${where}; another asks every 20 ms. ${execFileSync("nproc", { encoding: "utf8" }).trim()} cores, shared with the attacker.`,
    tables: [{ title: "Goals: calls p99 ≤ 250 ms, /health and /ready p99 < 50 ms", rows }],
  }),
);
