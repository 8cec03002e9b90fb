import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { authPrefix, B64Token, maxTokenLength, TokenEntry } from "../../spec/auth.ts";
import { TokenMaterial } from "../../spec/auth-material.ts";
import { parseUniqueJson } from "../json/unique.ts";
import { bearerAuthenticator } from "./bearer-authenticator.ts";
import type { Authenticator } from "./caller.ts";
import {
  type AuthContext,
  commaList,
  materialError,
  readMaterial,
  sentence,
  unknownScopes,
} from "./context.ts";
import type { Verdict } from "./identity.ts";

const fileVariable = `${authPrefix}TOKEN_FILE`;
const inlineVariable = `${authPrefix}TOKENS`;
/** Shorter tokens can be guessed; they work, with a warning. */
const shortTokenLength = 16;

interface StoredToken {
  readonly digest: Buffer;
  readonly entry: TokenEntry;
}

/**
 * Static bearer tokens from a file or a variable, read once.
 * @throws {StartupError} `auth_token`; a token is named by its position and the start of its SHA-256 only.
 */
export async function createToken(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(TokenMaterial, "auth_token", context);
  const fail = (problem: string) => materialError("auth_token", context, problem);
  const { source, text } = await readSource(material, fail);
  const tokens = parseTokens(text, context, (problem) => fail(sentence(`${source} ${problem}`)));
  return bearerAuthenticator({
    provider: "token",
    requiredScopes: commaList(material.REQUIRED_SCOPES),
    advertisedScopes: commaList(material.ADVERTISED_SCOPES),
    stepUp,
    verify: async (token) => lookUp(tokens, token, context.now()),
  });
}

/** @returns the JSON text, and the words for where it comes from. */
async function readSource(
  material: z.output<typeof TokenMaterial>,
  fail: (problem: string) => Error,
): Promise<{ readonly source: string; readonly text: string }> {
  const { TOKEN_FILE: file, TOKENS: inline } = material;
  if (file !== undefined && inline === undefined) {
    const text = await readTokenFile(file, fail);
    return { source: `the file that ${fileVariable} names`, text };
  }
  if (file === undefined && inline !== undefined) return { source: inlineVariable, text: inline };
  const state = file === undefined ? "neither is" : "both are";
  throw fail(`set exactly one of ${fileVariable} and ${inlineVariable}; ${state} set.`);
}

async function readTokenFile(path: string, fail: (problem: string) => Error): Promise<string> {
  try {
    // Editors of some systems put a byte order mark in front.
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    // Neither path nor system message: the tokens themselves may have been put into the variable.
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw fail(`the file that ${fileVariable} names cannot be read (${code}).`);
  }
}

/** @returns the tokens by the hex digits of their SHA-256. */
function parseTokens(
  text: string,
  context: AuthContext,
  fail: (problem: string) => Error,
): ReadonlyMap<string, StoredToken> {
  const json = parseUniqueJson(text);
  if ("problem" in json) throw fail(json.problem);
  if (!json.members) throw fail("must be a JSON object that maps tokens to {client_id, scopes}");
  if (json.members.length === 0) throw fail("contains no token");
  const tokens = new Map<string, StoredToken>();
  for (const [index, [token, value]] of json.members.entries()) {
    const digest = sha256(token);
    const hex = digest.toString("hex");
    const label = `entry ${index + 1} (token with SHA-256 ${hex.slice(0, 8)}…)`;
    if (token.length > maxTokenLength || !B64Token.safeParse(token).success) {
      throw fail(
        `has, in ${label}, a token that no Authorization header can carry; use letters, digits and -._~+/`,
      );
    }
    const entry = TokenEntry.safeParse(value);
    if (!entry.success) throw fail(`has, in ${label}, ${describeEntry(value, entry.error.issues)}`);
    if (token.length < shortTokenLength) {
      context.log.warn({}, `The token of ${label} is short enough to be guessed.`);
    }
    const unknown = unknownScopes(entry.data.scopes);
    if (unknown.length > 0 && context.unknownNames !== "warn") {
      throw fail(`has, in ${label}, unknown scopes: ${unknown.join("; ")}`);
    }
    if (unknown.length > 0) {
      context.log.warn(
        {},
        sentence(`The token of ${label} has unknown scopes: ${unknown.join("; ")}`),
      );
    }
    if ((entry.data.expires_at ?? Number.POSITIVE_INFINITY) * 1000 <= context.now()) {
      context.log.warn({}, `The token of ${label} has expired and is refused.`);
    }
    tokens.set(hex, { digest, entry: entry.data });
  }
  return tokens;
}

/** What each field must be; the value itself is never quoted. */
const fields: Readonly<Record<string, string>> = {
  client_id: "client_id must be a text that is not empty",
  scopes: 'scopes must be a list with one scope in each text: ["iam:validate", "iam:query"]',
  sub: "sub must be a text that is not empty",
  expires_at: "expires_at must be Unix time in seconds",
};

/** Names of fields only: a value, or an unknown key, may be a secret in the wrong place. */
function describeEntry(
  value: unknown,
  issues: readonly { readonly code?: string; readonly path: readonly PropertyKey[] }[],
): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "no object; write {client_id, scopes}";
  }
  if (!Object.hasOwn(value, "client_id")) return "no client_id";
  const wrong = new Set(issues.map(({ path }) => path[0]).filter((name) => name !== undefined));
  if (wrong.size > 0) {
    return `a wrong value: ${[...wrong].map((name) => fields[String(name)]).join("; ")}`;
  }
  return "an unknown key; known are client_id, scopes, sub and expires_at";
}

/** Found by digest and compared by digest: how long it takes depends on no stored token. */
function lookUp(tokens: ReadonlyMap<string, StoredToken>, token: string, nowMs: number): Verdict {
  const digest = sha256(token);
  const stored = tokens.get(digest.toString("hex"));
  if (!stored || !timingSafeEqual(digest, stored.digest)) {
    return { refused: "The access token is not known." };
  }
  const { client_id, sub, scopes = [], expires_at = Number.POSITIVE_INFINITY } = stored.entry;
  if (nowMs >= expires_at * 1000) {
    return { refused: "The access token has expired." };
  }
  return { identity: { subject: sub ?? client_id, clientId: client_id, scopes } };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
