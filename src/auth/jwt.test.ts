import { createHmac, createPublicKey, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { JwtAlgorithm } from "../../spec/auth.ts";
import {
  localServer,
  sendJson,
  signedByHand,
  signToken,
  testKey,
} from "../../test/support/issuer.ts";
import type { Authenticator } from "./caller.ts";
import { createAuthenticator } from "./create.ts";

const nowS = 1_800_000_000;
const issuer = "https://issuer.example/";
const audience = "https://v.example/mcp";
const key = testKey();
const stranger = testKey();
const log = { info() {}, warn() {} };
const good = { iss: issuer, aud: audience, exp: nowS + 60, sub: "alice", client_id: "agent" };

const create = (variables: Record<string, string | undefined>) =>
  createAuthenticator({
    auth: "jwt",
    explicit: true,
    mode: "hosted",
    serverless: false,
    log,
    now: () => nowS * 1000,
    environment: Object.fromEntries(
      Object.entries({ JWT_ISSUER: issuer, JWT_AUDIENCE: audience, ...variables }).map(
        ([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value],
      ),
    ),
  });
const withKey = () => create({ JWT_PUBLIC_KEY: key.pem });
const present = async (token: string, authenticator?: Authenticator) =>
  (authenticator ?? (await withKey())).authenticate({
    headers: new Headers({ authorization: `Bearer ${token}` }),
  });
const outcomeOf = async (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
  present(await signToken(key, claims, header));

describe("a good token", () => {
  test.each([
    ["subject and client", {}, { subject: "alice", clientId: "agent" }],
    ["client from azp", { client_id: undefined, azp: "app" }, { clientId: "app" }],
    ["client_id before azp", { azp: "app" }, { clientId: "agent" }],
    ["client from sub", { client_id: undefined }, { clientId: "alice" }],
    ["no client, no subject", { client_id: undefined, sub: undefined }, { subject: "unknown" }],
    ["a subject that is not text", { sub: 7 }, { subject: "agent" }],
    ["scope as text", { scope: "iam:query  iam:config" }, { scopes: ["iam:config", "iam:query"] }],
    ["scope as list", { scope: ["iam:query", 7, "a b"] }, { scopes: ["a b", "iam:query"] }],
    ["scp as text", { scp: "iam:query" }, { scopes: ["iam:query"] }],
    ["scp as list", { scp: ["iam:query"] }, { scopes: ["iam:query"] }],
    ["scope hides scp", { scope: "", scp: "iam:query" }, { scopes: [] }],
    ["scope of no meaning hides scp", { scope: 7, scp: "iam:query" }, { scopes: [] }],
    ["no scopes", {}, { scopes: [] }],
    ["the audience in a list", { aud: ["x", audience] }, { subject: "alice" }],
    ["nbf in the past", { nbf: nowS - 1 }, { subject: "alice" }],
    ["nbf at the tolerance", { nbf: nowS + 30 }, { subject: "alice" }],
    ["exp within the tolerance", { exp: nowS - 29 }, { subject: "alice" }],
    ["a fraction in exp", { exp: nowS + 0.5 }, { subject: "alice" }],
    ["iat in the future", { iat: nowS + 9999 }, { subject: "alice" }],
  ])("%s", async (_, claims, caller) => {
    expect(await outcomeOf({ ...good, ...claims })).toMatchObject({ caller });
  });

  test.each([[undefined], ["JWT"], ["jwt"], ["at+jwt"], ["AT+JWT"], ["application/at+jwt"]])(
    "typ %s",
    async (typ) => {
      expect(await outcomeOf(good, { typ })).toHaveProperty("caller");
    },
  );

  test.each([[undefined], ["another"], ["../../etc/passwd"], ["x' OR '1'='1"]])(
    "kid %s does not matter with a single configured key",
    async (kid) => {
      expect(await outcomeOf(good, { kid })).toHaveProperty("caller");
    },
  );

  test("sees only the scopes it carries, in the very letters", async () => {
    const result = await outcomeOf({ ...good, scope: "iam:validate IAM:QUERY" });
    if (!("caller" in result)) throw new Error("refused");
    expect(result.caller.may("iam:validate")).toBe(true);
    expect(result.caller.may("iam:query")).toBe(false);
  });
});

describe("a token is refused", () => {
  const invalid = "The access token is not a valid JWT of this server's issuer.";
  const otherType = "The token is not an access token.";
  const noClaims = "The access token has no claims set.";
  const expired = "The access token has expired.";
  const noExpiry = "The access token has no valid expiry.";
  const early = "The access token is not valid yet.";
  const noStart = "The access token has an invalid start.";
  const otherIssuer = "The access token has another issuer.";
  const otherAudience = "The access token is for another audience.";
  const refusal = (description: string) => ({ refusal: { kind: "invalid_token", description } });

  test.each([
    ["expired past the tolerance", { exp: nowS - 30 }, expired],
    ["expired at the start of time", { exp: 0 }, expired],
    ["without exp", { exp: undefined }, noExpiry],
    ["with exp as text", { exp: String(nowS + 60) }, noExpiry],
    ["with exp null", { exp: null }, noExpiry],
    ["nbf past the tolerance", { nbf: nowS + 31 }, early],
    ["with nbf as text", { nbf: "0" }, noStart],
    ["with nbf null", { nbf: null }, noStart],
    ["of another issuer", { iss: "https://other.example/" }, otherIssuer],
    ["of the issuer without its slash", { iss: "https://issuer.example" }, otherIssuer],
    ["of a list of issuers", { iss: [issuer] }, otherIssuer],
    ["without issuer", { iss: undefined }, otherIssuer],
    ["for another audience", { aud: "https://v.example" }, otherAudience],
    ["for a longer audience", { aud: `${audience}/x` }, otherAudience],
    ["for other audiences", { aud: ["x", "y"] }, otherAudience],
    ["for no audience", { aud: undefined }, otherAudience],
    ["for an audience inside a list", { aud: [[audience]] }, otherAudience],
  ])("%s", async (_, claims, description) => {
    expect(await outcomeOf({ ...good, ...claims })).toEqual(refusal(description));
  });

  test.each([
    ["another type", { typ: "logout+jwt" }, otherType],
    ["a type that is not text", { typ: ["JWT"] }, otherType],
    ["a type that is null", { typ: null }, otherType],
    ["a kid that is not text", { kid: 7 }, invalid],
    ["a kid that is null", { kid: null }, invalid],
    ["an unknown critical extension", { crit: ["x"], x: 1 }, invalid],
    ["an empty list of critical extensions", { crit: [] }, invalid],
    ["a critical extension that a library knows", { crit: ["b64"], b64: true }, invalid],
    ["another RSA algorithm than the configured", { alg: "RS512" }, invalid],
    ["no algorithm", { alg: undefined }, invalid],
  ])("with %s in its header", async (_, change, description) => {
    const header = { alg: "RS256", typ: "JWT", ...change };
    const digest = header.alg === "RS512" ? "sha512" : "sha256";
    const token = signedByHand(header, good, key.privateKey, digest);
    expect(await present(token)).toEqual(refusal(description));
  });

  test("the same by hand without such a header is good", async () => {
    const token = signedByHand({ alg: "RS256" }, good, key.privateKey, "sha256");
    expect(await present(token)).toHaveProperty("caller");
  });

  const spki = createPublicKey(key.pem).export({ type: "spki", format: "der" });
  const hmac = (secret: string | Buffer, header: object) => {
    const input = signedByHand(header, good).slice(0, -1);
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
  test.each([
    ["alg none and no signature", signedByHand({ alg: "none" }, good)],
    ["alg None and no signature", signedByHand({ alg: "None" }, good)],
    ["RS256 and no signature", signedByHand({ alg: "RS256" }, good)],
    ["HS256 with the PEM as secret", hmac(key.pem, { alg: "HS256" })],
    ["HS256 with the trimmed PEM as secret", hmac(key.pem.trim(), { alg: "HS256" })],
    ["HS256 with the DER as secret", hmac(spki, { alg: "HS256" })],
    ["RS256 over an HMAC", hmac(key.pem, { alg: "RS256" })],
    [
      "a signature of another key",
      signedByHand({ alg: "RS256" }, good, stranger.privateKey, "sha256"),
    ],
    [
      "a key it brings along",
      signedByHand({ alg: "RS256", jwk: stranger.jwk }, good, stranger.privateKey, "sha256"),
    ],
    ["a header that is not JSON", signedByHand("{", good, key.privateKey, "sha256")],
    ["a header that is not an object", signedByHand("[]", good, key.privateKey, "sha256")],
    ["two parts", "e30.e30"],
    ["five parts, as an encrypted token", "e30.e30.e30.e30.e30"],
    ["one part", "opaque"],
  ])("with %s", async (_, token) => {
    expect(await present(token)).toEqual(refusal(invalid));
  });

  test.each([
    ["a list", "[]"],
    ["null", "null"],
    ["no JSON", "{"],
    ["nothing", " "],
    [
      "no UTF-8, though they would be good as Latin-1",
      Buffer.from(JSON.stringify({ ...good, x: "\u00ff" }), "latin1"),
    ],
  ])("with claims that are %s", async (_, claims) => {
    const token = signedByHand({ alg: "RS256" }, claims, key.privateKey, "sha256");
    expect(await present(token)).toEqual(refusal(noClaims));
  });

  test("with one letter of its claims or signature changed", async () => {
    const token = await signToken(key, good);
    const [header = "", claims = "", signature = ""] = token.split(".");
    const flip = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    for (const changed of [
      [header, flip(claims), signature],
      [header, claims, flip(signature)],
      [header, claims, signature.slice(0, -4)],
      [header, claims, ""],
    ]) {
      expect(await present(changed.join("."))).toEqual(refusal(invalid));
    }
  });

  test("and the refusal quotes nothing of it", async () => {
    const result = await outcomeOf({ ...good, iss: "s3cr3t", sub: "s3cr3t", scope: "s3cr3t" });
    expect(JSON.stringify(result)).not.toContain("s3cr3t");
  });
});

test("an expiry without end is none", async () => {
  const endless = JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e999');
  const token = signedByHand({ alg: "RS256" }, endless, key.privateKey, "sha256");
  expect(await present(token)).toMatchObject({
    refusal: { description: "The access token has no valid expiry." },
  });
});

test("keys of a JWKS URI verify, too", async () => {
  await using server = await localServer((_, response) => sendJson(response, { keys: [key.jwk] }));
  const authenticator = await create({ JWT_JWKS_URI: server.url });
  expect(await present(await signToken(key, good), authenticator)).toHaveProperty("caller");
  const forged = await signToken({ ...stranger, kid: key.kid }, good);
  expect(await present(forged, authenticator)).toHaveProperty("refusal");
});

describe("every algorithm", () => {
  const secret = "s".repeat(64);
  test.each(JwtAlgorithm.options)("%s verifies its own tokens and no other", async (algorithm) => {
    const isShared = algorithm.startsWith("HS");
    const own = testKey(isShared ? "RS256" : algorithm);
    const authenticator = await create({
      JWT_ALGORITHM: algorithm,
      JWT_PUBLIC_KEY: isShared ? secret : own.pem,
    });
    const token = isShared ? hmacToken(algorithm, secret) : await signToken(own, good);
    expect(await present(token, authenticator)).toHaveProperty("caller");
    const other = isShared
      ? hmacToken(algorithm, `${secret}x`)
      : await signToken(testKey(algorithm), good);
    expect(await present(other, authenticator)).toHaveProperty("refusal");
    if (algorithm !== "RS256") {
      expect(await present(await signToken(key, good), authenticator)).toHaveProperty("refusal");
    }
  });

  test("EdDSA works with both curves", async () => {
    const own = testKey("Ed448");
    const authenticator = await create({ JWT_ALGORITHM: "EdDSA", JWT_PUBLIC_KEY: own.pem });
    const header = { alg: "EdDSA" };
    expect(await present(signedByHand(header, good, own.privateKey), authenticator)).toHaveProperty(
      "caller",
    );
    for (const bad of [
      signedByHand(header, good, testKey("Ed448").privateKey),
      `${signedByHand(header, good, own.privateKey)}.`,
      `${signedByHand(header, good, own.privateKey)}=`,
      signedByHand({ alg: "Ed448" }, good, own.privateKey),
    ]) {
      expect(await present(bad, authenticator)).toHaveProperty("refusal");
    }
  });

  test("a signature over more than two parts makes no token", async () => {
    const own = testKey("Ed448");
    const authenticator = await create({ JWT_ALGORITHM: "Ed448", JWT_PUBLIC_KEY: own.pem });
    // A lenient decoder drops what does not fill a byte, which depends on the length before.
    for (const pad of ["", "x", "xx"]) {
      const twoParts = signedByHand({ alg: "Ed448" }, { ...good, pad });
      const input = `${twoParts.replace(".", "..")}A`;
      const signature = sign(null, Buffer.from(input), own.privateKey).toString("base64url");
      expect(await present(`${input}.${signature}`, authenticator)).toHaveProperty("refusal");
    }
  });

  function hmacToken(algorithm: string, sharedSecret: string): string {
    const input = signedByHand({ alg: algorithm }, good).slice(0, -1);
    const hmac = createHmac(`sha${algorithm.slice(2)}`, sharedSecret);
    return `${input}.${hmac.update(input).digest("base64url")}`;
  }
});

describe("start-up is refused", () => {
  const jwks = "https://issuer.example/jwks";
  const priv = String(key.privateKey.export({ type: "pkcs8", format: "pem" }));
  const weak = testKey("RS256", "weak", 1024).pem;
  const prefix = "VALIDATOR_MCP_AUTH_";
  const unset = (name: string, fix: string) => `${prefix}JWT_${name} is not set; ${fix}`;
  const noIssuer = unset("ISSUER", "set it to the exact `iss` of the tokens");
  const noAudience = unset("AUDIENCE", "set it to the `aud` that identifies this server");
  const oneOf = `set exactly one of ${prefix}JWT_JWKS_URI and ${prefix}JWT_PUBLIC_KEY; `;
  const algorithms = `${prefix}JWT_ALGORITHM must be one of ${JwtAlgorithm.options.join(", ")}.`;
  const unsafe = `${prefix}JWT_JWKS_URI must be an https:// URL without credentials or fragment (http:// only for a loopback address).`;
  const badKey = (problem: string) => `${prefix}JWT_PUBLIC_KEY ${problem}.`;
  const misfit = (problem: string) => badKey(`holds a key that does not fit: ${problem}`);
  const elliptic = testKey("ES256").pem;

  test.each([
    ["without issuer", { JWT_ISSUER: " ", JWT_JWKS_URI: jwks }, `${noIssuer}.`],
    ["without audience", { JWT_AUDIENCE: "", JWT_JWKS_URI: jwks }, `${noAudience}.`],
    ["without both", { JWT_ISSUER: "", JWT_AUDIENCE: "" }, `${noIssuer}; ${noAudience}.`],
    ["without a key", {}, `${oneOf}neither is set.`],
    ["with two keys", { JWT_JWKS_URI: jwks, JWT_PUBLIC_KEY: key.pem }, `${oneOf}both are set.`],
    ["by an unknown algorithm", { JWT_ALGORITHM: "none", JWT_PUBLIC_KEY: key.pem }, algorithms],
    ["by two algorithms", { JWT_ALGORITHM: "RS256,HS256", JWT_PUBLIC_KEY: key.pem }, algorithms],
    [
      "by HS with JWKS",
      { JWT_ALGORITHM: "HS256", JWT_JWKS_URI: jwks },
      `${prefix}JWT_ALGORITHM HS256 needs a shared secret in ${prefix}JWT_PUBLIC_KEY; ${prefix}JWT_JWKS_URI publishes public keys only.`,
    ],
    [
      "by HS with PEM",
      { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: key.pem },
      badKey("holds a PEM key, but HS256 needs a shared secret"),
    ],
    [
      "by HS256 with 31 bytes",
      { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: "s".repeat(31) },
      badKey("is too short: HS256 needs 32 bytes"),
    ],
    [
      "by HS512 with 63 bytes",
      { JWT_ALGORITHM: "HS512", JWT_PUBLIC_KEY: "s".repeat(63) },
      badKey("is too short: HS512 needs 64 bytes"),
    ],
    [
      "by RS with a shared secret",
      { JWT_PUBLIC_KEY: "s".repeat(64) },
      badKey("must be a public key in PEM for RS256"),
    ],
    [
      "by a private key",
      { JWT_PUBLIC_KEY: priv },
      badKey("holds a private key; give the public key only"),
    ],
    [
      "by an RSA key of 1024 bits",
      { JWT_PUBLIC_KEY: weak },
      misfit("RSA keys need at least 2048 bits"),
    ],
    ["by RS with an EC key", { JWT_PUBLIC_KEY: elliptic }, misfit("RS256 needs an RSA key")],
    [
      "by ES384 with P-256",
      { JWT_ALGORITHM: "ES384", JWT_PUBLIC_KEY: elliptic },
      misfit("ES384 needs an EC key on secp384r1"),
    ],
    [
      "by Ed25519 with Ed448",
      { JWT_ALGORITHM: "Ed25519", JWT_PUBLIC_KEY: testKey("Ed448").pem },
      misfit("Ed25519 needs a key of ed25519"),
    ],
    [
      "by half a PEM",
      { JWT_PUBLIC_KEY: key.pem.slice(0, 80) },
      badKey("holds no readable PEM public key"),
    ],
    ["by a plain-text JWKS URI", { JWT_JWKS_URI: "http://issuer.example/jwks" }, unsafe],
    ["by credentials in the URI", { JWT_JWKS_URI: "https://u:s3cr3t@issuer.example" }, unsafe],
    [
      "by a base URL with a query",
      { JWT_JWKS_URI: jwks, BASE_URL: "https://v.example?x" },
      `${prefix}BASE_URL must be the public http(s) URL of this server, without credentials, query or fragment.`,
    ],
  ])("%s", async (_, variables, problem) => {
    const error: unknown = await create(variables).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error("started");
    expect(error).toMatchObject({ name: "StartupError", kind: "auth_jwt" });
    expect(error.message).toBe(`Auth jwt: ${problem}`);
  });

  test.each([
    ["loopback in plain text", { JWT_JWKS_URI: "http://127.0.0.1:1/jwks" }],
    ["a PEM with escaped line ends", { JWT_PUBLIC_KEY: key.pem.replaceAll("\n", "\\n") }],
    ["HS256 with 32 bytes", { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: "s".repeat(32) }],
  ])("but not by %s", async (_, variables) => {
    await expect(create(variables)).resolves.toMatchObject({ provider: "jwt", stepUp: false });
  });
});

describe("metadata", () => {
  const authorizationServers = [issuer];
  test("is published under the base URL, without its last slash", async () => {
    const { metadata } = await create({ JWT_PUBLIC_KEY: key.pem, BASE_URL: "https://v.example/" });
    expect(metadata).toEqual({ baseUrl: "https://v.example", authorizationServers });
  });
  test("is not published without a base URL, also when the own address is known", async () => {
    expect((await withKey()).metadata).toBeUndefined();
  });
  test("is not published for an issuer that is not a URL", async () => {
    const variables = {
      JWT_ISSUER: "corp",
      JWT_PUBLIC_KEY: key.pem,
      BASE_URL: "https://v.example",
    };
    expect((await create(variables)).metadata).toBeUndefined();
  });
});

test("names the scopes it needs and those that are worth asking for; step-up is a switch", async () => {
  const authenticator = await create({
    JWT_PUBLIC_KEY: key.pem,
    REQUIRED_SCOPES: "iam:validate",
    ADVERTISED_SCOPES: "iam:query",
    STEP_UP: "1",
  });
  expect(authenticator).toMatchObject({
    requiredScopes: ["iam:validate"],
    challengeScopes: ["iam:validate", "iam:query"],
    stepUp: true,
  });
});

test("the scope map knows roles, too", async () => {
  const authenticator = await create({
    JWT_PUBLIC_KEY: key.pem,
    SCOPE_MAP: '{"role:author": ["iam:validate"]}',
  });
  expect(
    await present(await signToken(key, { ...good, roles: ["author"] }), authenticator),
  ).toMatchObject({ caller: { scopes: ["iam:validate"] } });
});

test("the scope map adds scopes by group, and they count for the floor", async () => {
  const authenticator = await create({
    JWT_PUBLIC_KEY: key.pem,
    SCOPE_MAP: '{"security": ["iam:validate"]}',
    REQUIRED_SCOPES: "iam:validate",
  });
  const member = await signToken(key, { ...good, groups: ["security"] });
  expect(await present(member, authenticator)).toMatchObject({
    caller: { scopes: ["iam:validate"] },
  });
  const other = await signToken(key, { ...good, groups: ["sales"] });
  expect(await present(other, authenticator)).toMatchObject({
    refusal: { kind: "insufficient_scope", scopes: ["iam:validate"] },
  });
});
