import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type Configuration, type JWK } from "oidc-provider";
import { type TestKey, testKey } from "../issuer.ts";
import { frontClient } from "./variables.ts";

/** What the person who signs in is, and how the provider behaves; tests change it as they go. */
interface IssuerState {
  account: string;
  /** Claims of the ID token beside `sub`. */
  claims: Record<string, unknown>;
  rotatesRefreshTokens: boolean;
  givesRefreshTokens: boolean;
  /** Scopes that the access token carries, of those asked for (Auth0). */
  allowedScopes: readonly string[];
}

/** A real OpenID provider on loopback with one client: our front. */
export interface LoginIssuer extends AsyncDisposable {
  readonly url: string;
  readonly state: IssuerState;
  /** `method path`, in order. */
  readonly requests: string[];
  rotateKeys(): void;
  /** Ends everything that has been issued. */
  forgetAll(): void;
}

export interface IssuerOptions {
  /** Of the front. */
  readonly callback: string;
  /** Access tokens are JWTs for this audience, as at Auth0; default: opaque ones. */
  readonly audience?: string;
  /** Name that the provider goes by; default: its address. */
  readonly issuer?: string;
  readonly scopes?: readonly string[];
  /** Name of its address; `localhost` makes it another site than a front on 127.0.0.1. */
  readonly host?: string;
  /** Paths of its endpoints. */
  readonly routes?: NonNullable<Configuration["routes"]>;
  /** Length of codes and refresh tokens, in characters, about. */
  readonly tokenLength?: number;
}

const apiScopes = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];

export async function startLoginIssuer(options: IssuerOptions): Promise<LoginIssuer> {
  const requests: string[] = [];
  const state: IssuerState = {
    account: "alice",
    claims: {},
    rotatesRefreshTokens: false,
    givesRefreshTokens: true,
    allowedScopes: apiScopes,
  };
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${(request.url ?? "").split("?")[0]}`);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://${options.host ?? "127.0.0.1"}:${address.port}`;

  let keys = 0;
  let adapters = 0;
  let key = testKey("RS256", "login-0");
  const start = () => {
    const provider = new Provider(options.issuer ?? url, {
      ...configuration(key, options, state),
      adapter: memoryAdapter(`${url}#${adapters}`),
    });
    provider.proxy = true;
    const callback = provider.callback();
    handle = (request, response) =>
      request.url?.startsWith("/interaction/")
        ? agree(provider, state, request, response)
        : callback(request, response);
  };
  start();

  return {
    url,
    state,
    requests,
    rotateKeys() {
      keys += 1;
      key = testKey("RS256", `login-${keys}`);
      start();
    },
    forgetAll() {
      adapters += 1;
      start();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function configuration(
  key: TestKey,
  { callback, audience, scopes = [], routes, tokenLength }: IssuerOptions,
  state: IssuerState,
): Configuration {
  return {
    clients: [
      {
        client_id: frontClient.id,
        client_secret: frontClient.secret,
        redirect_uris: [callback],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    pkce: { required: () => true },
    ...(routes && { routes }),
    ...(tokenLength !== undefined && {
      formats: { bitsOfOpaqueRandomness: tokenLength * 6 },
    }),
    scopes: ["openid", "profile", "email", "offline_access", ...apiScopes, ...scopes],
    claims: { openid: ["sub", "groups", "roles", "email", "email_verified", "hd"] },
    conformIdTokenClaims: false,
    rotateRefreshToken: () => state.rotatesRefreshTokens,
    issueRefreshToken: async () => state.givesRefreshTokens,
    jwks: {
      keys: [{ ...key.privateKey.export({ format: "jwk" }), kid: key.kid, use: "sig" } as JWK],
    },
    cookies: { keys: ["not a secret outside this test"] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: state.account, ...state.claims }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 600,
      Grant: 600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 600,
      IdToken: 600,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      ...(audience !== undefined && {
        resourceIndicators: {
          enabled: true,
          defaultResource: () => audience,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            audience,
            scope: state.allowedScopes.join(" "),
            accessTokenFormat: "jwt" as const,
            jwt: { sign: { alg: "RS256" as const } },
          }),
        },
      }),
    },
  };
}

async function agree(
  provider: Provider,
  state: IssuerState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    const login = { accountId: state.account };
    await provider.interactionFinished(request, response, { login });
    return;
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? "",
    clientId: String(params.client_id),
  });
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingOIDCClaims?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(" "));
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
  for (const [resource, missing] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(" "));
  }
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true },
  );
}

/** Kept apart from the provider, so that a rotation of keys forgets no token. */
const stores = new Map<string, Map<string, Record<string, unknown>>>();

function memoryAdapter(name: string): NonNullable<Configuration["adapter"]> {
  const store = stores.get(name) ?? new Map<string, Record<string, unknown>>();
  stores.set(name, store);
  return (model: string) => {
    const key = (id: string) => `${model}:${id}`;
    const find = async (id: string) => store.get(key(id));
    const findBy = async (field: string, value: string) =>
      [...store].find(([id, entry]) => id.startsWith(`${model}:`) && entry[field] === value)?.[1];
    return {
      upsert: async (id: string, payload: object) => void store.set(key(id), { ...payload }),
      find,
      findByUserCode: async (code: string) => findBy("userCode", code),
      findByUid: async (uid: string) => findBy("uid", uid),
      destroy: async (id: string) => void store.delete(key(id)),
      revokeByGrantId: async (grantId: string) => {
        for (const [id, entry] of store) if (entry.grantId === grantId) store.delete(id);
      },
      consume: async (id: string) => {
        const entry = store.get(key(id));
        if (entry) entry.consumed = Math.floor(Date.now() / 1000);
      },
    };
  };
}
