import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { asciiLower } from "../ascii.ts";
import { reasonOf, StartupError } from "../errors.ts";
import { tryParseJson } from "../json/parse.ts";
import { commonServices } from "./common-services.ts";
import { maxDefinitionBytes, serviceFromText } from "./definition.ts";
import { ServicesUnavailable } from "./load-services.ts";
import type { Service, ServiceData, ServiceLog } from "./model.ts";
import { fileNameOf, parseServiceList } from "./service-list.ts";
import { concurrencyLimit, SharedLoads } from "./shared-loads.ts";

const Manifest = z.looseObject({
  download_date: z.string().optional(),
  /** Written by `sync-services`: date of the data, if it differs from that of the download. */
  data_date: z.iso.date().optional(),
});

/**
 * Service data from a directory written by `sync-services`: `_services.json` and one file per service.
 * Makes no outbound requests. `load` rejects with {@link ServicesUnavailable} if the file of a service
 * cannot be used, because without it a real service would be reported as unknown. `hash` covers the
 * names and contents of all files of listed services.
 * @throws {StartupError} `aws_services_dir` if the directory or its list cannot be used.
 */
export async function directoryServices(path: string, log: ServiceLog): Promise<ServiceData> {
  const entries = await readList(path);
  const files = await filesOf(path, entries.keys()).catch((error: unknown) => {
    throw unusable(path, `cannot be listed (${reasonOf(error)})`);
  });
  let hash: string | undefined;
  const date = await dateOf(path);
  const services = new Map<string, Service>();
  const loads = new SharedLoads<void>();
  // Reads overlap because most of their time is waiting.
  const reading = concurrencyLimit(8);
  const reported = new Set<string>();

  const loadOne = async (prefix: string, file: string) => {
    try {
      services.set(prefix, serviceFromText(prefix, await readBounded(join(path, file))));
    } catch (error) {
      // The next call tries again; the warning is logged once.
      if (reported.has(prefix)) return;
      reported.add(prefix);
      log.warn({ service: prefix, reason: reasonOf(error) }, "a service's data file is unusable");
    }
  };
  /** @returns The prefixes whose files cannot be used. */
  const loadFiles = async (prefixes: Iterable<string>, signal?: AbortSignal) => {
    const wanted = [...new Set(Array.from(prefixes, asciiLower))];
    const damaged = await Promise.all(
      wanted.map(async (prefix) => {
        const file = files.get(prefix);
        if (file === undefined || services.has(prefix)) return [];
        await loads.load(prefix, () => reading(() => loadOne(prefix, file)), signal);
        return services.has(prefix) ? [] : [prefix];
      }),
    );
    return damaged.flat();
  };
  return {
    source: "directory",
    date,
    // Computed on demand: reading every file takes longer than the rest of a function's cold start.
    get hash() {
      hash ??= hashOf(path, files);
      return hash;
    },
    prefixes: [...files.keys()],
    get: (prefix) => services.get(asciiLower(prefix)),
    async load(prefixes, signal) {
      const damaged = await loadFiles(prefixes, signal);
      if (damaged.length === 0) return;
      throw new ServicesUnavailable(
        `The AWS reference data of ${damaged.slice(0, 5).join(", ")} could not be read; the operator of the server must repair it.`,
      );
    },
    warmUp: async (signal) => {
      await loadFiles(commonServices, signal);
    },
  };
}

async function readList(path: string): Promise<ReadonlyMap<string, string>> {
  const file = join(path, "_services.json");
  try {
    return parseServiceList(await readBounded(file));
  } catch (error) {
    throw unusable(path, `${file} ${listFault(error)}`);
  }
}

function listFault(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return "is not a list of services";
  }
  const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return missing ? "does not exist" : `cannot be read (${reasonOf(error)})`;
}

function unusable(path: string, reason: string): StartupError {
  return new StartupError(
    "aws_services_dir",
    `aws_services_dir ${path}: ${reason}. Write the directory with \`sync-services\`.`,
  );
}

/** @returns The file of each listed service that has one; file names are compared without case. */
async function filesOf(
  path: string,
  prefixes: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const present = new Map((await readdir(path)).map((file) => [file.toLowerCase(), file]));
  const files = new Map<string, string>();
  for (const prefix of prefixes) {
    const name = fileNameOf(prefix);
    const file = name === null ? undefined : present.get(`${name}.json`);
    if (file !== undefined) files.set(prefix, file);
  }
  return files;
}

function hashOf(path: string, files: ReadonlyMap<string, string>): string {
  const digest = createHash("sha256");
  for (const [prefix, file] of files) {
    const content = contentOf(join(path, file));
    digest.update(`${prefix} ${content.length}\n`).update(content);
  }
  return digest.digest("hex");
}

function contentOf(file: string): Buffer | string {
  try {
    return statSync(file).isFile() ? readFileSync(file) : "";
  } catch {
    return "";
  }
}

async function dateOf(path: string): Promise<string> {
  const written = (await stat(join(path, "_services.json"))).mtime.toISOString();
  const text = await readBounded(join(path, "_manifest.json")).catch(() => "");
  const manifest = Manifest.safeParse(tryParseJson(text)).data;
  const day = manifest?.data_date ?? manifest?.download_date?.slice(0, 10);
  return z.iso.date().safeParse(day).data ?? written.slice(0, 10);
}

async function readBounded(file: string): Promise<string> {
  const found = await stat(file);
  // Devices and pipes report no size and may be endless.
  if (!found.isFile()) throw new Error("not a regular file");
  if (found.size > maxDefinitionBytes) throw new Error(`more than ${maxDefinitionBytes} bytes`);
  return readFile(file, "utf8");
}
