import type { ServerName } from "../../support/auth-servers.ts";
import { allTools, invalid, malformed, missing, sees, validateTools } from "./answers.ts";
import type { Case } from "./types.ts";

const servers: readonly ServerName[] = ["token", "token, scopes required", "jwt", "keycloak"];
const seen = (server: ServerName) =>
  sees(...(server.startsWith("token") ? allTools : validateTools));

/** Forms of the Authorization header; what the token itself is worth is another matter. */
export const headerCases: readonly Case[] = servers.flatMap((server): Case[] => [
  {
    reason: "RFC 9110 11.1 and 11.4: schemes have no case, spaces may be several",
    servers: [server],
    tokens: ["lower-case scheme", "upper-case scheme", "extra spaces"],
    answer: seen(server),
  },
  {
    reason: "RFC 6750 3: another method is not a method we know",
    servers: [server],
    tokens: ["none", "another scheme", "DPoP scheme", "glued scheme", "empty header"],
    answer: missing(server),
  },
  {
    reason: "RFC 6750 3.1: malformed, no token",
    servers: [server],
    tokens: ["scheme alone", "scheme and spaces"],
    answer: malformed(server, "The Authorization header has no token."),
  },
  {
    reason: "RFC 6750 3.1: malformed, not one token",
    servers: [server],
    tokens: ["two tokens"],
    answer: malformed(server, "The Authorization header is not `Bearer <token>`."),
  },
  {
    reason: "RFC 6750 3.1: more than one credential",
    servers: [server],
    tokens: ["header twice", "two schemes", "two schemes, ours first", "comma after the token"],
    answer: malformed(server, "More than one credential in the Authorization header."),
  },
  {
    reason: "RFC 6750 2.1: b64token",
    servers: [server],
    tokens: ["foreign characters", "letters outside ASCII", "padding inside"],
    answer: invalid(server, "The access token is malformed."),
  },
  {
    reason: "RFC 6750 3.1: a token past our bound",
    servers: [server],
    tokens: ["too long"],
    answer: invalid(server, "The access token is too long."),
  },
]);
