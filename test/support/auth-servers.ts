import { SignJWT } from "jose";
import { setupServer } from "msw/node";
import {
  azureClient,
  githubClient,
  googleClient,
  opaqueTokens,
  providerHandlers,
  tenant,
} from "./auth-providers.ts";
import {
  type HeaderForm,
  headerForms,
  nowS,
  type SignedToken,
  signedTokens,
  type TokenKit,
} from "./auth-tokens.ts";
import { localServer, sendJson, testKey } from "./issuer.ts";
import { tokens as staticTokens, type TargetOptions, withTokens } from "./target.ts";

/** Public URL that clients are told. */
export const publicUrl = "https://validator.example.com";
const sharedSecret = "a shared secret of more than 32 bytes";

type OpaqueToken = keyof typeof opaqueTokens;

type StaticToken = `static ${keyof typeof staticTokens | "expired" | "unknown"}`;

export type TokenState = HeaderForm | SignedToken | OpaqueToken | StaticToken | Authorizer;

/** What stands in the event of a function behind a gateway. */
export const authorizers = {
  "authorizer with claims": { jwt: { claims: { sub: "alice", scope: "iam:query" } } },
  "authorizer with IAM": { iam: { userArn: "arn:aws:iam::123456789012:role/ci" } },
  "authorizer of another shape": { lambda: { sub: "alice", scope: "iam:query" } },
  "authorizer without claims": { jwt: {} },
  "no authorizer": undefined,
} as const;
export type Authorizer = keyof typeof authorizers;

const prefixed = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
  );

/** Settings of each server of the table; `reach` is what it has to be able to ask. */
function definitions(issuer: string, pem: string, ed448Pem: string) {
  const jwt = { JWT_ISSUER: issuer, JWT_AUDIENCE: `${publicUrl}/mcp` };
  const published = { ADVERTISED_SCOPES: "iam:validate,iam:query", BASE_URL: publicUrl };
  const withPem = { ...jwt, JWT_PUBLIC_KEY: pem };
  const azure = {
    AZURE_CLIENT_ID: azureClient,
    AZURE_TENANT_ID: tenant,
    REQUIRED_SCOPES: `api://${azureClient}/access`,
    BASE_URL: publicUrl,
  };
  const google = { GOOGLE_CLIENT_ID: googleClient, BASE_URL: publicUrl };
  const github = {
    GITHUB_CLIENT_ID: githubClient,
    GITHUB_CLIENT_SECRET: "github-s3cr3t",
    BASE_URL: publicUrl,
  };
  const staticTokensToo = withTokens.environment?.VALIDATOR_MCP_AUTH_TOKENS ?? "{}";
  const TOKENS = JSON.stringify({
    ...JSON.parse(staticTokensToo),
    "token-expired": { client_id: "old", scopes: ["iam:query"], expires_at: 1_700_000_000 },
  });
  return {
    open: { auth: "none", reach: "nothing" },
    token: { auth: "token", reach: "nothing", variables: { TOKENS } },
    "token, scopes required": {
      auth: "token",
      reach: "nothing",
      variables: { TOKENS, REQUIRED_SCOPES: "iam:validate, iam:query" },
    },
    "token, step-up": { auth: "token", reach: "nothing", variables: { TOKENS, STEP_UP: "1" } },
    "token, floor and step-up": {
      auth: "token",
      reach: "nothing",
      variables: { TOKENS, REQUIRED_SCOPES: "iam:query", STEP_UP: "1" },
    },
    "token, step-up in a profile": {
      auth: "token",
      reach: "nothing",
      variables: { TOKENS, STEP_UP: "1" },
      settings: { VALIDATOR_MCP_PROFILE: "validate-only" },
    },
    "token, allow lists": {
      auth: "token",
      reach: "nothing",
      variables: { TOKENS },
      settings: {
        VALIDATOR_MCP_ALLOWED_ORIGINS: "https://tools.example.com",
        VALIDATOR_MCP_ALLOWED_HOSTS: "validator.example.com",
      },
    },
    "token, any address": {
      auth: "token",
      reach: "nothing",
      variables: { TOKENS },
      settings: { VALIDATOR_MCP_HOST: "0.0.0.0" },
    },
    jwt: {
      auth: "jwt",
      reach: "loopback",
      variables: { ...jwt, ...published, JWT_JWKS_URI: `${issuer}/jwks` },
    },
    "jwt, fixed key": { auth: "jwt", reach: "nothing", variables: withPem },
    "jwt, shared secret": {
      auth: "jwt",
      reach: "nothing",
      variables: { ...jwt, JWT_ALGORITHM: "HS256", JWT_PUBLIC_KEY: sharedSecret },
    },
    "jwt, Ed448": {
      auth: "jwt",
      reach: "nothing",
      variables: { ...jwt, JWT_ALGORITHM: "Ed448", JWT_PUBLIC_KEY: ed448Pem },
    },
    "jwt, scope required": {
      auth: "jwt",
      reach: "nothing",
      variables: { ...withPem, REQUIRED_SCOPES: "iam:validate", BASE_URL: publicUrl },
    },
    "jwt, step-up": {
      auth: "jwt",
      reach: "nothing",
      variables: { ...withPem, STEP_UP: "1", BASE_URL: publicUrl },
    },
    "jwt, scope map": {
      auth: "jwt",
      reach: "nothing",
      variables: { ...withPem, SCOPE_MAP: '{"sub:alice":["iam:config"],"bob":["iam:analyze"]}' },
    },
    "jwt, keys unreachable": {
      auth: "jwt",
      reach: "nothing",
      // A closed port; fetch refuses some of those, so not any will do.
      variables: { ...jwt, ...published, JWT_JWKS_URI: "http://127.0.0.1:2/jwks" },
    },
    azure: { auth: "azure", reach: "internet", variables: azure },
    google: { auth: "google", reach: "internet", variables: google },
    "google, down": { auth: "google", reach: "internet", variables: google },
    "google, limiting": { auth: "google", reach: "internet", variables: google },
    "google, nonsense": { auth: "google", reach: "internet", variables: google },
    github: { auth: "github", reach: "internet", variables: github },
    "github, down": { auth: "github", reach: "internet", variables: github },
    "github, limiting": { auth: "github", reach: "internet", variables: github },
    "github, nonsense": { auth: "github", reach: "internet", variables: github },
    keycloak: {
      auth: "keycloak",
      reach: "loopback",
      variables: {
        KEYCLOAK_REALM_URL: `${issuer}/realms/corp`,
        KEYCLOAK_AUDIENCE: "validator",
        BASE_URL: publicUrl,
      },
    },
    auth0: {
      auth: "auth0",
      reach: "loopback",
      variables: {
        AUTH0_CONFIG_URL: `${issuer}/.well-known/openid-configuration`,
        AUTH0_CLIENT_ID: "app",
        AUTH0_CLIENT_SECRET: "auth0-s3cr3t",
        AUTH0_AUDIENCE: `${publicUrl}/mcp`,
        BASE_URL: publicUrl,
      },
    },
    workos: {
      auth: "workos",
      reach: "loopback",
      variables: { WORKOS_AUTHKIT_DOMAIN: issuer, BASE_URL: publicUrl },
    },
    gateway: { auth: "gateway", reach: "event" },
  } as const satisfies Record<string, Definition>;
}

interface Definition {
  readonly auth: string;
  readonly reach: "nothing" | "loopback" | "internet" | "event";
  readonly variables?: Record<string, string>;
  /** Variables that have nothing to do with authentication. */
  readonly settings?: Record<string, string>;
}

export type ServerName = keyof ReturnType<typeof definitions>;

/** What a server must be able to ask: nothing, an issuer on loopback, the provider's own hosts; or events of a gateway. */
export function reachOf(name: ServerName): Definition["reach"] {
  return definitions("", "", "")[name].reach;
}

/** One server of the table, ready to be started anywhere. */
export interface AuthServer {
  readonly name: ServerName;
  readonly options: TargetOptions;
}

/** Issuers, keys and settings that the rows of the authorization table refer to by name. */
export interface AuthWorld extends AsyncDisposable {
  server(name: ServerName): AuthServer;
  /** @returns the values of the `Authorization` headers to send. */
  credentials(server: ServerName, state: TokenState): Promise<readonly string[]>;
}

export async function authWorld(): Promise<AuthWorld> {
  const key = testKey("RS256", "current");
  const foreignKey = testKey("RS256", "current");
  const otherAlgorithm = testKey("ES256", "elliptic");
  const edwards = testKey("Ed448", "edwards");
  const foreignEdwards = testKey("Ed448", "edwards");
  const keys = { keys: [key.jwk, otherAlgorithm.jwk] };
  const issuer = await localServer(({ url = "" }, response) => {
    const isDiscovery = url.endsWith("/.well-known/openid-configuration");
    const own = `http://127.0.0.1:${response.socket?.localPort}`;
    sendJson(response, isDiscovery ? { issuer: `${own}/`, jwks_uri: `${own}/jwks` } : keys);
  });
  const internet = setupServer(...providerHandlers(keys));
  internet.listen({ onUnhandledFrame: "bypass" });
  const all: Record<ServerName, Definition> = definitions(issuer.url, key.pem, edwards.pem);
  const kit = (name: ServerName): TokenKit => ({
    key: name === "jwt, Ed448" ? edwards : key,
    foreignKey: name === "jwt, Ed448" ? foreignEdwards : foreignKey,
    otherAlgorithm,
    claims: claimsOf(all[name].auth, issuer.url),
  });

  const tokenFor = async (name: ServerName, state: TokenState): Promise<string> => {
    const { auth } = all[name];
    if (state.startsWith("static ")) return `token-${state.slice("static ".length)}`;
    if (auth === "token") return staticTokens.all;
    if (auth === "google" || auth === "github") {
      return opaqueTokens[Object.hasOwn(opaqueTokens, state) ? (state as OpaqueToken) : "good"];
    }
    const signed = Object.hasOwn(signedTokens, state) ? (state as SignedToken) : "good";
    if (name !== "jwt, shared secret" || signed !== "good") return signedTokens[signed](kit(name));
    return new SignJWT({ ...kit(name).claims })
      .setProtectedHeader({ alg: "HS256" })
      .sign(Buffer.from(sharedSecret));
  };

  return {
    server(name) {
      const { auth, variables = {}, settings = {} } = all[name];
      const options = { flags: { auth }, environment: { ...settings, ...prefixed(variables) } };
      return { name, options };
    },
    async credentials(name, state) {
      if (all[name].reach === "event") return [];
      const token = await tokenFor(name, state);
      return Object.hasOwn(headerForms, state)
        ? headerForms[state as HeaderForm](token)
        : [`Bearer ${token}`];
    },
    async [Symbol.asyncDispose]() {
      internet.close();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

/** Claims as each provider writes them. */
function claimsOf(auth: string, issuer: string): Record<string, unknown> {
  const common = { sub: "alice", iat: nowS() - 10, exp: nowS() + 600 };
  switch (auth) {
    case "azure": {
      const iss = `https://login.microsoftonline.com/${tenant}/v2.0`;
      return { ...common, iss, aud: azureClient, azp: "agent", scp: "access iam:validate" };
    }
    case "keycloak":
      return {
        ...common,
        iss: `${issuer}/realms/corp`,
        aud: "validator",
        typ: "Bearer",
        scope: "openid iam:validate",
      };
    case "auth0":
      return {
        ...common,
        iss: `${issuer}/`,
        aud: `${publicUrl}/mcp`,
        scope: "openid iam:validate",
      };
    default:
      return { ...common, iss: issuer, aud: `${publicUrl}/mcp`, scope: "iam:validate" };
  }
}
