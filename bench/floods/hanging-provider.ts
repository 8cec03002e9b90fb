import { nowS } from "../../test/support/auth-tokens.ts";
import { localServer, sendJson, signToken, testKey } from "../../test/support/issuer.ts";

/** An identity provider on loopback that gives its keys once and then takes requests without an answer. */
export interface HangingProvider extends AsyncDisposable {
  /** Settings of a server that relies on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of a caller whom the keys given know. */
  readonly token: string;
}

export async function hangingProvider(): Promise<HangingProvider> {
  const key = testKey("RS256", "first");
  let asked = 0;
  const provider = await localServer((_, response) => {
    if (asked++ === 0) sendJson(response, { keys: [key.jwk] });
  });
  const [issuer, audience] = ["https://issuer.example.com", "https://validator.example.com/mcp"];
  const claims = { iss: issuer, aud: audience, sub: "alice", exp: nowS() + 600 };
  return {
    environment: {
      VALIDATOR_MCP_AUTH: "jwt",
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${provider.url}/jwks`,
    },
    token: await signToken(key, { ...claims, scope: "iam:validate" }),
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
}

/** Makes the server fetch the keys, after which the provider hangs. */
export async function fetchKeys(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/mcp`, { method: "POST", headers });
  await response.arrayBuffer();
  // The token was taken; a request without a media type is refused after that.
  if (response.status !== 415) throw new Error(`The token got status ${response.status}.`);
}
