import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../spec/settings.ts";
import { builtinChecks } from "./checks/index.ts";
import { loadCustomChecks } from "./config/custom-checks.ts";
import { digestOf } from "./config/digest.ts";
import { type ConfigText, readConfigFile, requirePath } from "./config/read.ts";
import { resolveConfig } from "./config/resolve.ts";
import type { ResolvedConfig } from "./config/resolved.ts";
import type { ConfigurableCheck } from "./config/sections.ts";
import { framesOf, logDefect } from "./defect.ts";
import { createEngine } from "./engine/engine.ts";
import { reasonOf, StartupError } from "./errors.ts";
import { createLog, type Log } from "./log.ts";
import { createPool } from "./pool/pool.ts";
import { defaultWorkers, isOutOfMemory } from "./pool/threads.ts";
import type { ValidationPool } from "./pool/types.ts";
import { isRecord } from "./record.ts";
import type { CustomInstructions, Runtime } from "./runtime.ts";
import { makeFolder } from "./services/disk-cache.ts";
import type { ServiceData } from "./services/model.ts";
import type { Environment, ReadSettings } from "./settings.ts";
import { version } from "./version.ts";

/** The platform's cache directory of the user. */
function defaultCacheDirectory(environment: Environment): string {
  const base = environment.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache");
  return join(base, "validator-mcp");
}

/**
 * Checks that the configured cache directory is writable. Otherwise the server would fetch all data
 * again at every start without anyone noticing.
 * @throws {StartupError} If it is not writable.
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

/** Opens the reference data: a directory, else the configured URL, else the embedded data. */
async function openServices(
  { settings, environment, worker, trustConfig = true }: StartOptions,
  config: ResolvedConfig,
  log: Log,
): Promise<ServiceData> {
  const directory = settings.aws_services_dir ?? config.settings.aws_services_dir ?? undefined;
  const configured = trustConfig ? config.settings.cache_directory : null;
  const named = settings.cache_directory ?? configured ?? undefined;
  // Checked only by the main thread: a worker must start even if the disk has become full.
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
  /** Set in worker threads, which get the config from the main thread and do no warm-up. */
  readonly worker?: { readonly configValue: unknown };
  /**
   * Load reference data of a service on first use. For functions, whose first caller waits for the
   * start-up.
   */
  readonly lazyData?: boolean;
  /**
   * Before the process counts as warm it also starts a worker with all reference data that needs no network: the first
   * calls of a server would wait up to a second for them.
   */
  readonly warmThreads?: boolean;
  /** False: the config file cannot load code or choose a directory to write to. Default: true. */
  readonly trustConfig?: boolean;
}

/** A runtime, with the parts needed to build another one with another config. */
export interface Started {
  readonly runtime: Runtime;
  readonly checks: readonly ConfigurableCheck[];
  /** The config as read. */
  readonly configValue: unknown;
  /** The config names code that was not loaded. */
  readonly checksAreMissing: boolean;
  readonly unknownNames: Settings["unknown_names"];
}

/**
 * Prepares everything that is determined once: settings, config, registry, digest, reference data. Does
 * not listen yet. Starts the warm-up.
 * @throws {StartupError} Says what the operator must fix.
 */
export async function start(options: StartOptions): Promise<Runtime> {
  return (await startUp(options)).runtime;
}

/** Like {@link start}. */
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
  if (!worker) for (const warning of options.warnings ?? []) log.warn(warning);
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
    `config file ${path ?? "(none)"}`,
    checks,
    checksAreMissing,
    settings.unknown_names,
  );
  if (!worker) for (const warning of warnings) log.warn({ config: path }, warning);
  const digest = digestOf(config, registry);
  const customInstructions = await readInstructions(settings, config);
  const services = await openServices(options, config, log);

  let isWarm = false;
  const pool = createPool(
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
    (error) => {
      if (isOutOfMemory(error)) {
        log.warn("A thread that had answered its call ran out of memory and is replaced.");
      } else logDefect(log, error, { where: "worker thread" });
    },
  );
  const warm = worker || lazyData ? Promise.resolve() : services.warmUp();
  const ready = warm
    .then(() => (options.warmThreads ? warmWorker(pool, log) : undefined))
    .then(() => {
      isWarm = true;
    });
  // Callers that need the data await `warm` and get the error. If none does, it must not end the process.
  ready.catch((error: unknown) => {
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
    pool,
    customInstructions,
    warm,
    ready,
    isWarm: () => isWarm,
    startedAt,
    log,
  };
  const { unknown_names: unknownNames } = settings;
  return { runtime, checks, configValue: text.value, checksAreMissing, unknownNames };
}

/**
 * Starts a worker, which loads all reference data, because it gets the calls that name many services. If that fails,
 * the first calls are slower, so a failure is only logged.
 */
async function warmWorker(pool: ValidationPool, log: Log): Promise<void> {
  try {
    await pool.warmUp();
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, "A worker could not be started ahead of the first call.");
  }
}

/** Whether a config names modules to be loaded. */
function namesCode(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { custom_checks: modules, custom_checks_dir: directory } = value;
  return (Array.isArray(modules) && modules.length > 0) || Boolean(directory);
}
