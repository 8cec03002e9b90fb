import { docker } from "../../test/support/images.ts";
import { median } from "../measure.ts";
import type { Life, Stage } from "./stage.ts";

/** What a replica said of itself at one moment. */
export interface Sample {
  /** ms of performance.now(). */
  readonly at: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Objects that have outlived a collection or two. */
  readonly oldSpaceMb: number;
  /** Since the sample before; a loop at rest has 10 ms, the interval of the timer that measures. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  readonly cpuS: number;
  /** Tool calls since its start. */
  readonly calls: number;
}

const everyMs = 5_000;
const containerEveryMs = 60_000;

function figures(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const blank = line.lastIndexOf(" ");
    if (!line.startsWith("#") && blank > 0) {
      values.set(line.slice(0, blank), Number(line.slice(blank + 1)));
    }
  }
  return values;
}

async function sample({ address }: Life): Promise<Sample> {
  const response = await fetch(`http://${address}:9090/metrics`);
  const said = figures(await response.text());
  const of = (name: string) => said.get(name) ?? Number.NaN;
  const counters = [...said].filter(([name]) => name.startsWith("validator_mcp_tool_calls_total"));
  return {
    at: performance.now(),
    rssMb: of("process_resident_memory_bytes") / 1e6,
    heapMb: of("nodejs_heap_size_used_bytes") / 1e6,
    oldSpaceMb: of('nodejs_heap_space_size_used_bytes{space="old"}') / 1e6,
    loopP99Ms: of("nodejs_eventloop_lag_p99_seconds") * 1e3,
    loopMaxMs: of("nodejs_eventloop_lag_max_seconds") * 1e3,
    cpuS: of("process_cpu_seconds_total"),
    calls: counters.reduce((sum, [, count]) => sum + count, 0),
  };
}

/** Watches every replica from its metrics port. */
export class Watch {
  readonly samples = new Map<Life, Sample[]>();
  /** Memory of the containers as the engine counts it, MB. */
  readonly containers = new Map<Life, number[]>();
  readonly #stage: Stage;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#timers.push(setInterval(() => void this.#takeAll(), everyMs));
    this.#timers.push(setInterval(() => void this.#weigh(), containerEveryMs));
  }

  /** One sample; none when the replica has just gone. */
  async take(life: Life): Promise<Sample | undefined> {
    const taken = await sample(life).catch(() => undefined);
    if (!taken || life.stoppedAt !== undefined) return undefined;
    const list = this.samples.get(life) ?? [];
    list.push(taken);
    this.samples.set(life, list);
    return taken;
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #alive(): Life[] {
    return this.#stage.lives.filter(
      ({ readyAt, stoppedAt }) => readyAt !== undefined && stoppedAt === undefined,
    );
  }

  async #takeAll(): Promise<void> {
    await Promise.all(this.#alive().map((life) => this.take(life)));
  }

  async #weigh(): Promise<void> {
    for (const life of this.#alive()) {
      const args = ["stats", "--no-stream", "--format", "{{.MemUsage}}", life.container];
      const said = await docker(...args).catch(() => "");
      const [, amount, unit] = /^([\d.]+)(KiB|MiB|GiB)/.exec(said) ?? [];
      if (amount === undefined || unit === undefined) continue;
      const list = this.containers.get(life) ?? [];
      list.push((Number(amount) * (units[unit] ?? Number.NaN)) / 1e6);
      this.containers.set(life, list);
    }
  }
}

const units: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Memory of one life after its warm-up. */
export interface Curve {
  readonly minutes: number;
  readonly meanMb: number;
  /** Of the straight line through the samples. */
  readonly slopeMbPerMinute: number;
  /** What that line gains over the whole span, in percent of the mean. */
  readonly trendPercent: number;
  /** Half the distance between the highest and the lowest median of a minute, in percent of the mean. */
  readonly spreadPercent: number;
}

/** @param from ms of performance.now(); earlier samples do not count. */
export function curveOf(
  samples: readonly Sample[],
  from: number,
  value: (sample: Sample) => number,
): Curve | undefined {
  const taken = samples.filter(({ at }) => at >= from);
  const [first, last] = [taken[0], taken.at(-1)];
  if (!first || !last || taken.length < 4) return undefined;
  const points = taken.map((one) => [(one.at - first.at) / 60_000, value(one)] as const);
  const minutes = (last.at - first.at) / 60_000;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanMb = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const slopeMbPerMinute =
    points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanMb), 0) /
    points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const ofMinute = Map.groupBy(points, ([x]) => Math.min(Math.floor(x), Math.ceil(minutes) - 1));
  const medians = [...ofMinute.values()].map((list) => median(list.map(([, y]) => y)));
  return {
    minutes,
    meanMb,
    slopeMbPerMinute,
    trendPercent: (100 * slopeMbPerMinute * minutes) / meanMb,
    spreadPercent: (50 * (Math.max(...medians) - Math.min(...medians))) / meanMb,
  };
}
