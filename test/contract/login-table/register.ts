import { type Expected, each, error, type Row } from "../login.table.ts";

const good = { client_name: "Trial", redirect_uris: ["http://127.0.0.1:4711/callback"] };
const registered = (changes: object = {}): Expected => ({
  kind: "json",
  status: 201,
  body: {
    client_name: "Trial",
    redirect_uris: good.redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...changes,
  },
});
const send =
  (metadata: object, headers: Record<string, string> = {}): Row["ask"] =>
  ({ visitor }) =>
    visitor.send("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(metadata),
    });
const raw =
  (body: string, type = "application/json"): Row["ask"] =>
  ({ visitor }) =>
    visitor.send("/oauth/register", { method: "POST", headers: { "content-type": type }, body });
const metadataError = error(400, "invalid_client_metadata");
const redirectError = error(400, "invalid_redirect_uri");

const dropped = {
  "R-8: fragment": "http://127.0.0.1:1/cb#x",
  "R-8: user information": "https://a@vscode.dev/redirect",
  "R-8: control character": "http://127.0.0.1:1/c\u0007b",
  "R-8: blank": "http://127.0.0.1:1/c b",
  "R-8: backslash": "http://127.0.0.1:1/c\\b",
  "R-8: capital scheme": "HTTP://127.0.0.1:1/cb",
  "R-8: over 512": `http://127.0.0.1:1/${"a".repeat(500)}`,
  "R-9: name that begins like loopback": "http://127.0.0.1.evil.example/cb",
  "R-9: loopback as user": "http://localhost@evil.example/",
  "R-9: one number": "http://2130706433/",
  "R-9: short form": "http://127.1/",
  "R-9: any address": "http://0.0.0.0/",
  "R-9: mapped address": "http://[::ffff:127.0.0.1]/",
  "R-9: port past the last": "http://127.0.0.1:65536/",
  "R-10: slash": "https://vscode.dev/redirect/",
  "R-10: query": "https://vscode.dev/redirect?x",
  "R-10: capitals": "https://VSCODE.dev/redirect",
  "R-10: port": "https://vscode.dev:443/redirect",
  "R-11: javascript": "javascript:alert(1)",
  "R-11: data": "data:text/html,x",
  "R-11: file": "file:///etc/passwd",
  "R-11: another path of Cursor": "cursor://other/callback",
  "R-11: vscode": "vscode://x/y",
  "R-12: two segments": "https://chatgpt.com/connector/oauth/a/b",
  "R-12: no segment": "https://chatgpt.com/connector/oauth/",
  "R-12: parent": "https://chatgpt.com/connector/oauth/..",
};
const vscode = [
  "http://127.0.0.1:33418/",
  "http://127.0.0.1/",
  "https://vscode.dev/redirect",
  "https://insiders.vscode.dev/redirect",
];
const cursor = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];

export const registerRows: Row[] = [
  { name: "R-1", ask: send(good), answer: registered() },
  ...each(
    { "VS Code": vscode, Cursor: cursor },
    (uris) => ({
      ask: send({ ...good, redirect_uris: [...uris, "https://stranger.example/cb"] }),
      answer: registered({ redirect_uris: uris }),
    }),
    "R-3",
  ),
  {
    name: "R-4",
    ask: send({ ...good, redirect_uris: ["https://stranger.example/cb"] }),
    answer: redirectError,
  },
  ...each(
    {
      missing: undefined,
      empty: [],
      text: "http://127.0.0.1/",
      number: [1],
      "17 of them": Array.from({ length: 17 }, (_, i) => `http://127.0.0.1/${i}`),
    },
    (redirect_uris) => ({ ask: send({ ...good, redirect_uris }), answer: redirectError }),
    "R-5, R-6",
  ),
  {
    name: "R-7",
    ask: send({
      ...good,
      redirect_uris: Array.from({ length: 6 }, (_, i) => `http://127.0.0.1/${i}${"a".repeat(400)}`),
    }),
    answer: metadataError,
  },
  ...each(
    dropped,
    (uri) => ({ ask: send({ ...good, redirect_uris: [uri] }), answer: redirectError }),
    "alone",
  ),
  ...each(
    dropped,
    (uri) => ({
      ask: send({ ...good, redirect_uris: [uri, ...good.redirect_uris] }),
      answer: registered(),
    }),
    "with a good one",
  ),
  {
    name: "R-12",
    ask: send({ ...good, redirect_uris: ["https://chatgpt.com/connector/oauth/Ab_1"] }),
    front: "documents",
    answer: registered({ redirect_uris: ["https://chatgpt.com/connector/oauth/Ab_1"] }),
  },
  ...each(
    { basic: "client_secret_basic", post: "client_secret_post", key: "private_key_jwt" },
    (token_endpoint_auth_method) => ({
      ask: send({ ...good, token_endpoint_auth_method }),
      answer: registered(),
    }),
    "R-13",
  ),
  ...each(
    {
      "grant types without code": { grant_types: ["client_credentials"] },
      "response types without code": { response_types: ["token"] },
      "grant_types as text": { grant_types: "authorization_code" },
      "response_types with a number": { response_types: [1] },
      "client_name as list": { client_name: ["x"] },
    },
    (changes) => ({ ask: send({ ...good, ...changes }), answer: metadataError }),
    "R-14, R-15",
  ),
  ...each(
    { missing: undefined, empty: "", blank: "  " },
    (client_name) => ({
      ask: send({ ...good, client_name }),
      answer: registered({ client_name: "unnamed app" }),
    }),
    "R-16",
  ),
  ...each(
    {
      markup: ["<b>x</b>", "<b>x</b>"],
      control: ["a\u0000b", "a\\u0000b"],
      bidirectional: ["a\u202eb", "a\\u202eb"],
      long: ["x".repeat(10_000), `${"x".repeat(79)}…`],
    },
    ([client_name, shown]) => ({
      ask: send({ ...good, client_name }),
      answer: registered({ client_name: shown }),
    }),
    "R-17",
  ),
  {
    name: "R-18",
    ask: send({
      ...good,
      software_statement: "x",
      jwks: {},
      logo_uri: "https://x.example/",
      scope: "a",
      application_type: "web",
    }),
    answer: registered(),
  },
  ...each(
    {
      "another media type": raw(JSON.stringify(good), "text/plain"),
      "not JSON": raw("{"),
      array: raw("[]"),
      null: raw("null"),
      "repeated members": raw(
        '{"redirect_uris":["http://127.0.0.1/"],"redirect_uris":["http://127.0.0.1/a"]}',
      ),
      "nested deeply": raw(
        `{"redirect_uris":["http://127.0.0.1/"],"x":${"[".repeat(30)}${"]".repeat(30)}}`,
      ),
      "nested very deeply": raw(`{"x":${"[".repeat(8_000)}${"]".repeat(8_000)}}`),
    },
    (ask) => ({ ask, answer: metadataError }),
    "R-19",
  ),
  {
    name: "R-20",
    ask: raw(`{"x":"${"a".repeat(16_384)}"}`),
    answer: error(413, "invalid_client_metadata"),
  },
  {
    name: "R-21",
    ask: raw(
      '{"redirect_uris":["http://127.0.0.1:4711/callback"],"client_name":"Trial","__proto__":{"a":1},"constructor":1}',
    ),
    answer: registered(),
  },
  { name: "R-22", ask: send(good, { origin: "https://anything.example" }), answer: registered() },
  {
    name: "R-23",
    ask: ({ visitor }) => visitor.send("/oauth/register", { method: "OPTIONS" }),
    answer: { kind: "preflight", methods: "POST" },
  },
  ...each(
    { GET: "GET", PUT: "PUT", DELETE: "DELETE" },
    (method) => ({
      ask: ({ visitor }) => visitor.send("/oauth/register", { method }),
      answer: { kind: "method", allow: "POST, OPTIONS" },
    }),
    "R-24",
  ),
  {
    name: "R-25",
    ask: send(good, { authorization: "Bearer initial", cookie: "a=b" }),
    answer: registered(),
  },
];
