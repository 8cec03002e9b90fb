import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli } from "../support/cli-file.ts";
import { runNode } from "../support/command.ts";
import { type LocalServer, localServer, sendJson, testKey } from "../support/issuer.ts";
import { startProcess } from "../support/process.ts";
import { call, rpc } from "../support/rpc.ts";

const functionModule = new URL("../../src/awslambda.ts", import.meta.url).href;
/** Stands in every secret of these tests; whatever the process says must not hold it. */
const secret = "s3cr3t-c4n4ry";

let folder: string;
let provider: LocalServer;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "startup-auth-"));
  await writeFile(file("config.yaml"), "settings: {}\n");
  const texts = {
    "no-json": `{"${secret}": `,
    empty: "{}",
    twice: `{"${secret}": {"client_id": "a"}, "${secret}": {"client_id": "b"}}`,
    "no-client": `{"${secret}": {"scopes": []}}`,
    "unknown-key": `{"${secret}": {"client_id": "a", "${secret}": 1}}`,
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(file(name), text);
  provider = await localServer(({ url = "" }, response) => {
    if (url.startsWith("/down/")) return sendJson(response, {}, 503);
    if (url.startsWith("/moved/")) return response.writeHead(302, { location: "/ok" }).end();
    if (url.startsWith("/html/")) return response.end("<html>");
    if (url.startsWith("/bare/")) return sendJson(response, { issuer: provider.url });
    if (url.startsWith("/other/")) {
      const issuer = "https://attacker.example/";
      return sendJson(response, { issuer, jwks_uri: `${issuer}jwks` });
    }
    // The function's own configuration, as AWS Lambda answers.
    return sendJson(response, { AuthType: "NONE", FunctionUrl: "https://x.example/" });
  });
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const prefix = "VALIDATOR_MCP_AUTH_";
const named = (variables: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${prefix}${name}`, value]));

interface Row {
  readonly name: string;
  readonly auth: string;
  readonly variables?: () => Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly says: readonly (string | RegExp)[];
}

const jwt = { JWT_ISSUER: "https://issuer.example/", JWT_AUDIENCE: "https://v.example/mcp" };
const uri = { JWT_JWKS_URI: "https://issuer.example/jwks" };
const pem = testKey().pem;
const weakPem = testKey("RS256", "weak", 1024).pem;
const privatePem = String(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }),
);
const hmac = { JWT_ALGORITHM: "HS256" };

const jwtRows: readonly Row[] = (
  [
    ["no key", jwt, ["exactly one of", "JWT_JWKS_URI", "JWT_PUBLIC_KEY", "neither"]],
    ["both keys", { ...jwt, ...uri, JWT_PUBLIC_KEY: secret }, ["exactly one of", "both"]],
    ["no issuer", { ...jwt, ...uri, JWT_ISSUER: " " }, [`${prefix}JWT_ISSUER is not set`]],
    ["no audience", { ...jwt, ...uri, JWT_AUDIENCE: "" }, [`${prefix}JWT_AUDIENCE is not set`]],
    ["an unknown algorithm", { ...jwt, ...uri, JWT_ALGORITHM: secret }, ["JWT_ALGORITHM must be"]],
    ["HS with a key set", { ...jwt, ...uri, ...hmac }, ["HS256 needs a shared secret"]],
    ["HS with a PEM", { ...jwt, ...hmac, JWT_PUBLIC_KEY: pem }, ["PEM key", "HS256"]],
    ["HS with a short secret", { ...jwt, ...hmac, JWT_PUBLIC_KEY: secret }, ["32 bytes"]],
    ["RS with a secret", { ...jwt, JWT_PUBLIC_KEY: secret }, ["public key in PEM for RS256"]],
    ["a private key", { ...jwt, JWT_PUBLIC_KEY: privatePem }, ["private key"]],
    ["a weak key", { ...jwt, JWT_PUBLIC_KEY: weakPem }, ["2048 bits"]],
    [
      "a key of another kind",
      { ...jwt, JWT_PUBLIC_KEY: testKey("ES256").pem },
      ["RS256 needs an RSA key"],
    ],
    [
      "a broken PEM",
      { ...jwt, JWT_PUBLIC_KEY: `-----BEGIN PUBLIC KEY-----\n${secret}` },
      ["no readable PEM"],
    ],
    [
      "credentials in the address",
      { ...jwt, JWT_JWKS_URI: `https://user:${secret}@issuer.example/jwks` },
      ["JWT_JWKS_URI must be", "without credentials"],
    ],
    [
      "a base URL that is none",
      { ...jwt, ...uri, BASE_URL: secret },
      ["BASE_URL must be the public http(s) URL"],
    ],
  ] as const
).map(([name, variables, says]) => ({
  name: `jwt, ${name}`,
  auth: "jwt",
  variables: () => variables,
  says,
}));

const tokenRows: readonly Row[] = (
  [
    ["both sources", () => ({ TOKENS: `{"${secret}":{}}`, TOKEN_FILE: file("empty") }), ["both"]],
    ["no such file", () => ({ TOKEN_FILE: file(secret) }), ["TOKEN_FILE", "ENOENT"]],
    ["no JSON", () => ({ TOKEN_FILE: file("no-json") }), ["not valid JSON"]],
    ["nothing in it", () => ({ TOKEN_FILE: file("empty") }), ["no token"]],
    ["a token twice", () => ({ TOKEN_FILE: file("twice") }), ["repeats a key"]],
    [
      "no client_id",
      () => ({ TOKEN_FILE: file("no-client") }),
      ["client_id", /SHA-256 [0-9a-f]{8}/],
    ],
    ["an unknown member", () => ({ TOKEN_FILE: file("unknown-key") }), ["unknown key"]],
  ] as const
).map(([name, variables, says]) => ({ name: `token, ${name}`, auth: "token", variables, says }));

/** What each provider cannot do without, with the secrets among it. */
const needed = {
  azure: { AZURE_CLIENT_ID: "app", AZURE_TENANT_ID: "tenant", REQUIRED_SCOPES: "api://app/access" },
  google: { GOOGLE_CLIENT_ID: "app" },
  github: { GITHUB_CLIENT_ID: "app", GITHUB_CLIENT_SECRET: secret },
  keycloak: { KEYCLOAK_REALM_URL: "https://sso.example/realms/corp" },
  auth0: {
    AUTH0_CONFIG_URL: "https://tenant.example/.well-known/openid-configuration",
    AUTH0_CLIENT_ID: "app",
    AUTH0_CLIENT_SECRET: secret,
    AUTH0_AUDIENCE: "https://v.example/mcp",
  },
  workos: { WORKOS_AUTHKIT_DOMAIN: "https://login.authkit.example" },
} as const;
const providerRows: readonly Row[] = [
  ...Object.entries(needed).map(([auth, all]) => ({
    name: `${auth} names all it lacks`,
    auth,
    says: Object.keys(all).map((name) => `${prefix}${name} is not set`),
  })),
  {
    name: "auth0, a secret does not make up for an id",
    auth: "auth0",
    variables: () => ({ ...needed.auth0, AUTH0_CLIENT_ID: "  " }),
    says: [`Auth auth0: ${prefix}AUTH0_CLIENT_ID is not set`],
  },
  {
    // Port 0 gives no address to fall back to.
    name: "workos without a base URL",
    auth: "workos",
    variables: () => needed.workos,
    says: [`${prefix}BASE_URL is not set`],
  },
];

const wrongRows: readonly Row[] = [
  {
    name: "an unknown provider",
    auth: "kerberos",
    says: ["kerberos", "none, token, jwt"],
  },
  {
    name: "azure with OIDC scopes only",
    auth: "azure",
    variables: () => ({ ...needed.azure, REQUIRED_SCOPES: "openid,profile,offline_access" }),
    says: ["non-OIDC"],
  },
  ...["common", "Organizations"].map((alias) => ({
    name: `azure for the tenant ${alias}`,
    auth: "azure",
    variables: () => ({ ...needed.azure, AZURE_TENANT_ID: alias }),
    says: ["AZURE_TENANT_ID must be the id of one directory"],
  })),
  {
    name: "keycloak over plain HTTP",
    auth: "keycloak",
    variables: () => ({ KEYCLOAK_REALM_URL: "http://sso.example/realms/corp" }),
    says: ["KEYCLOAK_REALM_URL must be an https:// URL"],
  },
  { name: "gateway outside a function", auth: "gateway", says: ["serverless only"] },
  ...["{", `{"*": ["${secret}"]}`].map((map) => ({
    name: `a scope map that is ${map}`,
    auth: "jwt",
    variables: () => ({ ...jwt, ...uri, SCOPE_MAP: map }),
    says: ["SCOPE_MAP"],
  })),
  {
    name: "a step-up that is neither on nor off",
    auth: "jwt",
    variables: () => ({ ...jwt, ...uri, STEP_UP: secret }),
    says: ["STEP_UP must be 1 or 0"],
  },
  ...(
    [
      ["down", "status 503"],
      ["moved", "status 302"],
      ["html", "invalid"],
      ["bare", "invalid"],
      ["other", "issuer is not the URL it was found at"],
    ] as const
  ).map(([path, why]) => ({
    name: `auth0, a discovery document that is ${path}`,
    auth: "auth0",
    variables: () => ({
      ...needed.auth0,
      AUTH0_CONFIG_URL: `${provider.url}/${path}/.well-known/openid-configuration`,
    }),
    says: [`/${path}/.well-known/openid-configuration`, why],
  })),
  {
    name: "auth0, no server there",
    auth: "auth0",
    variables: () => ({ ...needed.auth0, AUTH0_CONFIG_URL: "http://127.0.0.1:2/x" }),
    says: ["http://127.0.0.1:2/x", "not reachable", "ECONNREFUSED"],
  },
  ...[
    "--auth-token",
    "--token",
    "--jwt-secret",
    "--auth-azure-client-secret",
    "--client-secret",
  ].flatMap((flag): Row[] => [
    { name: `a secret as ${flag}`, auth: "none", args: [flag, secret], says: [flag, prefix] },
    {
      name: `a secret as ${flag} with an equals sign`,
      auth: "none",
      args: [`${flag}=${secret}`],
      says: [flag, prefix],
    },
  ]),
];

describe("start-up errors of authorization", () => {
  test.each([...wrongRows, ...tokenRows, ...jwtRows, ...providerRows])(
    "$name",
    async ({ auth, variables, args = [], says }) => {
      const line = ["--mode", "hosted", "--auth", auth, "--config", file("config.yaml")];
      const environment = { ...named(variables?.() ?? {}), VALIDATOR_MCP_LOG_LEVEL: "debug" };
      const ended = await runNode([cli, ...line, "--port", "0", ...args], environment, folder);
      expect(ended.code).toBe(1);
      expect(ended.stdout).toBe("");
      // Log lines of a warning may come before; the error is one line, and the last.
      const last = ended.stderr.trimEnd().split("\n").at(-1) ?? "";
      expect(last).toMatch(/^validator-mcp: /);
      for (const part of says) expect(last).toMatch(part);
      expect(ended.stderr).not.toContain(secret);
      expect(ended.stderr).not.toMatch(/PRIVATE KEY|^\s+at /m);
    },
  );

  test("a function behind a URL that anyone may call does not start", async () => {
    const ended = await runNode(
      ["--input-type=module", "--eval", `await (await import(process.env.MODULE)).createHandler()`],
      {
        MODULE: functionModule,
        VALIDATOR_MCP_AUTH: "gateway",
        VALIDATOR_MCP_CONFIG: file("config.yaml"),
        AWS_LAMBDA_FUNCTION_NAME: "validator",
        AWS_REGION: "eu-west-1",
        AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_ENDPOINT_URL_LAMBDA: provider.url,
      },
      folder,
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /gateway must not be paired with a function URL of auth type NONE/,
    );
    expect(ended.stderr + ended.stdout).not.toContain(secret);
  });
});

describe("a running server keeps its secrets", () => {
  test("on its command line, in its log and in its answers", async () => {
    const server = await startProcess({
      flags: { auth: "token", log_level: "debug" },
      environment: named({
        TOKENS: JSON.stringify({ [secret]: { client_id: "ci", scopes: ["iam:config"] } }),
        // Set by mistake, and only warned of.
        GITHUB_CLIENT_SECRET: `${secret}-2`,
      }),
    });
    try {
      const shown = execFileSync("ps", ["-ww", "-o", "args=", "-p", String(server.child.pid)]);
      expect(shown.toString()).toContain("--auth token");
      expect(shown.toString()).not.toContain(secret);
      const answers = await Promise.all([
        call(server, "get_config", {}, { token: secret }),
        rpc(server, "tools/list", {}, { token: secret, era: "2026" }),
        rpc(server, "tools/list", {}, { token: `${secret}-wrong` }),
        rpc(server, "tools/list", {}, { headers: { authorization: `Bearer ${secret} ${secret}` } }),
        rpc(server, "tools/list", {}, { headers: { authorization: `Basic ${secret}` } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 400, 401]);
      const { text } = await fetch(`${server.url}/health`).then(async (health) => ({
        text: await health.text(),
      }));
      for (const answer of answers) expect(answer.text).not.toContain(secret);
      for (const answer of answers) expect([...answer.headers].join()).not.toContain(secret);
      expect(text).not.toContain(secret);
    } finally {
      server.child.kill("SIGTERM");
      await server.exited;
    }
    expect(server.log.text).toContain("VALIDATOR_MCP_AUTH_GITHUB_CLIENT_SECRET");
    expect(server.log.text + server.audit.text).not.toContain(secret);
  });
});
