import { percentile } from "../measure.ts";
import { curves, type Findings, latenciesOf, rounded, signed } from "./findings.ts";
import type { Tally } from "./tally.ts";

/** A shorter curve says nothing about a leak. */
const leastMinutes = 5;
const flatPercent = 5;
/** Under attack the slowest hundredth may take so many times as long. */
const mostTimesSlower = 3;

export interface Criterion {
  readonly criterion: string;
  readonly found: string;
  /** Absent: could not be measured. */
  readonly holds?: boolean;
}

function failuresText(failures: Tally["failures"]): string {
  const kinds = Map.groupBy(failures, ({ what }) => what.slice(0, 60));
  const worst = [...kinds].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 3);
  return [
    String(failures.length),
    ...worst.map(([what, list]) => `${list.length} × ${what.replaceAll(/[|\n`]/g, " ")}`),
  ].join("; ");
}

/** @returns what was asked of the run, and whether it holds. */
export function criteria(found: Findings): Criterion[] {
  const { tally, logs, stage, streams } = found;
  const inside = tally.failures.filter(({ inWindow }) => inWindow);
  const outside = tally.failures.filter(({ inWindow }) => !inWindow);
  const entries = [...logs];
  const answers = (name: string) => tally.answeredCalls.get(name) ?? 0;
  const apart = entries.filter(([{ name }, log]) => answers(name) !== log.auditRecords);
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
      found:
        apart.length === 0
          ? "equal"
          : apart
              .map(([{ name }, log]) => `${name}: ${log.auditRecords} for ${answers(name)}`)
              .join(", "),
      holds: apart.length === 0,
    },
    {
      criterion:
        "no line at level error, no unhandled rejection, standard output only audit records",
      found: `${levels("error", "fatal")} at error, ${levels("none")} unknown, ${foreign} foreign`,
      holds: levels("error", "fatal", "none") + foreign === 0,
    },
    {
      criterion: "event streams end with a replica, as streams do, and open again",
      found: [
        `${streams.opened} opened, ${streams.ended} ended`,
        ...[...streams.failures].map(([what, count]) => `${count} × ${what}`),
      ].join("; "),
      holds: streams.failures.size === 0,
    },
    ...hostileCriteria(found),
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

function hostileCriteria({ hostile, tally }: Findings): Criterion[] {
  if (!hostile) return [];
  const p99Ms = percentile(latenciesOf(tally), 99);
  const times = p99Ms / hostile.calmP99Ms;
  return [
    {
      criterion: `under attack p99 is at most ${mostTimesSlower} times that of the same load before it`,
      found: `${rounded(p99Ms)} ms after ${rounded(hostile.calmP99Ms)} ms: ${rounded(times)} times`,
      holds: times <= mostTimesSlower,
    },
  ];
}
