import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { githubStandIn } from "../../test/support/login/github.ts";
import { githubFetch, loginInMemory, memoryTransport } from "../../test/support/login/in-memory.ts";
import {
  base,
  githubVariables,
  keyOne,
  type Variables,
} from "../../test/support/login/variables.ts";
import { loopbackRedirect, type Reply, Visitor } from "../../test/support/login/visitor.ts";
import { deriveKeys, parseKeys } from "./keys.ts";
import { createSeals } from "./seal.ts";

const seals = (() => {
  const parsed = parseKeys([keyOne]);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return createSeals(deriveKeys(parsed.keys, base), () => 0);
})();

describe("a login from its page to its end", () => {
  let clockMs = Date.parse("2026-03-01T12:00:00.500Z");
  const startS = Math.floor(clockMs / 1000);
  const github = githubStandIn(() => clockMs);
  let fetched: number;
  let visitor: Visitor;
  let lines: object[];
  let counted: string[];

  beforeAll(() => {
    const answer = githubFetch(github);
    vi.stubGlobal("fetch", ((...given) => {
      fetched += 1;
      return answer(...given);
    }) as typeof fetch);
  });
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(() => start());

  async function start(variables: Variables = {}): Promise<void> {
    clockMs = startS * 1000 + 500;
    fetched = 0;
    lines = [];
    counted = [];
    github.state.isApp = false;
    const login = await loginInMemory({
      auth: "github",
      variables: { ...githubVariables, ...variables },
      now: () => clockMs,
      log: {
        info: (fields) => lines.push(fields),
        warn: (fields, message) => lines.push({ ...fields, message }),
        error: () => undefined,
      },
      observer: {
        login: (event, outcome) => counted.push(`${event} ${outcome}`),
        loginProvider: () => undefined,
      },
      fetchDocument: async (client_id) => {
        const document = { client_id, client_name: "Editor", redirect_uris: [loopbackRedirect] };
        const body = Buffer.from(JSON.stringify(document));
        const [contentType, cacheControl] = ["application/json", undefined];
        return { status: 200, contentType, cacheControl, body };
      },
    });
    visitor = new Visitor({
      url: base,
      base,
      signIn: github.signIn,
      transport: memoryTransport(login, base),
    });
    await visitor.register();
  }
  const locationOf = ({ headers }: Reply) => new URL(headers.get("location") ?? "");
  const later = (seconds: number) => {
    clockMs += seconds * 1000;
  };

  test("is logged with who, through what, and what for", async () => {
    const { body } = await visitor.login();
    const refreshed = await visitor.refresh(String(body.refresh_token));
    await visitor.post("/oauth/revoke", {
      token: String(refreshed.body.refresh_token),
      client_id: visitor.clientId,
    });
    const common = {
      logger: "validator.mcp.login",
      provider: "github",
      subject: "583231",
      client: "registered",
    };
    const scopes = ["iam:validate", "iam:query"];
    expect(lines).toEqual([
      { ...common, event: "login", redirect: "loopback", scopes },
      { ...common, event: "refresh", scopes },
      { ...common, event: "revoke" },
    ]);
    expect(counted).toEqual(["login success", "refresh success", "revoke success"]);
  });

  test("carries the client's state back, or none", async () => {
    const back = locationOf(await visitor.browse(await visitor.toCallback()));
    expect([...back.searchParams.keys()]).toEqual(["code", "state", "iss"]);
    const without = locationOf(
      await visitor.browse(await visitor.toCallback({ state: undefined })),
    );
    expect([...without.searchParams.keys()]).toEqual(["code", "iss"]);
    const empty = locationOf(await visitor.browse(await visitor.toCallback({ state: "" })));
    expect([empty.searchParams.get("state"), empty.searchParams.has("state")]).toEqual(["", true]);
  });

  test("asks the provider with other values each time", async () => {
    const page = await visitor.authorize();
    const [one, other] = [await visitor.consent(page), await visitor.consent(page)].map(locationOf);
    for (const name of ["state", "code_challenge"])
      expect(one?.searchParams.get(name)).not.toBe(other?.searchParams.get(name));
    expect(one?.searchParams.get("state")).toMatch(/^[\w-]{22}$/);
  });

  describe("beside others in the same browser (C-13)", () => {
    const payload = {
      client: "c".repeat(43),
      redirect: "http://127.0.0.1/",
      challenge: "c".repeat(43),
      scopes: [],
      id: "i",
      verifier: "v",
      nonce: "n",
    };
    const cookie = async (letter: string, endsInS: number) => {
      const value = await seals.seal("login", { ...payload, exp: startS + endsInS });
      return `__Host-vmcp-login-${letter.repeat(22)}=${value}`;
    };
    const removedWith = async (cookies: readonly string[]) => {
      for (const name of visitor.jar.values.keys())
        if (name.includes("login")) visitor.jar.values.delete(name);
      const page = await visitor.authorize();
      const header = [visitor.jar.header, ...cookies].join("; ");
      const set = (await visitor.consent(page, {}, { cookie: header })).headers.getSetCookie();
      expect(set[0]).toMatch(/^__Host-vmcp-login-[\w-]{22}=[\w.-]+; Max-Age=600;/);
      return set.slice(1).map((line) => /^__Host-vmcp-login-(.).*Max-Age=0;/.exec(line)?.[1]);
    };
    test("leaves three of them alone", async () => {
      const three = [await cookie("A", 30), await cookie("B", 20), await cookie("C", 10)];
      expect(await removedWith(three)).toEqual([]);
    });
    test("ends those that end first, so that four remain", async () => {
      const ends = { A: 30, B: 10, C: 20, D: 40, E: 50 };
      const five = await Promise.all(Object.entries(ends).map(([letter, s]) => cookie(letter, s)));
      expect(await removedWith(five.slice(0, 4))).toEqual(["B"]);
      expect(await removedWith(five)).toEqual(["B", "C"]);
    });
    test("ends those that do not open before any other", async () => {
      const mixed = [await cookie("A", 10), `__Host-vmcp-login-${"B".repeat(22)}=x`];
      const more = [await cookie("C", 20), await cookie("D", 30)];
      expect(await removedWith([...mixed, ...more])).toEqual(["B"]);
    });
  });

  test("has ten minutes for the page and ten for the way back", async () => {
    const page = await visitor.authorize();
    later(599);
    expect((await visitor.consent(page)).status).toBe(303);
    later(1);
    expect((await visitor.consent(page)).status).toBe(400);
    const path = await visitor.toCallback();
    later(600);
    expect((await visitor.browse(path)).status).toBe(400);
  });

  test("has five minutes for the code", async () => {
    const [one, other] = [await visitor.toCode(), await visitor.toCode()];
    later(299);
    expect((await visitor.token(one)).status).toBe(200);
    later(1);
    expect((await visitor.token(other)).body.error).toBe("invalid_grant");
  });

  test("ends after a day, however often it is refreshed (F-1, F-4)", async () => {
    let { body } = await visitor.login();
    later(86_400 - 100);
    ({ body } = await visitor.refresh(String(body.refresh_token)));
    // No access token outlives the session.
    expect(body.expires_in).toBe(100);
    expect(decodeJwt(String(body.access_token))).toMatchObject({
      exp: startS + 86_400,
      auth_time: startS,
      sub: "583231",
    });
    later(99);
    const last = await visitor.refresh(String(body.refresh_token));
    expect([last.status, last.body.expires_in]).toEqual([200, 1]);
    later(1);
    expect((await visitor.refresh(String(last.body.refresh_token))).body.error).toBe(
      "invalid_grant",
    );
  });

  test("cannot be refreshed once sessions are off, and no one is asked (F-26)", async () => {
    const { body } = await visitor.login();
    await start({ OAUTH_SESSION_S: "0" });
    expect((await visitor.refresh(String(body.refresh_token))).body.error).toBe("invalid_grant");
    expect(fetched).toBe(0);
  });

  test("lasts as long as its access token where there are no refresh tokens", async () => {
    await start({ OAUTH_SESSION_S: "0", OAUTH_ACCESS_TOKEN_S: "60" });
    const { body } = await visitor.login();
    expect([body.expires_in, "refresh_token" in body]).toEqual([60, false]);
    expect((await visitor.register()).body.grant_types).toEqual(["authorization_code"]);
    expect(lines).toMatchObject([{ event: "login" }]);
  });

  test("says once that what the provider gives cannot be kept (T-35)", async () => {
    const long = "t".repeat(10_000);
    const answer = githubFetch(github);
    vi.stubGlobal("fetch", (async (input, init) => {
      const response = await answer(input, init);
      if (!String(input).endsWith("/access_token")) {
        const user = { id: 583231, login: "octocat" };
        return Response.json({ app: { client_id: "Ov23liAbCdEf" }, user });
      }
      const body = (await response.json()) as object;
      return Response.json({ ...body, access_token: long });
    }) as typeof fetch);
    const first = await visitor.login();
    expect([first.status, "refresh_token" in first.body]).toEqual([200, false]);
    await visitor.login();
    const message =
      "The identity provider gives no refresh token that can be kept: people log in again whenever their access token ends.";
    expect(lines.filter((each) => "message" in each)).toEqual([
      { logger: "validator.mcp.login", provider: "github", message },
    ]);
    const again = githubFetch(github);
    vi.stubGlobal("fetch", ((...given) => {
      fetched += 1;
      return again(...given);
    }) as typeof fetch);
  });

  test("is refreshed once for all who ask at the same moment (F-13)", async () => {
    const { body } = await visitor.login();
    const token = String(body.refresh_token);
    fetched = 0;
    const both = await Promise.all([visitor.refresh(token), visitor.refresh(token)]);
    expect([both.map(({ status }) => status), fetched]).toEqual([[200, 200], 1]);
    // And asked again afterwards.
    await visitor.refresh(token);
    expect(fetched).toBe(2);
  });

  test("may be narrowed at a refresh, and is as wide as before at the next (F-7)", async () => {
    const { body } = await visitor.login({ scope: undefined });
    const narrow = await visitor.refresh(String(body.refresh_token), { scope: "iam:query openid" });
    expect(narrow.body.scope).toBe("iam:query");
    const next = await visitor.refresh(String(narrow.body.refresh_token), { scope: "openid" });
    expect(next.body.scope).toBe("iam:validate iam:query");
    const some = await visitor.login({ scope: "iam:query iam:config" });
    const same = await visitor.refresh(String(some.body.refresh_token), {
      scope: "iam:query iam:config",
    });
    expect(same.body.scope).toBe("iam:query");
    const none = await visitor.login({ scope: "iam:query" });
    const kept = await visitor.refresh(String(none.body.refresh_token), { scope: "openid" });
    expect(kept.body.scope).toBe("iam:query");
    const wide = await visitor.refresh(String(some.body.refresh_token), { scope: "iam:query x" });
    expect(wide.body.error).toBe("invalid_scope");
  });

  test("names a client by the address of its description, and in the log by its host", async () => {
    await start({ OAUTH_METADATA_HOSTS: "client.example" });
    visitor.clientId = "https://client.example/metadata.json";
    const { body } = await visitor.login();
    expect(decodeJwt(String(body.access_token)).client_id).toBe(visitor.clientId);
    expect(lines).toMatchObject([{ event: "login", client: "client.example" }]);
    expect((await visitor.refresh(String(body.refresh_token))).status).toBe(200);
  });

  test("names its client in tokens by a digest", async () => {
    const { body } = await visitor.login();
    expect(decodeJwt(String(body.access_token)).client_id).toMatch(/^reg1:[\w-]{22}$/);
  });
});
