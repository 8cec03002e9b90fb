import { allTools, missing, rpcError, sees, status } from "./answers.ts";
import type { Case, Revision } from "./types.ts";

const revisions: readonly Revision[] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Origin and Host: decided before method and token. `guard.test.ts` has the rules themselves as a table. */
export const guardCases: readonly Case[] = [
  {
    reason: "MCP transports: a foreign Origin is refused first",
    servers: ["open", "token", "jwt", "keycloak"],
    methods: ["POST", "GET", "DELETE"],
    tokens: ["none", "good", "header twice"],
    origins: ["foreign", "opaque"],
    on: "server",
    answer: rpcError(403, -32600),
  },
  {
    reason: "a foreign Origin is refused in every revision",
    servers: ["token"],
    tokens: ["good"],
    revisions,
    origins: ["foreign"],
    answer: rpcError(403, -32600),
  },
  {
    reason: "own origin and loopback pair pass",
    servers: ["token"],
    tokens: ["good"],
    revisions: ["2025-11-25", "2026-07-28"],
    origins: ["own", "loopback"],
    on: "server",
    answer: sees(...allTools),
  },
  {
    reason: "an accepted Origin replaces no token",
    servers: ["token"],
    tokens: ["none"],
    origins: ["own", "loopback"],
    on: "server",
    answer: missing("token"),
  },
  {
    reason: "an accepted Origin replaces no token",
    servers: ["jwt, fixed key"],
    tokens: ["none"],
    origins: ["own", "loopback"],
    on: "server",
    answer: missing("jwt, fixed key"),
  },
  {
    reason: "a page of an allowed origin passes and may read the answer",
    servers: ["token, allow lists"],
    tokens: ["good"],
    origins: ["listed"],
    host: "validator.example.com",
    answer: {
      ...sees(...allTools),
      headers: {
        "access-control-allow-origin": "https://tools.example.com",
        "access-control-expose-headers":
          "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After",
        vary: "Origin",
      },
    },
  },
  {
    reason: "the allow list belongs to its server",
    servers: ["token"],
    tokens: ["good"],
    origins: ["listed"],
    answer: rpcError(403, -32600),
  },
  ...["attacker.example", "localhost.attacker.example", "10.0.0.1"].map(
    (host): Case => ({
      reason: "DNS rebinding",
      servers: ["token"],
      methods: ["POST", "GET", "DELETE"],
      tokens: ["none", "good"],
      host,
      on: "server",
      answer: status(421, "text"),
    }),
  ),
  {
    reason: "RFC 9112 3.2: a Host that is none",
    servers: ["token"],
    methods: ["POST", "GET", "DELETE"],
    tokens: ["none", "good"],
    host: "user@localhost",
    on: "server",
    answer: status(400, "bare"),
  },
  ...["attacker.example", "localhost.attacker.example"].map(
    (host): Case => ({
      reason: "on any address, hosts are not checked unless listed",
      servers: ["token, any address"],
      tokens: ["good"],
      host,
      on: "server",
      answer: sees(...allTools),
    }),
  ),
  ...["validator.example.com", "VALIDATOR.example.com:8443"].map(
    (host): Case => ({
      reason: "an allowed host passes",
      servers: ["token, allow lists"],
      tokens: ["good"],
      host,
      answer: sees(...allTools),
    }),
  ),
  {
    reason: "allowed hosts add to those of a loopback address",
    servers: ["token, allow lists"],
    tokens: ["good"],
    host: "localhost:8000",
    on: "server",
    answer: sees(...allTools),
  },
  ...["attacker.example", "validator.example.com.attacker.example", "localhost"].map(
    (host): Case => ({
      reason: "an address of anyone's, once hosts are listed",
      servers: ["token, allow lists"],
      tokens: ["none", "good"],
      host,
      on: "function",
      answer: status(421, "text"),
    }),
  ),
];
