import type { Row } from "../report.ts";
import type { LogCount } from "./lines.ts";
import type { Life, Stage } from "./stage.ts";
import type { EventStreams } from "./streams.ts";
import type { Tally } from "./tally.ts";
import { type Curve, curveOf, type Sample, type Watch } from "./watch.ts";

/** All that a run leaves behind for its verdict. */
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
  readonly streams: EventStreams;
  /** Present: the load ran beside attackers. */
  readonly hostile: Hostile | undefined;
}

interface Hostile {
  /** Of all requests under the same load before the attack, in ms. */
  readonly calmP99Ms: number;
  /** What each attacker has sent and got. */
  readonly attackers: readonly Row[];
}

/** @returns the latencies of all requests outside replacements, in ms. */
export function latenciesOf({ latencies }: Tally): number[] {
  return [...latencies.values()].flatMap(({ outside }) => outside);
}

/** Until code is compiled and the heap has its size: so long, and so many calls. */
const warmUpMs = 120_000;
const warmUpCalls = 15_000;

function warmAt(life: Life, samples: readonly Sample[], { loadedAt, minutes }: Findings): number {
  const share = minutes >= 10 ? 1 : minutes / 20;
  const used = samples.find(({ calls }) => calls >= warmUpCalls * share)?.at;
  const aged = Math.max(life.readyAt ?? 0, loadedAt) + warmUpMs * share;
  return Math.max(aged, used ?? Number.POSITIVE_INFINITY);
}

/** @returns what a figure did in each life after its warm-up. */
export function curves(found: Findings, value: (sample: Sample) => number): Map<Life, Curve> {
  const all = [...found.watch.samples].flatMap(([life, samples]) => {
    const curve = curveOf(samples, warmAt(life, samples, found), value);
    return curve ? [[life, curve] as const] : [];
  });
  return new Map(all);
}

export const signed = (percent: number) =>
  `${percent >= 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;
export const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));
