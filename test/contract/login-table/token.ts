import {
  type Expected,
  each,
  error,
  ok,
  type Parameters,
  type Row,
  type Visit,
} from "../login.table.ts";

const base = "https://validator.example.com";
const challenge = { "www-authenticate": `Basic realm="${base}"` };
const tokens = (scope = "iam:validate iam:query", changes: object = {}): Expected =>
  ok({ token_type: "Bearer", expires_in: 3_600, scope, ...changes });
const exchange =
  (
    changes: Parameters = {},
    headers: Record<string, string> = {},
    asked: Parameters = {},
  ): Row["ask"] =>
  async ({ visitor }) =>
    visitor.token(await visitor.toCode(asked), changes, headers);
const basic = (id: string, secret = "") => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${secret}`).toString("base64")}`,
});
const invalidGrant = error(400, "invalid_grant");
const invalidRequest = error(400, "invalid_request");
const json =
  (body: object, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
/** GitHub fails after the person has come back. */
const failing =
  (failure: () => Response): Row["ask"] =>
  async ({ visitor, github }) => {
    const code = await visitor.toCode();
    github.fail(failure);
    return visitor.token(code);
  };
/** A code that the test made. */
const sealed =
  (make: (visit: Visit) => Promise<string>): Row["ask"] =>
  async (visit) => {
    await visit.visitor.register();
    return visit.visitor.token(await make(visit));
  };
const flip = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
const registeredElsewhere = async ({ visitor }: Visit): Promise<string> => {
  const { clientId } = visitor;
  await visitor.register({ client_name: "Other", redirect_uris: ["http://127.0.0.1:1/cb"] });
  const other = visitor.clientId;
  visitor.clientId = clientId;
  return other;
};

export const tokenRows: Row[] = [
  { name: "T-1", ask: exchange(), answer: tokens() },
  ...each(
    { json: { "content-type": "application/json" }, text: { "content-type": "text/plain" } },
    (headers) => ({ ask: exchange({}, headers), answer: invalidRequest }),
    "T-2",
  ),
  {
    name: "T-2: not UTF-8",
    ask: ({ visitor }) => visitor.post("/oauth/token", "code=%ff"),
    answer: invalidRequest,
  },
  {
    name: "T-3",
    ask: exchange({ extra: "a".repeat(16_384) }),
    answer: error(413, "invalid_request"),
  },
  ...each(
    { code: "code", grant_type: "grant_type", client_id: "client_id" },
    (name) => ({
      ask: async ({ visitor }) => {
        const form = visitor.tokenForm(await visitor.toCode());
        return visitor.post("/oauth/token", {
          ...form,
          [name]: [String(form[name]), String(form[name])],
        });
      },
      answer: invalidRequest,
    }),
    "T-4",
  ),
  {
    name: "T-4: resource may repeat",
    ask: exchange({ resource: [base, `${base}/mcp`] }),
    answer: tokens(),
  },
  {
    name: "T-5",
    ask: async ({ visitor }) =>
      visitor.post(
        `/oauth/token?${new URLSearchParams(visitor.tokenForm(await visitor.toCode()) as Record<string, string>)}`,
        "",
      ),
    answer: invalidRequest,
  },
  {
    name: "T-6: id in the header",
    ask: async ({ visitor }) => {
      const code = await visitor.toCode();
      return visitor.token(code, { client_id: undefined }, basic(visitor.clientId));
    },
    answer: tokens(),
  },
  {
    name: "T-6: a secret",
    ask: async ({ visitor }) => {
      const code = await visitor.toCode();
      return visitor.token(code, { client_id: undefined }, basic(visitor.clientId, "x"));
    },
    answer: error(401, "invalid_client", challenge),
  },
  {
    name: "T-6: another id than the body's",
    ask: exchange({}, basic("other")),
    answer: error(401, "invalid_client", challenge),
  },
  {
    name: "T-6: another scheme",
    ask: exchange({}, { authorization: "Bearer x" }),
    answer: error(401, "invalid_client", challenge),
  },
  { name: "T-7", ask: exchange({ grant_type: undefined }), answer: invalidRequest },
  ...each(
    {
      client: "client_credentials",
      password: "password",
      device: "urn:ietf:params:oauth:grant-type:device_code",
      exchange: "urn:ietf:params:oauth:grant-type:token-exchange",
    },
    (grant_type) => ({
      ask: exchange({ grant_type }),
      answer: error(400, "unsupported_grant_type"),
    }),
    "T-8",
  ),
  { name: "T-9", ask: exchange({ client_id: undefined }), answer: invalidRequest },
  ...each(
    { unknown: "trial", url: "https://client.example/client" },
    (client_id) => ({ ask: exchange({ client_id }), answer: error(401, "invalid_client") }),
    "T-10",
  ),
  { name: "T-11", ask: exchange({ client_secret: "x" }), answer: tokens() },
  { name: "T-12", ask: exchange({ code: undefined }), answer: invalidRequest },
  ...each(
    { empty: "", long: "a".repeat(8_193), junk: "a.b.c.d.e" },
    (code) => ({ ask: exchange({ code }), answer: invalidGrant }),
    "T-13",
  ),
  {
    name: "T-13: cut",
    ask: async ({ visitor }) => visitor.token((await visitor.toCode()).slice(0, -1)),
    answer: invalidGrant,
  },
  {
    name: "T-13: one bit",
    ask: async ({ visitor }) => {
      const code = await visitor.toCode();
      return visitor.token(flip(code, code.length - 30));
    },
    answer: invalidGrant,
  },
  ...each(
    {
      "a cookie": (visit: Visit) => visit.seal("login"),
      "a refresh token": (visit: Visit) => visit.seal("refresh"),
      "another deployment": (visit: Visit) =>
        visit.seal("code", {}, { base: "https://other.example" }),
      "a dropped key": (visit: Visit) => visit.seal("code", {}, { key: "dropped" }),
      "T-14: older than 300 s": (visit: Visit) => visit.seal("code", {}, { ageS: 301 }),
    },
    (make) => ({ ask: sealed(make), answer: invalidGrant }),
    "T-13",
  ),
  {
    name: "T-15",
    ask: async (visit) => {
      const code = await visit.visitor.toCode();
      return visit.visitor.token(code, { client_id: await registeredElsewhere(visit) });
    },
    answer: invalidGrant,
  },
  ...each(
    {
      port: "http://127.0.0.1:9/callback",
      name: "http://localhost:4711/callback",
      other: "https://vscode.dev/redirect",
    },
    (redirect_uri) => ({ ask: exchange({ redirect_uri }), answer: invalidGrant }),
    "T-16",
  ),
  { name: "T-17", ask: exchange({ redirect_uri: undefined }), answer: tokens() },
  ...each(
    {
      missing: undefined,
      short: "a".repeat(42),
      long: "a".repeat(129),
      alphabet: `${"a".repeat(42)}+`,
    },
    (code_verifier) => ({ ask: exchange({ code_verifier }), answer: invalidRequest }),
    "T-18",
  ),
  { name: "T-18: wrong", ask: exchange({ code_verifier: "a".repeat(43) }), answer: invalidGrant },
  { name: "T-19: absent", ask: exchange({ resource: undefined }), answer: tokens() },
  ...each(
    { another: "https://other.example/mcp", "one good, one bad": [base, "https://other.example"] },
    (resource) => ({ ask: exchange({ resource }), answer: error(400, "invalid_target") }),
    "T-19",
  ),
  ...each(
    {
      verifier: { code_verifier: "a".repeat(43) },
      redirect: { redirect_uri: "http://localhost:4711/callback" },
      resource: { resource: "https://other.example" },
    },
    (changes) => ({
      ask: async ({ visitor }) => {
        const code = await visitor.toCode();
        await visitor.token(code, changes);
        return visitor.token(code);
      },
      answer: tokens(),
    }),
    "T-20",
  ),
  {
    name: "T-21",
    ask: async ({ visitor }) => {
      const code = await visitor.toCode();
      await visitor.token(code);
      return visitor.token(code);
    },
    answer: invalidGrant,
  },
  ...each(
    { used: "bad_verification_code", standard: "invalid_grant" },
    (word) => ({ ask: failing(json({ error: word })), answer: invalidGrant }),
    "T-23",
  ),
  ...each(
    {
      github: "incorrect_client_credentials",
      redirect: "redirect_uri_mismatch",
      standard: "invalid_client",
      unauthorized: "unauthorized_client",
    },
    (word) => ({ ask: failing(json({ error: word })), answer: error(500, "server_error") }),
    "T-24",
  ),
  {
    name: "T-24: 401 with a challenge",
    ask: failing(
      () => new Response(null, { status: 401, headers: { "www-authenticate": "Basic" } }),
    ),
    answer: error(500, "server_error"),
  },
  {
    name: "T-25: 5xx",
    ask: failing(json({}, 502)),
    answer: error(503, "temporarily_unavailable", { "retry-after": "5" }),
  },
  ...each(
    {
      "not JSON": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      "other shape": json({ hello: 1 }),
      list: json([]),
      redirect: () =>
        new Response(null, { status: 302, headers: { location: "https://evil.example/" } }),
      "over 1 MiB": () =>
        new Response(`{"a":"${"a".repeat(1_048_577)}"}`, {
          headers: { "content-type": "application/json" },
        }),
    },
    (failure) => ({ ask: failing(failure), answer: error(500, "server_error") }),
    "T-26",
  ),
  {
    name: "T-30",
    ask: async (visit) => {
      visit.github.user({ id: 1, login: "nobody-special" });
      return exchange()(visit);
    },
    answer: error(400, "access_denied"),
  },
  {
    name: "T-30: a required scope",
    front: "strict",
    ask: async (visit) => {
      visit.github.user({ id: 42, login: "someone" });
      return exchange({}, {}, { scope: "iam:config" })(visit);
    },
    answer: error(400, "access_denied"),
  },
  {
    name: "T-31",
    ask: exchange({}, {}, { scope: "iam:config iam:analyze" }),
    answer: error(400, "access_denied"),
  },
  {
    name: "T-32",
    ask: exchange({}, {}, { scope: "iam:config iam:query" }),
    answer: tokens("iam:query"),
  },
  { name: "T-33", ask: exchange({}, {}, { scope: undefined }), answer: tokens() },
  {
    name: "T-34",
    front: "strict",
    ask: exchange({}, {}, { scope: "iam:query" }),
    answer: tokens(),
  },
  {
    name: "T-35: no sessions",
    front: "no refresh",
    ask: exchange(),
    answer: ok({
      token_type: "Bearer",
      expires_in: 3_600,
      scope: "iam:validate iam:query",
      refresh_token: undefined,
    }),
  },
  { name: "T-36", ask: exchange({ scope: "iam:config" }), answer: tokens() },
  {
    name: "T-37",
    ask: exchange({ code: "x" }, { origin: "https://a.example" }),
    answer: invalidGrant,
  },
  {
    name: "T-38",
    ask: ({ visitor }) => visitor.send("/oauth/token", { method: "OPTIONS" }),
    answer: { kind: "preflight", methods: "POST" },
  },
  {
    name: "T-39",
    ask: ({ visitor }) => visitor.send("/oauth/token"),
    answer: { kind: "method", allow: "POST, OPTIONS" },
  },
];

const refreshed =
  (
    changes: Parameters = {},
    before?: (visit: Visit) => void | Promise<void>,
    asked: Parameters = {},
  ): Row["ask"] =>
  async (visit) => {
    const { visitor } = visit;
    const { body } = await visitor.login(asked);
    await before?.(visit);
    return visitor.refresh(String(body.refresh_token), changes);
  };
const sealedRefresh =
  (make: (visit: Visit) => Promise<string>): Row["ask"] =>
  async (visit) => {
    await visit.visitor.register();
    return visit.visitor.refresh(await make(visit));
  };

export const refreshRows: Row[] = [
  { name: "F-1", ask: refreshed(), answer: tokens() },
  { name: "F-2", ask: refreshed({ refresh_token: undefined }), answer: invalidRequest },
  ...each(
    { empty: "", long: "a".repeat(12_289), junk: "a.b.c.d.e" },
    (refresh_token) => ({ ask: refreshed({ refresh_token }), answer: invalidGrant }),
    "F-3",
  ),
  ...each(
    {
      "a code": (visit: Visit) => visit.seal("code"),
      "a cookie": (visit: Visit) => visit.seal("login"),
      "an access token": (visit: Visit) => visit.sign(),
      "another deployment": (visit: Visit) =>
        visit.seal("refresh", {}, { base: "https://other.example" }),
      "a dropped key": (visit: Visit) => visit.seal("refresh", {}, { key: "dropped" }),
      "F-4: past its end": (visit: Visit) => visit.seal("refresh", {}, { ageS: 90_000 }),
    },
    (make) => ({ ask: sealedRefresh(make), answer: invalidGrant }),
    "F-3",
  ),
  {
    name: "F-5",
    ask: async (visit) => {
      const { body } = await visit.visitor.login();
      return visit.visitor.refresh(String(body.refresh_token), {
        client_id: await registeredElsewhere(visit),
      });
    },
    answer: invalidGrant,
  },
  {
    name: "F-6",
    ask: refreshed({ resource: "https://other.example" }),
    answer: error(400, "invalid_target"),
  },
  { name: "F-6: good", ask: refreshed({ resource: `${base}/mcp` }), answer: tokens() },
  { name: "F-7", ask: refreshed({ scope: "iam:query" }), answer: tokens("iam:query") },
  {
    name: "F-7: the next one has the whole",
    ask: async ({ visitor }) => {
      const { body } = await visitor.login();
      const part = await visitor.refresh(String(body.refresh_token), { scope: "iam:query" });
      return visitor.refresh(String(part.body.refresh_token));
    },
    answer: tokens(),
  },
  ...each(
    { "not requested": "iam:config", unknown: "write" },
    (scope) => ({ ask: refreshed({ scope }), answer: error(400, "invalid_scope") }),
    "F-8",
  ),
  {
    name: "F-12",
    ask: async ({ visitor }) => {
      const { body } = await visitor.login();
      await visitor.refresh(String(body.refresh_token));
      return visitor.refresh(String(body.refresh_token));
    },
    answer: tokens(),
  },
  {
    name: "F-15",
    ask: refreshed({}, ({ github }) => github.fail(json({ message: "Not Found" }, 404))),
    answer: invalidGrant,
  },
  {
    name: "F-16",
    ask: async (visit) => {
      visit.github.useApp();
      return refreshed()(visit);
    },
    answer: tokens(),
  },
  {
    name: "F-18",
    ask: refreshed({}, ({ github }) => github.user({ id: 7, login: "octocat" })),
    answer: invalidGrant,
  },
  {
    name: "F-20",
    ask: refreshed({}, ({ github }) => github.user({ id: 583231, login: "renamed" })),
    answer: invalidGrant,
  },
  {
    name: "F-19",
    ask: refreshed({}, ({ github }) => github.user({ id: 583231, login: "octocat-query" }), {
      scope: undefined,
    }),
    answer: tokens("iam:query"),
  },
  {
    name: "F-23",
    ask: refreshed({}, ({ github }) => github.fail(json({}, 503))),
    answer: error(503, "temporarily_unavailable", { "retry-after": "5" }),
  },
  {
    name: "F-24",
    ask: refreshed({}, ({ github }) => github.fail(json({}, 401))),
    answer: error(500, "server_error"),
  },
  {
    name: "F-26",
    front: "no refresh",
    ask: sealedRefresh((visit) => visit.seal("refresh")),
    answer: invalidGrant,
  },
];

const revoke =
  (changes: Parameters = {}, before?: (visit: Visit) => void | Promise<void>): Row["ask"] =>
  async (visit) => {
    const { visitor } = visit;
    const { body } = await visitor.login();
    await before?.(visit);
    return visitor.post("/oauth/revoke", {
      token: String(body.refresh_token),
      client_id: visitor.clientId,
      ...changes,
    });
  };
const revokeSealed =
  (make: (visit: Visit) => Promise<string>, changes: Parameters = {}): Row["ask"] =>
  async (visit) => {
    await visit.visitor.register();
    return visit.visitor.post("/oauth/revoke", {
      token: await make(visit),
      client_id: visit.visitor.clientId,
      ...changes,
    });
  };

export const revokeRows: Row[] = [
  { name: "V-1", ask: revoke(), answer: ok({}) },
  ...each(
    {
      "does not open": async () => "a.b.c.d.e",
      "past its end": (visit: Visit) => visit.seal("refresh", {}, { ageS: 90_000 }),
      "V-4: other text": async () => "hello",
    },
    (make) => ({ ask: revokeSealed(make), answer: ok({}) }),
    "V-2",
  ),
  {
    name: "V-2: of another client",
    ask: async (visit) => {
      const { body } = await visit.visitor.login();
      return visit.visitor.post("/oauth/revoke", {
        token: String(body.refresh_token),
        client_id: await registeredElsewhere(visit),
      });
    },
    answer: ok({}),
  },
  ...each(
    { "no hint": {}, hint: { token_type_hint: "access_token" } },
    (changes) => ({
      ask: revokeSealed((visit) => visit.sign(), changes),
      answer: error(400, "unsupported_token_type"),
    }),
    "V-3",
  ),
  ...each(
    {
      token: { token: undefined },
      client: { client_id: undefined },
      "token twice": { token: ["a", "b"] },
    },
    (changes) => ({ ask: revoke(changes), answer: invalidRequest }),
    "V-5",
  ),
  { name: "V-6", ask: revoke({ client_id: "trial" }), answer: error(401, "invalid_client") },
  {
    name: "V-7",
    ask: revoke({}, ({ github }) => github.fail(json({}, 503))),
    answer: error(503, "temporarily_unavailable", { "retry-after": "5" }),
  },
  { name: "V-8", ask: revoke({}, ({ github }) => github.fail(json({}, 422))), answer: ok({}) },
  {
    name: "V-9",
    front: "azure",
    ask: ({ visitor }) => visitor.post("/oauth/revoke", {}),
    answer: { kind: "absent" },
  },
  {
    name: "V-10",
    ask: ({ visitor }) => visitor.send("/oauth/revoke", { method: "OPTIONS" }),
    answer: { kind: "preflight", methods: "POST" },
  },
  {
    name: "V-10: GET",
    ask: ({ visitor }) => visitor.send("/oauth/revoke"),
    answer: { kind: "method", allow: "POST, OPTIONS" },
  },
  {
    name: "V-11",
    ask: async ({ visitor }) => {
      const { body } = await visitor.login();
      const token = String(body.refresh_token);
      await visitor.post("/oauth/revoke", { token, client_id: visitor.clientId });
      return visitor.refresh(token);
    },
    answer: invalidGrant,
  },
];

const call =
  (
    token: string | ((visit: Visit) => Promise<string>),
    headers: Record<string, string> = {},
  ): Row["ask"] =>
  async (visit) =>
    visit.visitor.send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${typeof token === "string" ? token : await token(visit)}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
const accepted = { kind: "mcp", status: 200 } as const;
const refused = { kind: "mcp", status: 401 } as const;
const jose = (parts: readonly [object, object, string]) =>
  `${Buffer.from(JSON.stringify(parts[0])).toString("base64url")}.${Buffer.from(JSON.stringify(parts[1])).toString("base64url")}.${parts[2]}`;

export const mcpRows: Row[] = [
  { name: "M-1", ask: call((visit) => visit.sign()), answer: accepted },
  {
    name: "V-12: after revocation",
    ask: async (visit) => {
      const { body } = await visit.visitor.login();
      await visit.visitor.post("/oauth/revoke", {
        token: String(body.refresh_token),
        client_id: visit.visitor.clientId,
      });
      return call(String(body.access_token))(visit);
    },
    answer: accepted,
  },
  ...each(
    {
      expired: (visit: Visit) => visit.sign({}, {}, { ageS: 3_700 }),
      "not yet": (visit: Visit) => visit.sign({ nbf: Math.floor(Date.now() / 1000) + 120 }),
      cut: async (visit: Visit) => (await visit.sign()).slice(0, -1),
      changed: async (visit: Visit) => {
        const token = await visit.sign();
        return flip(token, token.length - 20);
      },
      "spare bits of the signature": async (visit: Visit) => {
        const token = await visit.sign();
        const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? "A") ^ 1];
      },
      "a dropped key": (visit: Visit) => visit.sign({}, {}, { key: "dropped" }),
      "unknown kid": (visit: Visit) => visit.sign({}, { kid: "vmcp.unknown" }),
      "M-3: audience": (visit: Visit) => visit.sign({ aud: `${base}/other` }),
      "M-3: issuer": (visit: Visit) => visit.sign({ iss: "https://other.example" }),
      "M-4: typ": (visit: Visit) => visit.sign({}, { typ: "JWT" }),
      "M-4: no typ": (visit: Visit) => visit.sign({}, { typ: undefined }),
      "M-4: a refresh token": (visit: Visit) => visit.seal("refresh"),
      "M-4: a code": (visit: Visit) => visit.seal("code"),
      "M-5: none": async () => jose([{ alg: "none", typ: "at+jwt", kid: "vmcp.x" }, {}, ""]),
      "M-5: another HMAC": (visit: Visit) => visit.sign({}, { alg: "HS384" }),
      "M-5: a public-key algorithm with our kid": (visit: Visit) =>
        visit.sign({}, { alg: "RS256" }),
      "M-6: another purpose's key": (visit: Visit) => visit.sign({}, {}, { key: "purpose" }),
      "M-6: the operator's key": (visit: Visit) => visit.sign({}, {}, { key: "raw" }),
      "M-6: its text": (visit: Visit) => visit.sign({}, {}, { key: "text" }),
      "M-8: the provider's token": async () => "gho_abcdef",
      "M-13: crit": (visit: Visit) => visit.sign({}, { crit: ["x"], x: 1 }),
      "M-14: scope as list": (visit: Visit) => visit.sign({ scope: ["iam:validate"] }),
    },
    (make) => ({ ask: call(make), answer: refused }),
    "M-2 to M-14",
  ),
  { name: "M-7", ask: call((visit) => visit.sign({}, {}, { key: "second" })), answer: accepted },
  { name: "M-12", front: "off", ask: call((visit) => visit.sign()), answer: refused },
  {
    name: "M-13: jku and jwk are ignored",
    ask: call((visit) => visit.sign({}, { jku: "https://evil.example/", jwk: {} })),
    answer: accepted,
  },
  {
    name: "M-16",
    ask: call((visit) => visit.sign(), { cookie: "__Host-vmcp-consent=x; __Host-vmcp-login-y=z" }),
    answer: accepted,
  },
];
