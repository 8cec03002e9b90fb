import { z } from "zod";
import { Scope } from "./scopes.ts";

/** Settings and secrets of the auth providers come from variables with this prefix, or from files they name. */
export const authPrefix = "VALIDATOR_MCP_AUTH_";

const mib = 1_048_576;
/** Longest bearer token accepted, in characters. Node reads 16 KiB of headers, so 4 KiB remain for the others. */
export const maxTokenLength = 12_288;
/** Clock skew allowed when `exp` and `nbf` of a JWT are checked, in seconds. */
export const clockToleranceS = 30;
/** Seconds for which a fetched key set is used, from the moment of the fetch. */
export const keySetLifetimeS = 3_600;
/** Minimum seconds between two fetches caused by an unknown `kid`. */
export const keySetCooldownS = 30;
/** Maximum seconds for which a positive answer about an opaque token is cached. */
export const opaqueTokenLifetimeS = 300;
/** Timeout and maximum response size of every request to an identity provider. */
export const providerTimeoutMs = 10_000;
export const providerMaxBytes = mib;

/** Access token syntax of RFC 6750, section 2.1. */
export const B64Token = z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/);

const scopeToken = z
  .string()
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]+$/,
    "must be a scope: printable characters without spaces, quotes or backslashes",
  );

/** The caller that one static token identifies. */
/** The end of the year 9999 in Unix seconds. A larger number is a time in milliseconds: its token would never expire. */
const lastSecond = 253_402_300_799;

export const TokenEntry = z
  .strictObject({
    client_id: z.string().min(1).describe("Name of the client, for the audit record."),
    scopes: z.array(scopeToken).optional().describe("Scopes granted. Default: none."),
    sub: z.string().min(1).optional().describe("Subject. Default: the client id."),
    expires_at: z
      .number()
      .min(0)
      .max(lastSecond)
      .optional()
      .describe("Unix time in seconds at which the token expires. Default: never."),
  })
  .describe("One static token.");
export type TokenEntry = z.infer<typeof TokenEntry>;

export const ScopeMap = z
  .record(z.string().min(1), z.array(Scope))
  .describe(
    "Maps a scope, group, role or login of the provider, or `*` for every caller, to scopes of this server.",
  );
export type ScopeMap = z.infer<typeof ScopeMap>;

/** The only signature algorithm that a `jwt` deployment accepts. */
export const JwtAlgorithm = z.enum([
  "RS256",
  "RS384",
  "RS512",
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "HS256",
  "HS384",
  "HS512",
  "EdDSA",
  "Ed25519",
  "Ed448",
]);
export type JwtAlgorithm = z.infer<typeof JwtAlgorithm>;

/** Protected resource metadata (RFC 9728): the members that this server publishes. */
export const ProtectedResourceMetadata = z
  .strictObject({
    resource: z.url(),
    authorization_servers: z.array(z.url()).min(1),
    scopes_supported: z.array(z.string()).min(1).optional(),
    bearer_methods_supported: z.tuple([z.literal("header")]),
    resource_name: z.string(),
  })
  .describe(
    "Response of GET /.well-known/oauth-protected-resource and /.well-known/oauth-protected-resource/mcp.",
  );
export type ProtectedResourceMetadata = z.infer<typeof ProtectedResourceMetadata>;

/** Body of an error response of the authorization layer (RFC 6750, section 3.1). */
export const AuthErrorBody = z
  .strictObject({
    error: z.enum(["invalid_request", "invalid_token", "insufficient_scope"]),
    error_description: z.string(),
  })
  .describe("Body of a 400, 401 or 403 response of the authorization layer.");
export type AuthErrorBody = z.infer<typeof AuthErrorBody>;
