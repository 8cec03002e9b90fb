import { join } from "node:path";
import { asciiLower } from "../ascii.ts";
import { reasonOf } from "../errors.ts";
import { definitionFromService, maxDefinitionBytes, serviceFromText } from "./definition.ts";
import { makeFolder, replaceFile } from "./disk-cache.ts";
import { embeddedServices } from "./embedded.ts";
import { fetchDocument } from "./fetch-document.ts";
import { trustedUrl } from "./remote.ts";
import { fileNameOf, parseServiceList, ServiceList, sameOriginEntries } from "./service-list.ts";
import { concurrencyLimit } from "./shared-loads.ts";

/** AWS's list, used by `--source remote` without a URL. */
const awsServiceReference = "https://servicereference.us-east-1.amazonaws.com/";

export interface SyncOptions {
  /** Created if it does not exist. */
  readonly outputDir: string;
  readonly source: "embedded" | "remote";
  /** URL of the remote list. Default: AWS's. */
  readonly url?: string | undefined;
  /** Maximum number of services written at once. */
  readonly maxConcurrent: number;
  readonly progress: SyncProgress;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one request. Default: 30 s. */
  readonly timeoutMs?: number;
  /** Delay before the second of three attempts. Default: 500 ms. */
  readonly retryDelayMs?: number;
}

/** Reports progress while the directory is written. */
export interface SyncProgress {
  start(total: number): void;
  /** One more service is finished, successfully or not. */
  step(): void;
  failed(service: string, reason: string): void;
  stop(): void;
}

export interface SyncResult {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
}

/** A source: its list in the format written to the directory, and the text of each service. */
interface Offer {
  readonly list: ServiceList;
  readonly baseUrl: string;
  readonly date: string;
  /** @throws {Error} If the service is not available. */
  textOf(service: string): Promise<string>;
}

/**
 * Writes `_services.json`, one file per service in the format of the AWS service reference, and
 * `_manifest.json`. A service that fails is reported and counted. Nothing is written outside the directory.
 * @throws {Error} If the list is not available or the directory cannot be written.
 */
export async function syncServices(options: SyncOptions): Promise<SyncResult> {
  const { outputDir, progress, signal } = options;
  const offer = options.source === "embedded" ? embeddedOffer() : await remoteOffer(options);
  await makeFolder(outputDir);
  const limited = concurrencyLimit(options.maxConcurrent);
  const taken = new Set<string>();
  let successful = 0;

  const syncOne = async (service: string): Promise<void> => {
    signal?.throwIfAborted();
    try {
      const file = fileNameOf(service);
      if (file === null) throw new Error("its name cannot be used as a file name");
      if (taken.has(file)) throw new Error("another service has the same file name");
      taken.add(file);
      const text = await offer.textOf(service);
      await replaceFile(join(outputDir, `${file}.json`), indented(text));
      successful++;
    } catch (error) {
      signal?.throwIfAborted();
      progress.failed(printable(service), reasonOf(error));
    }
    progress.step();
  };

  const total = offer.list.length;
  progress.start(total);
  try {
    await Promise.all(offer.list.map(({ service }) => limited(() => syncOne(service))));
  } finally {
    progress.stop();
  }
  await replaceFile(join(outputDir, "_services.json"), indented(JSON.stringify(offer.list)));
  const manifest = {
    download_date: new Date().toISOString(),
    total_services: total,
    successful_downloads: successful,
    failed_downloads: total - successful,
    base_url: offer.baseUrl,
    data_date: offer.date,
  };
  await replaceFile(join(outputDir, "_manifest.json"), indented(JSON.stringify(manifest)));
  return { total, successful, failed: total - successful };
}

function embeddedOffer(): Offer {
  const services = embeddedServices();
  return {
    // Relative URLs, so that the directory can be served unchanged as a remote list.
    list: services.prefixes.map((service) => ({ service, url: `${fileNameOf(service)}.json` })),
    baseUrl: "embedded",
    date: services.date,
    textOf: async (prefix) => {
      const service = services.get(prefix);
      if (!service) throw new Error("not in the embedded data");
      return JSON.stringify(definitionFromService(service));
    },
  };
}

async function remoteOffer(options: SyncOptions): Promise<Offer> {
  const listUrl = trustedUrl(options.url ?? awsServiceReference);
  const request = {
    maxBytes: maxDefinitionBytes,
    timeoutMs: options.timeoutMs ?? 30_000,
    attempts: 3,
    retryDelayMs: options.retryDelayMs ?? 500,
    signal: options.signal,
  };
  const text = await fetchDocument(listUrl, request);
  const urls = sameOriginEntries(parseServiceList(text), listUrl);
  return {
    list: ServiceList.parse(JSON.parse(text)),
    baseUrl: listUrl.href,
    date: new Date().toISOString().slice(0, 10),
    textOf: async (service) => {
      const prefix = asciiLower(service);
      const url = urls.get(prefix);
      if (!url) throw new Error("its name or its URL is not in the list");
      const definition = await fetchDocument(url, request);
      serviceFromText(prefix, definition);
      return definition;
    },
  };
}

function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
}

/** Escapes names of remote data for a terminal. */
function printable(name: string): string {
  return name.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 80);
}
