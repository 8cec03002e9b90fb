import { percentile } from "../measure.ts";
import type { Row, Section } from "../report.ts";
import type { LogCount } from "./lines.ts";
import type { Life, Stage } from "./stage.ts";
import type { Tally } from "./tally.ts";
import { type Curve, curveOf, type Sample, type Watch } from "./watch.ts";

export interface Findings {
  readonly minutes: number;
  readonly share: number;
  /** Requests per second. */
  readonly peak: number;
  readonly rate: number;
  readonly steps: readonly { readonly clients: number; readonly rate: number }[];
  /** performance.now() when the load proper began. */
  readonly loadedAt: number;
  readonly seconds: number;
  readonly requests: number;
  readonly fresh: number;
  readonly generator: {
    readonly cpuShare: number;
    readonly loopP99Ms: number;
    readonly machineShare: number;
  };
  readonly tally: Tally;
  readonly watch: Watch;
  readonly stage: Stage;
  readonly logs: ReadonlyMap<Life, LogCount>;
  readonly atRest: readonly (Sample | undefined)[];
  readonly proxyLog: readonly string[];
}

/** Until code is compiled and the heap has its size. */
const warmUpMs = 120_000;
/** A shorter curve says nothing about a leak. */
const leastMinutes = 5;
const flatPercent = 5;

interface Criterion {
  readonly criterion: string;
  readonly found: string;
  /** Absent: could not be judged. */
  readonly holds?: boolean;
}

function warmAt(life: Life, { loadedAt, minutes }: Findings): number {
  return Math.max(life.readyAt ?? 0, loadedAt) + Math.min(warmUpMs, minutes * 6_000);
}

function curves(found: Findings, value: (sample: Sample) => number): Map<Life, Curve> {
  const all = [...found.watch.samples].flatMap(([life, samples]) => {
    const curve = curveOf(samples, warmAt(life, found), value);
    return curve ? [[life, curve] as const] : [];
  });
  return new Map(all);
}

function failuresText(failures: Tally["failures"]): string {
  const kinds = Map.groupBy(failures, ({ what }) => what.slice(0, 60));
  const worst = [...kinds].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 3);
  return [
    String(failures.length),
    ...worst.map(([what, list]) => `${list.length} × ${what.replaceAll(/[|\n`]/g, " ")}`),
  ].join("; ");
}

function criteria(found: Findings): Criterion[] {
  const { tally, logs, stage } = found;
  const inside = tally.failures.filter(({ inWindow }) => inWindow);
  const outside = tally.failures.filter(({ inWindow }) => !inWindow);
  const entries = [...logs];
  const apart = entries.filter(
    ([{ name }, log]) => (tally.answeredCalls.get(name) ?? 0) !== log.auditRecords,
  );
  const levels = (...names: readonly string[]) =>
    entries.reduce(
      (sum, [, log]) => sum + names.reduce((n, name) => n + (log.levels[name] ?? 0), 0),
      0,
    );
  const foreign = entries.reduce((sum, [, log]) => sum + log.foreign.length, 0);
  const long = [...curves(found, ({ rssMb }) => rssMb)].filter(
    ([, { minutes }]) => minutes >= leastMinutes,
  );
  const steep = long.filter(([, { trendPercent }]) => trendPercent > flatPercent);
  const codes = stage.lives.map(({ exitCode }) => exitCode);
  return [
    {
      criterion: "no failed request outside the windows of a replacement",
      found: failuresText(outside),
      holds: outside.length === 0,
    },
    {
      criterion: "no failed request inside them",
      found: failuresText(inside),
      holds: inside.length === 0,
    },
    {
      criterion: "as many audit records as calls answered, per replica",
      found: apart.length === 0 ? "equal" : apart.map(([{ name }]) => name).join(", "),
      holds: apart.length === 0,
    },
    {
      criterion:
        "no line at level error, no unhandled rejection, standard output only audit records",
      found: `${levels("error", "fatal")} at error, ${levels("none")} unknown, ${foreign} foreign`,
      holds: levels("error", "fatal", "none") + foreign === 0,
    },
    {
      criterion: "every replica ends with 0",
      found: codes.join(", "),
      holds: codes.every((code) => code === 0),
    },
    {
      criterion: `resident memory flat after warm-up: the trend gains at most ${flatPercent} %`,
      found:
        long.length === 0
          ? `no curve of ${leastMinutes} minutes`
          : long
              .map(([{ name }, { trendPercent }]) => `${name} ${signed(trendPercent)}`)
              .join(", "),
      ...(long.length > 0 && { holds: steep.length === 0 }),
    },
  ];
}

const signed = (percent: number) => `${percent >= 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;
const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

function latencyRows({ tally }: Findings): Row[] {
  const kinds = [...tally.latencies].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = kinds.flatMap(([, { outside }]) => outside);
  const row = (kind: string, outside: readonly number[], inside: readonly number[]): Row => ({
    kind,
    requests: outside.length + inside.length,
    "p50, ms": rounded(percentile(outside, 50)),
    "p99, ms": rounded(percentile(outside, 99)),
    "p99.9, ms": rounded(percentile(outside, 99.9)),
    "max, ms": rounded(maximum(outside)),
    "p99 in windows, ms": inside.length === 0 ? "" : rounded(percentile(inside, 99)),
    "max in windows, ms": inside.length === 0 ? "" : rounded(maximum(inside)),
  });
  return [
    ...kinds.map(([kind, { outside, inside }]) => row(kind, outside, inside)),
    row(
      "all",
      all,
      kinds.flatMap(([, { inside }]) => inside),
    ),
  ];
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function replicaRows(found: Findings): Row[] {
  const { watch, logs, tally, loadedAt } = found;
  const rss = curves(found, ({ rssMb }) => rssMb);
  const old = curves(found, ({ oldSpaceMb }) => oldSpaceMb);
  return [...watch.samples].map(([life, samples]) => {
    const loaded = samples.filter(({ at }) => at > Math.max(loadedAt, life.readyAt ?? 0) + 10_000);
    const curve = rss.get(life);
    const [first, last] = [loaded[0], loaded.at(-1)];
    const cpu = first && last ? (1000 * (last.cpuS - first.cpuS)) / (last.at - first.at) : 0;
    return {
      replica: life.name,
      "from, min": rounded(((life.readyAt ?? 0) - loadedAt) / 60_000),
      calls: tally.answeredCalls.get(life.name) ?? 0,
      "audit records": logs.get(life)?.auditRecords ?? 0,
      cores: rounded(cpu, 2),
      "warm for, min": curve ? rounded(curve.minutes) : "",
      "RSS, MB": curve ? Math.round(curve.meanMb) : "",
      "slope, MB/min": curve ? rounded(curve.slopeMbPerMinute) : "",
      trend: curve ? signed(curve.trendPercent) : "",
      "medians of a minute": curve ? `± ${curve.spreadPercent.toFixed(1)} %` : "",
      "highest RSS, MB": Math.round(maximum(samples.map(({ rssMb }) => rssMb))),
      "highest container, MB": Math.round(maximum(watch.containers.get(life) ?? [])),
      "old space, MB": Math.round(old.get(life)?.meanMb ?? Number.NaN),
      "its trend": signed(old.get(life)?.trendPercent ?? Number.NaN),
      "lowest heap, MB": Math.round(Math.min(...loaded.map(({ heapMb }) => heapMb))),
    };
  });
}

function loopRows({ watch, loadedAt, atRest, tally }: Findings): Row[] {
  const all = [...watch.samples].flatMap(([life, samples]) =>
    samples.filter(({ at }) => at > Math.max(loadedAt, life.readyAt ?? 0) + 10_000),
  );
  const calm = all.filter(({ at }) => !tally.disturbed(at - 10_000, at));
  const row = (when: string, samples: readonly Sample[]): Row => ({
    when,
    samples: samples.length,
    "median of p99, ms": rounded(
      percentile(
        samples.map(({ loopP99Ms }) => loopP99Ms),
        50,
      ),
    ),
    "highest p99, ms": rounded(maximum(samples.map(({ loopP99Ms }) => loopP99Ms))),
    "longest delay, ms": rounded(maximum(samples.map(({ loopMaxMs }) => loopMaxMs))),
  });
  return [
    row(
      "at rest",
      atRest.filter((one) => one !== undefined),
    ),
    row("under load, both replicas up", calm),
    row("under load, all", all),
  ];
}

/** @returns what happened, and whether every criterion holds that could be judged. */
export function verdict(found: Findings): { readonly section: Section; readonly passed: boolean } {
  const { tally, generator, steps, proxyLog, loadedAt } = found;
  const judged = criteria(found);
  const warnings = [...found.logs.values()].flatMap(({ remarkable }) => remarkable);
  const proxyKinds = Map.groupBy(proxyLog, proxyKind);
  const tables = [
    {
      title: "Criteria",
      rows: judged.map(({ criterion, found: what, holds }) => ({
        criterion,
        found: what,
        holds: holds === undefined ? "not judged" : holds ? "yes" : "NO",
      })),
    },
    {
      title: "Load",
      rows: [
        ...steps.map(({ clients, rate }) => ({
          figure: `requests/s of ${clients} clients without a break`,
          value: Math.round(rate),
        })),
        { figure: "requests/s asked for", value: rounded(found.rate) },
        { figure: "requests/s made", value: rounded(found.requests / found.seconds) },
        { figure: "requests", value: found.requests },
        { figure: "of these on a connection of their own", value: found.fresh },
        { figure: "passed on by nginx to the other replica", value: tally.passedOn },
        { figure: "processor time of the generator, cores", value: rounded(generator.cpuShare, 2) },
        { figure: "its own loop p99, ms", value: rounded(generator.loopP99Ms) },
        { figure: "machine in use, %", value: Math.round(100 * generator.machineShare) },
      ],
    },
    {
      title: "Replacements",
      rows: tally.windows.map(({ from, to }) => ({
        "at, min": rounded((from - loadedAt) / 60_000),
        "SIGTERM to the next being ready, s": rounded((to - from) / 1000),
        failed: tally.failures.filter(({ at }) => at >= from && at <= to + 1_000).length,
      })),
    },
    { title: "Latency from the moment a request was due", rows: latencyRows(found) },
    { title: "Replicas", rows: replicaRows(found) },
    {
      title: "Event-loop delay, by nodejs_eventloop_lag_*_seconds every 5 s",
      rows: loopRows(found),
    },
    {
      title: "Lines at level warn and above",
      rows: warnings
        .slice(0, 10)
        .map((line) => ({ line: line.slice(0, 300).replaceAll("|", "/") })),
    },
    {
      title: "What nginx complained about",
      rows: [...proxyKinds].map(([what, list]) => ({ what, lines: list.length })),
    },
    {
      title: "Failed requests",
      rows: tally.failures.slice(0, 20).map(({ kind, at, what, inWindow }) => ({
        "at, min": rounded((at - loadedAt) / 60_000, 2),
        kind,
        what: what.replaceAll(/[|\n`]/g, " ").slice(0, 200),
        "in a window": inWindow ? "yes" : "no",
      })),
    },
  ];
  const about =
    `Two replicas of ${found.stage.image} behind nginx on one machine, ${found.minutes} minutes at ` +
    `${Math.round(100 * found.share)} % of the peak of that set-up, ${tally.windows.length} replacements.`;
  const section = { id: "soak", title: "Soak of the container", about, tables };
  return { section, passed: judged.every(({ holds }) => holds !== false) };
}

/** The message without what differs from line to line. */
function proxyKind(line: string): string {
  const [, message = line] = /\*?\d+#\d+: (?:\*\d+ )?(.*?)(?:, client:|$)/.exec(line) ?? [];
  return message
    .replaceAll(/\/\S*\d+/g, "…")
    .replaceAll("|", "/")
    .slice(0, 160);
}
