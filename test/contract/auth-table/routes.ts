import type { ServerName, TokenState } from "../../support/auth-servers.ts";
import { allTools, invalid, missing, rpcError, sees, status } from "./answers.ts";
import type { Case, Revision } from "./types.ts";

const published: readonly ServerName[] = [
  "jwt",
  "azure",
  "google",
  "github",
  "keycloak",
  "auth0",
  "workos",
];
const unpublished: readonly ServerName[] = ["open", "token", "jwt, fixed key", "gateway"];
const documents = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
];
const revisions: readonly Revision[] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const handshakes: readonly Revision[] = ["2025-03-26", "2025-06-18", "2025-11-25"];
const anyToken: readonly TokenState[] = ["none", "good", "static unknown", "header twice"];
const stream = "text/event-stream";

/** Paths, methods and bodies: what is decided before or beside the token. */
export const routeCases: readonly Case[] = [
  // Health and readiness belong to load balancers: no guard, no provider.
  {
    reason: "health is never guarded",
    servers: ["token", "jwt"],
    paths: ["/health"],
    methods: ["GET", "HEAD"],
    tokens: ["none", "static unknown"],
    origins: ["none", "foreign"],
    answer: status(200, "health"),
  },
  {
    reason: "readiness is never guarded",
    servers: ["token", "jwt"],
    paths: ["/ready"],
    methods: ["GET", "HEAD"],
    tokens: ["none", "header twice"],
    origins: ["none", "foreign"],
    answer: status(200, "readiness"),
  },
  {
    reason: "health and readiness are for GET and HEAD only",
    servers: ["token"],
    paths: ["/health", "/ready"],
    methods: ["POST", "DELETE"],
    tokens: ["good"],
    answer: status(404, "not found"),
  },
  // Discovery: public, whatever is presented.
  {
    reason: "RFC 9728 3.1 and 3.2: the document of this server",
    servers: published,
    paths: documents,
    methods: ["GET"],
    tokens: ["none"],
    answer: status(200, "metadata"),
  },
  {
    reason: "RFC 9728 3: the document is public",
    servers: ["jwt", "keycloak"],
    paths: documents,
    methods: ["GET", "HEAD"],
    tokens: ["static unknown", "header twice"],
    origins: ["none", "foreign"],
    answer: status(200, "metadata"),
  },
  {
    reason: "nothing to publish",
    servers: unpublished,
    paths: documents,
    methods: ["GET"],
    tokens: ["none"],
    answer: status(404, "not found"),
  },
  {
    reason: "a resource server and no authorization server",
    servers: ["jwt", "github"],
    paths: [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/authorize",
      "/token",
      "/register",
    ],
    methods: ["GET", "POST"],
    tokens: ["none"],
    answer: status(404, "not found"),
  },
  {
    reason: "/mcp is one path, letter by letter",
    servers: ["token", "jwt"],
    paths: ["/mcp//", "/MCP", "/mcp/x", "//mcp", "/"],
    tokens: ["none", "good"],
    answer: status(404, "not found"),
  },
  {
    reason: "other methods end before the token is looked at",
    servers: ["open", "token", "jwt"],
    methods: ["DELETE", "PUT", "PATCH", "OPTIONS"],
    tokens: anyToken,
    on: "server",
    answer: rpcError(405, -32600, { allow: "GET, POST" }),
  },
  {
    reason: "no channel in a function, before the token is looked at",
    servers: ["gateway", "token"],
    methods: ["GET", "DELETE"],
    tokens: ["none"],
    on: "function",
    answer: rpcError(405, -32600, { allow: "POST" }),
  },
  // GET: the optional channel of the 2025 revisions.
  ...(["token", "jwt"] as const).flatMap((server): Case[] => [
    {
      reason: "the channel wants a token",
      servers: [server],
      methods: ["GET"],
      tokens: ["none", "another scheme"],
      revisions: ["2025-11-25", "2026-07-28"],
      accept: stream,
      on: "server",
      answer: missing(server),
    },
    {
      reason: "the channel opens",
      servers: [server],
      methods: ["GET"],
      tokens: ["good", "lower-case scheme"],
      revisions: handshakes,
      accept: stream,
      on: "server",
      answer: status(200, "stream"),
    },
    {
      reason: "the channel is an event stream and nothing else",
      servers: [server],
      methods: ["GET"],
      tokens: ["good"],
      accept: "application/json",
      on: "server",
      answer: rpcError(406, -32600),
    },
    {
      reason: "MCP 2026-07-28: no GET channel",
      servers: [server],
      methods: ["GET"],
      tokens: ["good"],
      revisions: ["2026-07-28"],
      accept: stream,
      on: "server",
      answer: rpcError(405, -32600, { allow: "POST" }),
    },
    {
      reason: "MCP transports: unknown revision",
      servers: [server],
      methods: ["GET"],
      tokens: ["good"],
      revisions: ["unknown"],
      accept: stream,
      on: "server",
      answer: rpcError(400, -32600),
    },
  ]),
  {
    reason: "RFC 6750 3.1: the channel and a bad token",
    servers: ["token"],
    methods: ["GET"],
    tokens: ["static unknown"],
    accept: stream,
    on: "server",
    answer: invalid("token", "The access token is not known."),
  },
  // The token before the body.
  ...(["token", "jwt"] as const).flatMap((server): Case[] => [
    {
      reason: "the body is read after authentication",
      servers: [server],
      tokens: ["none"],
      text: "not JSON",
      answer: missing(server),
    },
    {
      reason: "the media type is looked at after authentication",
      servers: [server],
      tokens: ["none"],
      contentType: "text/plain",
      answer: missing(server),
    },
    {
      reason: "MCP transports: media type",
      servers: [server],
      tokens: ["good"],
      contentType: "text/plain",
      answer: rpcError(415, -32600),
    },
    {
      reason: "JSON-RPC 2.0: no JSON",
      servers: [server],
      tokens: ["good"],
      text: "not JSON",
      answer: rpcError(400, -32700),
    },
    {
      reason: "RFC 6750 2.2 is not offered, MCP authorization: the header only",
      servers: [server],
      tokens: ["none"],
      contentType: "application/x-www-form-urlencoded",
      text: "access_token=token-all",
      answer: missing(server),
    },
    {
      reason: "RFC 6750 2.3 is not offered, MCP authorization: never in the query",
      servers: [server],
      paths: ["/mcp?access_token=token-all", "/mcp?token=token-all"],
      methods: ["POST", "GET"],
      tokens: ["none"],
      on: "server",
      answer: missing(server),
    },
    {
      reason: "MCP authorization: every request, in every revision",
      servers: [server],
      tokens: ["none", "another scheme"],
      revisions,
      answer: missing(server),
    },
  ]),
  {
    reason: "without authentication nothing is hidden or asked for",
    servers: ["open"],
    tokens: ["none", "static unknown", "header twice", "foreign characters"],
    revisions,
    answer: sees(...allTools),
  },
];
