/**
 * The soak: `npm run soak -- [--minutes 20] [--share 0.7] [--restarts 4] [--hostile] [--image TAG] [--write]`.
 * See README.md beside this file. Exits 1 when a criterion fails.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "../measure.ts";
import { sectionText } from "../report.ts";
import { Attackers } from "./attackers.ts";
import { Client } from "./client.ts";
import { learnAnswers } from "./expected.ts";
import { latenciesOf } from "./findings.ts";
import { Chooser, closedLoop, openLoop } from "./load.ts";
import { mix } from "./mix.ts";
import { type Life, type Stage, setStage, strike } from "./stage.ts";
import { EventStreams } from "./streams.ts";
import { Tally } from "./tally.ts";
import { verdict } from "./verdict.ts";
import { Watch } from "./watch.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    share: { type: "string" },
    restarts: { type: "string" },
    hostile: { type: "boolean", default: false },
    image: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const minutes = positive("minutes", values.minutes);
const { hostile } = values;
// Under attack the load is lighter, and what a replacement costs would be counted as the attackers' doing.
const share = positive("share", values.share ?? (hostile ? "0.4" : "0.7"));
const restarts = Number(values.restarts ?? (hostile ? "0" : "4"));
if (!(Number.isInteger(restarts) && restarts >= 0)) {
  process.stderr.write("--restarts takes a whole number.\n");
  process.exit(2);
}
/** Parts of the run before the load proper, shorter when that is short. */
const warmUpS = Math.min(20, minutes * 4);
const stepS = Math.min(20, minutes * 2.5);
const confirmS = 3 * stepS;
/** The same load without attackers, to compare with. */
const calmS = Math.min(120, minutes * 15);
const clientSteps = [2, 4, 8, 16, 32, 64];
/** A step that brings less than this is none. */
const worthwhile = 1.03;
/** Clients that listen all the time. */
const openStreams = 8;
const config = join(import.meta.dirname, "../../deploy/kubernetes/config.yaml");

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  process.stderr.write(`--${name} takes a number above 0.\n`);
  process.exit(2);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Share of the machine's processor time that was in use between two calls. */
function machineMeter(): () => number {
  const read = () =>
    cpus().reduce(
      ({ busy, all }, { times }) => {
        const sum = times.user + times.nice + times.sys + times.irq + times.idle;
        return { busy: busy + sum - times.idle, all: all + sum };
      },
      { busy: 0, all: 0 },
    );
  const before = read();
  return () => {
    const now = read();
    return (now.busy - before.busy) / (now.all - before.all);
  };
}

/**
 * @returns requests per second by number of clients, until two steps in a row bring nothing; and the peak: what the best
 * step comes to for longer. Of several short measurements the best is too high.
 */
async function ramp(load: Omit<Parameters<typeof closedLoop>[0], "seconds">) {
  const steps: { clients: number; rate: number }[] = [];
  let best = { clients: 0, rate: 0 };
  let vain = 0;
  for (const clients of clientSteps) {
    const rate = await closedLoop({ ...load, seconds: stepS }, clients);
    say(`${clients} clients: ${rate.toFixed(0)} requests/s`);
    const step = { clients, rate };
    steps.push(step);
    vain = rate < best.rate * worthwhile ? vain + 1 : 0;
    if (rate > best.rate) best = step;
    if (vain === 2) break;
  }
  const peak = await closedLoop({ ...load, seconds: confirmS }, best.clients);
  return { steps, peak };
}

/** Replaces one replica after the other in the first half of the run. */
async function roll(stage: Stage, { tally, watch }: { tally: Tally; watch: Watch }): Promise<void> {
  const gapMs = (minutes * 60_000) / 2 / Math.max(1, restarts);
  const current: [Life | undefined, Life | undefined] = [stage.lives[0], stage.lives[1]];
  for (let turn = 0; turn < restarts; turn++) {
    await after(turn === 0 ? gapMs / 2 : gapMs);
    const old = current[turn % 2];
    if (!old) return;
    const from = performance.now();
    const window = { from, to: Number.POSITIVE_INFINITY };
    const fresh = await stage.replace(old, async () => {
      await watch.take(old);
      window.from = performance.now();
      tally.windows.push(window);
    });
    window.to = performance.now();
    current[turn % 2] = fresh;
    say(`${old.name} → ${fresh.name}: ${((window.to - window.from) / 1000).toFixed(1)} s`);
  }
}

async function soak(): Promise<boolean> {
  const stage = await setStage(values.image);
  const urls = stage.lives.map(({ address }) => `http://${address}:8000`);
  const watch = new Watch(stage);
  await after(2_000);
  // The delays of the start end with this sample.
  await Promise.all(stage.lives.map((life) => watch.take(life)));
  await after(4_000);
  const atRest = await Promise.all(stage.lives.map((life) => watch.take(life)));
  const shares = mix();
  const asks = new Set(shares.flatMap(({ visits }) => visits.flat()));
  const expected = await learnAnswers(asks, urls, config);
  say(`${asks.size} different requests, answered alike by both replicas and the sources`);
  const lifeAt = (upstream: string) =>
    stage.lives.findLast(({ address }) => upstream === `${address}:8000`)?.name ?? upstream;
  const tally = new Tally(expected, lifeAt);
  for (const { name } of stage.lives) {
    tally.answeredCalls.set(name, [...asks].filter(({ call }) => call).length);
  }
  const client = new Client(stage.proxyUrl);
  const load = { client, tally, chooser: new Chooser(shares) };

  await closedLoop({ ...load, seconds: warmUpS }, 8);
  const { steps, peak } = await ramp(load);
  const rate = peak * share;
  say(`peak ${peak.toFixed(0)}, so ${rate.toFixed(0)} requests/s for ${minutes} min`);

  tally.forgetLatencies();
  let calmP99Ms = Number.NaN;
  if (hostile) {
    await openLoop({ ...load, seconds: calmS }, rate);
    calmP99Ms = percentile(latenciesOf(tally), 99);
    tally.forgetLatencies();
    say(`before the attack: p99 ${calmP99Ms.toFixed(1)} ms`);
  }
  const attackers = hostile ? new Attackers(stage) : undefined;
  const streams = new EventStreams(stage.proxyUrl, openStreams);
  const loadedAt = performance.now();
  const before = { requests: tally.requests, fresh: tally.fresh };
  const ownLoop = monitorEventLoopDelay({ resolution: 10 });
  ownLoop.enable();
  const machine = machineMeter();
  const ownCpu = process.cpuUsage();
  const rolling = roll(stage, { tally, watch });
  await Promise.all([openLoop({ ...load, seconds: minutes * 60 }, rate), rolling]);
  const took = performance.now() - loadedAt;
  const attacked = await attackers?.stop();
  const { user, system } = process.cpuUsage(ownCpu);
  const generator = {
    cpuShare: (user + system) / 1e3 / took,
    loopP99Ms: ownLoop.percentile(99) / 1e6,
    machineShare: machine(),
  };
  await Promise.all(stage.lives.map((life) => watch.take(life)));
  watch.stop();
  client.close();
  streams.stop();
  for (const life of stage.lives) if (life.stoppedAt === undefined) await stage.stop(life);
  const logs = new Map(
    await Promise.all(stage.lives.map(async (life) => [life, await stage.logOf(life)] as const)),
  );
  const { section, passed } = verdict({
    ...{
      minutes,
      share,
      peak,
      rate,
      steps,
      loadedAt,
      generator,
      tally,
      watch,
      logs,
      atRest,
      streams,
      hostile: attacked && { calmP99Ms, attackers: attacked },
    },
    stage,
    requests: tally.requests - before.requests,
    fresh: tally.fresh - before.fresh,
    seconds: took / 1000,
    proxyLog: stage.proxyLog(),
  });
  const text = sectionText(section);
  process.stdout.write(`${text}\n`);
  if (values.write) {
    const directory = join(import.meta.dirname, "../report");
    const name = hostile ? "soak-hostile" : "soak";
    mkdirSync(directory, { recursive: true });
    const head = `# Soak\n\nNode ${process.version} for the load. See docs/performance.md.\n`;
    writeFileSync(join(directory, `${name}.md`), `${head}\n${text.trimEnd()}\n`);
    const report = { node: process.version, passed, section };
    writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  }
  return passed;
}

// However this ends, nothing that it started stays.
process.on("exit", strike);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
process.exit((await soak()) ? 0 : 1);
