import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { githubStandIn } from "../../test/support/login/github.ts";
import { githubFetch } from "../../test/support/login/in-memory.ts";
import { line, watchedLogin } from "../../test/support/login/refused.ts";
import type { Parameters, Visitor } from "../../test/support/login/visitor.ts";

// What the log and the client are told. The table of the contract has statuses and error codes.
describe("a refusal of a program", () => {
  const github = githubStandIn();
  let visitor: Visitor;
  let logged: Awaited<ReturnType<typeof watchedLogin>>["logged"];

  beforeAll(() => vi.stubGlobal("fetch", githubFetch(github)));
  afterAll(() => vi.unstubAllGlobals());
  beforeEach(async () => {
    ({ visitor, logged } = await watchedLogin(github));
  });
  const twice = "A parameter is given twice.";
  const unknown = "The client is not known here.";
  const used = "The code is invalid for this request, or has expired.";
  const pkce = "code_verifier must be 43 to 128 characters of the PKCE alphabet.";
  test.each<[string, Parameters, Record<string, string>, string, string]>([
    ["no grant type", { grant_type: "" }, {}, "request", "grant_type is missing."],
    [
      "another grant type",
      { grant_type: "password" },
      {},
      "request",
      "grant_type must be authorization_code or refresh_token.",
    ],
    [
      "another media type",
      {},
      { "content-type": "text/plain" },
      "request",
      "The body must be application/x-www-form-urlencoded.",
    ],
    ["a parameter twice", { code: ["a", "b"] }, {}, "request", twice],
    ["no client", { client_id: undefined }, {}, "request", "client_id is missing."],
    ["a client that is not known", { client_id: "x" }, {}, "client", unknown],
    ["a scheme that clients do not have", {}, { authorization: "Bearer x" }, "client", unknown],
    ["no code", { code: undefined }, {}, "request", "code is missing."],
    ["a bad code", { code: "x" }, {}, "code", used],
    ["another redirect", { redirect_uri: "http://127.0.0.1/x" }, {}, "code", used],
    ["no verifier", { code_verifier: undefined }, {}, "verifier", pkce],
    ["a short verifier", { code_verifier: "a".repeat(42) }, {}, "verifier", pkce],
    [
      "another verifier",
      { code_verifier: "a".repeat(128) },
      {},
      "verifier",
      "code_verifier does not match.",
    ],
    ["another resource", { resource: "x" }, {}, "resource", "resource is not this server."],
  ])("of a code with %s", async (_what, changes, headers, reason, description) => {
    const reply = await visitor.token(await visitor.toCode(), changes, headers);
    expect(reply.body.error_description).toBe(description);
    expect(reply.headers.get("pragma")).toBe("no-cache");
    expect(logged()).toEqual(line(reason));
  });

  test("of a form that is none", async () => {
    const reply = await visitor.post("/oauth/token", "a=%zz");
    expect(reply.body.error_description).toBe("The body is not a form in UTF-8.");
    const large = await visitor.post("/oauth/token", `a=${"a".repeat(16_384)}`);
    expect(large.body.error_description).toBe("The body is over 16384 bytes.");
  });

  const noAccess = "This account has no access to this server.";
  test("of an account without access, at a login and at a refresh", async () => {
    const { body } = await visitor.login();
    github.state.user = { id: 583231, login: "renamed" };
    expect((await visitor.login()).body.error_description).toBe(noAccess);
    expect((await visitor.refresh(String(body.refresh_token))).body.error_description).toBe(
      noAccess,
    );
    expect(logged()).toEqual(line("no_access"));
  });

  const ended = "The refresh token is invalid, or the session has ended.";
  test.each<[string, Parameters, string, string]>([
    ["no token", { refresh_token: undefined }, "request", "refresh_token is missing."],
    ["a bad token", { refresh_token: "x" }, "code", ended],
    ["another resource", { resource: "x" }, "resource", "resource is not this server."],
    [
      "another scope",
      { scope: "iam:config" },
      "scope",
      "scope must be part of what was asked for at login.",
    ],
    [
      "a scope that is none",
      { scope: '"' },
      "scope",
      "scope must be part of what was asked for at login.",
    ],
  ])("of a refresh with %s", async (_what, changes, reason, description) => {
    const { body } = await visitor.login();
    const reply = await visitor.refresh(String(body.refresh_token), changes);
    expect(reply.body.error_description).toBe(description);
    expect(logged()).toEqual(line(reason));
  });

  test("of another person than at login is for the operator to see", async () => {
    const { body } = await visitor.login();
    github.state.user = { id: 7, login: "octocat" };
    const reply = await visitor.refresh(String(body.refresh_token));
    expect(reply.body.error_description).toBe(ended);
    expect(logged()).toEqual(line("subject_changed", { level: "error" }));
  });

  test("of a revocation", async () => {
    const { body } = await visitor.login();
    const form = { token: String(body.access_token), client_id: visitor.clientId };
    const reply = await visitor.post("/oauth/revoke", form);
    expect(reply.body.error_description).toBe(
      "Access tokens cannot be revoked; they end by themselves.",
    );
    expect(reply.headers.get("pragma")).toBe("no-cache");
    expect(logged()).toEqual(line("request"));
    const without = await visitor.post("/oauth/revoke", { client_id: visitor.clientId });
    expect(without.body.error_description).toBe("token is missing.");
  });

  const types = "client_name must be text; grant_types and response_types must be lists of text.";
  const object = "The body must be one JSON object.";
  test.each<[string, string, string, string, string]>([
    ["another media type", "{}", "text/plain", "metadata", "The body must be application/json."],
    ["no object", "[]", "application/json", "metadata", object],
    ["no JSON", "{", "application/json", "metadata", object],
    [
      "no redirects",
      "{}",
      "application/json",
      "redirect",
      "redirect_uris must be a list of 1 to 16 URIs.",
    ],
    [
      "a bad name",
      '{"redirect_uris":["http://127.0.0.1/"],"client_name":1}',
      "application/json",
      "metadata",
      types,
    ],
    [
      "no allowed redirect",
      '{"redirect_uris":["https://a.example/"]}',
      "application/json",
      "redirect",
      "None of the redirect URIs is allowed at this server.",
    ],
    [
      "other grants",
      '{"redirect_uris":["http://127.0.0.1/"],"grant_types":[]}',
      "application/json",
      "metadata",
      "grant_types must contain authorization_code.",
    ],
    [
      "other responses",
      '{"redirect_uris":["http://127.0.0.1/"],"response_types":[]}',
      "application/json",
      "metadata",
      "response_types must contain code.",
    ],
    [
      "too much",
      `"${"a".repeat(16_384)}"`,
      "application/json",
      "metadata",
      "The body is over 16384 bytes.",
    ],
  ])("of a registration with %s", async (_what, body, type, reason, description) => {
    const init = { method: "POST", headers: { "content-type": type }, body };
    const reply = await visitor.send("/oauth/register", init);
    expect(reply.body.error_description).toBe(description);
    expect(logged()).toEqual(line(reason));
  });
});
