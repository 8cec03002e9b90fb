import { z } from "zod";
import { asciiLower, byCodePoint } from "../ascii.ts";

/** Content of `_services.json` and of the remote list. */
export const ServiceList = z
  .array(z.looseObject({ service: z.string(), url: z.string() }))
  .min(1, "the list of services is empty")
  .max(5000);
export type ServiceList = z.infer<typeof ServiceList>;

/** Service prefixes as IAM writes them; other entries of a list are skipped. */
const prefixShape = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * @returns The entries whose names can be service prefixes, in lower case and sorted. Of two entries
 * that differ only in case, the first.
 * @throws {Error} If the text is not a list of services.
 */
export function parseServiceList(text: string): ReadonlyMap<string, string> {
  const list = ServiceList.parse(JSON.parse(text));
  const entries = new Map<string, string>();
  for (const { service, url } of list) {
    const prefix = asciiLower(service);
    if (prefixShape.test(prefix) && !entries.has(prefix)) entries.set(prefix, url);
  }
  return new Map([...entries].sort(([left], [right]) => byCodePoint(left, right)));
}

/**
 * The entries of a remote list whose URLs have the origin of the list.
 * @param listUrl URL of the list; relative URLs are resolved against it.
 */
export function sameOriginEntries(
  entries: ReadonlyMap<string, string>,
  listUrl: URL,
): ReadonlyMap<string, URL> {
  const kept = new Map<string, URL>();
  for (const [prefix, address] of entries) {
    const url = URL.parse(address, listUrl.href);
    if (url && url.origin === listUrl.origin && url.username === "" && url.password === "") {
      kept.set(prefix, url);
    }
  }
  return kept;
}

const reserved = new Set(["_services", "_manifest"]);

/**
 * File name (without extension) of a service in a data directory. Names come from remote data, so the
 * file name never leads out of the directory and never equals that of the list.
 * @returns null if the name cannot be used as a file name.
 */
export function fileNameOf(service: string): string | null {
  const name = service
    .toLowerCase()
    .replaceAll(" ", "_")
    .replaceAll(/[^a-z0-9._-]/g, "_")
    .replace(/^\.+/, "");
  return name === "" || reserved.has(name) ? null : name;
}
