import type { AccessTokens } from "./access-token.ts";
import { type ClientDocuments, type DocumentProblem, isDocumentUrl } from "./client-document.ts";
import { type RegisteredClient, readClientId } from "./client-id.ts";
import type { Cookies } from "./cookies.ts";
import type { LoginEvents } from "./events.ts";
import { sha256 } from "./random.ts";
import type { Seals } from "./seal.ts";
import type { LoginSettings } from "./settings.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** All that the routes are built from. */
export interface Front {
  readonly settings: LoginSettings;
  readonly seals: Seals;
  readonly cookies: Cookies;
  readonly documents: ClientDocuments;
  readonly upstream: Upstream;
  readonly tokens: AccessTokens;
  readonly events: LoginEvents;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** What the platform adds to a request. */
export interface RouteContext {
  /** ms left for the answer; undefined: only the server's own limit applies. */
  readonly remainingMs?: number | undefined;
}

export type Route = (request: Request, context: RouteContext) => Promise<Response>;

/** @returns Unix seconds, rounded down. */
export function nowS({ now }: Pick<Front, "now">): number {
  return Math.floor(now() / 1000);
}

/** A client id in one of the two forms. `document`: an address that has not been fetched. */
export type ClientReference =
  | { readonly kind: "registered"; readonly client: RegisteredClient }
  | { readonly kind: "document"; readonly url: string };

/** @returns undefined for a client id that this server cannot have given and does not accept. Nothing is fetched. */
export function referenceOf(
  id: string,
  { documentHosts }: LoginSettings,
): ClientReference | undefined {
  const client = readClientId(id);
  if (client) return { kind: "registered", client };
  if (documentHosts && isDocumentUrl(id, documentHosts)) return { kind: "document", url: id };
  return undefined;
}

/** @returns the client behind an id; its document may be fetched. */
export async function clientOf(
  reference: ClientReference,
  documents: ClientDocuments,
): Promise<RegisteredClient | DocumentProblem> {
  return reference.kind === "registered" ? reference.client : documents.find(reference.url);
}

/** @returns how the log names a client: never by the name it chose. */
export function clientLabel(reference: ClientReference): string {
  return reference.kind === "registered" ? "registered" : new URL(reference.url).host;
}

/** @returns how a token names a client: its URL, or a digest of the id that carries a registration. */
export function clientIdOfToken(id: string): string {
  return id.startsWith("https://") ? id : `reg1:${sha256(id).slice(0, 22)}`;
}
