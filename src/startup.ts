import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../spec/settings.ts";
import { builtinChecks } from "./checks/index.ts";
import { loadCustomChecks } from "./config/custom-checks.ts";
import { digestOf } from "./config/digest.ts";
import { isJsonObject } from "./config/merge.ts";
import { type ConfigText, readConfigFile, requirePath } from "./config/read.ts";
import { resolveConfig } from "./config/resolve.ts";
import type { ResolvedConfig } from "./config/resolved.ts";
import type { ConfigurableCheck } from "./config/sections.ts";
import { framesOf, logDefect } from "./defect.ts";
import { createEngine } from "./engine/engine.ts";
import { StartupError } from "./errors.ts";
import { createLog, type Log } from "./log.ts";
import { createPool, defaultWorkers } from "./pool/pool.ts";
import type { CustomInstructions, Runtime } from "./runtime.ts";
import { makeFolder } from "./services/disk-cache.ts";
import type { ServiceData } from "./services/model.ts";
import type { Environment, ReadSettings } from "./settings.ts";
import { version } from "./version.ts";

/** Per-user cache directory, where the platform keeps such things. */
function defaultCacheDirectory(environment: Environment): string {
  const base = environment.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache");
  return join(base, "validator-mcp");
}

/**
 * A cache directory the operator named must work: a server that cannot keep its data would fetch it
 * anew at every start and nobody would know.
 * @throws {StartupError} when nothing can be written there.
 */
async function probeCacheDirectory(directory: string): Promise<void> {
  const probe = join(directory, `.probe-${randomUUID()}`);
  try {
    await makeFolder(directory);
    await writeFile(probe, "");
    await rm(probe);
  } catch {
    throw new StartupError(
      "cache_directory",
      `cache directory ${directory} is not writable (--cache-directory / VALIDATOR_MCP_CACHE_DIRECTORY); mount a writable volume or tmpfs there.`,
    );
  }
}

async function readInstructions(
  settings: Settings,
  config: ResolvedConfig,
): Promise<CustomInstructions> {
  if (settings.instructions?.trim()) {
    return { text: settings.instructions.trim(), source: "settings" };
  }
  if (settings.instructions_file !== undefined) {
    try {
      const text = (await readFile(settings.instructions_file, "utf8")).trim();
      return { text: text || null, source: text ? "file" : "none" };
    } catch {
      throw new StartupError(
        "instructions_file",
        `instructions file ${settings.instructions_file} cannot be read (--instructions-file / VALIDATOR_MCP_INSTRUCTIONS_FILE).`,
      );
    }
  }
  const text = config.custom_instructions;
  return { text, source: text ? "config" : "none" };
}

/** Source of reference data: a directory, else the remote the operator named, else the embedded data. */
async function openServices(
  settings: Settings,
  config: ResolvedConfig,
  environment: Environment,
  log: Log,
  trustConfig: boolean,
  worker: boolean,
): Promise<ServiceData> {
  const directory = settings.aws_services_dir ?? config.settings.aws_services_dir ?? undefined;
  const configured = trustConfig ? config.settings.cache_directory : null;
  const named = settings.cache_directory ?? configured ?? undefined;
  // Looked at once: a disk that has run full since then is no reason for a worker not to start.
  if (named !== undefined && !worker) await probeCacheDirectory(named);
  if (directory !== undefined) {
    const { directoryServices } = await import("./services/directory.ts");
    return directoryServices(directory, log);
  }
  if (settings.reference_data_url !== undefined) {
    const { remoteServices } = await import("./services/remote.ts");
    return remoteServices({
      url: settings.reference_data_url,
      cacheDirectory: config.settings.cache_enabled
        ? (named ?? defaultCacheDirectory(environment))
        : null,
      ttlMs: config.settings.cache_ttl_hours * 3_600_000,
      maxConnections: settings.http_max_connections,
      log,
    });
  }
  const { embeddedServices } = await import("./services/embedded.ts");
  return embeddedServices();
}

async function readConfig(
  path: string | undefined,
  worker: StartOptions["worker"],
): Promise<ConfigText> {
  if (worker) return { value: worker.configValue, lineOf: () => null };
  if (path === undefined) return { value: {}, lineOf: () => null };
  requirePath(path);
  return readConfigFile(path);
}

export interface StartOptions extends ReadSettings {
  readonly environment: Environment;
  readonly log?: Log;
  /** Set in worker threads: the config as the server read it, and no warm-up. */
  readonly worker?: { readonly configValue: unknown };
  /**
   * Reference data is loaded when a call first names it. For functions, whose first caller waits for
   * all that is done before.
   */
  readonly lazyData?: boolean;
  /** False: the config file may name no code to load and no place to write to. Default: true. */
  readonly trustConfig?: boolean;
}

/** A runtime, and what another one with another config is made of. */
export interface Started {
  readonly runtime: Runtime;
  readonly checks: readonly ConfigurableCheck[];
  /** The config as read. */
  readonly configValue: unknown;
  /** The config names code, and it was not loaded. */
  readonly checksAreMissing: boolean;
}

/**
 * Everything that is decided once: settings, config, registry, digest, reference data. Nothing
 * listens yet; `warm` starts with the call.
 * @throws {StartupError} naming what the operator must mend.
 */
export async function start(options: StartOptions): Promise<Runtime> {
  return (await startUp(options)).runtime;
}

/** As {@link start}. */
export async function startUp(options: StartOptions): Promise<Started> {
  const {
    settings,
    environment,
    worker,
    lazyData = false,
    log: given,
    trustConfig = true,
  } = options;
  const startedAt = performance.now();
  const log = given ?? createLog(settings.log_level);
  const path = settings.config_source;
  const text = await readConfig(path, worker);
  const custom = await loadCustomChecks({
    value: text.value,
    configPath: path,
    directory: settings.custom_checks_dir,
    trustConfig,
  });
  const checksAreMissing = !trustConfig && namesCode(text.value);
  const checks = [
    ...builtinChecks.map((check) => ({ check, source: "builtin" as const })),
    ...custom,
  ];
  const { config, registry, warnings } = resolveConfig(
    text,
    path ?? "(none)",
    checks,
    checksAreMissing,
  );
  if (!worker) for (const warning of warnings) log.warn({ config: path }, warning);
  const digest = digestOf(config, registry);
  const customInstructions = await readInstructions(settings, config);
  const services = await openServices(
    settings,
    config,
    environment,
    log,
    trustConfig,
    worker !== undefined,
  );

  let isWarm = false;
  const warm = (worker || lazyData ? Promise.resolve() : services.warmUp()).then(() => {
    isWarm = true;
  });
  // Whoever needs the data awaits `warm` and sees the failure; nobody awaiting it must not end the process.
  warm.catch((error: unknown) => {
    log.error({ error: error instanceof Error ? error.name : "unknown" }, "warm-up failed");
  });
  const runtime: Runtime = {
    version,
    settings,
    config,
    configSource: path === undefined ? "none" : "file",
    digest,
    registry,
    engine: createEngine(config, registry, services, (check, error) =>
      log.error(
        { check, error: error instanceof Error ? error.name : "unknown", stack: framesOf(error) },
        "a check failed on a policy",
      ),
    ),
    services,
    pool: createPool(
      {
        settings,
        environment: { XDG_CACHE_HOME: environment.XDG_CACHE_HOME },
        configValue: text.value,
        digest,
      },
      {
        workers: settings.workers ?? defaultWorkers(),
        queue: settings.max_queued_calls,
        perCaller: settings.max_calls_per_caller,
      },
      (error) => logDefect(log, error, { where: "worker thread" }),
    ),
    customInstructions,
    warm,
    isWarm: () => isWarm,
    startedAt,
    log,
  };
  return { runtime, checks, configValue: text.value, checksAreMissing };
}

/** Whether a config names modules to be loaded. */
function namesCode(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { custom_checks: modules, custom_checks_dir: directory } = value;
  return (Array.isArray(modules) && modules.length > 0) || Boolean(directory);
}
