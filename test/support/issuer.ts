import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SignJWT } from "jose";
import type { JwtAlgorithm } from "../../spec/auth.ts";

export interface TestKey {
  readonly kid: string;
  readonly algorithm: JwtAlgorithm;
  readonly privateKey: KeyObject;
  readonly pem: string;
  readonly jwk: Readonly<Record<string, unknown>>;
}

const curves = { ES256: "P-256", ES384: "P-384", ES512: "P-521" } as const;

/** A fresh asymmetric key for an algorithm. */
export function testKey(algorithm: JwtAlgorithm = "RS256", kid = "key-1", rsaBits = 2048): TestKey {
  const { privateKey, publicKey } = generate(algorithm, rsaBits);
  return {
    kid,
    algorithm,
    privateKey,
    pem: String(publicKey.export({ type: "spki", format: "pem" })),
    jwk: { ...publicKey.export({ format: "jwk" }), kid, alg: algorithm, use: "sig" },
  };
}

function generate(
  algorithm: JwtAlgorithm,
  modulusLength: number,
): { privateKey: KeyObject; publicKey: KeyObject } {
  switch (algorithm) {
    case "ES256":
    case "ES384":
    case "ES512":
      return generateKeyPairSync("ec", { namedCurve: curves[algorithm] });
    case "Ed448":
      return generateKeyPairSync("ed448");
    case "EdDSA":
    case "Ed25519":
      return generateKeyPairSync("ed25519");
    default:
      return generateKeyPairSync("rsa", { modulusLength });
  }
}

/** Signs a token; members of `header` that are undefined are left out. */
export async function signToken(
  { privateKey, algorithm, kid }: TestKey,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const full = { alg: algorithm, kid, typ: "at+jwt", ...header };
  if (privateKey.asymmetricKeyType === "ed448") return signedByHand(full, claims, privateKey);
  return await new SignJWT(claims).setProtectedHeader(full).sign(privateKey);
}

/** Signs what a library would refuse to sign; text and bytes are taken as they are. Without a key: no signature. */
export function signedByHand(
  header: unknown,
  claims: unknown,
  key?: KeyObject,
  digest: string | null = null,
): string {
  const encode = (value: unknown) =>
    (value instanceof Uint8Array
      ? Buffer.from(value)
      : Buffer.from(typeof value === "string" ? value : JSON.stringify(value))
    ).toString("base64url");
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = key ? sign(digest, Buffer.from(input), key).toString("base64url") : "";
  return `${input}.${signature}`;
}

/** A server on loopback that counts its requests. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** Paths asked for, in order. */
  readonly requests: readonly string[];
}

export async function localServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
