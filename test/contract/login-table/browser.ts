import { each, P, type Parameters, page, type Row, told, type Visit } from "../login.table.ts";

const stale = page(400, P.consentStale);
const consent =
  (
    changes: Parameters = {},
    headers: Record<string, string> = {},
    before?: (visit: Visit) => void | Promise<void>,
  ): Row["ask"] =>
  async (visit) => {
    const { visitor } = visit;
    await visitor.register();
    const shown = await visitor.authorize();
    await before?.(visit);
    return visitor.consent(shown, changes, headers);
  };
const toProvider = {
  kind: "redirect",
  to: /^https:\/\/github\.com\/login\/oauth\/authorize\?client_id=/,
  cookies:
    /^__Host-vmcp-login-[\w-]{22}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
} as const;
const post =
  (init: RequestInit): Row["ask"] =>
  ({ visitor }) =>
    visitor.send("/oauth/consent", { method: "POST", ...init });
const form = { "content-type": "application/x-www-form-urlencoded" };

export const consentRows: Row[] = [
  { name: "C-1", ask: consent(), answer: toProvider },
  { name: "C-2", ask: consent({ decision: "deny" }), answer: told("access_denied") },
  ...each(
    {
      missing: { decision: undefined },
      twice: { decision: ["allow", "allow"] },
      other: { decision: "yes" },
    },
    (changes) => ({ ask: consent(changes), answer: page(400, P.noRequest) }),
    "C-3",
  ),
  ...each(
    {
      missing: { request: undefined },
      twice: { request: ["a", "b"] },
      junk: { request: "a.b.c.d.e" },
    },
    (changes) => ({ ask: consent(changes), answer: stale }),
    "C-4",
  ),
  ...each(
    {
      "of another purpose": (visit: Visit) => visit.seal("login"),
      "of another deployment": (visit: Visit) =>
        visit.seal("consent", {}, { base: "https://other.example" }),
      "under a dropped key": (visit: Visit) => visit.seal("consent", {}, { key: "dropped" }),
      expired: (visit: Visit) => visit.seal("consent", {}, { ageS: 601 }),
    },
    (make) => ({
      ask: async (visit) => {
        const { visitor } = visit;
        await visitor.register();
        const shown = await visitor.authorize();
        return visitor.consent(shown, { request: await make(visit) });
      },
      answer: stale,
    }),
    "C-4",
  ),
  {
    name: "C-5: no cookie",
    ask: consent({}, {}, ({ visitor }) => visitor.jar.values.clear()),
    answer: stale,
  },
  {
    name: "C-5: another browser's",
    ask: consent(
      {},
      {},
      ({ visitor }) => void visitor.jar.values.set("__Host-vmcp-consent", "B".repeat(22)),
    ),
    answer: stale,
  },
  {
    name: "C-5: another form",
    ask: consent({}, {}, ({ visitor }) => void visitor.jar.values.set("__Host-vmcp-consent", "x")),
    answer: stale,
  },
  {
    name: "C-5: two of the name",
    ask: async ({ visitor }) => {
      await visitor.register();
      const shown = await visitor.authorize();
      return visitor.consent(shown, {}, { cookie: `${visitor.jar.header}; ${visitor.jar.header}` });
    },
    answer: stale,
  },
  ...each(
    {
      foreign: "https://evil.example",
      null: "null",
      port: "https://validator.example.com:8443",
      scheme: "http://validator.example.com",
    },
    (origin) => ({ ask: consent({}, { origin }), answer: stale }),
    "C-6",
  ),
  ...each(
    {
      "same-origin": ["same-origin", toProvider],
      "same-site": ["same-site", stale],
      "cross-site": ["cross-site", stale],
      none: ["none", stale],
    } as const,
    ([site, answer]) => ({ ask: withoutOrigin({ "sec-fetch-site": site }), answer }),
    "C-7, C-8",
  ),
  { name: "C-8: no headers at all", ask: withoutOrigin({}), answer: stale },
  {
    name: "C-9: sent twice",
    ask: async ({ visitor }) => {
      await visitor.register();
      const shown = await visitor.authorize();
      await visitor.consent(shown);
      return visitor.consent(shown);
    },
    answer: toProvider,
  },
  ...each(
    {
      json: { headers: { "content-type": "application/json" }, body: "{}" },
      "broken form": { headers: form, body: "decision=%zz" },
      "not UTF-8": { headers: form, body: "decision=%ff" },
    },
    (init) => ({ ask: post(init), answer: page(400, P.noRequest) }),
    "C-11",
  ),
  {
    name: "C-12",
    ask: post({ headers: form, body: `a=${"a".repeat(16_384)}` }),
    answer: page(413, P.noRequest),
  },
  {
    name: "C-13: names that only begin like ours",
    ask: async ({ visitor }) => {
      await visitor.register();
      const shown = await visitor.authorize();
      const strange = ["a b", "", "x".repeat(23), "(1)"].map((end) => `__Host-vmcp-login-${end}=1`);
      return visitor.consent(shown, {}, { cookie: [visitor.jar.header, ...strange].join("; ") });
    },
    answer: toProvider,
  },
  ...each(
    { GET: "GET", OPTIONS: "OPTIONS" },
    (method) => ({
      ask: ({ visitor }) => visitor.send("/oauth/consent", { method }),
      answer: { kind: "method", allow: "POST" },
    }),
    "C-14, C-15",
  ),
  {
    name: "C-16",
    ask: consent({ redirect_uri: "https://evil.example/", scope: "x" }),
    answer: toProvider,
  },
];

function withoutOrigin(headers: Record<string, string>): Row["ask"] {
  return async ({ visitor }) => {
    await visitor.register();
    const shown = await visitor.authorize();
    const request = /name="request" value="([^"]+)"/.exec(shown.text)?.[1] ?? "";
    return visitor.send("/oauth/consent", {
      method: "POST",
      headers: { ...form, cookie: visitor.jar.header, ...headers },
      body: `request=${request}&decision=allow`,
    });
  };
}

const login = page(400, P.loginStale);
const back = {
  kind: "redirect",
  state: "client-state",
  to: /^http:\/\/127\.0\.0\.1:4711\/callback\?code=[\w.-]+&state=client-state&iss=https%3A%2F%2Fvalidator\.example\.com$/,
  cookies: /^__Host-vmcp-login-[\w-]{22}=; Max-Age=0/,
} as const;
/** The browser comes back from the provider with a changed query. */
const callback =
  (change: (query: URLSearchParams) => void, before?: (visit: Visit) => void): Row["ask"] =>
  async (visit) => {
    const { visitor } = visit;
    const [path, text] = (await visitor.toCallback()).split("?");
    const query = new URLSearchParams(text);
    change(query);
    before?.(visit);
    return visitor.browse(`${path}?${query}`);
  };
const set = (values: Record<string, string>) =>
  callback((query) => {
    for (const [name, value] of Object.entries(values)) query.set(name, value);
  });
const remove = (name: string) => callback((query) => query.delete(name));
const failed = (code: "access_denied" | "server_error" | "temporarily_unavailable") => ({
  ...told(code),
  cookies: /Max-Age=0/,
});

export const callbackRows: Row[] = [
  { name: "B-1", ask: callback(() => {}), answer: back },
  {
    name: "B-2",
    ask: async ({ visitor }) => {
      visitor.redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
      return visitor.browse(await visitor.toCallback());
    },
    answer: page(200, P.back, /Max-Age=0/),
  },
  { name: "B-3: missing", ask: remove("state"), answer: login },
  {
    name: "B-3: twice",
    ask: callback((query) => query.append("state", query.get("state") ?? "")),
    answer: login,
  },
  { name: "B-3: another form", ask: set({ state: "short" }), answer: login },
  {
    name: "B-4: no cookie",
    ask: callback(
      () => {},
      ({ visitor }) => visitor.jar.values.clear(),
    ),
    answer: login,
  },
  { name: "B-4: cookie of another login", ask: set({ state: "A".repeat(22) }), answer: login },
  ...each(
    {
      "of another purpose": (visit: Visit) => visit.seal("code"),
      "under a dropped key": (visit: Visit) => visit.seal("login", {}, { key: "dropped" }),
      expired: (visit: Visit) => visit.seal("login", {}, { ageS: 601 }),
      junk: async () => "a.b.c.d.e",
      "B-5: another state id": (visit: Visit) => visit.seal("login", { id: "C".repeat(22) }),
    },
    (make) => ({
      ask: async (visit) => {
        visit.visitor.jar.values.set(`__Host-vmcp-login-${"A".repeat(22)}`, await make(visit));
        return visit.visitor.browse(`/oauth/callback?code=x&state=${"A".repeat(22)}`);
      },
      answer: login,
    }),
    "B-4",
  ),
  { name: "B-6: missing", ask: remove("code"), answer: page(400, P.provider) },
  ...each(
    { empty: "", long: "a".repeat(4_097), control: "a\u0001b" },
    (code) => ({ ask: set({ code }), answer: page(400, P.provider) }),
    "B-6",
  ),
  {
    name: "B-6: twice",
    ask: callback((query) => query.append("code", "x")),
    answer: page(400, P.provider),
  },
  ...each(
    {
      denied: "access_denied",
      consent: "consent_required",
      login: "login_required",
      interaction: "interaction_required",
    },
    (word) => ({
      ask: set({ error: word, error_description: "canary-description" }),
      answer: failed("access_denied"),
    }),
    "B-7, B-10, B-11",
  ),
  ...each(
    { busy: "temporarily_unavailable", error: "server_error" } as const,
    (word) => ({ ask: set({ error: word }), answer: failed(word) }),
    "B-8",
  ),
  ...each(
    { scope: "invalid_scope", markup: "<script>" },
    (word) => ({ ask: set({ error: word }), answer: failed("server_error") }),
    "B-9",
  ),
  ...each(
    { another: "https://evil.example", own: "https://github.com/login/oauth" },
    (iss) => ({ ask: set({ iss }), answer: back }),
    "B-15",
  ),
  {
    name: "B-16",
    ask: async ({ visitor }) => {
      const path = await visitor.toCallback();
      await visitor.browse(path);
      return visitor.browse(path);
    },
    answer: login,
  },
  {
    name: "B-18",
    ask: set({ session_state: "x", scope: "y", authuser: "0", hd: "z", prompt: "none" }),
    answer: back,
  },
  {
    name: "B-19",
    ask: async ({ visitor }) => visitor.browse(await visitor.toCallback({ state: undefined })),
    answer: { kind: "redirect", state: null, to: /\?code=[\w.-]+&iss=/, cookies: /Max-Age=0/ },
  },
  {
    name: "B-20",
    ask: ({ visitor }) => visitor.send("/oauth/callback", { method: "POST" }),
    answer: { kind: "method", allow: "GET, HEAD" },
  },
  {
    name: "B-22: HEAD",
    ask: async ({ visitor }) => {
      const path = await visitor.toCallback();
      return visitor.send(path, { method: "HEAD", headers: { cookie: visitor.jar.header } });
    },
    answer: { ...back, cookies: /^$/ },
  },
  {
    name: "B-22: prefetch",
    ask: async ({ visitor }) =>
      visitor.browse(await visitor.toCallback(), { "sec-purpose": "prefetch;prerender" }),
    answer: page(503, P.loginStale, /^$/),
  },
];
