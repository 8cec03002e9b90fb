import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type Configuration, errors, type JWK } from "oidc-provider";
import { type TestKey, testKey } from "./issuer.ts";

/** A real OpenID issuer on loopback, certified software and no stand-in. */
export interface Oidc extends AsyncDisposable {
  readonly url: string;
  /** `method path`, in order. */
  readonly requests: readonly string[];
  /** Bodies of token requests, in order. */
  readonly tokenRequests: readonly URLSearchParams[];
  /** Publishes a new key and withdraws the one before. */
  rotate(): void;
  /** Tokens issued from now on end this long after their issue; negative: before it. */
  lifetimeS: number;
  /** Asks for a token as the client `ci` does. */
  token(parameters: Record<string, string>): Promise<string>;
}

export const machine = { id: "ci", secret: "ci-s3cr3t" } as const;
/** The same, but its registration allows one scope only. */
export const narrowMachine = { id: "narrow", secret: "narrow-s3cr3t" } as const;

/** Where AuthKit and Keycloak publish their keys. */
const otherKeyPaths = new Set(["/oauth2/jwks", "/protocol/openid-connect/certs"]);
const scopes = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];

/** @param resources audiences that tokens may be asked for. */
export async function startOidc(resources: readonly string[]): Promise<Oidc> {
  const requests: string[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const state = { lifetimeS: 600, count: 0 };
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    requests.push(`${request.method} ${path}`);
    if (otherKeyPaths.has(path)) request.url = "/jwks";
    if (path === "/token") void recordForm(request, tokenRequests);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}`;

  const useKey = (key: TestKey) => {
    const provider = new Provider(url, configuration(key, resources, state));
    const callback = provider.callback();
    handle = (request, response) =>
      request.url?.startsWith("/interaction/")
        ? agree(provider, request, response)
        : callback(request, response);
  };
  useKey(testKey("RS256", "oidc-0"));

  return {
    url,
    requests,
    tokenRequests,
    rotate() {
      state.count += 1;
      useKey(testKey("RS256", `oidc-${state.count}`));
    },
    set lifetimeS(seconds: number) {
      state.lifetimeS = seconds;
    },
    get lifetimeS() {
      return state.lifetimeS;
    },
    async token(parameters) {
      const basic = Buffer.from(`${machine.id}:${machine.secret}`).toString("base64");
      const answer = await fetch(`${url}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: "client_credentials", ...parameters }),
      });
      const { access_token } = (await answer.json()) as { access_token: string };
      return access_token;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function recordForm(request: IncomingMessage, into: URLSearchParams[]): Promise<void> {
  // A second reader beside the issuer's own.
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => into.push(new URLSearchParams(Buffer.concat(parts).toString("utf8"))));
}

function configuration(
  key: TestKey,
  resources: readonly string[],
  state: { readonly lifetimeS: number },
): Configuration {
  const machines = [
    { ...machine, scope: scopes.join(" ") },
    { ...narrowMachine, scope: "iam:validate" },
  ];
  return {
    clients: machines.map(({ id, secret, scope }) => ({
      client_id: id,
      client_secret: secret,
      scope,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    scopes: ["openid", "offline_access", ...scopes],
    ttl: {
      AccessToken: 600,
      ClientCredentials: 600,
      Grant: 600,
      Interaction: 600,
      RefreshToken: 600,
      Session: 600,
    },
    jwks: {
      keys: [{ ...key.privateKey.export({ format: "jwk" }), kid: key.kid, use: "sig" } as JWK],
    },
    cookies: { keys: ["not a secret outside this test"] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo(_, audience) {
          if (!resources.includes(audience)) throw new errors.InvalidTarget();
          return {
            audience,
            scope: scopes.join(" "),
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "RS256" } },
          };
        },
      },
    },
    formats: {
      customizers: {
        jwt(_, __, { payload }) {
          payload.exp = Number(payload.iat) + state.lifetimeS;
        },
      },
    },
  };
}

/** Signs in as alice and agrees to everything the client asks for. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "alice" } });
    return;
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? "",
    clientId: String(params.client_id),
  });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, missing] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(" "));
  }
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
}

/** A browser that goes where it is sent and keeps cookies. @returns the callback it ends at. */
export async function browse(start: URL, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = start;
  for (let hops = 0; hops < 20; hops += 1) {
    if (next.href.startsWith(callback)) return next;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${next.pathname} ended with ${response.status}`);
    next = new URL(location, next);
  }
  throw new Error("too many redirects");
}
