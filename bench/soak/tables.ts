import { percentile } from "../measure.ts";
import type { Row, Table } from "../report.ts";
import { curves, type Findings, rounded, signed } from "./findings.ts";
import type { Sample } from "./watch.ts";

/** @returns every table but that of the criteria. */
export function tablesOf(found: Findings): Table[] {
  const { tally, proxyLog, loadedAt } = found;
  const warnings = [...found.logs.values()].flatMap(({ remarkable }) => remarkable);
  const proxyKinds = Map.groupBy(proxyLog, proxyKind);
  return [
    { title: "Load", rows: loadRows(found) },
    {
      title: "Replacements",
      rows: tally.windows.map(({ from, to }) => ({
        "at, min": rounded((from - loadedAt) / 60_000),
        "SIGTERM to the next being ready, s": rounded((to - from) / 1000),
        failed: tally.failures.filter(({ at }) => at >= from && at <= to + 1_000).length,
      })),
    },
    { title: "Latency from the moment a request was due", rows: latencyRows(found) },
    {
      title: "Latency by the minute in which the request was due",
      rows: Object.entries(tally.byMinute).map(([minute, all]) => ({
        minute,
        requests: all.length,
        "p50, ms": rounded(percentile(all, 50)),
        "p99, ms": rounded(percentile(all, 99)),
        "max, ms": rounded(maximum(all)),
      })),
    },
    ...(found.hostile ? [{ title: "Attackers", rows: [...found.hostile.attackers] }] : []),
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
}

function loadRows(found: Findings): Row[] {
  const { tally, generator, steps } = found;
  return [
    ...steps.map(({ clients, rate }) => ({
      figure: `requests/s of ${clients} clients without a break`,
      value: Math.round(rate),
    })),
    { figure: "peak: the best of these for a minute, requests/s", value: Math.round(found.peak) },
    { figure: "requests/s asked for", value: rounded(found.rate) },
    { figure: "requests/s made", value: rounded(found.requests / found.seconds) },
    { figure: "requests", value: found.requests },
    { figure: "of these on a separate connection", value: found.fresh },
    { figure: "passed on by nginx to the other replica", value: tally.passedOn },
    { figure: "processor time of the generator, cores", value: rounded(generator.cpuShare, 2) },
    { figure: "its own loop p99, ms", value: rounded(generator.loopP99Ms) },
    { figure: "machine in use, %", value: Math.round(100 * generator.machineShare) },
  ];
}

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
    "p99 at replacements, ms": inside.length === 0 ? "" : rounded(percentile(inside, 99)),
    "max at replacements, ms": inside.length === 0 ? "" : rounded(maximum(inside)),
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

function minimum(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

const cores = (first: Sample, last: Sample) =>
  (1000 * (last.cpuS - first.cpuS)) / (last.at - first.at);

function replicaRows(found: Findings): Row[] {
  const { watch, logs, tally, loadedAt } = found;
  const rss = curves(found, ({ rssMb }) => rssMb);
  const old = curves(found, ({ oldSpaceMb }) => oldSpaceMb);
  return [...watch.samples].map(([life, samples]) => {
    const loaded = samples.filter(({ at }) => at > Math.max(loadedAt, life.readyAt ?? 0) + 10_000);
    const curve = rss.get(life);
    const [first, last] = [loaded[0], loaded.at(-1)];
    const weighed = watch.containers.get(life) ?? [];
    const grown = old.get(life);
    return {
      replica: life.name,
      "from, min": rounded(((life.readyAt ?? 0) - loadedAt) / 60_000),
      calls: tally.answeredCalls.get(life.name) ?? 0,
      "audit records": logs.get(life)?.auditRecords ?? 0,
      cores: first && last && last !== first ? rounded(cores(first, last), 2) : "",
      "warm for, min": curve ? rounded(curve.minutes) : "",
      "RSS, MB": curve ? Math.round(curve.meanMb) : "",
      "slope, MB/min": curve ? rounded(curve.slopeMbPerMinute) : "",
      trend: curve ? signed(curve.trendPercent) : "",
      "medians of a minute": curve ? `± ${curve.spreadPercent.toFixed(1)} %` : "",
      "highest RSS, MB": Math.round(maximum(samples.map(({ rssMb }) => rssMb))),
      "highest container, MB": weighed.length === 0 ? "" : Math.round(maximum(weighed)),
      "old space, MB": grown ? Math.round(grown.meanMb) : "",
      "its trend": grown ? signed(grown.trendPercent) : "",
      "lowest heap, MB": first ? Math.round(minimum(loaded.map(({ heapMb }) => heapMb))) : "",
    };
  });
}

function loopRows({ watch, loadedAt, atRest, tally }: Findings): Row[] {
  const all = [...watch.samples].flatMap(([life, samples]) =>
    samples.filter(({ at }) => at > Math.max(loadedAt, life.readyAt ?? 0) + 10_000),
  );
  const calm = all.filter(({ at }) => !tally.disturbed(at - 5_000, at));
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

/** The message without what differs from line to line. */
function proxyKind(line: string): string {
  const [, message = line] = /\*?\d+#\d+: (?:\*\d+ )?(.*?)(?:, client:|$)/.exec(line) ?? [];
  return message
    .replaceAll(/\/\S*\d+/g, "…")
    .replaceAll("|", "/")
    .slice(0, 160);
}
