import { isJsonContentType } from "@modelcontextprotocol/server";
import { RequestFilteringHttpsAgent } from "request-filtering-agent";
import { ClientDocument } from "../../spec/login.ts";
import { ageFrom, type Clocks, steady } from "../auth/clocks.ts";
import { parseUniqueJson } from "../json/unique.ts";
import { lruCache } from "../lru-cache.ts";
import {
  documentFetch,
  type FetchDocument,
  type Fetched,
  Unreachable,
} from "./client-document-fetch.ts";
import type { RegisteredClient } from "./client-id.ts";
import { isHostName } from "./settings.ts";
import { clientName } from "./text.ts";

const maxUrlLength = 512;
const maxCached = 256;
const maxUnderWay = 8;
const maxBegunPerMinute = 60;
const cacheSeconds = { least: 300, most: 86_400, standard: 3_600 };

/** `unusable`: the document or its address is not valid. `unreachable`: it is not available now. */
export type DocumentProblem = "unusable" | "unreachable";

/** Client metadata documents (draft-ietf-oauth-client-id-metadata-document-00). */
export interface ClientDocuments {
  /** @returns the client that a document describes. Fetches it unless it is known. */
  find(url: string): Promise<RegisteredClient | DocumentProblem>;
}

/** Whether a client id is the address of a document on one of the hosts. Nothing is fetched. */
export function isDocumentUrl(text: string, hosts: (host: string) => boolean): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[!$&-;=A-Z_a-z~%]+$/.test(text)) return false;
  const [, authority = "", path = ""] = /^https:\/\/([^/]*)(\/.*)?$/.exec(text) ?? [];
  const host = authority.replace(/:443$/, "");
  if (!isHostName(host) || !hosts(host)) return false;
  if (path.length < 2 || !URL.canParse(text)) return false;
  // A parser would remove these segments, so that two texts would be one document.
  return !path.split("/").some((part) => /^\.{1,2}$/.test(part.replaceAll(/%2e/gi, ".")));
}

/** @param fetchDocument for tests; the real one refuses every address that is not public. */
export function createClientDocuments(
  clocks: Clocks,
  fetchDocument: FetchDocument = fetchFiltered,
): ClientDocuments {
  const ticks = steady(clocks);
  const known = lruCache<{
    readonly client: RegisteredClient;
    readonly isFresh: () => boolean;
  }>(maxCached);
  const underWay = new Map<string, Promise<RegisteredClient | DocumentProblem>>();
  let begun: number[] = [];

  const fetchNow = async (url: string): Promise<RegisteredClient | DocumentProblem> => {
    try {
      const fetched = await fetchDocument(url);
      const client = clientOf(url, fetched);
      if (!client) return "unusable";
      const lifetimeS = lifetimeOf(fetched.cacheControl);
      if (lifetimeS > 0) {
        const ageMs = ageFrom(clocks);
        known.set(url, { client, isFresh: () => ageMs() < lifetimeS * 1000 });
      }
      return client;
    } catch (error) {
      return error instanceof Unreachable ? "unreachable" : "unusable";
    }
  };

  return {
    async find(url) {
      const cached = known.get(url);
      if (cached?.isFresh()) return cached.client;
      const shared = underWay.get(url);
      if (shared) return shared;
      const now = ticks();
      begun = begun.filter((at) => now - at < 60_000);
      if (underWay.size >= maxUnderWay || begun.length >= maxBegunPerMinute) return "unreachable";
      begun.push(now);
      const started = fetchNow(url).finally(() => underWay.delete(url));
      underWay.set(url, started);
      return started;
    },
  };
}

/** Checks the address after the DNS look-up, so that no name leads to an internal address. */
const fetchFiltered = documentFetch(new RequestFilteringHttpsAgent({ keepAlive: false }));

function clientOf(
  url: string,
  { status, contentType, body }: Fetched,
): RegisteredClient | undefined {
  if (status !== 200 || !isJsonMedia(contentType)) return undefined;
  const json = parseUniqueJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  const document = ClientDocument.safeParse("value" in json ? json.value : undefined);
  if (!document.success || document.data.client_id !== url) return undefined;
  const {
    client_name,
    redirect_uris,
    grant_types,
    token_endpoint_auth_method: method = "none",
    token_endpoint_auth_methods_supported: methods = [],
  } = document.data;
  // ChatGPT prefers private_key_jwt and offers none beside it.
  if (method !== "none" && !methods.includes("none")) return undefined;
  if (grant_types && !grant_types.includes("authorization_code")) return undefined;
  return { name: clientName(client_name), redirects: redirect_uris };
}

function isJsonMedia(contentType: string | undefined): boolean {
  const media = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return isJsonContentType(media) || /^application\/[\w.+-]+\+json$/.test(media);
}

function lifetimeOf(cacheControl = ""): number {
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((each) => each.trim());
  if (directives.includes("no-store")) return 0;
  const [, seconds] =
    directives.map((each) => /^max-age="?(\d{1,9})/.exec(each)).find(Boolean) ?? [];
  const { least, most, standard } = cacheSeconds;
  return Math.min(most, Math.max(least, seconds === undefined ? standard : Number(seconds)));
}
