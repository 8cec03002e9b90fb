import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, inject, test } from "vitest";
import type { AttackPlan } from "../support/attack-plan.ts";
import { nowS } from "../support/auth-tokens.ts";
import { type ContainerTarget, startContainer } from "../support/container.ts";
import { floods, unknownKeys } from "../support/floods.ts";
import { raw } from "../support/http.ts";
import { localServer, sendJson, signToken, testKey } from "../support/issuer.ts";
import { call, readOnly } from "../support/rpc.ts";
import { startAttack } from "../support/start-attack.ts";
import { tokens, withTokens } from "../support/target.ts";

const noEngine = inject("noEngine");
const attackMs = 4_000;

/** Each ended a process in 1 GiB, at a third of this strength. */
const inContainer = floods.filter(([name]) => /one byte|63 KB|not read/.test(name));

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Asks as an honest caller does while the attack lasts. */
async function askDuring(target: ContainerTarget, token: string): Promise<void> {
  for (const until = performance.now() + attackMs; performance.now() < until; await after(100)) {
    expect((await raw(`${target.url}/health`)).status).toBe(200);
    const { status, body } = await call(
      target,
      "validate_policies",
      { policies: [readOnly] },
      { token },
    );
    expect([status, body.result?.isError]).toEqual([200, false]);
  }
}

function attackOn(target: ContainerTarget, plan: Omit<AttackPlan, "port" | "host">): void {
  const { hostname, port } = new URL(target.url);
  const attack = startAttack({ ...plan, host: hostname, port: Number(port) });
  stops.push(() => attack.stop());
}

describe.skipIf(noEngine !== null)("a container of 1 GiB lives through one caller's flood", () => {
  test.each(inContainer)("%s", async (_, plan) => {
    const target = await startContainer({ ...withTokens, memoryGib: 1 });
    stops.push(() => target.stop());
    attackOn(target, { ...plan, token: tokens.validate });
    await askDuring(target, tokens.other);
  });

  test("tokens of unknown keys while the identity provider hangs", async () => {
    const key = testKey("RS256", "first");
    let asked = 0;
    const provider = await localServer((_, response) => {
      // The first answer is given; after that the endpoint takes requests and says nothing.
      if (asked++ === 0) sendJson(response, { keys: [key.jwk] });
    });
    stops.push(async () => provider[Symbol.asyncDispose]());
    const [issuer, audience] = ["https://issuer.example.com", "https://validator.example.com/mcp"];
    const target = await startContainer({
      flags: { auth: "jwt" },
      environment: {
        VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
        VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
        VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${provider.url}/jwks`,
      },
      hostNetwork: true,
      memoryGib: 1,
    });
    stops.push(() => target.stop());
    const claims = { iss: issuer, aud: audience, sub: "alice", exp: nowS() + 600 };
    const token = await signToken(key, { ...claims, scope: "iam:validate" });
    // The server gets its keys before the endpoint hangs.
    expect(
      (await call(target, "validate_policies", { policies: [readOnly] }, { token })).status,
    ).toBe(200);
    attackOn(target, unknownKeys);
    await askDuring(target, token);
  });
});
