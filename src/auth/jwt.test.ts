import { createHmac, createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { JwtAlgorithm } from "../../spec/auth.ts";
import { signedByHand, signToken, testKey } from "../../test/support/issuer.ts";
import { createAuthenticator } from "./create.ts";

const nowS = 1_800_000_000;
const issuer = "https://issuer.example/";
const audience = "https://v.example/mcp";
const key = testKey();
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
const withKey = await create({ JWT_PUBLIC_KEY: key.pem });
const present = (token: string, authenticator = withKey) =>
  authenticator.authenticate({ headers: new Headers({ authorization: `Bearer ${token}` }) });
const outcomeOf = async (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
  present(await signToken(key, claims, header));

describe("a good token", () => {
  test.each([
    ["subject and client", {}, { subject: "alice", clientId: "agent" }],
    ["client from azp", { client_id: undefined, azp: "app" }, { clientId: "app" }],
    ["client_id before azp", { azp: "app" }, { clientId: "agent" }],
    ["client from sub", { client_id: undefined }, { clientId: "alice" }],
    ["no client, no subject", { client_id: undefined, sub: undefined }, { subject: "unknown" }],
    ["a subject that is no text", { sub: 7 }, { subject: "agent" }],
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
  test.each([
    ["expired past the tolerance", { exp: nowS - 30 }, /expired/],
    ["without exp", { exp: undefined }, /expiry/],
    ["with exp as text", { exp: String(nowS + 60) }, /expiry/],
    ["with exp null", { exp: null }, /expiry/],
    ["nbf past the tolerance", { nbf: nowS + 31 }, /not valid yet/],
    ["with nbf as text", { nbf: "0" }, /start/],
    ["of another issuer", { iss: "https://other.example/" }, /issuer/],
    ["of the issuer without its slash", { iss: "https://issuer.example" }, /issuer/],
    ["of a list of issuers", { iss: [issuer] }, /issuer/],
    ["without issuer", { iss: undefined }, /issuer/],
    ["for another audience", { aud: "https://v.example" }, /audience/],
    ["for a longer audience", { aud: `${audience}/x` }, /audience/],
    ["for other audiences", { aud: ["x", "y"] }, /audience/],
    ["for no audience", { aud: undefined }, /audience/],
    ["for an audience inside a list", { aud: [[audience]] }, /audience/],
  ])("%s", async (_, claims, description) => {
    expect(await outcomeOf({ ...good, ...claims })).toEqual({
      refusal: { kind: "invalid_token", description: expect.stringMatching(description) },
    });
  });

  test.each([
    ["another type", { typ: "logout+jwt" }],
    ["a type that is no text", { typ: ["JWT"] }],
    ["a kid that is no text", { kid: 7 }],
    ["an unknown critical extension", { crit: ["x"], x: 1 }],
    ["an empty list of critical extensions", { crit: [] }],
    ["a critical extension that a library knows", { crit: ["b64"], b64: true }],
    ["another RSA algorithm than the configured", { alg: "RS512" }],
    ["no algorithm", { alg: undefined }],
  ])("with %s in its header", async (_, change) => {
    const header = { alg: "RS256", typ: "JWT", ...change };
    const digest = header.alg === "RS512" ? "sha512" : "sha256";
    const token = signedByHand(header, good, key.privateKey, digest);
    expect(await present(token)).toMatchObject({ refusal: { kind: "invalid_token" } });
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
      signedByHand({ alg: "RS256" }, good, testKey().privateKey, "sha256"),
    ],
    [
      "a key it brings along",
      signedByHand({ alg: "RS256", jwk: testKey().jwk }, good, testKey().privateKey, "sha256"),
    ],
    ["claims that are no object", signedByHand({ alg: "RS256" }, "[]", key.privateKey, "sha256")],
    ["claims that are no JSON", signedByHand({ alg: "RS256" }, "{", key.privateKey, "sha256")],
    ["a header that is no JSON", signedByHand("{", good, key.privateKey, "sha256")],
    ["a header that is no object", signedByHand("[]", good, key.privateKey, "sha256")],
    ["two parts", "e30.e30"],
    ["five parts, as an encrypted token", "e30.e30.e30.e30.e30"],
    ["one part", "opaque"],
  ])("with %s", async (_, token) => {
    expect(await present(token)).toMatchObject({ refusal: { kind: "invalid_token" } });
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
      const result = await present(changed.join("."));
      expect(result).toMatchObject({ refusal: { kind: "invalid_token" } });
    }
  });

  test("and the refusal quotes nothing of it", async () => {
    const result = await outcomeOf({ ...good, iss: "s3cr3t", sub: "s3cr3t", scope: "s3cr3t" });
    expect(JSON.stringify(result)).not.toContain("s3cr3t");
  });
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
  test.each([
    ["without issuer", { JWT_ISSUER: " ", JWT_JWKS_URI: jwks }, /AUTH_JWT_ISSUER is not set/],
    ["without audience", { JWT_AUDIENCE: "", JWT_JWKS_URI: jwks }, /AUTH_JWT_AUDIENCE is not set/],
    ["without both, naming both", { JWT_ISSUER: "", JWT_AUDIENCE: "" }, /JWT_ISSUER.*JWT_AUDIENCE/],
    ["without a key", {}, /JWT_JWKS_URI.*JWT_PUBLIC_KEY.*neither/],
    ["with two keys", { JWT_JWKS_URI: jwks, JWT_PUBLIC_KEY: key.pem }, /both/],
    [
      "by an unknown algorithm",
      { JWT_ALGORITHM: "none", JWT_PUBLIC_KEY: key.pem },
      /JWT_ALGORITHM/,
    ],
    [
      "by two algorithms",
      { JWT_ALGORITHM: "RS256,HS256", JWT_PUBLIC_KEY: key.pem },
      /JWT_ALGORITHM/,
    ],
    ["by HS with JWKS", { JWT_ALGORITHM: "HS256", JWT_JWKS_URI: jwks }, /HS256.*JWT_PUBLIC_KEY/],
    ["by HS with PEM", { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: key.pem }, /PUBLIC_KEY.*PEM/],
    ["by HS256 with 31 bytes", { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: "s".repeat(31) }, /32/],
    ["by HS512 with 63 bytes", { JWT_ALGORITHM: "HS512", JWT_PUBLIC_KEY: "s".repeat(63) }, /64/],
    ["by RS with a shared secret", { JWT_PUBLIC_KEY: "s".repeat(64) }, /PEM/],
    ["by a private key", { JWT_PUBLIC_KEY: priv }, /private key/],
    ["by an RSA key of 1024 bits", { JWT_PUBLIC_KEY: weak }, /2048/],
    ["by RS with an EC key", { JWT_PUBLIC_KEY: testKey("ES256").pem }, /RSA/],
    [
      "by ES384 with P-256",
      { JWT_ALGORITHM: "ES384", JWT_PUBLIC_KEY: testKey("ES256").pem },
      /secp384r1/,
    ],
    [
      "by Ed25519 with Ed448",
      { JWT_ALGORITHM: "Ed25519", JWT_PUBLIC_KEY: testKey("Ed448").pem },
      /ed25519/,
    ],
    ["by half a PEM", { JWT_PUBLIC_KEY: key.pem.slice(0, 80) }, /PEM/],
    ["by a plain-text JWKS URI", { JWT_JWKS_URI: "http://issuer.example/jwks" }, /JWKS_URI.*https/],
    ["by credentials in the URI", { JWT_JWKS_URI: "https://u:s3cr3t@issuer.example" }, /JWKS_URI/],
    [
      "by a base URL with a query",
      { JWT_JWKS_URI: jwks, BASE_URL: "https://v.example?x" },
      /BASE_URL/,
    ],
  ])("%s", async (_, variables, message) => {
    const error: unknown = await create(variables).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error("started");
    expect(error).toMatchObject({ name: "StartupError", kind: "auth_jwt" });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/s3cr3t|ssss|BEGIN|\n/);
  });

  test.each([
    ["loopback in plain text", { JWT_JWKS_URI: "http://127.0.0.1:1/jwks" }],
    ["a PEM with escaped line ends", { JWT_PUBLIC_KEY: key.pem.replaceAll("\n", "\\n") }],
    ["HS256 with 32 bytes", { JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: "s".repeat(32) }],
  ])("but not by %s", async (_, variables) => {
    await expect(create(variables)).resolves.toMatchObject({ provider: "jwt" });
  });
});

describe("metadata", () => {
  const authorizationServers = [issuer];
  test("is published under the base URL, without its last slash", async () => {
    const { metadata } = await create({ JWT_PUBLIC_KEY: key.pem, BASE_URL: "https://v.example/" });
    expect(metadata).toEqual({ baseUrl: "https://v.example", authorizationServers });
  });
  test("is not published without a base URL, also when the own address is known", async () => {
    expect(withKey.metadata).toBeUndefined();
  });
  test("is not published for an issuer that is no URL", async () => {
    const variables = {
      JWT_ISSUER: "corp",
      JWT_PUBLIC_KEY: key.pem,
      BASE_URL: "https://v.example",
    };
    expect((await create(variables)).metadata).toBeUndefined();
  });
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
