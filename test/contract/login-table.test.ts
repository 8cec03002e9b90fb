import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SealPurpose } from "../../spec/login.ts";
import { deriveKeys, type LoginKey, parseKeys } from "../../src/login/keys.ts";
import { contentSecurityPolicy } from "../../src/login/page-style.ts";
import { sha256 } from "../../src/login/random.ts";
import { createSeals } from "../../src/login/seal.ts";
import type { ContainerTarget } from "../support/container.ts";
import { shapes } from "../support/lambda-events.ts";
import { eventTransport, frontFunction } from "../support/login/events.ts";
import { type GithubNetwork, startGithubNetwork } from "../support/login/github-network.ts";
import { loopbackRedirect, type Reply, Visitor } from "../support/login/visitor.ts";
import {
  base,
  type FrontUnderTest,
  githubVariables,
  keyOne,
  keyThree,
  keyTwo,
  type LoginWorld,
  loginWorld,
  prefixed,
  type Variables,
} from "../support/login/world.ts";
import type { Expected, FrontName, Row, SealOptions, Visit } from "./login.table.ts";
import { authorizeRows } from "./login-table/authorize.ts";
import { callbackRows, consentRows } from "./login-table/browser.ts";
import { discoveryRows } from "./login-table/discovery.ts";
import { registerRows } from "./login-table/register.ts";
import { mcpRows, refreshRows, revokeRows, tokenRows } from "./login-table/token.ts";

const rows: readonly Row[] = [
  ...discoveryRows,
  ...registerRows,
  ...authorizeRows,
  ...consentRows,
  ...callbackRows,
  ...tokenRows,
  ...refreshRows,
  ...revokeRows,
  ...mcpRows,
];

const keys = { OAUTH_KEYS: `${keyOne},${keyTwo}` };
const map =
  '{"login:octocat":["iam:validate","iam:query"],"login:octocat-query":["iam:query"],"sub:42":["iam:config"]}';
const github: Variables = { ...githubVariables, ...keys, SCOPE_MAP: map };
const fronts: Readonly<Record<FrontName, { auth: string; variables: Variables }>> = {
  github: { auth: "github", variables: github },
  documents: {
    auth: "github",
    variables: {
      ...github,
      OAUTH_METADATA_HOSTS: "client.example,localhost",
      OAUTH_REDIRECTS: "loopback,editors,https://chatgpt.com/connector/oauth/*",
    },
  },
  "no refresh": { auth: "github", variables: { ...github, OAUTH_SESSION_S: "0" } },
  strict: {
    auth: "github",
    variables: { ...github, REQUIRED_SCOPES: "iam:validate", ADVERTISED_SCOPES: "iam:config,user" },
  },
  path: {
    auth: "github",
    variables: { ...github, BASE_URL: "https://tools.example.com/validator" },
  },
  azure: {
    auth: "azure",
    variables: {
      BASE_URL: base,
      ...keys,
      SCOPE_MAP: '{"role:user":["iam:validate"]}',
      AZURE_CLIENT_ID: "11112222-bbbb-3333-cccc-4444dddd5555",
      AZURE_TENANT_ID: "9188040d-6c67-4c5b-b112-36a304b66dad",
      AZURE_CLIENT_SECRET: "azure-s3cr3t",
    },
  },
  off: { auth: "github", variables: { ...github, LOGIN: "off" } },
};

let world: LoginWorld;
const started = new Map<FrontName, FrontUnderTest>();
beforeAll(async () => {
  world = await loginWorld();
});
afterEach(() => {
  world.github.state.failure = undefined;
  world.github.state.user = { id: 583231, login: "octocat" };
  world.github.state.isApp = false;
});
afterAll(async () => {
  for (const front of started.values()) await front[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Where the rows are asked. The container's image is there only in the project `e2e`. */
const chosen = process.env.VALIDATOR_LOGIN_TARGETS?.split(",") ?? ["in process", ...shapes];
const targets = (["in process", ...shapes, "container"] as const).filter((each) =>
  chosen.includes(each),
);

describe.each(targets)("%s", (target) => {
  const functions = new Map<FrontName, Awaited<ReturnType<typeof frontFunction>>>();
  const containers = new Map<FrontName, ContainerTarget>();
  let network: GithubNetwork;
  const kind = target === "in process" || target === "container" ? target : "events";
  const rowsHere = rows.filter(
    ({ name, not }) =>
      !not?.includes(kind) &&
      // Without lists of values a load balancer passes on the last of several parameters of a name.
      (target !== "load balancer" || !/^(?:A-3|A-14|B-3|B-6): twice$|^A-25/.test(name)),
  );

  const visitorOf = async (name: FrontName): Promise<Visitor> => {
    const { auth, variables } = fronts[name];
    const options = { base: variables.BASE_URL ?? base, signIn: world.github.signIn };
    if (target === "container") {
      const { startContainer } = await import("../support/container.ts");
      const container =
        containers.get(name) ??
        (await startContainer({
          hostNetwork: true,
          flags: { auth },
          folders: network.folders,
          environment: { ...network.environment, ...prefixed(variables) },
        }));
      containers.set(name, container);
      return new Visitor({ ...options, url: container.url });
    }
    if (target === "in process") {
      const front = started.get(name) ?? (await world.githubFront(variables, { flags: { auth } }));
      started.set(name, front);
      return new Visitor({ ...options, url: front.target.url });
    }
    const handler = functions.get(name) ?? (await frontFunction(auth, variables));
    functions.set(name, handler);
    return new Visitor({ ...options, url: base, transport: eventTransport(handler, target) });
  };

  beforeAll(async () => {
    if (target === "container") network = await startGithubNetwork(world.github.handlers);
  });
  afterAll(async () => {
    for (const container of containers.values()) await container.stop();
    await network?.[Symbol.asyncDispose]();
  });

  test.each(rowsHere)("$name", async (row) => {
    const visitor = await visitorOf(row.front ?? "github");
    const reply = await row.ask(visitOf(visitor));
    check(reply, row.answer, target === "load balancer");
  });
});

test("the table has more than 200 rows, each its own", () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

function visitOf(visitor: Visitor): Visit {
  const now = (ageS = 0) => Math.floor(Date.now() / 1000) - ageS;
  return {
    visitor,
    base,
    async seal(purpose, changes = {}, options = {}) {
      const { key, issued, lifetime } = sealing(purpose, options, now);
      const text = await createSeals([key], () => 0).seal(purpose, {
        ...payloadOf(purpose, visitor),
        exp: issued + lifetime,
        ...changes,
        // Each purpose has separate members; the front's schema validates them when it opens the value.
      } as never);
      if (text === undefined) throw new Error("too long");
      return text;
    },
    async sign(changes = {}, header = {}, options = {}) {
      const { kid } = ringOf(options)[0];
      const iat = now(options.ageS);
      const full = { alg: "HS256", typ: "at+jwt", kid, ...header };
      const claims = {
        iss: base,
        aud: `${base}/mcp`,
        sub: "583231",
        client_id: "reg1:x",
        scope: "iam:validate",
        iat,
        exp: iat + 3_600,
        jti: "1",
        auth_time: iat,
        ...changes,
      };
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const input = `${encode(full)}.${encode(claims)}`;
      const signature = createHmac("sha256", signingKey(options)).update(input).digest("base64url");
      return `${input}.${signature}`;
    },
    github: {
      fail: (answer) => {
        world.github.state.failure = answer;
      },
      user: (user) => {
        world.github.state.user = user;
      },
      useApp: () => {
        world.github.state.isApp = true;
      },
    },
  };
}

function ringOf({ key = "first", base: other = base }: SealOptions): readonly [LoginKey] {
  const text = { dropped: keyThree, second: keyTwo }[key] ?? keyOne;
  const parsed = parseKeys([text]);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const [derived] = deriveKeys(parsed.keys, other);
  return [derived];
}

function signingKey(options: SealOptions): Uint8Array | string {
  const [{ derived }] = ringOf(options);
  if (options.key === "purpose") return derived.code;
  if (options.key === "raw") return Buffer.from(keyOne, "base64");
  return options.key === "text" ? keyOne : derived.access;
}

function sealing(purpose: SealPurpose, options: SealOptions, now: (ageS?: number) => number) {
  const lifetime = { consent: 600, login: 600, code: 300, refresh: 86_400 }[purpose];
  return { key: ringOf(options)[0], issued: now(options.ageS), lifetime };
}

function payloadOf(purpose: SealPurpose, visitor: Visitor): object {
  const common = { client: sha256(visitor.clientId), scopes: ["iam:validate"] };
  const request = { redirect: loopbackRedirect, challenge: visitor.pkce.challenge };
  const provider = { verifier: "v".repeat(43), nonce: "n".repeat(22) };
  const nonce = sha256(visitor.jar.values.get("__Host-vmcp-consent") ?? "");
  const payloads = {
    consent: { ...common, ...request, kind: "registered", name: "Trial", nonce },
    login: { ...common, ...request, ...provider, id: "A".repeat(22) },
    code: { ...common, ...request, ...provider, code: "provider-code" },
    refresh: {
      ...common,
      sub: "583231",
      at: 1,
      entitled: ["iam:validate"],
      nonce: "n",
      grant: { access: "gho_x" },
    },
  };
  return payloads[purpose];
}

const json = { "content-type": "application/json" };
const anyOrigin = { "access-control-allow-origin": "*" };
const noStore = { "cache-control": "no-store" };

/** What the platform or the HTTP server adds. */
const platform = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "set-cookie",
]);
const headersOf = ({ headers }: Reply) =>
  Object.fromEntries([...headers].filter(([name]) => !platform.has(name)));

function check(reply: Reply, expected: Expected, oneCookie: boolean): void {
  const headers = headersOf(reply);
  const cookies = reply.headers.getSetCookie();
  switch (expected.kind) {
    case "json":
    case "error": {
      const isError = expected.kind === "error";
      const pragma = "pragma" in headers ? { pragma: "no-cache" } : {};
      const all = { ...json, ...noStore, ...anyOrigin, ...pragma, ...expected.extra };
      if (!isError) {
        const members = Object.entries(expected.body);
        const absent = members.filter(([, value]) => value === undefined).map(([name]) => name);
        const present = Object.fromEntries(members.filter(([, value]) => value !== undefined));
        expect(reply).toMatchObject({ status: expected.status, body: present });
        for (const name of absent) expect(reply.body).not.toHaveProperty(name);
      } else {
        expect(reply.body).toEqual({
          error: expected.error,
          error_description: expect.stringMatching(/^[\x20-\x7e]+\.$/),
        });
        expect(reply.status).toBe(expected.status);
      }
      expect(headers).toEqual(all);
      expect(cookies).toEqual([]);
      return;
    }
    case "document":
      expect(reply.body).toEqual(expected.body);
      expect(headers).toEqual({ ...json, ...anyOrigin, "cache-control": "public, max-age=300" });
      return;
    case "page":
      expect(reply.text).toMatch(expected.says);
      expect({ status: reply.status, headers }).toEqual({
        status: expected.status,
        headers: { ...pageHeaders, ...expected.extra },
      });
      expect(cookies.join("\n")).toMatch(expected.cookies ?? /^$/);
      return;
    case "redirect": {
      const location = new URL(reply.headers.get("location") ?? "");
      expect({ status: reply.status, text: reply.text, headers }).toEqual({
        status: 303,
        text: "",
        headers: { ...noStore, location: expect.any(String), "referrer-policy": "no-referrer" },
      });
      if (expected.to) expect(location.href).toMatch(expected.to);
      if (expected.error) {
        expect(location.searchParams.get("error")).toBe(expected.error);
        expect(location.searchParams.get("iss")).toBe(base);
      }
      if (expected.state !== undefined)
        expect(location.searchParams.get("state")).toBe(expected.state);
      expect(location.href).not.toContain("canary");
      expect((oneCookie ? cookies.slice(0, 1) : cookies).join("\n")).toMatch(
        expected.cookies ?? /^$/,
      );
      return;
    }
    case "preflight":
      expect({ status: reply.status, headers }).toEqual({
        status: 204,
        headers: {
          ...anyOrigin,
          "access-control-allow-methods": expected.methods,
          "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
          "access-control-max-age": "86400",
        },
      });
      return;
    case "method":
      expect({ status: reply.status, text: reply.text, headers }).toEqual({
        status: 405,
        text: "",
        headers: { allow: expected.allow },
      });
      return;
    case "absent":
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 404,
        body: { error: "not_found" },
      });
      return;
    case "mcp":
      expect(reply.status).toBe(expected.status);
      if (expected.status === 401 && reply.headers.has("www-authenticate")) {
        expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
      }
  }
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  ...noStore,
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
