import { createHmac } from "node:crypto";
import type { SealPurpose } from "../../../spec/login.ts";
import { deriveKeys, type LoginKey, parseKeys } from "../../../src/login/keys.ts";
import { sha256 } from "../../../src/login/random.ts";
import { createSeals } from "../../../src/login/seal.ts";
import type { GithubStandIn } from "../../support/login/github.ts";
import { base, keyOne, keyThree, keyTwo } from "../../support/login/variables.ts";
import { loopbackRedirect, type Visitor } from "../../support/login/visitor.ts";
import type { SealOptions, Visit } from "../login.table.ts";

/** What a row may do at a front whose people sign in at this GitHub. */
export function visitOf(visitor: Visitor, { state }: GithubStandIn): Visit {
  const now = (ageS = 0) => Math.floor(Date.now() / 1000) - ageS;
  return {
    visitor,
    base,
    async seal(purpose, changes = {}, options = {}) {
      const { key, issued, lifetime } = sealing(purpose, options, now);
      const text = await createSeals([key], () => 0).seal(purpose, {
        ...payloadOf(purpose, visitor),
        exp: issued + lifetime,
        ...changes,
        // Each purpose has separate members; the front's schema validates them when it opens the value.
      } as never);
      if (text === undefined) throw new Error("too long");
      return text;
    },
    async sign(changes = {}, header = {}, options = {}) {
      const { kid } = ringOf(options)[0];
      const iat = now(options.ageS);
      const full = { alg: "HS256", typ: "at+jwt", kid, ...header };
      const claims = {
        iss: base,
        aud: `${base}/mcp`,
        sub: "583231",
        client_id: "reg1:x",
        scope: "iam:validate",
        iat,
        exp: iat + 3_600,
        jti: "1",
        auth_time: iat,
        ...changes,
      };
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const input = `${encode(full)}.${encode(claims)}`;
      const signature = createHmac("sha256", signingKey(options)).update(input).digest("base64url");
      return `${input}.${signature}`;
    },
    github: {
      fail: (answer) => {
        state.failure = answer;
      },
      user: (user) => {
        state.user = user;
      },
      useApp: () => {
        state.isApp = true;
      },
    },
  };
}

function ringOf({ key = "first", base: other = base }: SealOptions): readonly [LoginKey] {
  const text = { dropped: keyThree, second: keyTwo }[key] ?? keyOne;
  const parsed = parseKeys([text]);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const [derived] = deriveKeys(parsed.keys, other);
  return [derived];
}

function signingKey(options: SealOptions): Uint8Array | string {
  const [{ derived }] = ringOf(options);
  if (options.key === "purpose") return derived.code;
  if (options.key === "raw") return Buffer.from(keyOne, "base64");
  return options.key === "text" ? keyOne : derived.access;
}

function sealing(purpose: SealPurpose, options: SealOptions, now: (ageS?: number) => number) {
  const lifetime = { consent: 600, login: 600, code: 300, refresh: 86_400 }[purpose];
  return { key: ringOf(options)[0], issued: now(options.ageS), lifetime };
}

function payloadOf(purpose: SealPurpose, visitor: Visitor): object {
  const common = { client: sha256(visitor.clientId), scopes: ["iam:validate"] };
  const request = { redirect: loopbackRedirect, challenge: visitor.pkce.challenge };
  const provider = { verifier: "v".repeat(43), nonce: "n".repeat(22) };
  const nonce = sha256(visitor.jar.values.get("__Host-vmcp-consent") ?? "");
  const payloads = {
    consent: { ...common, ...request, kind: "registered", name: "Trial", nonce },
    login: { ...common, ...request, ...provider, id: "A".repeat(22) },
    code: { ...common, ...request, ...provider, code: "provider-code" },
    refresh: {
      ...common,
      sub: "583231",
      at: 1,
      entitled: ["iam:validate"],
      nonce: "n",
      grant: { access: "gho_x" },
    },
  };
  return payloads[purpose];
}

/** GitHub as every row finds it. */
export function resetGithub({ state }: GithubStandIn): void {
  state.failure = undefined;
  state.user = { id: 583231, login: "octocat" };
  state.isApp = false;
}
