import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { base, keyOne, keyTwo } from "../../test/support/login/variables.ts";
import { claimsToBeOurs, createAccessTokens } from "./access-token.ts";
import { deriveKeys, parseKeys } from "./keys.ts";
import { parseRedirectRules } from "./redirects.ts";
import type { LoginSettings } from "./settings.ts";

const nowMs = Date.parse("2026-01-01T00:00:00.750Z");
const nowS = Math.floor(nowMs / 1000);

function settingsOf(keys: readonly string[] = [keyOne]): LoginSettings {
  const parsed = parseKeys(keys);
  const redirects = parseRedirectRules(["loopback"]);
  if ("problem" in parsed || "place" in redirects) throw new Error("not settings");
  return {
    provider: "github",
    base,
    resource: `${base}/mcp`,
    keys: deriveKeys(parsed.keys, base),
    redirects: redirects.rules,
    documentHosts: undefined,
    accessTokenS: 3_600,
    sessionS: 86_400,
    required: [],
    advertised: [],
    grants: () => [],
    groups: [],
  };
}

const granted = {
  subject: "583231",
  clientId: "reg1:x",
  scopes: ["iam:validate", "iam:query"],
  entitled: ["iam:validate", "iam:query", "iam:config"],
  loginAt: nowS - 10,
  sessionEnd: nowS + 86_390,
} as const;
const tokensOf = (keys?: readonly string[], stepUp = false, at = nowMs) =>
  createAccessTokens(settingsOf(keys), () => at, stepUp);
const partsOf = (token: string) =>
  token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as object);

/** Signs as the first key does. */
function signed(claims: object, header: object = {}): string {
  const [{ kid, derived }] = settingsOf().keys;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "HS256", typ: "at+jwt", kid, ...header })}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", derived.access).update(input).digest("base64url")}`;
}

const claims = {
  iss: base,
  aud: `${base}/mcp`,
  sub: "583231",
  client_id: "reg1:x",
  scope: "iam:validate",
  iat: nowS,
  exp: nowS + 60,
  jti: "1",
  auth_time: nowS,
};

describe("an access token", () => {
  test("says what the contract lists, and nothing else", async () => {
    const { token, expiresIn } = await tokensOf().issue(granted);
    const [header, payload] = partsOf(token);
    expect(header).toEqual({ alg: "HS256", typ: "at+jwt", kid: settingsOf().keys[0].kid });
    expect(payload).toEqual({
      iss: base,
      aud: `${base}/mcp`,
      sub: "583231",
      client_id: "reg1:x",
      scope: "iam:validate iam:query",
      iat: nowS,
      exp: nowS + 3_600,
      jti: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ),
      auth_time: nowS - 10,
    });
    expect(expiresIn).toBe(3_600);
  });

  test("says which scopes its bearer could have only where challenges ask for more", async () => {
    const { token } = await tokensOf(undefined, true).issue(granted);
    expect(partsOf(token)[1]).toMatchObject({ entitled: "iam:validate iam:query iam:config" });
    expect(await tokensOf().verify(token)).toEqual({
      identity: {
        subject: "583231",
        clientId: "reg1:x",
        scopes: ["iam:validate", "iam:query"],
        entitled: ["iam:validate", "iam:query", "iam:config"],
      },
    });
    const plain = await tokensOf().issue(granted);
    const verdict = await tokensOf(undefined, true).verify(plain.token);
    expect(verdict).toEqual({
      identity: {
        subject: "583231",
        clientId: "reg1:x",
        scopes: ["iam:validate", "iam:query"],
      },
    });
    expect(Object.keys("identity" in verdict ? verdict.identity : {})).not.toContain("entitled");
  });

  test("does not outlive its session", async () => {
    const { token, expiresIn } = await tokensOf().issue({ ...granted, sessionEnd: nowS + 100 });
    expect([partsOf(token)[1], expiresIn]).toMatchObject([{ exp: nowS + 100 }, 100]);
  });

  test("is signed by the first key and verified by each", async () => {
    const { token } = await tokensOf([keyOne]).issue(granted);
    for (const ring of [
      [keyOne, keyTwo],
      [keyTwo, keyOne],
    ])
      expect(await tokensOf(ring).verify(token)).toHaveProperty("identity");
    expect(await tokensOf([keyTwo]).verify(token)).toHaveProperty("refused");
    const { token: other } = await tokensOf([keyTwo, keyOne]).issue(granted);
    expect(partsOf(other)[0]).toMatchObject({ kid: settingsOf([keyTwo]).keys[0].kid });
  });

  test("of each login has another id", async () => {
    const [one, other] = [await tokensOf().issue(granted), await tokensOf().issue(granted)];
    expect(one.token).not.toBe(other.token);
  });

  const ours = { refused: "The access token is not a valid token of this server." };
  const invalid = { refused: "The access token is not a valid JWT of this server's issuer." };
  test.each<[string, string, object]>([
    ["as we make it", signed(claims), { identity: expect.anything() }],
    [
      "with members of a later version",
      signed({ ...claims, more: 1 }),
      { identity: expect.anything() },
    ],
    ["of another type", signed(claims, { typ: "JWT" }), ours],
    ["of the same type in capitals", signed(claims, { typ: "AT+JWT" }), ours],
    ["without a type", signed(claims, { typ: undefined }), ours],
    ["with spare bits", `${signed(claims).slice(0, -1)}_`, ours],
    ["of a key that is not known", signed(claims, { kid: "vmcp.unknown0" }), invalid],
    ["without a key id", signed(claims, { kid: undefined }), invalid],
    ["of another algorithm", signed(claims, { alg: "HS384" }), invalid],
    ["of a public-key algorithm", signed(claims, { alg: "RS256" }), invalid],
    ["without a subject", signed({ ...claims, sub: "" }), ours],
    ["with a subject that is too long", signed({ ...claims, sub: "s".repeat(256) }), ours],
    ["without a client", signed({ ...claims, client_id: undefined }), ours],
    ["with a list of scopes", signed({ ...claims, scope: ["iam:validate"] }), ours],
    ["with an end that is not whole", signed({ ...claims, exp: nowS + 0.5 }), ours],
  ])("%s", async (_what, token, expected) => {
    expect(await tokensOf().verify(token)).toEqual(expected);
  });

  test("opens nothing by names that are not scopes of this server", async () => {
    const token = signed({ ...claims, scope: "iam:query admin IAM:CONFIG iam:config2" });
    expect(await tokensOf().verify(token)).toMatchObject({ identity: { scopes: ["iam:query"] } });
  });

  test("is good until 30 seconds past its end", async () => {
    const token = signed(claims);
    const at = (seconds: number) => tokensOf(undefined, false, (claims.exp + seconds) * 1000);
    expect(await at(29.9).verify(token)).toHaveProperty("identity");
    expect(await at(30).verify(token)).toHaveProperty("refused");
  });
});

test.each([
  [signed(claims), true],
  [signed(claims, { kid: "vmcp." }), true],
  [signed(claims, { kid: "x.vmcp.y" }), false],
  [signed(claims, { kid: "VMCP.x" }), false],
  [signed(claims, { kid: 1 }), false],
  [signed(claims, { kid: undefined }), false],
  ["gho_abcdef", false],
  ["", false],
  ["a.b.c", false],
])("%s claims to be ours: %s", (token, expected) => expect(claimsToBeOurs(token)).toBe(expected));
