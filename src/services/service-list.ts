import { z } from "zod";
import { asciiLower, byCodePoint } from "./ascii.ts";

/** What `_services.json` and the remote list hold. */
export const ServiceList = z
  .array(z.looseObject({ service: z.string(), url: z.string() }))
  .min(1, "the list of services is empty")
  .max(5000);
export type ServiceList = z.infer<typeof ServiceList>;

/** Prefixes as IAM writes them; anything else in a list is no service. */
const prefixShape = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * @returns the entries whose names can be service prefixes, in lower case and sorted; of two that
 * differ in case only the first.
 * @throws {Error} When the text is not a list of services.
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
 * The entries of a remote list that stay where the list is.
 * @param listUrl Where the list came from; relative addresses are relative to it.
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
 * File name (without its ending) of a service in a data directory. Names come from remote data, so
 * what is left of one never leaves the directory and never takes the place of its list.
 * @returns null when no usable name is left.
 */
export function fileNameOf(service: string): string | null {
  const name = service
    .toLowerCase()
    .replaceAll(" ", "_")
    .replaceAll(/[^a-z0-9._-]/g, "_")
    .replace(/^\.+/, "");
  return name === "" || reserved.has(name) ? null : name;
}
