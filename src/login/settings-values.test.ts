import { describe, expect, test } from "vitest";
import type { AuthContext } from "../auth/context.ts";
import { isHostName, readLoginSettings } from "./settings.ts";

const github = {
  GITHUB_CLIENT_ID: "app",
  GITHUB_CLIENT_SECRET: "s3cr3t-value",
  BASE_URL: "https://tools.example.com/",
  SCOPE_MAP: '{"*":["iam:validate"]}',
  OAUTH_KEYS: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
};

function read(changes: Record<string, string> = {}, provider: AuthContext["provider"] = "github") {
  return readLoginSettings({
    provider,
    environment: Object.fromEntries(
      Object.entries({ ...github, ...changes }).map(([name, value]) => [
        `VALIDATOR_MCP_AUTH_${name}`,
        value,
      ]),
    ),
    log: { info: () => {}, warn: () => {} },
    defaultBaseUrl: undefined,
    now: Date.now,
  });
}

test("what holds without being set", () => {
  const settings = read();
  expect(settings).toMatchObject({
    provider: "github",
    base: "https://tools.example.com",
    resource: "https://tools.example.com/mcp",
    accessTokenS: 3_600,
    sessionS: 86_400,
    required: [],
    advertised: [],
    groups: [],
  });
  expect(settings.documentHosts).toBeUndefined();
  expect(settings.keys).toHaveLength(1);
});

test("scopes count by their iam:* names, the required ones first", () => {
  expect(
    read({ REQUIRED_SCOPES: "user, iam:query", ADVERTISED_SCOPES: "iam:config,iam:query,x" }),
  ).toMatchObject({ required: ["iam:query"], advertised: ["iam:query", "iam:config"] });
});

test("numbers, at their bounds", () => {
  for (const value of ["60", " 86400 ", "1000"]) {
    expect(read({ OAUTH_ACCESS_TOKEN_S: value }).accessTokenS).toBe(Number(value));
  }
  for (const value of ["0", "600", "2592000"]) {
    expect(read({ OAUTH_SESSION_S: value }).sessionS).toBe(Number(value));
  }
  for (const value of ["59", "86401", "0", "x60", "60x", "-60", "6e2", "1000000000"]) {
    expect(() => read({ OAUTH_ACCESS_TOKEN_S: value })).toThrow("from 60 to 86400");
  }
  for (const value of ["599", "2592001", "1"]) {
    expect(() => read({ OAUTH_SESSION_S: value })).toThrow("0, or from 600 to 2592000");
  }
});

test("lists may have spaces", () => {
  const { documentHosts, redirects } = read({
    OAUTH_METADATA_HOSTS: "client.example , Other.Example",
    OAUTH_REDIRECTS: " loopback , https://app.example/cb ",
  });
  expect(
    ["client.example", "other.example", "x.example", "*"].map((host) => documentHosts?.(host)),
  ).toEqual([true, true, false, false]);
  expect(redirects.allows("https://app.example/cb")).toBe(true);
  expect(redirects.allows("https://vscode.dev/redirect")).toBe(false);
  expect(read({ OAUTH_METADATA_HOSTS: "*" }).documentHosts?.("any.example")).toBe(true);
  expect(() => read({ OAUTH_METADATA_HOSTS: "a.example,b_c" })).toThrow("at place 2, no host name");
});

describe("a host name", () => {
  test.each([
    "a",
    "a.example",
    "a-b.example",
    "1.example",
    "xn--a.example",
    `${"a".repeat(63)}.example`,
    "0x1.example",
  ])("%s", (text) => expect(isHostName(text)).toBe(true));
  test.each([
    "",
    "A.example",
    "a..example",
    ".example",
    "a.example.",
    "-a.example",
    "a-.example",
    "a_b.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(126)}ab`,
    "127.0.0.1",
    "::1",
    "[::1]",
    "2130706433",
    "127.1",
    "0x7f",
    "a.0x7f",
    "a.0x",
    "a.1",
    "a.example:443",
    "https://a.example",
    "a.example/x",
  ])("%j is not one", (text) => expect(isHostName(text)).toBe(false));
});

describe("groups of GitHub", () => {
  const groups = (...names: string[]) => {
    const map = Object.fromEntries(names.map((name) => [name, ["iam:query"]]));
    return read({ SCOPE_MAP: JSON.stringify(map) }).groups;
  };
  test("are those of the scope map", () => {
    expect(groups("group:acme", "group:Ac-me2/team.a_b-1", "login:x", "*")).toEqual([
      "acme",
      "Ac-me2/team.a_b-1",
    ]);
    const twenty = Array.from({ length: 20 }, (_, index) => `group:a${index}`);
    expect(groups(...twenty)).toHaveLength(20);
    expect(() => groups(...twenty, "group:b")).toThrow("more than 20");
    expect(groups("group:a/..b", "group:a/b..", "group:a/...")).toHaveLength(3);
  });
  test.each([
    "a/.",
    "a/..",
    "a/b/c",
    "/a",
    "a/",
    "-a",
    "a b",
    "a_b",
    "a".repeat(40),
    `a/${"b".repeat(101)}`,
  ])("%s is not one", (name) =>
    expect(() => groups(`group:${name}`)).toThrow("not a GitHub organisation or team"),
  );
  test("are not looked at for another provider", () => {
    const google = {
      GOOGLE_CLIENT_ID: "a",
      GOOGLE_CLIENT_SECRET: "b",
      SCOPE_MAP: '{"group:a b":["iam:query"]}',
    };
    expect(read(google, "google").groups).toEqual([]);
  });
});
