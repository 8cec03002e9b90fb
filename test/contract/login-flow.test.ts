import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { base, githubVariables } from "../support/login/variables.ts";
import { type FrontUnderTest, type LoginWorld, loginWorld } from "../support/login/world.ts";
import { call } from "../support/rpc.ts";

let world: LoginWorld;
let github: FrontUnderTest;
let jwt: FrontUnderTest;
beforeAll(async () => {
  world = await loginWorld();
  github = await world.githubFront();
  jwt = await world.jwtFront();
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await jwt[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

describe.each(["github", "jwt"] as const)("a person logs in with %s", (provider) => {
  const front = () => (provider === "github" ? github : jwt);

  test("from registration to a tool call and a refresh", async () => {
    const visitor = front().visitor();
    const registered = await visitor.register();
    expect(registered.status).toBe(201);
    const page = await visitor.authorize();
    expect(page.status).toBe(200);
    const allowed = await visitor.consent(page);
    expect(allowed.status).toBe(303);
    const callback = await visitor.options.signIn(allowed.headers.get("location") ?? "");
    const back = await visitor.browse(`/oauth/callback${callback.search}`);
    expect(back.status).toBe(303);
    const answer = new URL(back.headers.get("location") ?? "");
    expect(answer.origin + answer.pathname).toBe("http://127.0.0.1:4711/callback");
    expect(answer.searchParams.get("state")).toBe("client-state");
    expect(answer.searchParams.get("iss")).toBe(base);
    const tokens = await visitor.token(answer.searchParams.get("code") ?? "");
    expect(tokens).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", expires_in: 3600, scope: "iam:validate iam:query" },
    });
    const refreshed = await visitor.refresh(String(tokens.body.refresh_token));
    expect(refreshed.status).toBe(200);
    expect(decodeProtectedHeader(String(refreshed.body.access_token))).toMatchObject({
      alg: "HS256",
      typ: "at+jwt",
    });
    expect(decodeJwt(String(refreshed.body.access_token))).toMatchObject({
      iss: base,
      aud: `${base}/mcp`,
      sub: provider === "github" ? "583231" : "alice",
      scope: "iam:validate iam:query",
    });
  });

  test("the code works once", async () => {
    const visitor = front().visitor();
    const code = await visitor.toCode();
    expect((await visitor.token(code)).status).toBe(200);
    expect(await visitor.token(code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });
});

test("M-11: with step-up a 403 names a scope that the person could have, and no other", async () => {
  await using front = await world.githubFront({ ...githubVariables, STEP_UP: "1" });
  const narrow = await front.visitor().login({ scope: "iam:query" });
  const token = String(narrow.body.access_token);
  const entitled = await call(front.target, "validate_policies", {}, { token });
  expect(entitled.status).toBe(403);
  expect(entitled.headers.get("www-authenticate")).toContain('scope="iam:validate"');
  // A new login would not give it, and the client would ask for one at each call.
  const never = await call(front.target, "get_config", {}, { token });
  expect([never.status, never.body.error?.code]).toEqual([200, -32602]);

  const wider = await front.visitor().login({ scope: "iam:query iam:validate" });
  expect(wider.body.scope).toBe("iam:validate iam:query");
});
