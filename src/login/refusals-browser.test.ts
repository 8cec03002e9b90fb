import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { githubStandIn } from "../../test/support/login/github.ts";
import { githubFetch } from "../../test/support/login/in-memory.ts";
import { line, watchedLogin } from "../../test/support/login/refused.ts";
import type { Parameters, Reply, Visitor } from "../../test/support/login/visitor.ts";

// What the log and the client are told. The table of the contract has statuses and error codes.
describe("a refusal in the browser", () => {
  const github = githubStandIn();
  let visitor: Visitor;
  let logged: Awaited<ReturnType<typeof watchedLogin>>["logged"];

  beforeAll(() => vi.stubGlobal("fetch", githubFetch(github)));
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(async () => {
    ({ visitor, logged } = await watchedLogin(github));
  });
  const known = { client: "registered", redirect: "loopback" };
  const told = ({ headers }: Reply) =>
    new URL(headers.get("location") ?? "").searchParams.get("error_description");

  const twice = "A parameter is given twice.";
  const challenge = "code_challenge must be 43 characters of base64url: PKCE is required.";
  const noObjects = "Request objects are not supported.";
  const noScope = "scope has none of this server's scopes.";
  test.each<[string, Parameters, string, string]>([
    [
      "a state that is too long",
      { state: "a".repeat(1_025) },
      "request",
      "state must be up to 1024 printable ASCII characters.",
    ],
    ["a repeated scope", { scope: ["iam:query", "iam:query"] }, "request", twice],
    ["a repeated response_mode", { response_mode: ["query", "query"] }, "request", twice],
    ["a repeated method", { code_challenge_method: ["S256", "S256"] }, "request", twice],
    ["a repeated prompt", { prompt: ["login", "login"] }, "request", twice],
    ["a repeated request", { request: ["a", "b"] }, "request", twice],
    ["a repeated request_uri", { request_uri: ["a", "b"] }, "request", twice],
    ["a request object", { request: "" }, "request", noObjects],
    ["a request by reference", { request_uri: "" }, "request", noObjects],
    ["no response_type", { response_type: undefined }, "request", "response_type is missing."],
    ["another response_type", { response_type: "token" }, "request", "response_type must be code."],
    [
      "another response_mode",
      { response_mode: "fragment" },
      "request",
      "response_mode must be query.",
    ],
    ["no challenge", { code_challenge: undefined }, "request", challenge],
    ["a long challenge", { code_challenge: "a".repeat(44) }, "request", challenge],
    [
      "another method",
      { code_challenge_method: "plain" },
      "request",
      "code_challenge_method must be S256.",
    ],
    [
      "another resource",
      { resource: "https://a.example/mcp" },
      "resource",
      "resource is not this server.",
    ],
    ["another scope", { scope: "write" }, "scope", noScope],
    ["a scope that is too long", { scope: `iam:query ${"a".repeat(1_015)}` }, "scope", noScope],
    ["no person", { prompt: "none" }, "request", "The person must be asked."],
  ])("of an authorization with %s", async (_what, changes, reason, description) => {
    expect(told(await visitor.authorize(changes))).toBe(description);
    expect(logged()).toEqual(line(reason, known));
  });

  test("of an authorization that is too long once sealed", async () => {
    const redirect_uri = `http://127.0.0.1:4711/${"a".repeat(480)}`;
    await visitor.register({ client_name: "Trial", redirect_uris: [redirect_uri] });
    const reply = await visitor.authorize({ redirect_uri, state: '"'.repeat(1_024) });
    expect(told(reply)).toBe("The request is too long.");
    expect(logged()).toEqual(line("request", known));
  });

  test.each<[string, Parameters]>([
    ["a state", { state: "a".repeat(1_024) }],
    ["a scope", { scope: `iam:query ${"a".repeat(1_014)}` }],
    ["an empty scope", { scope: "" }],
  ])("does not meet %s of the longest kind", async (_what, changes) => {
    expect((await visitor.authorize(changes)).status).toBe(200);
  });

  test("does not meet a query of 8,192 characters, and meets one of more (A-36)", async () => {
    const query = visitor.authorizeQuery({ x: "" });
    const long = `${query}${"a".repeat(8_192 - query.length)}`;
    expect((await visitor.browse(`/oauth/authorize?${long}`)).status).toBe(200);
    expect((await visitor.browse(`/oauth/authorize?${long}a`)).status).toBe(400);
    expect(logged()).toEqual(line("request"));
  });

  test.each<[string, Parameters, string, string | undefined]>([
    ["no client", { client_id: "" }, "request", undefined],
    ["a client that is not known", { client_id: "x" }, "client", undefined],
    ["a description on another host", { client_id: "HTTP://a.example/x" }, "client", undefined],
    [
      "a description that is no good",
      { client_id: "https://client.example/x" },
      "client",
      "client.example",
    ],
    ["no redirect", { redirect_uri: "" }, "request", undefined],
    [
      "a redirect that is not registered",
      { redirect_uri: "http://127.0.0.1/x" },
      "redirect",
      "registered",
    ],
  ])("on a page, for %s", async (_what, changes, reason, client) => {
    expect((await visitor.authorize(changes)).status).toBe(400);
    expect(logged()).toEqual(line(reason, { client }));
  });

  test("of what only looks like the address of a description", async () => {
    const page = await visitor.authorize({ client_id: "xhttps://a.example/x" });
    expect(page.text).toContain("This app is not known here");
  });

  test("keeps a browser's nonce only if it has our form", async () => {
    const [cookie] = (
      await visitor.authorize({}, { cookie: "__Host-vmcp-consent=short" })
    ).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-vmcp-consent=[\w-]{22};/);
  });

  test.each<[string, Parameters, Record<string, string>, string]>([
    ["no decision", { decision: "x" }, {}, "request"],
    ["another origin", {}, { origin: "https://a.example" }, "consent_origin"],
    ["another page", { request: "x" }, {}, "consent_expired"],
    ["another browser", {}, { cookie: `__Host-vmcp-consent=${"A".repeat(22)}` }, "consent_cookie"],
    ["no browser", {}, { cookie: "" }, "consent_cookie"],
    ["another media type", {}, { "content-type": "text/plain" }, "request"],
  ])("of a consent with %s", async (_what, changes, headers, reason) => {
    const page = await visitor.authorize();
    expect((await visitor.consent(page, changes, headers)).status).toBe(400);
    expect(logged()).toEqual(line(reason));
  });

  test("by the person", async () => {
    const reply = await visitor.consent(await visitor.authorize(), { decision: "deny" });
    expect(told(reply)).toBe("The person did not allow it.");
    expect(logged()).toEqual(line("denied", { redirect: "loopback" }));
  });

  const back = async (change: (query: URLSearchParams) => void) => {
    const [path, text] = (await visitor.toCallback()).split("?");
    const query = new URLSearchParams(text);
    change(query);
    return visitor.browse(`${path}?${query}`);
  };
  test.each([
    ["access_denied", "denied", "The identity provider did not allow it.", "access_denied"],
    ["login_required", "denied", "The identity provider did not allow it.", "login_required"],
    ["server_error", "provider_down", "The identity provider has a problem.", "server_error"],
    [
      "temporarily_unavailable",
      "provider_down",
      "The identity provider has a problem.",
      "temporarily_unavailable",
    ],
    [
      "invalid_scope",
      "provider_answer",
      "The identity provider answered with an error.",
      "invalid_scope",
    ],
    ["<b>", "provider_answer", "The identity provider answered with an error.", undefined],
    ["", "provider_answer", "The identity provider answered with an error.", undefined],
  ])("by the provider: %s", async (error, reason, description, provider_error) => {
    expect(told(await back((query) => query.set("error", error)))).toBe(description);
    expect(logged()).toEqual(line(reason, { redirect: "loopback", provider_error }));
  });
  test.each<[string, (query: URLSearchParams) => void, string, string | undefined]>([
    ["no state", (query) => query.delete("state"), "login_cookie", undefined],
    ["another state", (query) => query.set("state", "A".repeat(22)), "login_cookie", undefined],
    [
      "two issuers",
      (query) => {
        query.append("iss", "a");
        query.append("iss", "a");
      },
      "issuer",
      "loopback",
    ],
    ["no code", (query) => query.delete("code"), "provider_answer", "loopback"],
    [
      "a code that is too long",
      (query) => query.set("code", "a".repeat(4_097)),
      "provider_answer",
      "loopback",
    ],
    [
      "a code that does not fit sealed",
      (query) => query.set("code", '"'.repeat(4_096)),
      "provider_answer",
      "loopback",
    ],
    ["a code beyond ASCII", (query) => query.set("code", "ä"), "provider_answer", "loopback"],
  ])("of a way back with %s", async (_what, change, reason, redirect) => {
    expect((await back(change)).status).toBe(400);
    expect(logged()).toEqual(line(reason, { redirect }));
  });
  test("does not meet a code of 4,096 characters", async () => {
    expect((await back((query) => query.set("code", "a".repeat(4_096)))).status).toBe(303);
  });
});
