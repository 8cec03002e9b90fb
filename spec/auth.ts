import { z } from "zod";
import { Scope } from "./scopes.ts";

/** All material of the auth providers comes from variables of this prefix, or from a file one of them names. */
export const authPrefix = "VALIDATOR_MCP_AUTH_";

const mib = 1_048_576;
/** Longest bearer token that is looked at, in characters; it leaves room for other headers in the 16 KiB a server reads. */
export const maxTokenLength = 12_288;
/** Seconds a clock may be off when `exp` and `nbf` of a JWT are judged. */
export const clockToleranceS = 30;
/** Seconds a fetched key set is used, from the moment of the fetch. */
export const keySetLifetimeS = 3_600;
/** Least seconds between fetches that an unknown `kid` causes. */
export const keySetCooldownS = 30;
/** Most seconds a positive answer about an opaque token is used. */
export const opaqueTokenLifetimeS = 300;
/** Bounds of every request to an identity provider. */
export const providerTimeoutMs = 10_000;
export const providerMaxBytes = mib;

/** Access token syntax of RFC 6750, section 2.1. */
export const B64Token = z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/);

const scopeToken = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope: printable, no blank, quote or backslash");

/** What one static token stands for. */
export const TokenEntry = z
  .strictObject({
    client_id: z.string().min(1).describe("Name of the client, for the audit record."),
    scopes: z.array(scopeToken).optional().describe("Scopes granted; absent: none."),
    sub: z.string().min(1).optional().describe("Subject; absent: the client id."),
    expires_at: z
      .number()
      .min(0)
      .optional()
      .describe("Unix seconds from which the token is refused; absent: never."),
  })
  .describe("One static token.");
export type TokenEntry = z.infer<typeof TokenEntry>;

/** The token file, and the inline form in `VALIDATOR_MCP_AUTH_TOKENS`: token to entry, at least one. */
export const TokenFile = z
  .record(B64Token.max(maxTokenLength), TokenEntry)
  .refine((entries) => Object.keys(entries).length > 0, "must hold at least one token")
  .describe("Static bearer tokens.");

export const ScopeMap = z
  .record(z.string().min(1), z.array(Scope))
  .describe(
    "Scope, group, role or login of the provider, or `*` for everyone, to scopes of this server.",
  );
export type ScopeMap = z.infer<typeof ScopeMap>;

/** The one signature algorithm of a `jwt` deployment. */
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

/** RFC 9728, the members this server publishes. */
export const ProtectedResourceMetadata = z
  .strictObject({
    resource: z.url(),
    authorization_servers: z.array(z.url()).min(1),
    scopes_supported: z.array(z.string()).min(1).optional(),
    bearer_methods_supported: z.tuple([z.literal("header")]),
    resource_name: z.string(),
  })
  .describe("Answer of GET /.well-known/oauth-protected-resource and its /mcp form.");
export type ProtectedResourceMetadata = z.infer<typeof ProtectedResourceMetadata>;

/** Body of a refusal with an error code (RFC 6750, section 3.1). */
export const AuthErrorBody = z
  .strictObject({
    error: z.enum(["invalid_request", "invalid_token", "insufficient_scope"]),
    error_description: z.string(),
  })
  .describe("Body of a 400, 401 or 403 of the authorization layer.");
export type AuthErrorBody = z.infer<typeof AuthErrorBody>;
