import { SignJWT } from "jose";
import type { AuthContext } from "../../../src/auth/context.ts";
import { createLoginEvents, type LoginLog } from "../../../src/login/events.ts";
import { readLoginSettings } from "../../../src/login/settings.ts";
import { createCalls } from "../../../src/login/upstream/calls.ts";
import type { UpstreamOptions } from "../../../src/login/upstream/options.ts";
import { type TestKey, testKey } from "../issuer.ts";
import { frontClient, prefixed, type Variables } from "./variables.ts";

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

/** An OpenID provider without a network: what it answers is what a test tells it to. */
export interface FakeProvider {
  readonly issuer: string;
  readonly key: TestKey;
  readonly requests: SentRequest[];
  /** Answers by the end of the path; a text: the connection fails with it. */
  readonly answers: Map<string, () => Response | Promise<Response> | string>;
  /** @returns a signed token of this provider. */
  sign(claims?: object, by?: TestKey, header?: object): Promise<string>;
  /** Makes the token endpoint answer with these members, beside a good access token. */
  tokens(members: object): void;
  readonly fetch: typeof fetch;
}

const providerKey = testKey("RS256", "fake");
export const nowMs = Date.parse("2026-03-01T12:00:00Z");
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

export function fakeProvider(
  issuer: string,
  { document = {}, key = providerKey }: { document?: object; key?: TestKey } = {},
): FakeProvider {
  const requests: SentRequest[] = [];
  const answers: FakeProvider["answers"] = new Map();
  answers.set("openid-configuration", () =>
    json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      revocation_endpoint: `${issuer}/revoke`,
      code_challenge_methods_supported: ["S256"],
      ...document,
    }),
  );
  const keys = () => json({ keys: [key.jwk] });
  for (const path of ["/jwks", "/keys", "/certs"]) answers.set(path, keys);
  answers.set("/revoke", () => new Response(null, { status: 200 }));
  return {
    issuer,
    key,
    requests,
    answers,
    sign(claims = {}, by = key, header = {}) {
      const iat = nowMs / 1000;
      const all = { iss: issuer, aud: frontClient.id, sub: "alice", iat, exp: iat + 600 };
      const full = { alg: by.algorithm, kid: by.kid, ...header };
      return new SignJWT({ ...all, ...claims }).setProtectedHeader(full).sign(by.privateKey);
    },
    tokens(members) {
      answers.set("/token", () =>
        json({ access_token: "provider-access", token_type: "Bearer", ...members }),
      );
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      const form = new URLSearchParams(await request.text());
      requests.push({ method: request.method, url: request.url, headers: request.headers, form });
      request.signal.throwIfAborted();
      const { pathname } = new URL(request.url);
      for (const [end, answer] of answers) {
        if (!pathname.endsWith(end)) continue;
        const given = await answer();
        if (typeof given === "string") throw new TypeError(given);
        return given;
      }
      return new Response(null, { status: 404 });
    },
  };
}

export interface UpstreamUnderTest {
  readonly provider: AuthContext["provider"];
  readonly variables: Variables;
  readonly now?: () => number;
}

/** What a provider's half of the front is built from, with a log that tests read. */
export function upstreamOptions({ provider, variables, now = () => nowMs }: UpstreamUnderTest): {
  readonly options: UpstreamOptions;
  readonly warnings: string[];
} {
  const warnings: string[] = [];
  const log: LoginLog = {
    info: () => undefined,
    warn: (_fields, message) => warnings.push(message),
    error: (_fields, message) => warnings.push(message),
  };
  const context: AuthContext = {
    provider,
    environment: prefixed(variables),
    log,
    defaultBaseUrl: undefined,
    now,
  };
  const settings = readLoginSettings(context);
  const observer = { login: () => undefined, loginProvider: () => undefined };
  return {
    options: {
      context,
      settings,
      client: frontClient,
      callback: `${settings.base}/oauth/callback`,
      calls: createCalls(now, () => undefined),
      events: createLoginEvents(settings.provider, log, observer, now),
    },
    warnings,
  };
}
