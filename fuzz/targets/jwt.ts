import { createPublicKey } from "node:crypto";
import { Scope } from "../../spec/scopes.ts";
import type { Authenticator, AuthResult, Caller } from "../../src/auth/caller.ts";
import { buildChallenge } from "../../src/auth/challenge.ts";
import { type AuthUnderTest, authUnderTest } from "../../test/support/auth.ts";
import { canaryLines } from "../../test/support/canary-traffic.ts";
import { localServer, sendJson, signedByHand, testKey } from "../../test/support/issuer.ts";
import { holds } from "../broken.ts";
import { audience, goodClaims, issuer, keyId, nowS, Setup, TokenCase } from "../make/token-case.ts";
import {
  asymmetric,
  elliptic,
  type Signer,
  secret,
  shared,
  withHmac,
} from "../make/token-signers.ts";
import { makeToken } from "../make/tokens.ts";
import type { Outputs } from "../outputs.ts";
import type { Target } from "../target.ts";
import { isValidToken, objectIn, type TokenRules } from "../verify/token.ts";

export interface JwtOptions {
  /** Stands between the fuzzer and the authenticator under test. */
  readonly wrap?: (authenticator: Authenticator) => Authenticator;
}

export function open(outputs: Outputs): Promise<Target<TokenCase>> {
  return openJwt(outputs);
}

export async function openJwt(
  _outputs: Outputs,
  { wrap = (authenticator) => authenticator }: JwtOptions = {},
): Promise<Target<TokenCase>> {
  const rsa = testKey("RS256", keyId);
  const keys = await localServer((_, response) =>
    sendJson(response, { keys: [rsa.jwk, testKey("ES256", "key-2").jwk] }),
  );
  const rsaSigner = asymmetric(rsa, "sha256");
  const signers: Record<Setup, Signer> = {
    RS256: rsaSigner,
    "RS256 remote": rsaSigner,
    ES256: elliptic(testKey("ES256", keyId)),
    EdDSA: asymmetric(testKey("EdDSA", keyId), null),
    HS256: shared(),
  };
  const setups = new Map<Setup, AuthUnderTest>();
  for (const setup of Setup.options) {
    const { algorithm, pem } = signers[setup];
    const key =
      setup === "RS256 remote"
        ? { JWT_JWKS_URI: `${keys.url}/jwks` }
        : { JWT_PUBLIC_KEY: setup === "HS256" ? secret : pem };
    const variables = {
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: audience,
      JWT_ALGORITHM: algorithm,
      ...key,
    };
    setups.set(setup, await authUnderTest("jwt", variables, { startMs: nowS * 1_000 }));
  }
  const goodTokens = Object.fromEntries(
    Setup.options.map((setup) => {
      const header = { alg: signers[setup].algorithm, kid: keyId, typ: "at+jwt" };
      const payload = JSON.stringify(goodClaims);
      return [setup, signers[setup].sign(JSON.stringify(header), payload, "own key")];
    }),
    // The entries are the options of the enum.
  ) as Record<Setup, string>;

  return {
    schema: TokenCase,
    generate: makeToken,
    async run(input) {
      const under = setups.get(input.setup);
      if (!under) throw new Error("There is no such setup.");
      const { algorithm } = signers[input.setup];
      const token = tokenOf(input, signers, goodTokens);
      const headers = headersOf(input.before + token + input.after);
      if (!headers) return;
      const authenticator = wrap(under.authenticator);
      const result = await authenticator.authenticate({ headers });
      verifyLog(under);
      verifyRefusal(result, authenticator);
      const rules = {
        algorithm,
        issuer,
        audience,
        nowS,
        ...(input.setup === "RS256 remote" && { kids: [keyId] }),
      };
      verifyVerdict(input, token, result, { rules, goodTokens });
    },
    close: async () => keys[Symbol.asyncDispose](),
  };
}

function tokenOf(
  { setup, token }: TokenCase,
  signers: Readonly<Record<Setup, Signer>>,
  goodTokens: Readonly<Record<Setup, string>>,
): string {
  switch (token.what) {
    case "text":
      return token.text;
    case "changed":
      return token.parts
        .map(({ of, part, edits }) =>
          edits.reduce(
            (text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove),
            goodTokens[of].split(".")[part] ?? "",
          ),
        )
        .join(".");
    case "signed": {
      const { header, payload, by } = token;
      const { pem, sign } = signers[setup];
      if (by === "no one") return signedByHand(header, payload);
      if (by !== "public key as secret") return sign(header, payload, by);
      if (pem === "") return withHmac(header, payload, "");
      return withHmac(
        header,
        payload,
        String(createPublicKey(pem).export({ type: "spki", format: "pem" })),
      );
    }
  }
}

/** @returns undefined for what no parser of HTTP lets through. */
function headersOf(authorization: string): Headers | undefined {
  try {
    return new Headers({ authorization });
  } catch {
    return undefined;
  }
}

function verifyLog({ lines }: AuthUnderTest): void {
  const [shown] = canaryLines(lines.join("\n"));
  holds(shown === undefined, "the log shows what was sent", () => shown ?? "");
}

/** What a refused caller is told is one of three statuses, and nothing of what it sent. */
function verifyRefusal(result: AuthResult, authenticator: Authenticator): void {
  if (!("refusal" in result)) return;
  const challenge = buildChallenge(result.refusal, authenticator);
  const shown = () => JSON.stringify(challenge);
  holds([400, 401, 403].includes(challenge.status), "a refusal of another status", shown);
  holds(canaryLines(shown()).length === 0, "a refusal shows what was sent", shown);
  new Headers({ ...challenge.headers });
}

interface Known {
  readonly rules: TokenRules;
  readonly goodTokens: Readonly<Record<Setup, string>>;
}

function verifyVerdict(
  { setup, before, after, token: made }: TokenCase,
  token: string,
  result: AuthResult,
  { rules, goodTokens }: Known,
): void {
  const shown = () => `${before}${token}${after}: ${JSON.stringify(result)}`;
  const accepted = "caller" in result;
  const isAlone = before === "Bearer " && after === "";
  const isTokenHeader = /^\s*bearer +$/i.test(before) && /^\s*$/.test(after);
  holds(!accepted || isTokenHeader, "a header that is none is accepted", shown);
  if (made.what !== "signed") {
    // Spaces between scheme and token, and at the end of a header, are none of the token's.
    const [header, payload, signature = ""] = token.trim().split(".");
    const [goodHeader, goodPayload, goodSignature = ""] = goodTokens[setup].split(".");
    const isGood =
      header === goodHeader &&
      payload === goodPayload &&
      Buffer.from(signature, "base64url").equals(Buffer.from(goodSignature, "base64url"));
    holds(!accepted || isGood, "a changed token is accepted", shown);
    holds(accepted || !isAlone || token !== goodTokens[setup], "a good token is refused", shown);
    return;
  }
  const isValid = made.by === "own key" && isValidToken(token, made.header, made.payload, rules);
  holds(!accepted || isValid, "an invalid token is accepted", shown);
  holds(accepted || !isValid || !isAlone, "a valid token is refused", shown);
  if (accepted) verifyCaller(result.caller, made.payload, shown);
}

/** A caller is who the claims say, and may what they say. */
function verifyCaller(caller: Caller, payload: string, shown: () => string): void {
  const { sub, scope, scp } = objectIn(payload) ?? {};
  const isSubject = typeof sub === "string" && sub !== "";
  holds(!isSubject || caller.subject === sub, "a caller of another subject", shown);
  holds(caller.subject !== "", "a caller without a subject", shown);
  const claimed: unknown[] = [scope, scp].flatMap((value) =>
    typeof value === "string" ? value.split(" ") : value,
  );
  holds(
    caller.scopes.every((name) => claimed.includes(name)),
    "a scope that was not granted",
    shown,
  );
  for (const name of Scope.options) {
    holds(caller.may(name) === caller.scopes.includes(name), "a caller may what it may not", shown);
  }
}
