import { createHash } from "node:crypto";
import { join } from "node:path";
import { asciiLower } from "../ascii.ts";
import { reasonOf, StartupError } from "../errors.ts";
import { commonServices } from "./common-services.ts";
import { maxDefinitionBytes, serviceFromText } from "./definition.ts";
import { type DiskCache, diskCache } from "./disk-cache.ts";
import { backOff, fetchDocument, pause, Refusal } from "./fetch-document.ts";
import { ServicesUnavailable } from "./load-services.ts";
import type { Service, ServiceData, ServiceLog } from "./model.ts";
import { fileNameOf, parseServiceList, sameOriginEntries } from "./service-list.ts";
import { concurrencyLimit, SharedLoads } from "./shared-loads.ts";

/** Advice for callers when data could not be fetched. */
const tryAgain = "Try again later.";

export interface RemoteOptions {
  /** URL of the list of services. */
  readonly url: string;
  readonly log: ServiceLog;
  /** Directory that keeps downloads across restarts. Null or absent: in memory only. */
  readonly cacheDirectory?: string | null | undefined;
  /** Age at which a cached copy expires. Default: 7 days. */
  readonly ttlMs?: number;
  /** Timeout of one request. Default: 30 s. */
  readonly timeoutMs?: number;
  /** Maximum size of one document, uncompressed. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of requests for one document. Default: 3. */
  readonly attempts?: number;
  /** Delay before the second attempt. Default: 500 ms. */
  readonly retryDelayMs?: number;
  /** Maximum number of concurrent requests; never more than 10. */
  readonly maxConnections?: number;
}

interface List {
  readonly entries: ReadonlyMap<string, URL>;
  /** Keys of the entries; one array, by which others remember what they made of it. */
  readonly prefixes: readonly string[];
  readonly sha256: string;
  /** Day it was fetched, `YYYY-MM-DD`. */
  readonly date: string;
}

interface Loaded {
  readonly service: Service;
  readonly sha256: string;
}

const dayMs = 86_400_000;
const mostRequests = 10;
/** Timeout for refreshing an expired document while a stale copy exists. */
const refreshTimeoutMs = 10_000;
/** After a failed refresh, the stale copy is served this long before the next attempt. */
const refreshPauseMs = 60_000;

/**
 * Service data from a list on the network: from memory, else from the disk cache, else by a request.
 * Only names in the list cause requests. If refreshing an expired copy fails, the stale copy is used,
 * and no other refresh is tried for a minute, so that an unreachable list does not stop a server that has data.
 *
 * `date` is the day on which the list was fetched. `hash` covers the list and the services in memory,
 * each by the SHA-256 of its text, ordered by prefix; it changes when a service is loaded.
 *
 * `load` rejects with {@link ServicesUnavailable} if there is no list, or if a service of the list
 * cannot be fetched, because without it real services would be reported as unknown. During warm-up, a
 * single service that does not load is only a warning.
 * @throws {StartupError} `invalid_setting` if the URL is neither HTTPS nor loopback.
 */
export function remoteServices(options: RemoteOptions): ServiceData {
  const listUrl = trustedUrl(options.url);
  const { log, ttlMs = 7 * dayMs, retryDelayMs = 500 } = options;
  const request = {
    maxBytes: options.maxBytes ?? maxDefinitionBytes,
    timeoutMs: options.timeoutMs ?? 30_000,
    attempts: options.attempts ?? 3,
    retryDelayMs,
  };
  const cache = diskCache(cacheFolder(options.cacheDirectory, listUrl), log);
  const limited = concurrencyLimit(Math.min(mostRequests, options.maxConnections ?? mostRequests));
  const services = new Map<string, Loaded>();
  let refreshFailedAt = Number.NEGATIVE_INFINITY;
  const serviceLoads = new SharedLoads<void>();
  const listLoads = new SharedLoads<List>();
  let list: List | undefined;
  let hash: string | undefined;

  const refresh = async (url: URL, signal?: AbortSignal): Promise<string> => {
    if (performance.now() - refreshFailedAt < refreshPauseMs) {
      throw new Error("a refresh failed less than a minute ago");
    }
    const timeoutMs = Math.min(refreshTimeoutMs, request.timeoutMs);
    try {
      return await fetchDocument(url, { ...request, attempts: 1, timeoutMs, signal });
    } catch (error) {
      // A refusal is an answer: the server is reachable, so other documents are still tried.
      if (!(error instanceof Refusal)) refreshFailedAt = performance.now();
      throw error;
    }
  };
  const document = <Result>(
    name: string,
    url: URL,
    accept: (text: string, at: number) => Result,
    signal?: AbortSignal,
  ): Promise<Result> =>
    limited(() =>
      cachedOrFetched({
        cache,
        name,
        ttlMs,
        accept,
        fetchText: () => fetchDocument(url, { ...request, signal }),
        refreshText: () => refresh(url, signal),
        onStale: (error) =>
          log.warn({ document: name, reason: reasonOf(error) }, "using an older copy"),
      }),
    );

  const loadList = async (signal?: AbortSignal): Promise<List> => {
    const accept = (text: string, at: number) => listFrom(text, at, listUrl, log);
    list ??= await document("_services", listUrl, accept, signal);
    hash = undefined;
    return list;
  };
  const loadService = async (prefix: string, url: URL): Promise<void> => {
    try {
      const name = fileNameOf(prefix);
      if (name === null) throw new Error("its name cannot be used as a file name");
      const loaded = await document(name, url, (text) => ({
        service: serviceFromText(prefix, text),
        sha256: sha256(text),
      }));
      services.set(prefix, loaded);
      hash = undefined;
    } catch (error) {
      log.warn({ service: prefix, reason: reasonOf(error) }, "a service's data did not load");
    }
  };
  const requireList = async (signal?: AbortSignal): Promise<List> => {
    try {
      return list ?? (await listLoads.load("", () => loadList(), signal));
    } catch (error) {
      signal?.throwIfAborted();
      throw new ServicesUnavailable(`The list of AWS services could not be fetched. ${tryAgain}`, {
        cause: error,
      });
    }
  };
  /** @returns The listed prefixes that could not be loaded. */
  const loadListed = async (
    prefixes: Iterable<string>,
    signal?: AbortSignal,
  ): Promise<readonly string[]> => {
    const { entries } = await requireList(signal);
    const wanted = new Set(Array.from(prefixes, asciiLower));
    const loads = Array.from(wanted, (prefix) => {
      const url = entries.get(prefix);
      if (!url || services.has(prefix)) return undefined;
      return serviceLoads.load(prefix, () => loadService(prefix, url), signal);
    });
    await Promise.all(loads);
    return [...wanted].filter((prefix) => entries.has(prefix) && !services.has(prefix));
  };

  return {
    source: "remote",
    get date() {
      return list?.date ?? new Date().toISOString().slice(0, 10);
    },
    get hash() {
      hash ??= hashOf(list, services);
      return hash;
    },
    get prefixes() {
      return list?.prefixes ?? [];
    },
    get: (prefix) => services.get(asciiLower(prefix))?.service,
    async load(prefixes, signal) {
      const missing = await loadListed(prefixes, signal);
      if (missing.length === 0) return;
      throw new ServicesUnavailable(
        `The AWS reference data of ${missing.slice(0, 5).join(", ")} could not be fetched. ${tryAgain}`,
      );
    },
    warmUp: async (signal) => {
      for (let attempt = 1; !list; attempt++) {
        try {
          await listLoads.load("", () => loadList(signal), signal);
        } catch (error) {
          signal?.throwIfAborted();
          const waitMs = backOff(retryDelayMs * 4, attempt);
          log.warn(
            { reason: reasonOf(error), retry_in_s: Math.round(waitMs / 100) / 10 },
            "the list of services did not load; the server is not ready",
          );
          await pause(waitMs, signal);
        }
      }
      await loadListed(commonServices, signal);
    },
  };
}

/** @throws {StartupError} */
export function trustedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.username !== "" || url.password !== "") {
    throw new StartupError(
      "invalid_setting",
      "VALIDATOR_MCP_REFERENCE_DATA_URL must be an absolute URL without credentials.",
    );
  }
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && loopback)) return url;
  throw new StartupError(
    "invalid_setting",
    "VALIDATOR_MCP_REFERENCE_DATA_URL must be HTTPS (plain HTTP on loopback only).",
  );
}

interface Source<Result> {
  readonly cache: DiskCache;
  readonly name: string;
  readonly ttlMs: number;
  /** @throws {Error} If the text is not the requested document. */
  readonly accept: (text: string, writtenAt: number) => Result;
  readonly fetchText: () => Promise<string>;
  /** Like `fetchText`, with one attempt and a short timeout. */
  readonly refreshText: () => Promise<string>;
  readonly onStale: (error: unknown) => void;
}

async function cachedOrFetched<Result>(source: Source<Result>): Promise<Result> {
  const { cache, name, ttlMs, accept, fetchText, refreshText, onStale } = source;
  const cached = await cache.read(name);
  const copy = cached && attempt(() => accept(cached.text, cached.writtenAt));
  // A copy dated in the future has an unknown age, because the clock was set back.
  const age = cached ? Date.now() - cached.writtenAt : Number.NaN;
  if (copy && age >= 0 && age < ttlMs) return copy.result;
  try {
    const text = await (copy ? refreshText() : fetchText());
    const result = accept(text, Date.now());
    await cache.write(name, text);
    return result;
  } catch (error) {
    if (!copy) throw error;
    onStale(error);
    return copy.result;
  }
}

function attempt<Result>(run: () => Result): { readonly result: Result } | undefined {
  try {
    return { result: run() };
  } catch {
    return undefined;
  }
}

function listFrom(text: string, writtenAt: number, listUrl: URL, log: ServiceLog): List {
  const all = parseServiceList(text);
  const entries = sameOriginEntries(all, listUrl);
  if (entries.size === 0) throw new Error("no service of the list is at the list's own address");
  const elsewhere = all.size - entries.size;
  if (elsewhere > 0) {
    log.warn({ services: elsewhere }, "services whose data is at another address are left out");
  }
  return {
    entries,
    prefixes: [...entries.keys()],
    sha256: sha256(text),
    date: new Date(writtenAt).toISOString().slice(0, 10),
  };
}

function hashOf(list: List | undefined, services: ReadonlyMap<string, Loaded>): string {
  const lines = [...services]
    .map(([prefix, loaded]) => `${prefix} ${loaded.sha256}`)
    .sort()
    .join("\n");
  return sha256(`${list?.sha256 ?? ""}\n${lines}`);
}

/** Each list URL has a separate folder, because lists use the same file names. */
function cacheFolder(directory: string | null | undefined, listUrl: URL): string | null {
  if (directory === null || directory === undefined) return null;
  return join(directory, "reference-data", sha256(listUrl.href).slice(0, 16));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
