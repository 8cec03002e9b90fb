import type { ServerName, TokenState } from "../../support/auth-servers.ts";
import { allTools, invalid, sees, validateTools } from "./answers.ts";
import type { Case, Revision } from "./types.ts";

const signedFor: readonly ServerName[] = [
  "jwt",
  "jwt, fixed key",
  "azure",
  "keycloak",
  "auth0",
  "workos",
];
const withKeySet: readonly ServerName[] = ["jwt", "azure", "keycloak", "auth0", "workos"];
const revisions: readonly Revision[] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Whatever is wrong with signature or header, the caller is told no more than that. */
const unsound: readonly TokenState[] = [
  "critical extension",
  "critical extension a library knows",
  "empty critical list",
  "numeric key id",
  "of a foreign key",
  "of a key it brings along",
  "of another published algorithm",
  "another algorithm of the same key",
  "algorithm none",
  "no signature",
  "the public key as secret",
  "tampered claims",
  "two parts",
  "five parts",
  "a fourth part",
  "padded signature",
  "three parts of no JWT",
  "no JWT at all",
];
const invalidJwt = "The access token is not a valid JWT of this server's issuer.";

const refusals: readonly (readonly [reason: string, description: string, ...TokenState[]])[] = [
  ["RFC 7515 4.1.11, 5.2; RFC 8725 2.1, 3.1 to 3.3", invalidJwt, ...unsound],
  ["RFC 7519 4.1.4: exp, with 30 s of tolerance", "The access token has expired.", "expired"],
  [
    "exp is required",
    "The access token has no valid expiry.",
    "without expiry",
    "expiry as text",
    "expiry without end",
  ],
  [
    "RFC 7519 4.1.5: nbf, with 30 s of tolerance",
    "The access token is not valid yet.",
    "not valid yet",
  ],
  ["RFC 7519 4.1.5: NumericDate", "The access token has an invalid start.", "start as text"],
  [
    "RFC 8725 3.8, RFC 9068 4: iss, letter by letter",
    "The access token has another issuer.",
    "of another issuer",
    "of the issuer and a slash",
    "without issuer",
  ],
  [
    "RFC 8725 3.9, RFC 9068 4, RFC 8707, MCP authorization: our audience",
    "The access token is for another audience.",
    "for another audience",
    "for other audiences",
    "for a longer audience",
    "without audience",
  ],
  [
    "RFC 8725 3.11, RFC 9068 4: typ",
    "The token is not an access token.",
    "of an id token",
    "of a logout token",
  ],
  [
    "RFC 7519 7.2: claims",
    "The access token has no claims set.",
    "claims no object",
    "claims no JSON",
  ],
];

/** What a verifier of signed tokens must tell apart, for each provider that has one. */
export const tokenCases: readonly Case[] = [
  ...signedFor.flatMap((server): Case[] => [
    {
      reason: "RFC 9068 4: a sound token",
      servers: [server],
      tokens: [
        "good",
        "good, media type in full",
        "good, plain JWT",
        "good, no type",
        "good, one audience of several",
        "good, expired within the tolerance",
        "good, valid within the tolerance",
      ],
      answer: sees(...validateTools),
    },
    ...refusals.map(
      ([reason, description, ...tokens]): Case => ({
        reason,
        servers: [server],
        tokens,
        answer: invalid(server, description),
      }),
    ),
  ]),
  ...withKeySet.map(
    (server): Case => ({
      reason: "RFC 7517 4.5: the key that kid names, or the only one",
      servers: [server],
      tokens: ["unknown key id"],
      answer: invalid(server, invalidJwt),
    }),
  ),
  {
    reason: "without kid the only usable key of the set",
    servers: withKeySet,
    tokens: ["no key id"],
    answer: sees(...validateTools),
  },
  {
    reason: "a single configured key serves every kid",
    servers: ["jwt, fixed key"],
    tokens: ["unknown key id", "no key id"],
    answer: sees(...validateTools),
  },
  {
    reason: "scp where there is no scope",
    servers: ["jwt", "jwt, fixed key"],
    tokens: ["good, scp for scope"],
    answer: sees(...validateTools),
  },
  {
    reason: "scope hides scp, neither means none",
    servers: ["jwt", "jwt, fixed key"],
    tokens: ["good, no scopes", "empty scope beside scp", "with the scope in capitals"],
    answer: sees(),
  },
  {
    reason: "HS algorithms with a shared secret",
    servers: ["jwt, shared secret"],
    tokens: ["good"],
    answer: sees(...validateTools),
  },
  {
    reason: "RFC 8725 2.1: a server of a shared secret takes no other algorithm",
    servers: ["jwt, shared secret"],
    tokens: ["the public key as secret", "algorithm none", "another algorithm of the same key"],
    answer: invalid("jwt, shared secret", invalidJwt),
  },
  {
    reason: "Ed448, which is verified by hand",
    servers: ["jwt, Ed448"],
    tokens: ["good", "unknown key id"],
    answer: sees(...validateTools),
  },
  {
    reason: "RFC 7515 5.2, RFC 8037: Ed448, which is verified by hand",
    servers: ["jwt, Ed448"],
    tokens: [
      "of a foreign key",
      "tampered claims",
      "algorithm none",
      "of another published algorithm",
      "older name of the algorithm",
      "two parts",
      "five parts",
      "a fourth part",
      "padded signature",
    ],
    answer: invalid("jwt, Ed448", invalidJwt),
  },
  {
    reason: "no caller gets in while the keys are out of reach",
    servers: ["jwt, keys unreachable"],
    tokens: ["good", "expired", "of a foreign key"],
    revisions,
    answer: invalid("jwt, keys unreachable", "The access token cannot be checked at the moment."),
  },
  {
    reason: "keycloak: claim typ tells refresh and id tokens apart",
    servers: ["keycloak"],
    tokens: ["of a refresh token"],
    answer: invalid("keycloak", "The token is not an access token."),
  },
  // Static tokens.
  {
    reason: "a known token, in every revision",
    servers: ["token"],
    tokens: ["static all"],
    revisions,
    answer: sees(...allTools),
  },
  ...(["token", "token, scopes required", "token, step-up"] as const).flatMap((server): Case[] => [
    {
      reason: "RFC 6750 3.1: unknown",
      servers: [server],
      tokens: ["static unknown"],
      revisions,
      answer: invalid(server, "The access token is not known."),
    },
    {
      reason: "RFC 6750 3.1: expired",
      servers: [server],
      tokens: ["static expired"],
      revisions,
      answer: invalid(server, "The access token has expired."),
    },
  ]),
  {
    reason: "MCP authorization: a bad token is 401 in every revision",
    servers: ["jwt, fixed key"],
    tokens: ["expired"],
    revisions,
    answer: invalid("jwt, fixed key", "The access token has expired."),
  },
];
