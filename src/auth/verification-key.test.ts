import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testKey } from "../../test/support/issuer.ts";
import { localKey, parseKeySet } from "./verification-key.ts";

const spki = { type: "spki", format: "pem" } as const;
const rsaPss = String(
  generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey.export(spki),
);
const rsa = testKey("RS256");
const p256 = testKey("ES256");
const p384 = testKey("ES384");
const ed25519 = testKey("Ed25519");
const ed448 = testKey("Ed448");

describe("a configured key", () => {
  test.each([
    ["RS256", rsa],
    ["PS512", rsa],
    ["ES256", p256],
    ["ES384", p384],
    ["EdDSA", ed25519],
    ["EdDSA", ed448],
    ["Ed25519", ed25519],
    ["Ed448", ed448],
  ] as const)("fits %s", (algorithm, { pem }) => {
    expect(localKey(pem, algorithm)).toHaveProperty("key");
    expect(localKey(pem.replaceAll("\n", "\\n"), algorithm)).toHaveProperty("key");
  });

  test.each([
    ["RS256", "an EC key", p256.pem, /RS256 needs an RSA key$/],
    ["RS256", "a key for PSS only", rsaPss, /RS256 needs an RSA key$/],
    ["PS256", "a key for PSS only", rsaPss, /PS256 needs an RSA key$/],
    ["RS256", "an Edwards key", ed25519.pem, /RS256 needs an RSA key$/],
    ["RS256", "a short key", testKey("RS256", "short", 1024).pem, /at least 2048 bits$/],
    ["ES256", "another curve", p384.pem, /ES256 needs an EC key on prime256v1$/],
    ["ES384", "another curve", p256.pem, /ES384 needs an EC key on secp384r1$/],
    ["ES256", "an RSA key", rsa.pem, /ES256 needs an EC key/],
    ["Ed25519", "the other curve", ed448.pem, /Ed25519 needs a key of ed25519$/],
    ["Ed448", "the other curve", ed25519.pem, /Ed448 needs a key of ed448$/],
    ["EdDSA", "an EC key", p256.pem, /EdDSA needs a key of ed25519 or ed448$/],
    ["HS256", "a PEM", rsa.pem, /needs a shared secret$/],
    ["HS256", "31 bytes", "x".repeat(31), /HS256 needs 32 bytes$/],
    ["HS384", "47 bytes", "x".repeat(47), /HS384 needs 48 bytes$/],
    ["HS512", "63 bytes", "x".repeat(63), /HS512 needs 64 bytes$/],
    ["RS256", "a secret", "x".repeat(64), /must be a public key in PEM/],
  ] as const)("of another kind is named: %s and %s", (algorithm, _, text, problem) => {
    expect(localKey(text, algorithm)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test.each([
    ["HS256", 32],
    ["HS384", 48],
    ["HS512", 64],
  ] as const)("%s takes a secret of %i bytes", (algorithm, bytes) => {
    expect(localKey("x".repeat(bytes), algorithm)).toHaveProperty("key");
  });
});

describe("a key set", () => {
  const { kid: _, ...anonymous } = rsa.jwk;

  test.each([
    ["the use of encryption", { ...rsa.jwk, use: "enc" }],
    ["operations without verify", { ...rsa.jwk, key_ops: ["sign"] }],
    ["another algorithm", { ...rsa.jwk, alg: "RS512" }],
    ["another type", p256.jwk],
    ["too few bits", testKey("RS256", "short", 1024).jwk],
    ["its private part", { ...rsa.jwk, d: "AQAB" }],
    ["a number for kid", { ...rsa.jwk, kid: 7 }],
    ["no modulus", { ...rsa.jwk, n: undefined }],
    ["no type", { ...rsa.jwk, kty: undefined }],
  ])("leaves out a key with %s, and counts it", (_name, jwk) => {
    const keys = parseKeySet({ keys: [jwk, "nonsense"] }, "RS256");
    expect(keys).toMatchObject({ size: 0, skipped: 2 });
    expect(keys?.find(rsa.kid)).toBeUndefined();
    expect(keys?.find(undefined)).toBeUndefined();
  });

  test.each([
    ["as it is", rsa.jwk],
    ["with verify among its operations", { ...rsa.jwk, key_ops: ["verify"] }],
    ["without use and algorithm", { ...rsa.jwk, use: undefined, alg: undefined }],
  ])("keeps a key %s", (_name, jwk) => {
    const keys = parseKeySet({ keys: [jwk] }, "RS256");
    expect(keys).toMatchObject({ size: 1, skipped: 0 });
    expect(keys?.find(rsa.kid)).toBeDefined();
    expect(keys?.find("another")).toBeUndefined();
  });

  test("takes the old name of the Edwards algorithms for the new ones, and the curve from the key", () => {
    const jwks = [
      { ...ed25519.jwk, kid: "a", alg: "EdDSA" },
      { ...ed448.jwk, kid: "b", alg: "EdDSA" },
    ];
    expect(parseKeySet({ keys: jwks }, "Ed25519")?.size).toBe(1);
    expect(parseKeySet({ keys: jwks }, "Ed448")?.find("b")).toBeDefined();
    expect(parseKeySet({ keys: jwks }, "EdDSA")?.size).toBe(2);
    expect(parseKeySet({ keys: jwks }, "ES256")?.size).toBe(0);
    expect(parseKeySet({ keys: [{ ...ed25519.jwk, alg: "" }] }, "Ed25519")?.size).toBe(0);
  });

  test("finds a key without an id only when it is the only one, and no key of a double id", () => {
    const other = testKey("RS256", "other").jwk;
    expect(parseKeySet({ keys: [anonymous] }, "RS256")?.find(undefined)).toBeDefined();
    expect(parseKeySet({ keys: [rsa.jwk, other] }, "RS256")?.find(undefined)).toBeUndefined();
    const double = { keys: [rsa.jwk, { ...other, kid: rsa.kid }] };
    expect(parseKeySet(double, "RS256")?.find(rsa.kid)).toBeUndefined();
  });

  test.each([[undefined], [null], [[]], [{}], [{ keys: {} }], ["keys"]])(
    "%o is none",
    (document) => {
      expect(parseKeySet(document, "RS256")).toBeUndefined();
    },
  );
});
