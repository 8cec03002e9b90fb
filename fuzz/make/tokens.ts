import { canary } from "../../test/support/canary-traffic.ts";
import type { Random } from "../random.ts";
import { mutate, mutateText } from "./mutate.ts";
import { oddText, oddValue } from "./odd.ts";
import { quirkyJson } from "./texts.ts";
import { audience, goodClaims, keyId, nowS, Setup, type TokenCase } from "./token-case.ts";

type Token = TokenCase["token"];

const algorithms = [
  "RS256",
  "RS512",
  "PS256",
  "ES256",
  "EdDSA",
  "Ed25519",
  "HS256",
  "none",
  "None",
  "rs256",
];

/** A token in a header, with more or less wrong about it. */
export function makeToken(random: Random): TokenCase {
  const setup = random.weighted<Setup>([
    [1, () => "RS256"],
    [1, () => "RS256 remote"],
    [3, () => "ES256"],
    [3, () => "EdDSA"],
    [4, () => "HS256"],
  ]);
  return {
    setup,
    before: random.chance(0.93)
      ? "Bearer "
      : random.pick([
          "bearer ",
          "BEARER   ",
          "  Bearer ",
          "Bearer\t",
          "Bearer",
          "DPoP ",
          "",
          "Bearer a, Bearer ",
          oddText(random),
        ]),
    after: random.chance(0.95)
      ? ""
      : random.pick([" ", ",", "=", "==", " x", "\t", ", Basic YTpi", oddText(random)]),
    token: random.weighted<Token>([
      [5, () => signed(setup, random)],
      [6, () => changed(setup, random)],
      [
        1,
        () => ({
          what: "text",
          text: random.chance(0.5) ? oddText(random) : mutateText("a.b.c", random),
        }),
      ],
    ]),
  };
}

function signed(setup: Setup, random: Random): Token {
  const alg = setup.split(" ")[0];
  const header = {
    alg: random.chance(0.85) ? alg : random.pick(algorithms),
    ...(random.chance(0.8) && { kid: random.chance(0.85) ? keyId : oddValue(random, 1) }),
    ...(random.chance(0.7) && {
      typ: random.chance(0.8)
        ? random.pick(["JWT", "at+jwt", "AT+JWT", "application/at+jwt"])
        : oddValue(random, 1),
    }),
    ...(random.chance(0.1) && random.pick(extensions(random))),
  };
  const claims = { ...goodClaims, ...(random.chance(0.5) && random.pick(oddClaims(random))) };
  return {
    what: "signed",
    header: textOf(header, random),
    payload: textOf(claims, random),
    by: random.weighted<Extract<Token, { what: "signed" }>["by"]>([
      [8, () => "own key"],
      [1, () => "foreign key"],
      [1, () => "no one"],
      [1, () => "public key as secret"],
    ]),
  };
}

/** Members that make libraries do what they should not: other keys, other forms, other rules. */
function extensions(random: Random): object[] {
  return [
    { crit: ["b64"], b64: false },
    { crit: oddValue(random, 1) },
    { b64: false },
    { zip: "DEF" },
    { jku: `http://127.0.0.1:9/${canary}` },
    { x5u: `http://127.0.0.1:9/${canary}` },
    { jwk: { kty: "oct", k: canary } },
    { x5c: [canary] },
    { cty: "JWT" },
    { enc: "A256GCM", alg: "dir" },
    JSON.parse('{"__proto__": {"alg": "none"}}'),
  ];
}

function oddClaims(random: Random): object[] {
  const value = () => oddValue(random, 1);
  return [
    {
      exp: random.pick([
        nowS - 30,
        nowS - 29,
        nowS - 29.5,
        nowS,
        0,
        -1,
        1e300,
        "1800000600",
        null,
        [nowS],
      ]),
    },
    { nbf: random.pick([nowS + 30, nowS + 31, nowS + 30.5, 1e300, "0", null]) },
    {
      iss: random.pick([
        "https://issuer.example",
        "https://ISSUER.example/",
        ["https://issuer.example/"],
        canary,
      ]),
    },
    {
      aud: random.pick([
        [audience],
        [[audience]],
        [canary, audience],
        `${audience}/`,
        { [audience]: 1 },
        [],
      ]),
    },
    { sub: random.chance(0.5) ? oddText(random) : value() },
    { scope: random.chance(0.5) ? ["iam:config", 7, canary] : value(), scp: "iam:analyze" },
    { scope: undefined, scp: value() },
    { client_id: value(), azp: value() },
    { [oddText(random)]: value() },
    JSON.parse('{"__proto__": {"scope": "iam:config"}}'),
  ];
}

function textOf(value: object, random: Random): string {
  const changed: unknown = random.chance(0.15) ? mutate(structuredClone(value), random) : value;
  return random.weighted([
    [6, () => JSON.stringify(changed)],
    [3, () => quirkyJson(JSON.parse(JSON.stringify(changed)), random)],
    [1, () => mutateText(JSON.stringify(changed), random)],
  ]);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function changed(setup: Setup, random: Random): Token {
  const place = (part: number) => ({
    of: random.chance(0.95) ? setup : random.pick(Setup.options),
    part: random.chance(0.97) ? part : random.below(3),
    edits: random.chance(0.5) ? [] : random.list(1 + random.small(3), () => edit(random)),
  });
  const count = random.chance(0.95) ? 3 : random.below(7);
  return { what: "changed", parts: [0, 1, 2, 0, 1, 2].slice(0, count).map(place) };
}

function edit(random: Random) {
  // Signatures end somewhere there; the last letters hold bits that mean nothing.
  const at = random.chance(0.8) ? random.below(90) : random.below(350);
  return random.weighted([
    [5, () => ({ at, remove: 1, insert: letters[random.below(64)] ?? "" })],
    [2, () => ({ at, remove: 1 + random.small(4), insert: "" })],
    [2, () => ({ at, remove: 0, insert: letters[random.below(64)] ?? "" })],
    [
      1,
      () => ({ at, remove: 0, insert: random.pick(["=", "==", "+", "/", " ", ".", "%3D", "\n"]) }),
    ],
    [1, () => ({ at: 1_000, remove: 0, insert: random.pick(["=", "A", "AA", canary]) })],
    [1, () => ({ at, remove: 1_000, insert: "" })],
  ]);
}
