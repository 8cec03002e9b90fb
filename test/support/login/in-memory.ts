import { getResponse } from "msw";
import type { Authenticator } from "../../../src/auth/caller.ts";
import { buildChallenge } from "../../../src/auth/challenge.ts";
import type { AuthContext } from "../../../src/auth/context.ts";
import { metadataPaths, resourceMetadata } from "../../../src/auth/metadata.ts";
import { documentMaxAgeS, publicDocument } from "../../../src/auth/public-document.ts";
import type { FetchDocument } from "../../../src/login/client-document-fetch.ts";
import { createLogin, type Login, type LoginOptions } from "../../../src/login/create.ts";
import type { LoginLog, LoginObserver } from "../../../src/login/events.ts";
import type { GithubStandIn } from "./github.ts";
import { prefixed, type Variables } from "./variables.ts";
import type { Transport } from "./visitor.ts";

export interface InMemoryOptions {
  readonly auth: AuthContext["provider"];
  readonly variables: Variables;
  readonly now?: () => number;
  readonly stepUp?: boolean;
  readonly log?: LoginLog;
  readonly observer?: LoginObserver;
  readonly fetchDocument?: FetchDocument;
  readonly providerAuthenticator?: LoginOptions["providerAuthenticator"];
  readonly defect?: (error: unknown) => string;
}

const nothing = () => undefined;

/** The login alone, without a server around it. */
export function loginInMemory({
  auth,
  variables,
  now = Date.now,
  stepUp = false,
  log = { info: nothing, warn: nothing, error: nothing },
  observer = { login: nothing, loginProvider: nothing },
  fetchDocument,
  providerAuthenticator = async () => refusing,
  defect = (error) => {
    throw error;
  },
}: InMemoryOptions): Promise<Login> {
  const environment = prefixed(variables);
  return createLogin({
    context: { provider: auth, environment, log, defaultBaseUrl: undefined, now },
    stepUp,
    log,
    observer,
    defect,
    providerAuthenticator,
    ...(fetchDocument && { fetchDocument }),
  });
}

const refusing: Authenticator = {
  provider: "none",
  challengeScopes: [],
  requiredScopes: [],
  stepUp: false,
  authenticate: async () => ({ refusal: { kind: "invalid_token", description: "Not known." } }),
};

/** Carries requests to a login, and answers what the app around it would: tokens at `/mcp`, and the resource's metadata. */
export function memoryTransport({ authenticator, routes }: Login, base: string): Transport {
  const metadata = resourceMetadata(authenticator);
  const paths = authenticator.metadata ? metadataPaths(authenticator.metadata) : [];
  return async (path, init) => {
    const request = new Request(new URL(path, base), init);
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return tokenAnswer(authenticator, request);
    if (metadata && paths.includes(pathname)) {
      return publicDocument(request.method, metadata, documentMaxAgeS);
    }
    const response = await routes.app.fetch(request);
    if (response.status !== 404) return response;
    return Response.json({ error: "not_found" }, { status: 404 });
  };
}

async function tokenAnswer(authenticator: Authenticator, request: Request): Promise<Response> {
  const result = await authenticator.authenticate({ headers: request.headers });
  if ("caller" in result) return Response.json(result.caller);
  const { status, headers } = buildChallenge(result.refusal, authenticator);
  return new Response(null, { status, headers });
}

/** `fetch` that reaches GitHub's stand-in and nothing else. */
export function githubFetch({ handlers }: GithubStandIn): typeof fetch {
  return async (input, init) => {
    const response = await getResponse(handlers, new Request(input, init));
    if (!response) throw new TypeError("fetch failed");
    return response;
  };
}
