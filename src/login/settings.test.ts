import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createAuthentication } from "../authentication.ts";
import { createLog } from "../log.ts";

const keyOne = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const keyTwo = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
const map = '{"*":["iam:validate"]}';
const folder = mkdtempSync(join(tmpdir(), "login-keys-"));
const fileOf = (text: string): string => {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
};
const github = {
  GITHUB_CLIENT_ID: "app",
  GITHUB_CLIENT_SECRET: "s3cr3t-value",
  BASE_URL: "https://tools.example.com/",
  SCOPE_MAP: map,
  OAUTH_KEYS: keyOne,
};
const others: Record<string, Record<string, string>> = {
  azure: {
    ...github,
    AZURE_CLIENT_ID: "a",
    AZURE_CLIENT_SECRET: "s3cr3t-value",
    AZURE_TENANT_ID: "9188040d-6c67-4c5b-b112-36a304b66dad",
  },
  google: { ...github, GOOGLE_CLIENT_ID: "a", GOOGLE_CLIENT_SECRET: "s3cr3t-value" },
  jwt: {
    ...github,
    OAUTH_CLIENT_ID: "a",
    OAUTH_CLIENT_SECRET: "s3cr3t-value",
    JWT_ISSUER: "http://127.0.0.1:2",
    JWT_AUDIENCE: "x",
  },
};
type Variables = Record<string, string | undefined>;

async function start(
  auth: string,
  changes: Variables,
  options: { serverless?: boolean; defaultBaseUrl?: string } = {},
) {
  const base = others[auth] ?? github;
  return createAuthentication({
    auth,
    explicit: true,
    mode: "hosted",
    serverless: options.serverless ?? false,
    defaultBaseUrl: options.defaultBaseUrl,
    environment: Object.fromEntries(
      Object.entries({ ...base, ...changes }).map(([name, value]) => [
        `VALIDATOR_MCP_AUTH_${name}`,
        value,
      ]),
    ),
    log: createLog("error"),
  });
}

const A = "VALIDATOR_MCP_AUTH_";
const random = "make one with: openssl rand -base64 32";
const errors: readonly [row: string, changes: Variables, text: string, auth?: string][] = [
  ["S21", { LOGIN: "yes" }, `${A}LOGIN must be on or off.`],
  [
    "S22",
    { LOGIN: "on" },
    `${A}LOGIN is on, but login is for azure, google, github, auth0 and jwt.`,
    "keycloak",
  ],
  [
    "S23",
    { LOGIN: "ON", OAUTH_KEYS: undefined },
    `${A}LOGIN is on, but neither ${A}OAUTH_KEYS nor ${A}OAUTH_KEYS_FILE is set; make a key with: openssl rand -base64 32.`,
  ],
  [
    "S24",
    { OAUTH_KEYS_FILE: "/x" },
    `set exactly one of ${A}OAUTH_KEYS and ${A}OAUTH_KEYS_FILE; both are set.`,
  ],
  [
    "S25",
    { OAUTH_KEYS: undefined, OAUTH_KEYS_FILE: "/no/such/file" },
    `the file that ${A}OAUTH_KEYS_FILE names cannot be read (ENOENT).`,
  ],
  ["S26", { OAUTH_KEYS: "," }, `${A}OAUTH_KEYS must hold 1 to 8 keys.`],
  [
    "S26: nothing in the file",
    { OAUTH_KEYS: undefined, OAUTH_KEYS_FILE: fileOf("# none\n\n") },
    `${A}OAUTH_KEYS_FILE must hold 1 to 8 keys.`,
  ],
  [
    "S26: nine",
    {
      OAUTH_KEYS: Array.from({ length: 9 }, (_, i) =>
        Buffer.from(Array.from({ length: 32 }, (__, j) => j + i)).toString("hex"),
      ).join(),
    },
    `${A}OAUTH_KEYS must hold 1 to 8 keys.`,
  ],
  [
    "S27",
    { OAUTH_KEYS: `${keyOne},short` },
    `${A}OAUTH_KEYS has, at place 2, no key of 32 bytes in base64 or hex.`,
  ],
  [
    "S28",
    { OAUTH_KEYS: "00".repeat(32) },
    `${A}OAUTH_KEYS has, at place 1, a key that is not random; ${random}.`,
  ],
  [
    "S29",
    { OAUTH_KEYS: `${keyOne},${keyTwo},${Buffer.from(keyOne, "base64").toString("hex")}` },
    `${A}OAUTH_KEYS has the same key at places 1 and 3.`,
  ],
  [
    "S30",
    { BASE_URL: undefined },
    `${A}BASE_URL is not set; login needs the public URL of this server, without /mcp.`,
  ],
  [
    "S31",
    { BASE_URL: "http://tools.example.com" },
    `${A}BASE_URL must be https for login (http only for a loopback address).`,
  ],
  [
    "S32",
    { GITHUB_CLIENT_SECRET: undefined },
    `${A}GITHUB_CLIENT_SECRET is not set; login needs it.`,
  ],
  ["S32: id", { GITHUB_CLIENT_ID: undefined }, `${A}GITHUB_CLIENT_ID is not set; login needs it.`],
  [
    "S32: google",
    { GOOGLE_CLIENT_SECRET: undefined },
    `${A}GOOGLE_CLIENT_SECRET is not set; login needs it.`,
    "google",
  ],
  [
    "S32: azure",
    { AZURE_CLIENT_SECRET: undefined },
    `${A}AZURE_CLIENT_SECRET is not set; login needs it.`,
    "azure",
  ],
  [
    "S32: jwt",
    { OAUTH_CLIENT_ID: undefined },
    `${A}OAUTH_CLIENT_ID is not set; login needs it.`,
    "jwt",
  ],
  [
    "S33",
    { AZURE_TENANT_ID: "corp.onmicrosoft.com" },
    `${A}AZURE_TENANT_ID must be the directory's id (a GUID) for login.`,
    "azure",
  ],
  ...[
    "http://x.example/",
    "javascript:x",
    "https://x.example/*/a",
    "http://127.1/",
    "https://*",
    "loopback*",
    "ms-word:x",
  ].map((entry): [string, Variables, string] => [
    `S34: ${entry}`,
    { OAUTH_REDIRECTS: `loopback,${entry}` },
    `${A}OAUTH_REDIRECTS has, at place 2, no redirect URI that can be allowed.`,
  ]),
  ...["https://x.example", "x.example:443", "127.0.0.1", "::1", "a_b", "2130706433"].map(
    (entry): [string, Variables, string] => [
      `S35: ${entry}`,
      { OAUTH_METADATA_HOSTS: entry },
      `${A}OAUTH_METADATA_HOSTS has, at place 1, no host name.`,
    ],
  ),
  ...["59", "86401", "1.5", "x", "-1"].map((value): [string, Variables, string] => [
    `S36: ${value}`,
    { OAUTH_ACCESS_TOKEN_S: value },
    `${A}OAUTH_ACCESS_TOKEN_S must be a whole number from 60 to 86400.`,
  ]),
  [
    "S36: session",
    { OAUTH_SESSION_S: "599" },
    `${A}OAUTH_SESSION_S must be a whole number 0, or from 600 to 2592000.`,
  ],
  [
    "S37",
    { SCOPE_MAP: undefined },
    `${A}SCOPE_MAP is not set, so no one who logs in could use a tool.`,
  ],
  [
    "S38: many",
    {
      SCOPE_MAP: JSON.stringify(
        Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`group:org${i}`, ["iam:query"]])),
      ),
    },
    `${A}SCOPE_MAP names more than 20 organisations and teams.`,
  ],
  [
    "S38: form",
    { SCOPE_MAP: '{"group:a/b/c":["iam:query"]}' },
    `${A}SCOPE_MAP has a group that is not a GitHub organisation or team.`,
  ],
  ["S39", { OAUTH_SCOPES: "profile" }, `${A}OAUTH_SCOPES must contain openid.`, "jwt"],
];

describe("a login that cannot work does not start", () => {
  test.each(errors)("%s", async (_row, changes, text, auth = "github") => {
    await expect(start(auth, changes)).rejects.toMatchObject({
      kind: "auth_login",
      message: `Auth ${auth}: ${text}`,
    });
  });

  test("S40: the provider's document is out of reach", async () => {
    await expect(start("jwt", {})).rejects.toMatchObject({
      kind: "auth_discovery",
      message: expect.stringMatching(
        /^Auth jwt: the discovery document http:\/\/127\.0\.0\.1:2\/\.well-known\/openid-configuration is not reachable: [^\n]+\.$/,
      ),
    });
  });
});

describe("a login that can work", () => {
  test.each<[string, Variables]>([
    ["on by its keys", {}],
    ["on by word", { LOGIN: "On" }],
    ["a key in hex", { OAUTH_KEYS: Buffer.from(keyOne, "base64").toString("hex") }],
    [
      "a key in base64url without padding",
      { OAUTH_KEYS: Buffer.from(keyOne, "base64").toString("base64url") },
    ],
    [
      "keys in a file with comments, a byte order mark and carriage returns",
      {
        OAUTH_KEYS: undefined,
        OAUTH_KEYS_FILE: fileOf(`\ufeff# new\r\n\r\n${keyTwo}\r\n${keyOne}\r\n`),
      },
    ],
    ["a loopback base over http", { BASE_URL: "http://localhost:8000" }],
    ["sessions without refresh tokens", { OAUTH_SESSION_S: "0" }],
    [
      "organisations and teams",
      { SCOPE_MAP: '{"group:acme":["iam:query"],"group:acme/sec-team":["iam:validate"]}' },
    ],
  ])("%s", async (_name, changes) => {
    expect((await start("github", changes)).login).toBeDefined();
  });

  test("takes its own address where that is loopback with a port, never 0.0.0.0", async () => {
    const own = await start(
      "github",
      { BASE_URL: undefined },
      { defaultBaseUrl: "http://127.0.0.1:8000" },
    );
    expect(own.authenticator.metadata?.baseUrl).toBe("http://127.0.0.1:8000");
    await expect(
      start("github", { BASE_URL: undefined }, { defaultBaseUrl: "http://0.0.0.0:8000" }),
    ).rejects.toMatchObject({ message: expect.stringContaining("BASE_URL is not set") });
  });

  test("needs no required scopes at Entra", async () => {
    expect((await start("azure", {})).login).toBeDefined();
  });

  test.each<[string, string, Variables]>([
    ["off by word", "github", { LOGIN: "off" }],
    ["off without keys", "github", { OAUTH_KEYS: undefined }],
    ["keys mean nothing to another provider", "none", {}],
  ])("%s", async (_name, auth, changes) => {
    expect((await start(auth, changes)).login).toBeUndefined();
  });
});
