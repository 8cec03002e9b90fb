import type { Settings } from "../spec/settings.ts";
import type { ResolvedConfig } from "./config/resolved.ts";
import type { Registry } from "./engine/registry.ts";
import type { Engine } from "./engine/types.ts";
import type { Log } from "./log.ts";
import type { ValidationPool } from "./pool/types.ts";
import type { ServiceData } from "./services/model.ts";

/** The operator's text that is appended to the server's instructions, and its source. */
export interface CustomInstructions {
  readonly text: string | null;
  readonly source: "settings" | "file" | "config" | "none";
}

/** Everything that is determined at start-up. Built once, passed to its users, never changed. */
export interface Runtime {
  readonly version: string;
  readonly settings: Settings;
  readonly config: ResolvedConfig;
  readonly configSource: "file" | "none";
  /** 64 hex digits over the config and the registry. */
  readonly digest: string;
  readonly registry: Registry;
  readonly engine: Engine;
  readonly services: ServiceData;
  /** Threads for large calls. */
  readonly pool: ValidationPool;
  readonly customInstructions: CustomInstructions;
  /** Resolves when the reference data of the common services is in memory; rejects only if it cannot be loaded. */
  readonly warm: Promise<void>;
  /** Resolves when first calls are as fast as later ones, for a server: after `warm`, a worker has started. */
  readonly ready: Promise<void>;
  /** Whether `ready` has resolved. */
  isWarm(): boolean;
  /** Monotonic time of start, in ms of `performance.now()`. */
  readonly startedAt: number;
  readonly log: Log;
}
