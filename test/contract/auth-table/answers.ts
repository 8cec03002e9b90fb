import type { ServerName } from "../../support/auth-servers.ts";
import type { Answer, BodyClass } from "./types.ts";

const document = "https://validator.example.com/.well-known/oauth-protected-resource/mcp" as const;
const metadata = `resource_metadata="${document}"`;

/** What clients are told to ask for by default, where tokens can carry it. */
const all = "iam:validate iam:query iam:analyze iam:config";
const application = "api://11112222-bbbb-3333-cccc-4444dddd5555";
const qualified = all.replaceAll("iam:", `${application}/iam:`);

/** Servers by what they can tell a client, and how their challenges say it. */
const hints: Partial<Record<ServerName, { readonly scope?: string; readonly metadata?: true }>> = {
  "token, scopes required": { scope: "iam:validate iam:query" },
  "token, floor and step-up": { scope: "iam:query" },
  jwt: { scope: "iam:validate iam:query", metadata: true },
  "jwt, keys unreachable": { scope: "iam:validate iam:query", metadata: true },
  "jwt, fixed key": { scope: all },
  "jwt, shared secret": { scope: all },
  "jwt, Ed448": { scope: all },
  "jwt, scope required": { scope: all, metadata: true },
  "jwt, step-up": { scope: all, metadata: true },
  azure: { scope: `${application}/access ${qualified}`, metadata: true },
  google: { scope: "openid", metadata: true },
  "google, down": { scope: "openid", metadata: true },
  "google, limiting": { scope: "openid", metadata: true },
  "google, nonsense": { scope: "openid", metadata: true },
  github: { scope: "user", metadata: true },
  "github, down": { scope: "user", metadata: true },
  "github, limiting": { scope: "user", metadata: true },
  "github, nonsense": { scope: "user", metadata: true },
  keycloak: { scope: `openid ${all}`, metadata: true },
  auth0: { scope: `openid ${all}`, metadata: true },
  workos: { scope: all, metadata: true },
};

function challenge(server: ServerName, error: readonly string[], scope?: string | false): string {
  const known = hints[server];
  const named = scope === false ? undefined : (scope ?? known?.scope);
  const parts = [
    ...error,
    ...(named === undefined ? [] : [`scope="${named}"`]),
    ...(known?.metadata ? [metadata] : []),
  ];
  return `Bearer ${parts.length > 0 ? parts.join(", ") : 'realm="validator-mcp"'}`;
}

const error = (code: string, description: string) => [
  `error="${code}"`,
  `error_description="${description}"`,
];

/** No credentials: a challenge without an error, and no body. */
export const missing = (server: ServerName): Answer => ({
  status: 401,
  body: "nothing",
  challenge: challenge(server, []),
});

/** One header that is not one credential. */
export const malformed = (server: ServerName, description: string): Answer => ({
  status: 400,
  body: "oauth error",
  challenge: challenge(server, error("invalid_request", description), false),
});

export const invalid = (server: ServerName, description: string): Answer => ({
  status: 401,
  body: "oauth error",
  challenge: challenge(server, error("invalid_token", description)),
});

/** @param scope all that the request needs. */
export const insufficient = (server: ServerName, scope: string, description: string): Answer => ({
  status: 403,
  body: "oauth error",
  challenge: challenge(server, error("insufficient_scope", description), scope),
});

export const lacksRequired = "The access token lacks a scope that every request needs.";

export const status = (code: number, body: BodyClass): Answer => ({ status: code, body });

/** A list that holds exactly these tools. */
export const sees = (...tools: string[]): Answer => ({ status: 200, body: "tools", tools });

/** A JSON-RPC error; those of HTTP 200 are answers of the protocol, not of authorization. */
export const rpcError = (
  status: number,
  code: number,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, body: "error", code, headers });

export const allTools = [
  "validate_policies",
  "query",
  "describe_checks",
  "get_config",
  "analyze_policy",
] as const;
export const validateTools = ["validate_policies", "describe_checks"] as const;
