import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { silentObserver } from "../../src/metrics/observer.ts";
import { raw } from "../support/http.ts";
import { keyOne, keyThree, keyTwo } from "../support/login/variables.ts";
import { type Reply, sealedOf } from "../support/login/visitor.ts";
import { type FrontUnderTest, type LoginWorld, loginWorld } from "../support/login/world.ts";

let world: LoginWorld;
const open: FrontUnderTest[] = [];
beforeAll(async () => {
  world = await loginWorld();
});
afterEach(async () => {
  for (const front of open.splice(0)) await front[Symbol.asyncDispose]();
  world.github.state.failure = undefined;
});
afterAll(() => world[Symbol.asyncDispose]());

async function replica(keys = keyOne, variables: Record<string, string> = {}) {
  const front = await world.githubFront({ OAUTH_KEYS: keys, ...variables });
  open.push(front);
  return front.target;
}

describe("two replicas", () => {
  test("serve one login, each step at the other one, without knowing of each other", async () => {
    const [one, other] = [await replica(), await replica()];
    const visitor = (open[0] as FrontUnderTest).visitor();
    const at = (target: { url: string }) => {
      visitor.options.url = target.url;
    };
    at(one);
    await visitor.register();
    at(other);
    const page = await visitor.authorize();
    at(one);
    const allowed = await visitor.consent(page);
    const callback = await visitor.options.signIn(allowed.headers.get("location") ?? "");
    at(other);
    const back = await visitor.browse(`/oauth/callback${callback.search}`);
    const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
    at(one);
    const tokens = await visitor.token(code);
    expect(tokens.status).toBe(200);
    at(other);
    expect(await visitor.token(code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    const refreshed = await visitor.refresh(String(tokens.body.refresh_token));
    expect(refreshed.status).toBe(200);
    at(one);
    expect((await visitor.register()).body.client_id).toBe(visitor.clientId);
  });

  test("of a callback sent to both, one code is redeemed (B-17, T-22)", async () => {
    const [one, other] = [await replica(), await replica()];
    const visitor = (open[0] as FrontUnderTest).visitor();
    const path = await visitor.toCallback();
    const headers = { cookie: visitor.jar.header };
    const both = await Promise.all(
      [one, other].map(({ url }) => visitor.send(path, { headers }, url)),
    );
    const codes = both.map(
      (reply) => new URL(reply.headers.get("location") ?? "").searchParams.get("code") ?? "",
    );
    expect(new Set(codes).size).toBe(2);
    const answers = await Promise.all(
      codes.map((code, index) =>
        visitor.post("/oauth/token", visitor.tokenForm(code), {}, [one, other][index]?.url),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe("keys change between any two steps", () => {
  const stages = [keyOne, `${keyOne},${keyTwo}`, `${keyTwo},${keyOne}`];
  test.each([0, 1, 2, 3])("after step %i", async (changeAfter) => {
    for (const [index, before] of stages.entries()) {
      const after = stages[index + 1];
      if (after === undefined) break;
      const [old, next] = [await replica(before), await replica(after)];
      const visitor = (open.at(-1) as FrontUnderTest).visitor();
      const at = (step: number) => {
        visitor.options.url = (step <= changeAfter ? old : next).url;
      };
      at(0);
      await visitor.register();
      const page = await visitor.authorize();
      at(1);
      const allowed = await visitor.consent(page);
      at(2);
      const callback = await visitor.options.signIn(allowed.headers.get("location") ?? "");
      const back = await visitor.browse(`/oauth/callback${callback.search}`);
      at(3);
      const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const tokens = await visitor.token(code);
      expect(tokens.status).toBe(200);
      visitor.options.url = next.url;
      expect((await visitor.refresh(String(tokens.body.refresh_token))).status).toBe(200);
    }
  });

  test("a dropped key ends sessions and access tokens; client ids stay good", async () => {
    await replica(keyOne);
    const visitor = (open[0] as FrontUnderTest).visitor();
    const tokens = await visitor.login();
    const { clientId } = visitor;
    visitor.options.url = (await replica(keyThree)).url;
    expect((await visitor.refresh(String(tokens.body.refresh_token))).body.error).toBe(
      "invalid_grant",
    );
    const authorization = `Bearer ${String(tokens.body.access_token)}`;
    expect(
      (await visitor.send("/mcp", { method: "POST", headers: { authorization } })).status,
    ).toBe(401);
    visitor.clientId = clientId;
    expect((await visitor.login()).status).toBe(200);
  });
});

describe("what was used is used again", () => {
  let visitor: ReturnType<FrontUnderTest["visitor"]>;
  let page: Reply;
  const front = async () => {
    await replica();
    visitor = (open[0] as FrontUnderTest).visitor();
    await visitor.register();
    page = await visitor.authorize();
  };

  test("a consent form: each use starts a separate login, in its own browser only", async () => {
    await front();
    const first = await visitor.consent(page);
    const second = await visitor.consent(page);
    expect([first.status, second.status]).toEqual([303, 303]);
    const other = (open[0] as FrontUnderTest).visitor();
    other.jar.values.set("__Host-vmcp-consent", "A".repeat(22));
    expect((await other.consent(page)).status).toBe(400);
  });

  test("a callback: refused once the cookie is gone", async () => {
    await front();
    const path = await visitor.toCallback();
    expect((await visitor.browse(path)).status).toBe(303);
    expect((await visitor.browse(path)).status).toBe(400);
  });

  test("a code: refused, also beside a good one; the first tokens stay good", async () => {
    await front();
    const code = await visitor.toCode();
    const tokens = await visitor.token(code);
    expect((await visitor.token(code)).status).toBe(400);
    expect((await visitor.refresh(String(tokens.body.refresh_token))).status).toBe(200);
  });

  test("the provider's code from a browser's history, in one's own callback: refused by PKCE", async () => {
    await front();
    const stolen =
      new URLSearchParams((await visitor.toCallback()).split("?")[1]).get("code") ?? "";
    const thief = (open[0] as FrontUnderTest).visitor();
    const [path, query] = (await thief.toCallback()).split("?");
    const changed = new URLSearchParams(query);
    changed.set("code", stolen);
    const back = await thief.browse(`${path}?${changed}`);
    const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect(await thief.token(code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("five logins in one browser: the oldest ends (C-13)", async () => {
    await front();
    for (let count = 0; count < 5; count += 1) await visitor.consent(page);
    const names = [...visitor.jar.values.keys()].filter((name) => name.includes("login"));
    expect(names).toHaveLength(4);
  });

  test("the form of the page is bound to the request that it was shown for", async () => {
    await front();
    const other = await visitor.authorize({ state: "other" });
    expect(sealedOf(page)).not.toBe(sealedOf(other));
  });
});

describe("the Host of a request (A-44)", () => {
  const status = async (path: string, host: string) => {
    const { url } = await replica();
    return (await raw(url + path, { headers: { host } })).status;
  };

  test.each(["/oauth/authorize", "/oauth/consent", "/oauth/callback", "/mcp"])(
    "%s is answered under the public name and not under a foreign one",
    async (path) => {
      expect(await status(path, "evil.example")).toBe(421);
      expect(await status(path, "validator.example.com")).not.toBe(421);
      expect(await status(path, "validator.example.com.evil.example")).toBe(421);
    },
  );

  test("documents and tokens are for programs, which no Host can deceive", async () => {
    expect(await status("/.well-known/oauth-authorization-server", "evil.example")).toBe(200);
  });
});

describe("the provider", () => {
  test("that limits us is left alone for as long as it says (T-25)", async () => {
    await replica();
    const visitor = (open[0] as FrontUnderTest).visitor();
    const code = await visitor.toCode();
    world.github.state.failure = () =>
      new Response("{}", { status: 429, headers: { "retry-after": "30" } });
    const first = await visitor.token(code);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "30"]);
    world.github.state.failure = undefined;
    const asked = world.github.requests.length;
    const second = await visitor.token(code);
    expect([second.status, second.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(world.github.requests.length).toBe(asked);
  });

  test("is asked for memberships only where the map names them", async () => {
    const map = '{"group:acme":["iam:query"],"group:acme/sec-team":["iam:validate"]}';
    await replica(keyOne, { SCOPE_MAP: map });
    world.github.state.memberships = new Set(["acme"]);
    const visitor = (open[0] as FrontUnderTest).visitor();
    expect(await visitor.login()).toMatchObject({ status: 200, body: { scope: "iam:query" } });
    world.github.state.memberships.add("acme/sec-team");
    expect(await visitor.login()).toMatchObject({ body: { scope: "iam:validate iam:query" } });
    world.github.state.memberships.clear();
    expect(await visitor.login()).toMatchObject({ status: 400, body: { error: "access_denied" } });
  });
});

test("events are counted and logged with fixed words, and nothing secret is in the log", async () => {
  const counted: string[] = [];
  const front = await world.githubFront(
    {},
    {
      loginObserver: {
        ...silentObserver,
        login: (event, outcome) => counted.push(`${event} ${outcome}`),
      },
    },
  );
  open.push(front);
  const visitor = front.visitor();
  const code = await visitor.toCode({ state: "canary-state" });
  const tokens = await visitor.token(code);
  await visitor.refresh(String(tokens.body.refresh_token));
  await visitor.token(code);
  await visitor.authorize({ client_id: "canary-client" });
  expect(counted).toEqual([
    "login success",
    "refresh success",
    "refused replayed",
    "refused client",
  ]);
  const lines = front.target.log.all
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ logger }) => logger === "validator.mcp.login");
  expect(lines[0]).toMatchObject({
    event: "login",
    provider: "github",
    subject: "583231",
    client: "registered",
    redirect: "loopback",
    scopes: ["iam:validate", "iam:query"],
  });
  expect(lines.map(({ event, reason }) => reason ?? event)).toEqual([
    "login",
    "refresh",
    "replayed",
    "client",
  ]);
  const secrets = [
    code,
    String(tokens.body.access_token),
    String(tokens.body.refresh_token),
    "canary",
    keyOne,
    "github-s3cr3t",
    ...world.github.tokens.keys(),
    visitor.clientId,
    "Trial",
  ];
  for (const secret of secrets) expect(front.target.log.text).not.toContain(secret);
});
