import { z } from "zod";
import { Scope } from "./scopes.ts";

// The authorization-server front: what it says on the wire, and what it seals for itself.

/** Providers that people can log in at through this server. */
export const loginProviders = ["github", "google", "azure", "auth0", "jwt"] as const;
export type LoginProvider = (typeof loginProviders)[number];

/** Variables of the front, without the prefix VALIDATOR_MCP_AUTH_. */
export const loginVariables = [
  "LOGIN",
  "OAUTH_KEYS",
  "OAUTH_KEYS_FILE",
  "OAUTH_REDIRECTS",
  "OAUTH_METADATA_HOSTS",
  "OAUTH_ACCESS_TOKEN_S",
  "OAUTH_SESSION_S",
] as const;
/** Further variables that `jwt` needs. */
export const jwtLoginVariables = [
  "OAUTH_CLIENT_ID",
  "OAUTH_CLIENT_SECRET",
  "OAUTH_SCOPES",
] as const;

export const maxKeys = 8;
/** A key has 32 bytes, as many as the ciphers need; fewer different ones than this are not random. */
export const keyBytes = 32;
export const minDifferentKeyBytes = 16;

/** Lifetime of the consent page and the login cookie, in seconds. */
export const consentLifetimeS = 600;
/** Lifetime of an authorization code of this server, in seconds. */
export const codeLifetimeS = 300;
export const accessTokenBounds = { least: 60, most: 86_400, standard: 3_600 } as const;
export const sessionBounds = { least: 600, most: 2_592_000, standard: 86_400 } as const;

export const maxClientIdLength = 2_048;
export const maxClientNameLength = 80;
const maxRedirects = 16;
export const maxRedirectLength = 512;
export const maxStateLength = 1_024;
export const maxScopeLength = 1_024;
export const maxQueryLength = 8_192;
export const maxProviderCodeLength = 4_096;
export const maxSubjectLength = 255;
/** Bytes of a body on any route of the front. */
export const maxLoginBodyBytes = 16_384;
/** A browser holds this many logins at once; a further one ends the oldest. */
export const maxLoginCookies = 4;

/** Hosted callbacks of the editors that MCP users have most. */
export const editorRedirects = [
  "https://vscode.dev/redirect",
  "https://insiders.vscode.dev/redirect",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
] as const;

const hash = z.string().regex(/^[\w-]{43}$/);
const unixS = z.int().min(0);
const scopes = z.array(Scope).max(Scope.options.length);
const state = z.string().max(maxStateLength).optional();

/** How a client is known: by its own registration, or by a document that its host vouches for. */
const ClientKind = z.enum(["registered", "document"]);

const common = { v: z.literal(1), exp: unixS };

/** What the consent page carries in its form. */
const ConsentPayload = z.strictObject({
  ...common,
  client: hash.describe("SHA-256 of the client id."),
  kind: ClientKind,
  name: z.string(),
  redirect: z.string(),
  state,
  challenge: hash,
  scopes,
  nonce: hash.describe("SHA-256 of the browser's nonce."),
});

/** What the cookie of one login carries while the person is at the provider. */
export const LoginPayload = z.strictObject({
  ...common,
  client: hash,
  redirect: z.string(),
  state,
  challenge: hash,
  scopes,
  id: z.string().describe("`state` towards the provider."),
  verifier: z.string().describe("PKCE towards the provider."),
  nonce: z.string().describe("Of the ID token."),
});
export type LoginPayload = z.infer<typeof LoginPayload>;

/** What the authorization code of this server carries: the provider's code, not redeemed yet. */
export const CodePayload = z.strictObject({
  ...common,
  client: hash,
  redirect: z.string(),
  challenge: hash,
  scopes,
  code: z.string(),
  verifier: z.string(),
  nonce: z.string(),
});
export type CodePayload = z.infer<typeof CodePayload>;

/** Tokens of the provider with which this server asks it again. */
export const ProviderGrant = z.strictObject({
  refresh: z.string().optional(),
  access: z.string().optional(),
  access_end: unixS.optional(),
});
export type ProviderGrant = z.infer<typeof ProviderGrant>;

/** What a refresh token of this server carries. `exp` is the end of the session, whatever happens in between. */
export const RefreshPayload = z.strictObject({
  ...common,
  client: hash,
  scopes: scopes.describe("Requested at login; empty: all that the account may use."),
  sub: z.string().min(1).max(maxSubjectLength),
  at: unixS.describe("Time of the login."),
  entitled: scopes,
  nonce: z.string(),
  grant: ProviderGrant,
});
export type RefreshPayload = z.infer<typeof RefreshPayload>;

export const sealed = {
  consent: { schema: ConsentPayload, most: 6_144 },
  login: { schema: LoginPayload, most: 3_900 },
  code: { schema: CodePayload, most: 8_192 },
  refresh: { schema: RefreshPayload, most: 12_288 },
} as const;
export type SealPurpose = keyof typeof sealed;

/** RFC 9068, section 2.2; with `STEP_UP` also `entitled`. */
export const AccessClaims = z.strictObject({
  iss: z.url(),
  aud: z.url(),
  sub: z.string().min(1).max(maxSubjectLength),
  client_id: z.string().min(1),
  scope: z.string(),
  iat: unixS,
  exp: unixS,
  jti: z.string().min(1),
  auth_time: unixS,
  /** Scopes that the person could have; only with `STEP_UP`, whose challenges name no others. Absent: unknown. */
  entitled: z.string().optional(),
});
export type AccessClaims = z.infer<typeof AccessClaims>;

/** RFC 8414, the members that this server publishes. */
export const AuthorizationServerMetadata = z
  .strictObject({
    issuer: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    registration_endpoint: z.url(),
    revocation_endpoint: z.url().optional(),
    revocation_endpoint_auth_methods_supported: z.tuple([z.literal("none")]).optional(),
    scopes_supported: z.array(Scope),
    response_types_supported: z.tuple([z.literal("code")]),
    response_modes_supported: z.tuple([z.literal("query")]),
    grant_types_supported: z.array(z.enum(["authorization_code", "refresh_token"])),
    token_endpoint_auth_methods_supported: z.tuple([z.literal("none")]),
    code_challenge_methods_supported: z.tuple([z.literal("S256")]),
    authorization_response_iss_parameter_supported: z.literal(true),
    client_id_metadata_document_supported: z.literal(true).optional(),
  })
  .describe("Answer of GET /.well-known/oauth-authorization-server while login is on.");
export type AuthorizationServerMetadata = z.infer<typeof AuthorizationServerMetadata>;

/** RFC 7591. Redirects are checked one by one afterwards, because those that are not allowed are dropped. */
export const RegistrationRequest = z
  .looseObject({
    redirect_uris: z.array(z.string()).min(1).max(maxRedirects),
    client_name: z.string().nullish(),
    grant_types: z.array(z.string()).nullish(),
    response_types: z.array(z.string()).nullish(),
  })
  .describe("Body of POST /oauth/register; other members are ignored.");
export type RegistrationRequest = z.infer<typeof RegistrationRequest>;

export const RegistrationResponse = z
  .strictObject({
    client_id: z.string().max(maxClientIdLength),
    client_id_issued_at: unixS,
    client_name: z.string(),
    redirect_uris: z.array(z.string()).min(1),
    grant_types: z.array(z.enum(["authorization_code", "refresh_token"])),
    response_types: z.tuple([z.literal("code")]),
    token_endpoint_auth_method: z.literal("none"),
  })
  .describe("Answer of POST /oauth/register.");
export type RegistrationResponse = z.infer<typeof RegistrationResponse>;

/** draft-ietf-oauth-client-id-metadata-document-00, the members that are read. */
export const ClientDocument = z
  .looseObject({
    client_id: z.string(),
    client_name: z.string().min(1),
    redirect_uris: z.array(z.string()).min(1).max(32),
    client_secret: z.undefined().optional(),
    token_endpoint_auth_method: z.string().optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
    grant_types: z.array(z.string()).optional(),
  })
  .describe("A client's metadata document.");
export type ClientDocument = z.infer<typeof ClientDocument>;

export const TokenResponse = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().min(0),
    scope: z.string().describe("What was granted, always."),
    refresh_token: z.string().optional(),
  })
  .describe("Answer of POST /oauth/token.");
export type TokenResponse = z.infer<typeof TokenResponse>;

/** Error codes of RFC 6749, 7009, 7591, 8707 and OpenID Connect that this server uses. */
export const OAuthError = z.enum([
  "access_denied",
  "interaction_required",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "request_not_supported",
  "request_uri_not_supported",
  "server_error",
  "temporarily_unavailable",
  "unsupported_grant_type",
  "unsupported_response_type",
  "unsupported_token_type",
]);
export type OAuthError = z.infer<typeof OAuthError>;

export const OAuthErrorBody = z
  .strictObject({ error: OAuthError, error_description: z.string() })
  .describe("Body of every refusal of /oauth/register, /oauth/token and /oauth/revoke.");
export type OAuthErrorBody = z.infer<typeof OAuthErrorBody>;

/** What the log and the metrics call an event of the front. */
export const loginEvents = ["login", "refresh", "revoke", "refused"] as const;
export type LoginEvent = (typeof loginEvents)[number];

/** Why the front refused something; a closed list, so that nothing of a request gets into a log or a label. */
export const refusedReasons = [
  "client",
  "redirect",
  "request",
  "metadata",
  "consent_cookie",
  "consent_origin",
  "consent_expired",
  "login_cookie",
  "issuer",
  "code",
  "verifier",
  "resource",
  "scope",
  "replayed",
  "no_access",
  "provider_down",
  "provider_refuses_us",
  "provider_answer",
  "subject_changed",
  "denied",
] as const;
export type RefusedReason = (typeof refusedReasons)[number];
