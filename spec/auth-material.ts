import { z } from "zod";
import { JwtAlgorithm } from "./auth.ts";

// Messages never contain the value: it may be a secret that was set in the wrong variable.
// Keys are variable names without the prefix VALIDATOR_MCP_AUTH_; empty variables arrive as undefined.

const required = (fix: string) => z.string({ error: `is not set; ${fix}` }).trim();
const optional = z.string().trim().optional();

/** Whether the host of a URL is a loopback address or a `localhost` name. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function hasCredentials(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

/** HTTPS, or HTTP to this machine; without credentials or a fragment. */
export function isSafeUrl(text: string): boolean {
  const url = parsed(text);
  if (url === undefined || hasCredentials(url) || text.includes("#")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

const unsafe =
  "must be an https:// URL without credentials or fragment (http:// only for a loopback address)";
const requiredUrl = (fix: string) => required(fix).refine(isSafeUrl, unsafe);

const common = {
  REQUIRED_SCOPES: optional,
  ADVERTISED_SCOPES: optional,
};

/** Public URL of this server, without a last slash. */
export const BaseUrl = z
  .string()
  .trim()
  .refine((text) => {
    const url = parsed(text);
    return (
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      !hasCredentials(url) &&
      !/[?#]/.test(text)
    );
  }, "must be the public http(s) URL of this server, without credentials, query or fragment")
  .transform((text) => text.replace(/(?<!\/)\/+$/, ""))
  .optional();

const discoverable = {
  ...common,
  SCOPE_MAP: optional,
  BASE_URL: BaseUrl,
};

/** Variables of `token`. The provider checks that exactly one of them is set. */
export const TokenMaterial = z.object({
  ...common,
  TOKEN_FILE: z.string().optional(),
  TOKENS: z.string().optional(),
});

export const JwtMaterial = z.object({
  ...discoverable,
  JWT_ISSUER: required("set it to the exact `iss` of the tokens"),
  JWT_AUDIENCE: required("set it to the `aud` that identifies this server"),
  JWT_JWKS_URI: z.string().trim().refine(isSafeUrl, unsafe).optional(),
  JWT_PUBLIC_KEY: z.string().optional(),
  JWT_ALGORITHM: z
    .string()
    .trim()
    .pipe(z.enum(JwtAlgorithm.options, `must be one of ${JwtAlgorithm.options.join(", ")}`))
    .default("RS256"),
});

/** Aliases of Entra ID that accept any tenant; tokens carry the tenant's id in `iss` instead. */
const tenantAliases = new Set(["common", "organizations", "consumers"]);

export const AzureMaterial = z.object({
  ...discoverable,
  REQUIRED_SCOPES: required("set it to at least one non-OIDC scope of the app registration"),
  AZURE_CLIENT_ID: required("set it to the application (client) id"),
  AZURE_TENANT_ID: required("set it to the directory (tenant) id")
    .regex(/^[A-Za-z0-9.-]+$/, "must be a directory (tenant) id")
    .refine(
      (tenant) => !tenantAliases.has(tenant.toLowerCase()),
      "must be the id of one directory; common, organizations and consumers accept any",
    ),
  AZURE_CLIENT_SECRET: optional,
});

export const GoogleMaterial = z.object({
  ...discoverable,
  GOOGLE_CLIENT_ID: required("set it to the OAuth client id"),
  GOOGLE_CLIENT_SECRET: optional,
});

export const GithubMaterial = z.object({
  ...discoverable,
  GITHUB_CLIENT_ID: required("set it to the client id of the OAuth app"),
  GITHUB_CLIENT_SECRET: required("set it to a client secret of the OAuth app"),
});

export const KeycloakMaterial = z.object({
  ...discoverable,
  KEYCLOAK_REALM_URL: requiredUrl("set it to the URL of the realm, …/realms/<name>").transform(
    (text) => text.replace(/(?<!\/)\/+$/, ""),
  ),
  KEYCLOAK_AUDIENCE: optional,
});

export const Auth0Material = z.object({
  ...discoverable,
  AUTH0_CONFIG_URL: requiredUrl("set it to …/.well-known/openid-configuration of the tenant"),
  AUTH0_CLIENT_ID: required("set it to the client id of the application"),
  AUTH0_CLIENT_SECRET: required("set it to the client secret of the application"),
  AUTH0_AUDIENCE: required("set it to the identifier of the API"),
});

export const WorkosMaterial = z.object({
  ...discoverable,
  WORKOS_AUTHKIT_DOMAIN: required("set it to the AuthKit domain, https://<name>.authkit.app")
    .transform((text) =>
      (text.includes("://") ? text : `https://${text}`).replace(/(?<!\/)\/+$/, ""),
    )
    .refine(isSafeUrl, unsafe),
});

export const GatewayMaterial = z.object({ GATEWAY_SCOPE_CLAIM: optional });
