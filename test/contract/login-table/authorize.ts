import { type Expected, each, P, type Parameters, page, type Row, told } from "../login.table.ts";

const cookie =
  /^__Host-vmcp-consent=[\w-]{22}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
const shown = page(200, P.consent, cookie);
/** A registered client asks with these changes. */
const ask =
  (changes: Parameters, headers: Record<string, string> = {}): Row["ask"] =>
  async ({ visitor }) => {
    await visitor.register();
    return visitor.authorize(changes, headers);
  };
const rows = (clause: string, values: Record<string, Parameters>, answer: Expected): Row[] =>
  each(values, (changes) => ({ ask: ask(changes), answer }), clause);
/** The client has registered these redirects. */
const registered =
  (redirect_uris: readonly string[], redirect_uri: string, changes: Parameters = {}): Row["ask"] =>
  async ({ visitor }) => {
    await visitor.register({ client_name: "Trial", redirect_uris });
    return visitor.authorize({ redirect_uri, ...changes });
  };
const forged =
  (payload: string): Row["ask"] =>
  async ({ visitor }) => {
    const middle = Buffer.from(payload).toString("base64url");
    const { createHash } = await import("node:crypto");
    const sum = createHash("sha256").update(middle).digest("base64url").slice(0, 16);
    return visitor.authorize({ client_id: `reg1.${middle}.${sum}` });
  };
const loopback = "http://127.0.0.1:4711/callback";
const longRedirect = `http://127.0.0.1:4711/${"a".repeat(480)}`;
const base = "https://validator.example.com";

export const authorizeRows: Row[] = [
  { name: "A-1", ask: ask({}), answer: shown },
  {
    name: "A-2: a second tab keeps the cookie",
    ask: ask({}, { cookie: "__Host-vmcp-consent=AAAAAAAAAAAAAAAAAAAAAA" }),
    answer: page(200, P.consent, /^__Host-vmcp-consent=AAAAAAAAAAAAAAAAAAAAAA;/),
  },
  ...rows(
    "A-3",
    {
      missing: { client_id: undefined },
      empty: { client_id: "" },
      twice: { client_id: ["a", "b"] },
    },
    page(400, P.noRequest),
  ),
  ...rows(
    "A-4",
    {
      unknown: { client_id: "trial" },
      "over 2,048": { client_id: "a".repeat(2_049) },
      cut: { client_id: "reg1.eyJ" },
    },
    page(400, P.unknownClient),
  ),
  {
    name: "A-4: one character changed",
    ask: async ({ visitor }) => {
      await visitor.register();
      const { clientId } = visitor;
      const flipped = clientId[20] === "A" ? "B" : "A";
      return visitor.authorize({ client_id: clientId.slice(0, 20) + flipped + clientId.slice(21) });
    },
    answer: page(400, P.unknownClient),
  },
  ...each(
    {
      "more members": '{"n":"x","r":["http://127.0.0.1/"],"z":1}',
      "no JSON": "x",
      "no redirects": '{"n":"x","r":[]}',
      "wrong type": '{"n":1,"r":["x"]}',
    },
    (payload) => ({ ask: forged(payload), answer: page(400, P.unknownClient) }),
    "A-5",
  ),
  {
    name: "A-5: a redirect that is not allowed",
    ask: async (visit) =>
      forged('{"n":"x","r":["https://stranger.example/cb"]}')({
        ...visit,
        visitor: Object.assign(visit.visitor, { redirect: "https://stranger.example/cb" }),
      }),
    answer: page(400, P.redirect),
  },
  ...each(
    {
      bidirectional: ["Tri\u202eal", /Allow “<bdi>Tri\\u202eal<\/bdi>” to use/],
      long: ["x".repeat(1_000), /Allow “<bdi>x{79}…<\/bdi>” to use/],
      quotes: [
        "Claude” (checked: claude.ai)",
        /Allow “<bdi>Claude&#39; \(checked: claude\.ai\)<\/bdi>” to use/,
      ],
      blank: ["\t ", /Allow “<bdi>unnamed app<\/bdi>” to use/],
    } as const,
    ([n, shown]) => ({
      ask: forged(JSON.stringify({ n, r: [loopback] })),
      answer: page(200, shown, cookie),
    }),
    "A-5: a name that registration would clean",
  ),
  ...rows(
    "A-6",
    { url: { client_id: "https://client.example/metadata.json" } },
    page(400, P.unknownClient),
  ),
  ...each(
    {
      "host not listed": "https://stranger.example/client",
      http: "http://client.example/client",
      port: "https://client.example:8443/client",
      query: "https://client.example/client?a",
      fragment: "https://client.example/client#a",
      user: "https://a@client.example/client",
      "dot segment": "https://client.example/a/../client",
      "encoded dots": "https://client.example/%2e%2e/client",
      "no path": "https://client.example/",
      "an address": "https://127.0.0.1/client",
      "an address as number": "https://2130706433/client",
    },
    (client_id) => ({
      front: "documents",
      ask: ({ visitor }) => visitor.authorize({ client_id }),
      answer: page(400, P.document),
    }),
    "A-7",
  ),
  {
    name: "A-11: a name that leads to this machine",
    front: "documents",
    ask: ({ visitor }) => visitor.authorize({ client_id: "https://localhost/client" }),
    answer: page(400, P.document),
  },
  ...rows(
    "A-14",
    {
      missing: { redirect_uri: undefined },
      empty: { redirect_uri: "" },
      twice: { redirect_uri: [loopback, loopback] },
    },
    page(400, P.noRequest),
  ),
  ...rows(
    "A-15, A-17",
    {
      path: { redirect_uri: "http://127.0.0.1:4711/other" },
      query: { redirect_uri: `${loopback}?a` },
      scheme: { redirect_uri: "https://127.0.0.1:4711/callback" },
      host: { redirect_uri: "https://stranger.example/callback" },
      allowed: { redirect_uri: "https://vscode.dev/redirect" },
    },
    page(400, P.redirect),
  ),
  ...rows(
    "A-15",
    { "words in place of an address": { redirect_uri: "Please call <b>+1 555</b>" } },
    page(400, /<strong>Please%20call%20&lt;b&gt;\+1%20555&lt;\/b&gt;<\/strong>/),
  ),
  ...rows(
    "A-16",
    {
      port: { redirect_uri: "http://127.0.0.1:9/callback" },
      "no port": { redirect_uri: "http://127.0.0.1/callback" },
      localhost: { redirect_uri: "http://localhost:4711/callback" },
      IPv6: { redirect_uri: "http://[::1]:4711/callback" },
    },
    shown,
  ),
  ...rows(
    "A-19",
    { missing: { response_type: undefined }, empty: { response_type: "" } },
    told("invalid_request"),
  ),
  ...rows(
    "A-20",
    {
      token: { response_type: "token" },
      id_token: { response_type: "id_token" },
      both: { response_type: "code id_token" },
      none: { response_type: "none" },
    },
    told("unsupported_response_type"),
  ),
  ...rows(
    "A-21",
    { fragment: { response_mode: "fragment" }, form: { response_mode: "form_post" } },
    told("invalid_request"),
  ),
  ...rows(
    "A-22",
    {
      missing: { code_challenge: undefined },
      empty: { code_challenge: "" },
      "42": { code_challenge: "a".repeat(42) },
      "44": { code_challenge: "a".repeat(44) },
      padded: { code_challenge: `${"a".repeat(43)}=` },
      alphabet: { code_challenge: `${"a".repeat(42)}+` },
    },
    told("invalid_request"),
  ),
  ...rows(
    "A-23",
    {
      missing: { code_challenge_method: undefined },
      plain: { code_challenge_method: "plain" },
      small: { code_challenge_method: "s256" },
    },
    told("invalid_request"),
  ),
  ...rows("A-24", { request: { request: "x" } }, told("request_not_supported")),
  ...rows(
    "A-24",
    { request_uri: { request_uri: "https://x.example/" } },
    told("request_uri_not_supported"),
  ),
  ...rows(
    "A-25",
    {
      scope: { scope: ["iam:validate", "iam:query"] },
      response_type: { response_type: ["code", "code"] },
      challenge: { code_challenge: ["a", "b"] },
    },
    told("invalid_request"),
  ),
  ...rows("A-25", { state: { state: ["a", "b"] } }, told("invalid_request", null)),
  ...rows(
    "A-26, A-27",
    {
      absent: { resource: undefined },
      slash: { resource: `${base}/mcp/` },
      capitals: { resource: "HTTPS://Validator.Example.COM/mcp" },
      base: { resource: base },
      twice: { resource: [base, `${base}/mcp`] },
    },
    shown,
  ),
  ...rows(
    "A-28",
    {
      path: { resource: `${base}/other` },
      host: { resource: "https://other.example/mcp" },
      port: { resource: `${base}:8443/mcp` },
      scheme: { resource: "http://validator.example.com/mcp" },
      relative: { resource: "/mcp" },
      fragment: { resource: `${base}/mcp#a` },
      empty: { resource: "" },
      "one good, one bad": { resource: [base, "https://other.example"] },
    },
    told("invalid_target"),
  ),
  ...rows(
    "A-29",
    {
      absent: { scope: undefined },
      empty: { scope: "" },
      openid: { scope: "openid profile email offline_access address phone" },
    },
    page(200, /everything your account may use here/, cookie),
  ),
  ...rows(
    "A-30",
    {
      "one of ours": { scope: "iam:validate write other" },
      "one of ours, several times": { scope: "iam:validate iam:validate  iam:validate" },
    },
    page(200, /Check IAM policies/, cookie),
  ),
  ...rows(
    "A-31, A-32",
    {
      unknown: { scope: "write" },
      capitals: { scope: "IAM:VALIDATE" },
      quote: { scope: 'iam:validate "' },
      long: { scope: `iam:validate ${"a".repeat(1_024)}` },
    },
    told("invalid_scope"),
  ),
  ...rows("A-33", { absent: { state: undefined } }, shown),
  ...rows(
    "A-34",
    {
      long: { state: "a".repeat(1_025) },
      umlaut: { state: "ä" },
      tab: { state: "a\tb" },
    },
    told("invalid_request", null),
  ),
  {
    name: "A-34: too long once sealed",
    ask: registered([longRedirect], longRedirect, { state: '"'.repeat(1_024) }),
    answer: told("invalid_request", null),
  },
  ...rows("A-35", { none: { prompt: "none" } }, told("interaction_required")),
  ...rows(
    "A-35",
    {
      login: {
        prompt: "login",
        max_age: "0",
        login_hint: "x",
        nonce: "y",
        claims: "{}",
        dpop_jkt: "z",
      },
    },
    shown,
  ),
  ...rows("A-36", { long: { extra: "a".repeat(8_193) } }, page(400, P.noRequest)),
  ...each(
    { "broken encoding": "&x=%zz", NUL: "&x=%00", "overlong UTF-8": "&x=%c0%af" },
    (suffix) => ({
      ask: async ({ visitor }) => {
        await visitor.register();
        return visitor.browse(`/oauth/authorize?${visitor.authorizeQuery()}${suffix}`);
      },
      answer: page(400, P.noRequest),
      // APIs have decoded the query before the event is made.
      not: ["events"],
    }),
    "A-37",
  ),
  {
    name: "A-38",
    ask: registered([`${loopback}?a=b`], `${loopback}?a=b`, { scope: "write" }),
    answer: {
      kind: "redirect",
      error: "invalid_scope",
      state: "client-state",
      to: /^http:\/\/127\.0\.0\.1:4711\/callback\?a=b&error=/,
    },
  },
  ...each(
    { code: "code=1", state: "state=1", iss: "iss=1", error: "error=1" },
    (query) => ({
      ask: registered([`${loopback}?${query}`], `${loopback}?${query}`),
      answer: page(400, P.redirect),
    }),
    "A-39",
  ),
  ...each(
    { POST: "POST", PUT: "PUT", OPTIONS: "OPTIONS" },
    (method) => ({
      ask: ({ visitor }) =>
        visitor.send("/oauth/authorize", { method, headers: { origin: "https://a.example" } }),
      answer: { kind: "method", allow: "GET, HEAD" },
    }),
    "A-40, A-41",
  ),
  {
    name: "A-1: HEAD",
    ask: async ({ visitor }) => {
      await visitor.register();
      return visitor.send(`/oauth/authorize?${visitor.authorizeQuery()}`, { method: "HEAD" });
    },
    answer: page(200, /^$/, cookie),
  },
  { name: "A-42", ask: ask({}, { authorization: "Bearer x", cookie: "session=1" }), answer: shown },
  {
    name: "A-45",
    ask: async ({ visitor }) => {
      await visitor.register();
      await visitor.send(`/oauth/authorize?${visitor.authorizeQuery()}`);
      return visitor.authorize();
    },
    answer: shown,
  },
  {
    name: "an error for a private scheme is a page with a link",
    ask: registered(
      ["cursor://anysphere.cursor-mcp/oauth/callback"],
      "cursor://anysphere.cursor-mcp/oauth/callback",
      { scope: "write" },
    ),
    answer: page(
      200,
      /content="0;url=cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?error=invalid_scope/,
    ),
  },
];
