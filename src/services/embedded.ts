import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asciiLower } from "../ascii.ts";
import { packageRoot } from "../package-root.ts";
import { Yielder } from "../yielder.ts";
import { commonServices } from "./common-services.ts";
import { type DataIndex, decodeDescriptions, decodeService } from "./embedded-format.ts";
import type { Service, ServiceData } from "./model.ts";
import { compileService } from "./service.ts";

interface Lines {
  readonly start: number;
  readonly length: number;
  readonly descriptionStart: number;
  readonly descriptionLength: number;
}

/**
 * The reference data in the package. Opening it reads only the index. A service is decoded on first
 * use, also by `get`, so every service is always available.
 */
export function embeddedServices(folder = join(packageRoot(), "data")): ServiceData {
  // Written when the package was built, so it is not validated: that would slow cold starts.
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as DataIndex;
  const lines = linesOf(index);
  const services = new Map<string, Service>();
  const serviceBytes = lazyFile(join(folder, "services.jsonl"));
  const descriptionBytes = lazyFile(join(folder, "descriptions.jsonl"));

  const get = (prefix: string): Service | undefined => {
    // First as written: policies nearly always use lower case.
    const known = services.get(prefix);
    if (known) return known;
    const lower = asciiLower(prefix);
    const loaded = services.get(lower);
    if (loaded) return loaded;
    const at = lines.get(lower);
    if (!at) return undefined;
    const service = compileService(
      decodeService(serviceBytes().toString("utf8", at.start, at.start + at.length), () =>
        decodeDescriptions(
          descriptionBytes().toString(
            "utf8",
            at.descriptionStart,
            at.descriptionStart + at.descriptionLength,
          ),
        ),
      ),
    );
    services.set(lower, service);
    return service;
  };
  return {
    source: "embedded",
    date: index.date,
    hash: index.sha256,
    prefixes: [...lines.keys()],
    get,
    withAction: (name) => prefixesWith(name, serviceBytes(), lines),
    async load(prefixes, signal) {
      const yielder = new Yielder(signal);
      for (const prefix of prefixes) {
        // Keys of most conditions have the prefix `aws`, which is no service: looking for it would end at the clock.
        if (services.has(prefix) || prefix === "aws") continue;
        get(prefix);
        // The largest services take some milliseconds each.
        if (yielder.isDue) await yielder.yieldNow();
      }
    },
    warmUp: async () => {
      for (const prefix of commonServices) get(prefix);
    },
  };
}

function linesOf(index: DataIndex): ReadonlyMap<string, Lines> {
  const lines = new Map<string, Lines>();
  let start = 0;
  let descriptionStart = 0;
  for (const [prefix, [length, descriptionLength]] of Object.entries(index.services)) {
    lines.set(prefix, { start, length, descriptionStart, descriptionLength });
    start += length;
    descriptionStart += descriptionLength;
  }
  return lines;
}

/** Searches the bytes, because decoding every service takes 100 times as long. */
function prefixesWith(name: string, bytes: Buffer, lines: ReadonlyMap<string, Lines>): string[] {
  // An action is written as its name and one letter for its access level; see `ServiceLine`.
  if (!/^[A-Za-z0-9]+$/.test(name)) return [];
  const wanted = Buffer.from(`["${name}","`);
  const found: string[] = [];
  const entries = [...lines];
  for (let at = bytes.indexOf(wanted), line = 0; at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    while ((entries[line + 1]?.[1].start ?? bytes.length) <= at) line++;
    const isAction = bytes[at + wanted.length + 1] === quoteByte;
    const prefix = entries[line]?.[0];
    if (isAction && prefix !== undefined && found.at(-1) !== prefix) found.push(prefix);
  }
  return found;
}

const quoteByte = 0x22;

function lazyFile(path: string): () => Buffer {
  let bytes: Buffer | undefined;
  return () => {
    bytes ??= readFileSync(path);
    return bytes;
  };
}
