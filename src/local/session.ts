import { digestOf } from "../config/digest.ts";
import type { JsonObject } from "../config/merge.ts";
import type { ConfigText } from "../config/read.ts";
import { createEngine } from "../engine/engine.ts";
import type { CustomInstructions, Runtime } from "../runtime.ts";
import type { Started } from "../startup.ts";
import { resolveOverlay } from "./overlay.ts";

/** Instructions in force, and where they came from. */
export interface SessionInstructions {
  readonly text: string | null;
  readonly source: CustomInstructions["source"] | "session";
}

export interface SessionPlace {
  /** Absolute; files below it may be read. Null: none may. */
  readonly root: string | null;
  /** The config file in force, absolute; null: the defaults are. */
  readonly configPath: string | null;
}

/** One user's state: what was decided at start-up, and what `set_config` has laid over it since. */
export interface Session extends SessionPlace {
  /** In force now; a call keeps the one it began with. */
  readonly runtime: Runtime;
  /** As given; null: none. */
  readonly overlay: JsonObject | null;
  readonly instructions: SessionInstructions;
  /**
   * Replaces the overlay.
   * @returns warnings about it.
   * @throws {StartupError} Naming every fault; nothing has changed then.
   */
  applyOverlay(overlay: ConfigText & { readonly value: JsonObject }): readonly string[];
  /** @param text Replaces the operator's instructions; blank: there are none. */
  setInstructions(text: string): void;
  /** Back to what was decided at start-up. */
  reset(): void;
}

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

/** A setting wins over the config, whichever config it is. */
function instructionsIn(base: Runtime, configured: string | null): CustomInstructions {
  const { source } = base.customInstructions;
  if (source === "settings" || source === "file") return base.customInstructions;
  return { text: configured, source: configured === null ? "none" : "config" };
}

/** One user's calls come one at a time: threads would judge by the config that they started with. */
function inThisThread({ pool, services }: Runtime): Runtime["pool"] {
  return {
    ...pool,
    async readDocument({ text, limits }) {
      const { documentToSend } = await import("../analyze/document.ts");
      return documentToSend(text, limits);
    },
    async analyze(task, { signal }) {
      const { analyzeForAnswer } = await import("../access-analyzer/answer.ts");
      return analyzeForAnswer(task, services, signal);
    },
  };
}
