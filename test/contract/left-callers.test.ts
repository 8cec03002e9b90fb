import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { nowS } from "../support/auth-tokens.ts";
import { startInProcess } from "../support/in-process.ts";
import { localServer, sendJson, signToken, testKey } from "../support/issuer.ts";
import { call, readOnly } from "../support/rpc.ts";

test("callers who leave while their token is checked keep nothing of their share", async () => {
  const key = testKey("RS256", "first");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using provider = await localServer(async (_, response) => {
    asked.resolve();
    await answer.promise;
    sendJson(response, { keys: [key.jwk] });
  });
  const [issuer, audience] = ["https://issuer.example.com", "https://validator.example.com/mcp"];
  const target = await startInProcess({
    flags: { auth: "jwt" },
    environment: {
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${provider.url}/jwks`,
    },
    adjust: (runtime) => ({
      ...runtime,
      settings: { ...runtime.settings, max_calls_per_caller: 1 },
    }),
  });
  try {
    const claims = { iss: issuer, aud: audience, sub: "alice", exp: nowS() + 600 };
    const token = await signToken(key, { ...claims, scope: "iam:validate" });
    const closed = new Promise<void>((resolve) => {
      target.server.once("connection", (socket) => socket.once("close", () => resolve()));
    });
    const socket = connect(Number(new URL(target.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    await asked.promise;
    socket.resetAndDestroy();
    await closed;
    answer.resolve();
    const { status, body } = await call(
      target,
      "validate_policies",
      { policies: [readOnly] },
      { token },
    );
    expect([status, body.result?.isError]).toEqual([200, false]);
  } finally {
    await target.stop();
  }
});
