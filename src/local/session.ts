import { digestOf } from "../config/digest.ts";
import type { ConfigText } from "../config/read.ts";
import { createEngine } from "../engine/engine.ts";
import type { JsonObject } from "../record.ts";
import type { CustomInstructions, Runtime } from "../runtime.ts";
import type { Started } from "../startup.ts";
import { resolveOverlay } from "./overlay.ts";

/** The current instructions and their source. */
interface SessionInstructions {
  readonly text: string | null;
  readonly source: CustomInstructions["source"] | "session";
}

export interface SessionPlace {
  /** Absolute. Files below it may be read. Null: no files may be read. */
  readonly root: string | null;
  /** Absolute path of the config file. Null: the defaults are used. */
  readonly configPath: string | null;
  /** Absolute; see `LocalPlace`. */
  readonly base: string;
  /** Absolute; null: the root is in no repository. */
  readonly repository: string | null;
}

/** State of one user: the configuration at start-up, and the overlay of `set_config`. */
export interface Session extends SessionPlace {
  /** The current runtime. A call uses the one that was current when it began. */
  readonly runtime: Runtime;
  /** The overlay as given. Null: none. */
  readonly overlay: JsonObject | null;
  readonly instructions: SessionInstructions;
  /**
   * Replaces the overlay.
   * @returns Warnings about it.
   * @throws {StartupError} Names every fault. Nothing is changed then.
   */
  applyOverlay(overlay: ConfigText & { readonly value: JsonObject }): readonly string[];
  /** @param text Replaces the operator's instructions. An empty text removes them. */
  setInstructions(text: string): void;
  /** Returns to the configuration at start-up. */
  reset(): void;
}

/** The state of local mode: the config at the start, and what `set_config` puts over it. */
export function createSession(started: Started, place: SessionPlace): Session {
  const base = { ...started.runtime, pool: inThisThread(started.runtime) };
  let runtime: Runtime = base;
  let overlay: JsonObject | null = null;
  let instructions: string | null = null;
  return {
    ...place,
    get runtime() {
      return runtime;
    },
    get overlay() {
      return overlay;
    },
    get instructions() {
      if (instructions === null) return runtime.customInstructions;
      return { text: instructions || null, source: "session" as const };
    },
    applyOverlay(over) {
      const { config, registry, warnings } = resolveOverlay(started, over, "of this session");
      runtime = {
        ...base,
        config,
        registry,
        digest: digestOf(config, registry),
        engine: createEngine(config, registry, base.services, base.engine.onCheckError),
        customInstructions: instructionsIn(base, config.custom_instructions),
      };
      overlay = over.value;
      return warnings;
    },
    setInstructions(text) {
      instructions = text.trim();
    },
    reset() {
      runtime = base;
      overlay = null;
      instructions = null;
    },
  };
}

/** Instructions from a setting override those of every config. */
function instructionsIn(base: Runtime, configured: string | null): CustomInstructions {
  const { source } = base.customInstructions;
  if (source === "settings" || source === "file") return base.customInstructions;
  return { text: configured, source: configured === null ? "none" : "config" };
}

/** Validates on the main thread, because worker threads would use the config with which they started. */
function inThisThread({ pool, services }: Runtime): Runtime["pool"] {
  return {
    ...pool,
    async readDocument({ text, limits }) {
      const { documentToSend } = await import("../analyze/document.ts");
      return documentToSend(text, limits);
    },
    async readAnswerPage(task) {
      const { readPage } = await import("../analyze/aws-answer.ts");
      return readPage(task);
    },
    async writeAnswerPages(task) {
      const { writePages } = await import("../analyze/aws-answer.ts");
      return writePages(task);
    },
    async analyze(task, { signal }) {
      const { writeAnalysis } = await import("../analyze/write-analysis.ts");
      return writeAnalysis(task, services, signal);
    },
    async query(task, { signal }) {
      const { writeQuery } = await import("../query/run-query.ts");
      return writeQuery(task, services, signal);
    },
  };
}
