import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import {
  type LocalServer,
  localServer,
  sendJson,
  signedByHand,
  signToken,
  testKey,
} from "../support/issuer.ts";
import { rpc } from "../support/rpc.ts";

const issuer = "https://issuer.example";
const audience = "https://validator.example/mcp";
const key = testKey("ES256", "published");
const stranger = testKey("ES256", "published");
const claims = () => ({
  iss: issuer,
  aud: audience,
  sub: "alice",
  scope: "iam:validate",
  exp: Math.floor(Date.now() / 1000) + 600,
});

let keys: LocalServer;
/** What a token may point to; nothing may ever be asked of it. */
let attacker: LocalServer;
let target: InProcess;
beforeAll(async () => {
  const rsa = testKey("RS256", "rsa");
  const published = [key.jwk, rsa.jwk, { kty: "oct", kid: "shared", k: "c2VjcmV0", alg: "HS256" }];
  keys = await localServer((_, response) => sendJson(response, { keys: published }));
  attacker = await localServer((_, response) => sendJson(response, { keys: [stranger.jwk] }));
  target = await startInProcess({
    flags: { auth: "jwt" },
    environment: {
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${keys.url}/keys`,
      VALIDATOR_MCP_AUTH_JWT_ALGORITHM: "ES256",
    },
  });
});
afterAll(async () => {
  await target.stop();
  await keys[Symbol.asyncDispose]();
  await attacker[Symbol.asyncDispose]();
});

const status = async (token: string) => (await rpc(target, "tools/list", {}, { token })).status;
const text = (value: string) => Buffer.from(value).toString("base64url");

/** Signed over the very text of header and claims. */
function signedText(header: string, payload: string): string {
  const input = `${text(header)}.${text(payload)}`;
  const by = { key: key.privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${input}.${sign("sha256", Buffer.from(input), by).toString("base64url")}`;
}
const header = '{"alg":"ES256","kid":"published"}';

test("a good token passes, so that the others are refused for what is wrong with them", async () => {
  expect(await status(await signToken(key, claims()))).toBe(200);
  expect(await status(signedText(header, JSON.stringify(claims())))).toBe(200);
});

describe("keys that the token names or brings along are not looked at", () => {
  const at = (path: string) => `${attacker.url}/${path}`;
  test.each<[string, () => Record<string, unknown>]>([
    ["jku", () => ({ jku: at("jku") })],
    ["x5u", () => ({ x5u: at("x5u") })],
    ["jwk", () => ({ jwk: stranger.jwk })],
    ["x5c", () => ({ x5c: [text("certificate")] })],
    ["a kid that is an address", () => ({ kid: at("kid") })],
    ["a kid that is a path", () => ({ kid: "../../../../dev/null" })],
    ["a kid of the object prototype", () => ({ kid: "__proto__" })],
  ])("%s", async (_, extra) => {
    const token = await signToken(stranger, claims(), { typ: "JWT", ...extra() });
    expect(await status(token)).toBe(401);
    expect(attacker.requests).toEqual([]);
  });

  test("neither are those of an issuer or audience that is an address", async () => {
    const token = await signToken(stranger, { ...claims(), iss: at("iss"), aud: at("aud") });
    expect(await status(token)).toBe(401);
    expect(attacker.requests).toEqual([]);
  });
});

describe("signatures that are none", () => {
  const unsigned = () => signedByHand({ alg: "ES256", kid: "published" }, claims());
  test.each<[string, () => string]>([
    [
      "all zero, which some libraries took for everything",
      () => unsigned() + text("\0".repeat(64)),
    ],
    [
      "in the other form of ECDSA signatures",
      () => {
        const input = unsigned().slice(0, -1);
        return `${input}.${sign("sha256", Buffer.from(input), key.privateKey).toString("base64url")}`;
      },
    ],
    [
      "an HMAC with the published secret",
      () => {
        const input = signedByHand({ alg: "HS256", kid: "shared" }, claims()).slice(0, -1);
        return `${input}.${createHmac("sha256", "secret").update(input).digest("base64url")}`;
      },
    ],
    [
      "an HMAC with the published key",
      () => {
        const input = signedByHand({ alg: "HS256", kid: "published" }, claims()).slice(0, -1);
        return `${input}.${createHmac("sha256", key.pem).update(input).digest("base64url")}`;
      },
    ],
    [
      "of a key of another curve",
      () => {
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
        return signedByHand({ alg: "ES256", kid: "published" }, claims(), privateKey, "sha256");
      },
    ],
  ])("%s", async (_, make) => {
    expect(await status(make())).toBe(401);
  });
});

describe("texts that two readers could understand in two ways", () => {
  const payload = () => JSON.stringify(claims());
  test.each<[string, () => string]>([
    [
      "the algorithm twice, the wrong one last",
      () => signedText('{"alg":"ES256","kid":"published","alg":"none"}', payload()),
    ],
    [
      "the algorithm in other letters",
      () => signedText('{"alg":"es256","kid":"published"}', payload()),
    ],
    [
      "the issuer twice, the wrong one last",
      () =>
        signedText(
          header,
          payload()
            .replace("{", `{"iss":"${issuer}",`)
            .replace(/"iss":"[^"]*"(?=,"aud)/, '"iss":"https://other.example"'),
        ),
    ],
    [
      "an expiry without end",
      () => signedText(header, payload().replace(/"exp":\d+/, '"exp":1e999')),
    ],
    [
      "a claims set that is not UTF-8",
      () => {
        const [head = ""] = signedText(header, payload()).split(".");
        const bytes = Buffer.concat([
          Buffer.from(payload().slice(0, -1)),
          Buffer.from(',"x":"\xff"}', "latin1"),
        ]);
        const input = `${head}.${bytes.toString("base64url")}`;
        const by = { key: key.privateKey, dsaEncoding: "ieee-p1363" } as const;
        return `${input}.${sign("sha256", Buffer.from(input), by).toString("base64url")}`;
      },
    ],
    ["an encrypted token", () => `${text('{"alg":"dir","enc":"A128GCM"}')}..AA.AA.AA`],
    ["a signature of JSON form", () => text(JSON.stringify({ payload: text(payload()) }))],
    ["padding", () => `${signedText(header, payload())}=`],
    [
      "a compressed claims set",
      () => signedText('{"alg":"ES256","kid":"published","zip":"DEF","crit":["zip"]}', payload()),
    ],
  ])("%s", async (_, make) => {
    expect(await status(make())).toBe(401);
  });
});

describe("tokens of the same issuer that are not for here", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["an id token, made out to a client", { aud: "client" }, {}],
    ["a logout token", { events: {} }, { typ: "logout+jwt" }],
    ["a proof of possession", { htu: audience }, { typ: "dpop+jwt" }],
    ["an assertion of a client", { aud: issuer, iss: "client" }, {}],
    ["a token for a neighbour below the same address", { aud: `${audience}/other` }, {}],
    ["a token for the same address in other letters", { aud: audience.toUpperCase() }, {}],
  ])("%s", async (_, changed, more) => {
    expect(await status(await signToken(key, { ...claims(), ...changed }, more))).toBe(401);
  });
});

test("invented key ids cause no flood of requests to the issuer", async () => {
  const before = keys.requests.length;
  const tokens = Array.from({ length: 20 }, (_, index) =>
    signToken(stranger, claims(), { kid: `invented-${index}` }),
  );
  await Promise.all((await Promise.all(tokens)).map(status));
  expect(keys.requests.length - before).toBeLessThanOrEqual(1);
});
