import { createHmac, createPublicKey } from "node:crypto";
import { maxTokenLength } from "../../spec/auth.ts";
import { signedByHand, signToken, type TestKey } from "./issuer.ts";

/** What tokens of one server are made from. */
export interface TokenKit {
  readonly key: TestKey;
  /** A key the issuer does not publish. */
  readonly foreignKey: TestKey;
  /** A key the issuer publishes for another algorithm. */
  readonly otherAlgorithm: TestKey;
  /** Claims of a token that is all right. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Seconds since 1970, now. */
export const nowS = (): number => Math.floor(Date.now() / 1000);

const claims =
  (change: (given: TokenKit["claims"]) => Record<string, unknown>, header?: object) =>
  ({ key, claims }: TokenKit) =>
    signToken(key, { ...claims, ...change(claims) }, { ...header });

const header = (change: object) =>
  claims(() => ({}), {
    typ: "JWT",
    ...change,
  });

/** A signature by hand over what a library would not sign. */
const byHand = (change: object, payload?: unknown) => (kit: TokenKit) =>
  Promise.resolve(
    signedByHand(
      { alg: "RS256", kid: kit.key.kid, ...change },
      payload ?? kit.claims,
      kit.key.privateKey,
      "sha256",
    ),
  );

/** Puts other bytes where the signed ones were. */
async function tampered({ key, claims }: TokenKit): Promise<string> {
  const [head = "", , signature = ""] = (await signToken(key, claims)).split(".");
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: "mallory" })).toString("base64url");
  return `${head}.${payload}.${signature}`;
}

/** Signed with the public key as if it were a shared secret (RFC 8725, 2.1). */
function confused(kit: TokenKit): Promise<string> {
  const input = signedByHand({ alg: "HS256", kid: kit.key.kid }, kit.claims).slice(0, -1);
  const secret = createPublicKey(kit.key.pem).export({ type: "spki", format: "pem" });
  return Promise.resolve(
    `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`,
  );
}

/** Signed tokens, by what is right or wrong with them. */
export const signedTokens = {
  good: claims(() => ({})),
  "good, media type in full": header({ typ: "application/at+jwt" }),
  "good, plain JWT": header({ typ: "JWT" }),
  "good, no type": header({ typ: undefined }),
  "good, one audience of several": claims(({ aud }) => ({ aud: ["https://other.example", aud] })),
  "good, expired within the tolerance": claims(() => ({ exp: nowS() - 15 })),
  "good, valid within the tolerance": claims(() => ({ nbf: nowS() + 15 })),
  "good, scp for scope": claims(({ scope }) => ({ scope: undefined, scp: scope })),
  "good, no scopes": claims(() => ({ scope: undefined, scp: undefined })),
  "empty scope beside scp": claims(({ scope }) => ({ scope: "", scp: scope })),
  expired: claims(() => ({ exp: nowS() - 31 })),
  "without expiry": claims(() => ({ exp: undefined })),
  "expiry as text": claims(() => ({ exp: String(nowS() + 600) })),
  "expiry without end": (kit: TokenKit) =>
    byHand({}, JSON.stringify({ ...kit.claims, exp: 0 }).replace('"exp":0', '"exp":1e999'))(kit),
  "not valid yet": claims(() => ({ nbf: nowS() + 90 })),
  "start as text": claims(() => ({ nbf: "0" })),
  "of another issuer": claims(() => ({ iss: "https://attacker.example" })),
  "of the issuer and a slash": claims(({ iss }) => ({ iss: `${iss}/` })),
  "without issuer": claims(() => ({ iss: undefined })),
  "for another audience": claims(() => ({ aud: "https://other.example/mcp" })),
  "for other audiences": claims(() => ({ aud: ["https://a.example", "https://b.example"] })),
  "for a longer audience": claims(({ aud }) => ({ aud: `${aud}/x` })),
  "without audience": claims(() => ({ aud: undefined })),
  "lacking the scope": claims(() => ({ scope: "profile", scp: "profile" })),
  "with the scope in capitals": claims(() => ({ scope: "OPENID IAM:VALIDATE", scp: "ACCESS" })),
  "of an id token": header({ typ: "id+jwt" }),
  "of a logout token": header({ typ: "logout+jwt" }),
  "of a refresh token": claims(() => ({ typ: "Refresh" })),
  "critical extension": byHand({ crit: ["x"], x: 1 }),
  "critical extension a library knows": byHand({ crit: ["b64"], b64: true }),
  "empty critical list": byHand({ crit: [] }),
  "numeric key id": byHand({ kid: 7 }),
  "unknown key id": header({ kid: "no-such-key" }),
  "no key id": header({ kid: undefined }),
  "claims no object": byHand({}, "[]"),
  "claims no JSON": byHand({}, "{"),
  "of a foreign key": ({ foreignKey, claims: given }: TokenKit) => signToken(foreignKey, given),
  "of a key it brings along": ({ foreignKey, claims: given }: TokenKit) =>
    signToken(foreignKey, given, { jwk: foreignKey.jwk }),
  "of another published algorithm": ({ otherAlgorithm, claims: given }: TokenKit) =>
    signToken(otherAlgorithm, given),
  "another algorithm of the same key": ({ key, claims: given }: TokenKit) =>
    Promise.resolve(signedByHand({ alg: "RS512", kid: key.kid }, given, key.privateKey, "sha512")),
  "algorithm none": ({ key, claims: given }: TokenKit) =>
    Promise.resolve(signedByHand({ alg: "none", kid: key.kid }, given)),
  "no signature": ({ key, claims: given }: TokenKit) =>
    Promise.resolve(signedByHand({ alg: "RS256", kid: key.kid }, given)),
  "the public key as secret": confused,
  "tampered claims": tampered,
  "a fourth part": async ({ key, claims: given }: TokenKit) => `${await signToken(key, given)}.AA`,
  "padded signature": async ({ key, claims: given }: TokenKit) =>
    `${await signToken(key, given)}==`,
  "two parts": () => Promise.resolve("e30.e30"),
  "five parts": () => Promise.resolve("e30.e30.e30.e30.e30"),
  "three parts of no JWT": () => Promise.resolve("abc.def.ghi"),
  "older name of the algorithm": ({ key, claims: given }: TokenKit) =>
    Promise.resolve(signedByHand({ alg: "EdDSA", kid: key.kid }, given, key.privateKey, null)),
  "no JWT at all": () => Promise.resolve("abcdef"),
} satisfies Record<string, (kit: TokenKit) => Promise<string>>;
export type SignedToken = keyof typeof signedTokens;

/** Authorization headers, by what is right or wrong with them, around a token that is all right. */
export const headerForms = {
  none: () => [],
  "lower-case scheme": (good: string) => [`bearer ${good}`],
  "upper-case scheme": (good: string) => [`BEARER ${good}`],
  "extra spaces": (good: string) => [`  Bearer    ${good}  `],
  "another scheme": () => ["Basic YTpi"],
  "DPoP scheme": (good: string) => [`DPoP ${good}`],
  "glued scheme": (good: string) => [`Bearer${good}`],
  "empty header": () => [""],
  "scheme alone": () => ["Bearer"],
  "scheme and spaces": () => ["Bearer    "],
  "two tokens": (good: string) => [`Bearer ${good} ${good}`],
  "tab for a blank": (good: string) => [`Bearer\t${good}`],
  "comma after the token": (good: string) => [`Bearer ${good},`],
  "header twice": (good: string) => [`Bearer ${good}`, `Bearer ${good}`],
  "two schemes": (good: string) => ["Basic YTpi", `Bearer ${good}`],
  "two schemes, ours first": (good: string) => [`Bearer ${good}`, "Basic YTpi"],
  "foreign characters": () => ["Bearer abc!"],
  "letters outside ASCII": () => ["Bearer \u00e4bc"],
  "padding inside": () => ["Bearer a=b"],
  "too long": () => [`Bearer ${"a".repeat(maxTokenLength + 1)}`],
} satisfies Record<string, (good: string) => readonly string[]>;
export type HeaderForm = keyof typeof headerForms;
