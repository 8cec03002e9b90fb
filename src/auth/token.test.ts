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
  test("is its client, with its scopes sorted and compared literally", async () => {
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
    const description = "The access token has expired.";
    if (!good) expect(result).toEqual({ refusal: { kind: "invalid_token", description } });
  });

  test("may come from a file, with a byte order mark", async () => {
    const file = join(directory, "tokens.json");
    const marked = { [secret]: { client_id: "\uFEFFci" } };
    for (const text of ["\uFEFF", ""].map((mark) => mark + JSON.stringify(marked))) {
      await writeFile(file, text);
      const authenticator = await create({ VALIDATOR_MCP_AUTH_TOKEN_FILE: file });
      const result = await authenticator.authenticate(bearer(secret));
      expect(result).toMatchObject({ caller: { clientId: "\uFEFFci" } });
    }
  });

  test("may be named like a member of every object", async () => {
    const authenticator = await inline('{"__proto__": {"client_id": "odd"}}');
    expect(await authenticator.authenticate(bearer("__proto__"))).toHaveProperty("caller");
    expect(await authenticator.authenticate(bearer("toString"))).toHaveProperty("refusal");
  });
});

test("a request without one well-formed credential is refused before any token is looked up", async () => {
  const authenticator = await inline({ [secret]: { client_id: "ci" } });
  const present = (authorization?: string) =>
    authenticator.authenticate({ headers: new Headers(authorization ? { authorization } : {}) });
  expect(await present()).toEqual({ refusal: { kind: "missing" } });
  expect(await present(`Basic ${secret}`)).toEqual({ refusal: { kind: "missing" } });
  expect(await present(`Bearer ${secret},`)).toMatchObject({
    refusal: { kind: "invalid_request" },
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
    expect(await authenticator.authenticate(bearer("bare-token-of-the-build"))).toEqual({
      refusal: {
        kind: "insufficient_scope",
        description: "The access token lacks a scope that every request needs.",
        scopes: ["team:x", "iam:validate"],
      },
    });
  });

  test("advertised scopes are named to clients and required of none", async () => {
    const authenticator = await inline(tokens, {
      VALIDATOR_MCP_AUTH_ADVERTISED_SCOPES: "iam:config",
    });
    expect(authenticator).toMatchObject({
      provider: "token",
      challengeScopes: ["iam:config"],
      requiredScopes: [],
    });
    expect(await authenticator.authenticate(bearer("bare-token-of-the-build"))).toHaveProperty(
      "caller",
    );
  });
});

describe("start-up is refused", () => {
  const hex = createHash("sha256").update(secret).digest("hex").slice(0, 8);
  const second = (entry: string) =>
    `{"first-token-of-the-build": {"client_id": "ci"}, "${secret}": ${entry}}`;
  const oneOf = "set exactly one of VALIDATOR_MCP_AUTH_TOKEN_FILE and VALIDATOR_MCP_AUTH_TOKENS; ";
  const file = "the file that VALIDATOR_MCP_AUTH_TOKEN_FILE names ";
  const inVariable = "VALIDATOR_MCP_AUTH_TOKENS ";
  const inSecond = `${inVariable}has, in entry 2 (token with SHA-256 ${hex}…), `;
  const unknownKey = "an unknown key; known are client_id, scopes, sub and expires_at.";
  const scopes = 'scopes must be a list with one scope in each text: ["iam:validate", "iam:query"]';
  const noObject = "no object; write {client_id, scopes}.";
  const noObjects = `${inVariable}must be a JSON object that maps tokens to {client_id, scopes}.`;

  test.each([
    ["without a source", {}, `${oneOf}neither is set.`],
    [
      "with both sources",
      { TOKEN_FILE: "x", TOKENS: `{"${secret}": {"client_id": "ci"}}` },
      `${oneOf}both are set.`,
    ],
    ["with a blank source only", { TOKENS: "  " }, `${oneOf}neither is set.`],
    [
      "for an iam: scope that does not exist",
      {
        TOKENS: second(
          '{"client_id": "ci", "scopes": ["team:x", "iam:validat", "iam:everything"]}',
        ),
      },
      `${inSecond}unknown scopes: iam:validat; did you mean iam:validate?; iam:everything.`,
    ],
    [
      "for a misspelt iam: scope, with one punctuation mark",
      { TOKENS: second('{"client_id": "ci", "scopes": ["iam:validat"]}') },
      `${inSecond}unknown scopes: iam:validat; did you mean iam:validate?`,
    ],
    [
      "for an expiry in milliseconds, which would be tens of thousands of years away",
      { TOKENS: second('{"client_id": "ci", "expires_at": 1900000000000}') },
      `${inSecond}a wrong value: expires_at must be Unix time in seconds.`,
    ],
    ["by a missing file", { TOKEN_FILE: "/nowhere" }, `${file}cannot be read (ENOENT).`],
    ["by a directory", { TOKEN_FILE: tmpdir() }, `${file}cannot be read (EISDIR).`],
    [
      "by tokens in the place of the path",
      { TOKEN_FILE: `{"${secret}":{}}` },
      `${file}cannot be read (ENOENT).`,
    ],
    [
      "by a path with a NUL",
      { TOKEN_FILE: "a\0b" },
      `${file}cannot be read (ERR_INVALID_ARG_VALUE).`,
    ],
    [
      "by a file of something else",
      { TOKEN_FILE: "package.json" },
      /^the file .* has, in entry 1 /,
    ],
    ["by broken JSON", { TOKENS: `{"${secret}": {` }, `${inVariable}is not valid JSON.`],
    ["by JSON with a comment", { TOKENS: `{} // ${secret}` }, `${inVariable}is not valid JSON.`],
    ["by a list", { TOKENS: `["${secret}"]` }, noObjects],
    ["by null", { TOKENS: "null" }, noObjects],
    ["by text", { TOKENS: `"${secret}"` }, noObjects],
    ["by an empty object", { TOKENS: "{}" }, `${inVariable}contains no token.`],
    ["by an entry without client_id", { TOKENS: second("{}") }, `${inSecond}no client_id.`],
    [
      "by an empty client_id",
      { TOKENS: second('{"client_id": ""}') },
      `${inSecond}a wrong value: client_id must be a text that is not empty.`,
    ],
    ["by an entry that is text", { TOKENS: second(`"${secret}"`) }, inSecond + noObject],
    ["by an entry that is null", { TOKENS: second("null") }, inSecond + noObject],
    ["by an entry that is a list", { TOKENS: second(`["${secret}"]`) }, inSecond + noObject],
    [
      "by two wrong values",
      { TOKENS: second('{"client_id":"a","scopes":"x","expires_at":"1"}') },
      `${inSecond}a wrong value: ${scopes}; expires_at must be Unix time in seconds.`,
    ],
    [
      "by two scopes in one",
      { TOKENS: second('{"client_id":"a","scopes":["x y"]}') },
      `${inSecond}a wrong value: ${scopes}.`,
    ],
    [
      "by an unknown key",
      { TOKENS: second(`{"client_id":"a","${secret}":["x"]}`) },
      inSecond + unknownKey,
    ],
    [
      "by a repeated token",
      { TOKENS: `{"${secret}":{"client_id":"a"},"${secret}":{}}` },
      `${inVariable}repeats a key in one of its objects.`,
    ],
    [
      "by a repeated key",
      { TOKENS: second('{"client_id":"a","client_id":"b"}') },
      `${inVariable}repeats a key in one of its objects.`,
    ],
    ["by an empty token", { TOKENS: '{"": {"client_id": "a"}}' }, /, in entry 1 .* no Authoriz/],
    [
      "by a token with a blank",
      { TOKENS: second('{"client_id":"a"}').replaceAll(secret, `${secret} x`) },
      /^VALIDATOR_MCP_AUTH_TOKENS has, in entry 2 \(token with SHA-256 [0-9a-f]{8}…\), a token that no Authorization header can carry; use letters, digits and -\._~\+\/\.$/,
    ],
    [
      "by a token that is too long for a header",
      { TOKENS: JSON.stringify({ ["x".repeat(12_289)]: { client_id: "a" } }) },
      /, in entry 1 .* no Authorization header can carry/,
    ],
  ] as const)("%s", async (_, variables, message) => {
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
    );
    const error: unknown = await create(environment).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error("started");
    expect(error).toMatchObject({ name: "StartupError", kind: "auth_token" });
    const [start, problem] = [error.message.slice(0, 12), error.message.slice(12)];
    expect(start).toBe("Auth token: ");
    if (typeof message === "string") expect(problem).toBe(message);
    else expect(problem).toMatch(message);
    expect(problem).not.toContain(secret);
    expect(problem).not.toContain("\n");
  });
});

test("the longest token a header can carry is one", async () => {
  const longest = "x".repeat(12_288);
  const authenticator = await inline({ [longest]: { client_id: "ci" } });
  expect(await authenticator.authenticate(bearer(longest))).toHaveProperty("caller");
});

test("a token that can be guessed is warned of, unquoted", async () => {
  warnings.length = 0;
  const [guessable, long] = ["x".repeat(15), "x".repeat(16)];
  await inline({ [guessable]: { client_id: "a" }, [long]: { client_id: "b" } });
  const hex = createHash("sha256").update(guessable).digest("hex").slice(0, 8);
  expect(warnings).toEqual([
    `The token of entry 1 (token with SHA-256 ${hex}…) is short enough to be guessed.`,
  ]);
});
