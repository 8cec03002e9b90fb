import type { ServerName } from "../../support/auth-servers.ts";
import { insufficient, invalid, lacksRequired, missing, sees } from "./answers.ts";
import type { Case } from "./types.ts";

const unchecked = "The access token cannot be checked at the moment.";
const names = { google: "Google", github: "GitHub" } as const;
const audiences = { google: "audience", github: "app" } as const;

/** Providers that validate tokens themselves, and the gateway, which has done so before us. */
export const providerCases: readonly Case[] = [
  ...(["google", "github"] as const).flatMap((server): Case[] => [
    {
      reason: "let in, and without a scope map no tool",
      servers: [server],
      tokens: ["good"],
      revisions: ["2025-11-25", "2026-07-28"],
      answer: sees(),
    },
    {
      reason: "the provider does not know the token",
      servers: [server],
      tokens: ["unknown"],
      answer: invalid(server, `${names[server]} does not know the access token.`),
    },
    {
      reason: "a token for another client is none of ours",
      servers: [server],
      tokens: ["for another app"],
      answer: invalid(server, `The access token is for another ${audiences[server]}.`),
    },
    {
      reason: "never past expiry",
      servers: [server],
      tokens: ["expired"],
      answer: invalid(server, "The access token has expired."),
    },
    {
      reason: "the provider's own floor",
      servers: [server],
      tokens: ["lacking the scope"],
      answer: insufficient(server, server === "google" ? "openid" : "user", lacksRequired),
    },
    ...(
      [
        ["down", "provider down"],
        ["limiting", "provider limits"],
        ["nonsense", "provider answers nonsense"],
      ] as const
    ).map(([trouble, token]): Case => {
      const troubled: ServerName = `${server}, ${trouble}`;
      return {
        reason: "a provider in trouble lets no caller in",
        servers: [troubled],
        tokens: [token],
        answer: invalid(troubled, unchecked),
      };
    }),
  ]),
  ...(["azure", "google", "github", "keycloak", "auth0", "workos"] as const).flatMap(
    (server): Case[] => [
      {
        reason: "RFC 6750 3, RFC 9728 5.1, MCP authorization: the first challenge",
        servers: [server],
        tokens: ["none", "another scheme"],
        revisions: ["2025-11-25", "2026-07-28"],
        answer: missing(server),
      },
    ],
  ),
  ...(
    [
      ["azure", "api://11112222-bbbb-3333-cccc-4444dddd5555/access"],
      ["keycloak", "openid"],
      ["auth0", "openid"],
    ] as const
  ).map(
    ([server, scope]): Case => ({
      reason: "RFC 6750 3.1: the provider's own floor",
      servers: [server],
      tokens: ["lacking the scope", "with the scope in capitals", "good, no scopes"],
      answer: insufficient(server, scope, lacksRequired),
    }),
  ),
  // Gateway: identity comes with the event and from nowhere else.
  {
    reason: "claims of a JWT authorizer",
    servers: ["gateway"],
    tokens: ["authorizer with claims"],
    on: "function",
    answer: sees("query"),
  },
  {
    reason: "IAM callers have no scopes",
    servers: ["gateway"],
    tokens: ["authorizer with IAM"],
    on: "function",
    answer: sees(),
  },
  {
    reason: "any other shape identifies no caller, whatever a header says",
    servers: ["gateway"],
    tokens: [
      "authorizer of another shape",
      "authorizer without claims",
      "no authorizer",
      "good",
      "header twice",
    ],
    on: "function",
    answer: invalid("gateway", "The gateway in front of this server passed on no identity."),
  },
];
