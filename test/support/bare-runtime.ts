import { pino } from "pino";
import { ConfigSettings } from "../../spec/config.ts";
import { Settings } from "../../spec/settings.ts";
import { readPage, writePages } from "../../src/analyze/aws-answer.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createRegistry, type RegisteredCheck } from "../../src/engine/registry.ts";
import type { Runtime } from "../../src/runtime.ts";

/** A runtime without checks and without reference data, and the lines its log has written. */
export interface BareRuntime {
  readonly runtime: Runtime;
  readonly logged: string[];
}

/** For tests of what does not look at policies. The log writes every level. */
export function bareRuntime(
  settings: Partial<Settings> = {},
  checks: readonly RegisteredCheck[] = [],
): BareRuntime {
  const logged: string[] = [];
  const registry = createRegistry(checks);
  const services = {
    source: "embedded" as const,
    hash: "0".repeat(64),
    date: "2026-01-01",
    prefixes: [],
    get: () => undefined,
    load: async () => {},
    warmUp: async () => {},
  };
  const config = {
    settings: ConfigSettings.parse({}),
    checks: {},
    policy_types: [],
    custom_instructions: null,
    custom_checks: [],
    custom_checks_dir: null,
  };
  const runtime: Runtime = {
    version: "1.2.3",
    settings: Settings.parse({ mode: "hosted", ...settings }),
    config,
    configSource: "file",
    digest: "0".repeat(64),
    registry,
    engine: createEngine(config, registry, services, () => {}),
    services,
    pool: {
      readEnvelope: () => Promise.reject(new Error("no pool")),
      readDocument: () => Promise.reject(new Error("no pool")),
      analyze: () => Promise.reject(new Error("no pool")),
      query: () => Promise.reject(new Error("no pool")),
      readAnswerPage: async (task) => readPage(task),
      writeAnswerPages: async (task) => writePages(task),
      validate: () => Promise.reject(new Error("no pool")),
      warmUp: async () => {},
      figures: () => ({ running: 0, waiting: 0, threads: 0 }),
      close: async () => {},
    },
    customInstructions: { text: null, source: "none" },
    warm: Promise.resolve(),
    ready: Promise.resolve(),
    isWarm: () => true,
    startedAt: 0,
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
  };
  return { runtime, logged };
}
