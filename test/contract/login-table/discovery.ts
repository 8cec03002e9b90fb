import { each, type Row } from "../login.table.ts";

const resource = "/.well-known/oauth-protected-resource";
const server = "/.well-known/oauth-authorization-server";
const get =
  (path: string, headers: Record<string, string> = {}): Row["ask"] =>
  ({ visitor }) =>
    visitor.send(path, { headers });
const resourceBody = (base: string) => ({
  resource: `${base}/mcp`,
  authorization_servers: [base],
  bearer_methods_supported: ["header"],
  resource_name: "IAM Policy Validator",
});
const serverBody = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/oauth/authorize`,
  token_endpoint: `${base}/oauth/token`,
  registration_endpoint: `${base}/oauth/register`,
  revocation_endpoint: `${base}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ["none"],
  scopes_supported: ["iam:validate", "iam:query", "iam:analyze", "iam:config"],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});
const base = "https://validator.example.com";
const pathBase = "https://tools.example.com/validator";
const {
  revocation_endpoint: _,
  revocation_endpoint_auth_methods_supported: __,
  ...azureBody
} = serverBody(base);

export const discoveryRows: Row[] = [
  {
    name: "D-1",
    ask: get(`${resource}/mcp`),
    answer: { kind: "document", body: resourceBody(base) },
  },
  { name: "D-2", ask: get(resource), answer: { kind: "document", body: resourceBody(base) } },
  { name: "D-3", ask: get(server), answer: { kind: "document", body: serverBody(base) } },
  {
    name: "D-3: refresh tokens are off",
    front: "no refresh",
    ask: get(server),
    answer: {
      kind: "document",
      body: { ...serverBody(base), grant_types_supported: ["authorization_code"] },
    },
  },
  {
    name: "D-3: metadata documents are on",
    front: "documents",
    ask: get(server),
    answer: {
      kind: "document",
      body: { ...serverBody(base), client_id_metadata_document_supported: true },
    },
  },
  {
    name: "D-1: required and advertised scopes",
    front: "strict",
    ask: get(resource),
    answer: {
      kind: "document",
      body: { ...resourceBody(base), scopes_supported: ["iam:validate", "iam:config"] },
    },
  },
  {
    name: "V-9: no revocation at Entra",
    front: "azure",
    ask: get(server),
    answer: { kind: "document", body: azureBody },
  },
  {
    name: "D-4",
    front: "path",
    ask: get(`${server}/validator`),
    answer: { kind: "document", body: serverBody(pathBase) },
  },
  {
    name: "D-4: at the root too",
    front: "path",
    ask: get(server),
    answer: { kind: "document", body: serverBody(pathBase) },
  },
  {
    name: "D-5: the endpoint",
    front: "path",
    ask: get(`${resource}/validator/mcp`),
    answer: { kind: "document", body: resourceBody(pathBase) },
  },
  {
    name: "D-5: the base",
    front: "path",
    ask: get(`${resource}/validator`),
    answer: { kind: "document", body: resourceBody(pathBase) },
  },
  ...each(
    {
      openid: "/.well-known/openid-configuration",
      authorize: "/authorize",
      token: "/token",
      register: "/register",
      other: `${server}/other`,
    },
    (path) => ({ ask: get(path), answer: { kind: "absent" } }),
    "D-6, D-10",
  ),
  ...each(
    { resource: `${resource}/mcp`, root: resource, server },
    (path) => ({
      ask: ({ visitor }) =>
        visitor.send(path, { method: "OPTIONS", headers: { origin: "https://a.example" } }),
      answer: { kind: "preflight", methods: "GET" },
    }),
    "D-7",
  ),
  ...each(
    { resource: `${resource}/mcp`, root: resource, server },
    (path) => ({
      ask: ({ visitor }) => visitor.send(path, { method: "POST" }),
      answer: { kind: "method", allow: "GET, HEAD, OPTIONS" },
    }),
    "D-8",
  ),
  ...each(
    {
      origin: { origin: "https://a.example" },
      authorization: { authorization: "Bearer x" },
      cookie: { cookie: "a=b" },
    },
    (headers) => ({
      ask: get(`${server}?a=b`, headers),
      answer: { kind: "document", body: serverBody(base) },
    }),
    "D-9",
  ),
  ...each(
    {
      authorize: "/oauth/authorize",
      register: "/oauth/register",
      token: "/oauth/token",
      revoke: "/oauth/revoke",
      callback: "/oauth/callback",
      server,
    },
    (path) => ({ front: "off", ask: get(path), answer: { kind: "absent" } }),
    "login is off",
  ),
  {
    name: "D-11",
    ask: ({ visitor }) => visitor.send("/mcp", { method: "POST" }),
    answer: { kind: "mcp", status: 401 },
  },
];
