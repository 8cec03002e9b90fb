import { loginEvents, refusedReasons } from "../../spec/login.ts";
import { refusalReasons } from "../http/refusal-reason.ts";
import type { CallRecord, LoginObserver, Observer } from "./observer.ts";
import { limitKinds } from "./observer.ts";

/** Values that are read at each scrape. */
export interface MetricsSources {
  readonly version: string;
  pool(): { readonly running: number; readonly waiting: number; readonly threads: number };
  /** Day of the reference data, `YYYY-MM-DD`. */
  dataDate(): string;
  /** Wall clock, ms since 1970. */
  now(): number;
}

/** Counts the events of the request path. Label values come from fixed lists and never contain subjects or content. */
export interface Metrics extends Observer, LoginObserver {
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** Media type of that text. */
  readonly contentType: string;
}

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** 256 bytes to 16 MiB. */
const sizes = Array.from({ length: 9 }, (_, step) => 256 * 4 ** step);

/** Loads the Prometheus client on demand, because most servers have no metrics. */
export async function createMetrics(sources: MetricsSources): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import(
    "prom-client"
  );
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  new Gauge({
    name: "validator_mcp_info",
    help: "Always 1; the label is the version.",
    labelNames: ["version"],
    registers,
  }).set({ version: sources.version }, 1);
  const calls = new Counter({
    name: "validator_mcp_tool_calls_total",
    help: "Tool calls, by tool and outcome.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const durationsByTool = new Histogram({
    name: "validator_mcp_tool_call_duration_seconds",
    help: "Duration of tool calls, by tool.",
    labelNames: ["tool"],
    buckets: durations,
    registers,
  });
  const requests = new Histogram({
    name: "validator_mcp_request_bytes",
    help: "Bodies of POST /mcp.",
    buckets: sizes,
    registers,
  });
  const outputs = new Histogram({
    name: "validator_mcp_output_bytes",
    help: "Outputs of successful tool calls as JSON; the answer contains each twice.",
    buckets: sizes,
    registers,
  });
  const limits = new Counter({
    name: "validator_mcp_limit_hits_total",
    help: "Requests that exceeded a limit, by limit.",
    labelNames: ["limit"],
    registers,
  });
  const refusals = new Counter({
    name: "validator_mcp_refusals_total",
    help: "Requests to /mcp rejected for authentication, authorization, Origin or Host, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const logins = new Counter({
    name: "validator_mcp_logins_total",
    help: "Logins, refreshes and revocations, and what the login refused, by reason.",
    labelNames: ["event", "outcome"],
    registers,
  });
  const providerSeconds = new Histogram({
    name: "validator_mcp_login_provider_seconds",
    help: "Duration of requests that the login sends to the identity provider.",
    buckets: durations,
    registers,
  });
  // Start every counter at 0, because alerts need an existing series.
  for (const limit of limitKinds) limits.inc({ limit }, 0);
  for (const reason of refusalReasons) refusals.inc({ reason }, 0);
  for (const event of loginEvents) {
    const outcomes = event === "refused" ? refusedReasons : ["success"];
    for (const outcome of outcomes) logins.inc({ event, outcome }, 0);
  }

  for (const figure of ["running", "waiting", "threads"] as const) {
    new Gauge({
      name: `validator_mcp_pool_${figure}`,
      help: poolHelp[figure],
      registers,
      collect() {
        this.set(sources.pool()[figure]);
      },
    });
  }
  new Gauge({
    name: "validator_mcp_reference_data_age_seconds",
    help: "Time since the date of the AWS reference data; NaN until it is loaded.",
    registers,
    collect() {
      this.set((sources.now() - Date.parse(sources.dataDate())) / 1000);
    },
  });

  return {
    call({ tool, outcome, durationSeconds, outputBytes }: CallRecord) {
      calls.inc({ tool, outcome });
      durationsByTool.observe({ tool }, durationSeconds);
      if (outputBytes !== null) outputs.observe(outputBytes);
    },
    request: (bytes) => requests.observe(bytes),
    limit: (limit) => limits.inc({ limit }),
    refusal: (reason) => refusals.inc({ reason }),
    login: (event, outcome) => logins.inc({ event, outcome }),
    loginProvider: (seconds) => providerSeconds.observe(seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const poolHelp = {
  running: "Large calls that run in a worker thread or wait for one.",
  waiting: "Large calls that wait for a worker thread.",
  threads: "Worker threads for large calls.",
};
