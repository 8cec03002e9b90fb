import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "./create.ts";

const secret = "s3cr3t-token-of-the-build";
const now = () => 1_000_000;
const warnings: string[] = [];
const log = { info() {}, warn: (_: object, message: string) => warnings.push(message) };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "auth-"));
});
afterAll(() => rm(directory, { recursive: true }));

const create = (environment: Record<string, string>) =>
  createAuthenticator({
    auth: "token",
    explicit: true,
    mode: "hosted",
    serverless: false,
    environment,
    log,
    now,
  });
const inline = (tokens: unknown, extra: Record<string, string> = {}) =>
  create({
    VALIDATOR_MCP_AUTH_TOKENS: typeof tokens === "string" ? tokens : JSON.stringify(tokens),
    ...extra,
  });
const bearer = (token: string) => ({ headers: new Headers({ authorization: `Bearer ${token}` }) });

describe("a known token", () => {
  test("stands for its client, with its scopes sorted and compared literally", async () => {
    const authenticator = await inline({
      [secret]: { client_id: "ci", scopes: ["iam:validate", "IAM:query", "iam:config"] },
    });
    const result = await authenticator.authenticate(bearer(secret));
    if (!("caller" in result)) throw new Error("refused");
    const { caller } = result;
    expect(caller).toMatchObject({
      subject: "ci",
      clientId: "ci",
      scopes: ["IAM:query", "iam:config", "iam:validate"],
    });
    expect(caller.may("iam:validate")).toBe(true);
    expect(caller.may("iam:query")).toBe(false);
  });

  test("without scopes may nothing; `sub` is the subject", async () => {
    const authenticator = await inline({ [secret]: { client_id: "ci", sub: "alice" } });
    const result = await authenticator.authenticate(bearer(secret));
    expect(result).toMatchObject({ caller: { subject: "alice", clientId: "ci", scopes: [] } });
  });

  test.each([
    [1001, true],
    [1000, false],
    [999.5, false],
  ])("that expires at %d s is good at 1000 s: %s", async (expires_at, good) => {
    const authenticator = await inline({ [secret]: { client_id: "ci", expires_at } });
    const result = await authenticator.authenticate(bearer(secret));
    expect("caller" in result).toBe(good);
    if (!good) expect(result).toMatchObject({ refusal: { kind: "invalid_token" } });
  });

  test("may come from a file, with a byte order mark", async () => {
    const file = join(directory, "tokens.json");
    await writeFile(file, `\uFEFF${JSON.stringify({ [secret]: { client_id: "ci" } })}`);
    const authenticator = await create({ VALIDATOR_MCP_AUTH_TOKEN_FILE: file });
    expect(await authenticator.authenticate(bearer(secret))).toHaveProperty("caller");
  });

  test("may be named like a member of every object", async () => {
    const authenticator = await inline('{"__proto__": {"client_id": "odd"}}');
    expect(await authenticator.authenticate(bearer("__proto__"))).toHaveProperty("caller");
    expect(await authenticator.authenticate(bearer("toString"))).toHaveProperty("refusal");
  });
});

test("an unknown token and a known one in other letters are refused alike", async () => {
  const authenticator = await inline({ [secret]: { client_id: "ci" } });
  const refusal = { kind: "invalid_token", description: "The access token is not known." };
  for (const token of ["other", secret.toUpperCase(), secret.slice(1), `${secret}=`]) {
    expect(await authenticator.authenticate(bearer(token))).toEqual({ refusal });
  }
});

describe("required scopes", () => {
  const tokens = {
    "full-token-of-the-build": { client_id: "a", scopes: ["iam:validate", "team:x"] },
    "bare-token-of-the-build": { client_id: "b", scopes: ["iam:validate"] },
  };
  test("are a floor: who lacks one is refused with all of them named", async () => {
    const authenticator = await inline(tokens, {
      VALIDATOR_MCP_AUTH_REQUIRED_SCOPES: " team:x , iam:validate,",
    });
    expect(authenticator.challengeScopes).toEqual(["team:x", "iam:validate"]);
    expect(await authenticator.authenticate(bearer("full-token-of-the-build"))).toHaveProperty(
      "caller",
    );
    expect(await authenticator.authenticate(bearer("bare-token-of-the-build"))).toMatchObject({
      refusal: { kind: "insufficient_scope", scopes: ["team:x", "iam:validate"] },
    });
  });

  test("advertised scopes are named to clients and required of none", async () => {
    const authenticator = await inline(tokens, {
      VALIDATOR_MCP_AUTH_ADVERTISED_SCOPES: "iam:config",
    });
    expect(authenticator.challengeScopes).toEqual(["iam:config"]);
    expect(await authenticator.authenticate(bearer("bare-token-of-the-build"))).toHaveProperty(
      "caller",
    );
  });
});

describe("start-up is refused", () => {
  const hex = createHash("sha256").update(secret).digest("hex").slice(0, 8);
  const second = (entry: string) =>
    `{"first-token-of-the-build": {"client_id": "ci"}, "${secret}": ${entry}}`;

  test.each([
    ["without a source", {}, /TOKEN_FILE.*TOKENS.*neither/],
    [
      "with both sources",
      { TOKEN_FILE: "x", TOKENS: `{"${secret}": {"client_id": "ci"}}` },
      /TOKEN_FILE.*TOKENS.*both/,
    ],
    ["with a blank source only", { TOKENS: "  " }, /neither/],
    ["by a missing file", { TOKEN_FILE: "/nowhere/tokens" }, /TOKEN_FILE.*ENOENT/],
    ["by a directory", { TOKEN_FILE: tmpdir() }, /TOKEN_FILE.*EISDIR/],
    ["by tokens in the place of the path", { TOKEN_FILE: `{"${secret}":{}}` }, /TOKEN_FILE/],
    ["by broken JSON", { TOKENS: `{"${secret}": {` }, /TOKENS is not valid JSON/],
    ["by JSON with a comment", { TOKENS: `{} // ${secret}` }, /TOKENS is not valid JSON/],
    ["by a list", { TOKENS: `["${secret}"]` }, /TOKENS must hold a JSON object/],
    ["by null", { TOKENS: "null" }, /TOKENS must hold a JSON object/],
    ["by an empty object", { TOKENS: "{}" }, /TOKENS holds no token/],
    [
      "by an entry without client_id",
      { TOKENS: second("{}") },
      `entry 2 (token with SHA-256 ${hex}`,
    ],
    ["by an entry without client_id", { TOKENS: second("{}") }, /no client_id/],
    ["by an empty client_id", { TOKENS: second('{"client_id": ""}') }, /wrong value in client_id/],
    ["by an entry that is text", { TOKENS: second(`"${secret}"`) }, /no object/],
    ["by scopes as text", { TOKENS: second('{"client_id":"a","scopes":"x"}') }, /in scopes/],
    ["by two scopes in one", { TOKENS: second('{"client_id":"a","scopes":["x y"]}') }, /in scopes/],
    ["by a date as text", { TOKENS: second('{"client_id":"a","expires_at":"1"}') }, /expires_at/],
    ["by an unknown key", { TOKENS: second('{"client_id":"a","scope":["x"]}') }, /unknown key/],
    [
      "by a repeated token",
      { TOKENS: `{"${secret}":{"client_id":"a"},"${secret}":{}}` },
      /repeats/,
    ],
    ["by a repeated key", { TOKENS: second('{"client_id":"a","client_id":"b"}') }, /repeats/],
    ["by an empty token", { TOKENS: '{"": {"client_id": "a"}}' }, /no Authorization header/],
    ["by a token with a blank", { TOKENS: '{"a b": {"client_id": "a"}}' }, /no Authorization/],
  ] as const)("%s", async (_, variables, message) => {
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
    );
    const error: unknown = await create(environment).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error("started");
    expect(error).toMatchObject({ name: "StartupError", kind: "auth_token" });
    if (typeof message === "string") expect(error.message).toContain(message);
    else expect(error.message).toMatch(message);
    expect(error.message).not.toContain(secret);
    expect(error.message).not.toContain("\n");
  });
});

test("a token that can be guessed and a variable without effect are warned of, unquoted", async () => {
  warnings.length = 0;
  await inline({ short: { client_id: "a" } }, { VALIDATOR_MCP_AUTH_JWT_ISSUER: "x" });
  expect(warnings).toEqual([
    expect.stringContaining("no effect with --auth token"),
    expect.stringMatching(/entry 1 .*guessed/),
  ]);
  expect(warnings.join()).not.toContain("short:");
});
