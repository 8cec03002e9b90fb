import { afterEach, expect, test, vi } from "vitest";
import { localServer, sendJson, signToken, testKey } from "../../test/support/issuer.ts";
import { createAuthenticator } from "./create.ts";

const log = { info() {}, warn() {} };
const base = {
  auth: "none",
  explicit: true,
  mode: "hosted",
  serverless: false,
  environment: {},
  log,
} as const;
const tokens = {
  VALIDATOR_MCP_AUTH_TOKENS: '{"a-token-of-some-length": {"client_id": "ci"}}',
};
const withStepUp = (value: string) =>
  createAuthenticator({
    ...base,
    auth: "token",
    environment: { ...tokens, VALIDATOR_MCP_AUTH_STEP_UP: value },
  });

afterEach(() => void vi.restoreAllMocks());

test.each([
  [
    "an unknown value",
    { auth: "ldap\n" },
    "unknown_auth",
    'Auth "ldap\\n" is unknown; --auth (VALIDATOR_MCP_AUTH) is one of none, token, jwt, azure, google, github, keycloak, auth0, workos, gateway.',
  ],
  [
    "none in hosted mode, unless asked for",
    { explicit: false },
    "auth_not_explicit",
    "Hosted mode runs without authentication only on request: give an explicit --auth none (VALIDATOR_MCP_AUTH=none), or choose a provider.",
  ],
  [
    "gateway outside a function",
    { auth: "gateway" },
    "gateway_outside_function",
    "Auth gateway is serverless only: it trusts the authorizer of a function event, and there is none here. Choose another --auth (VALIDATOR_MCP_AUTH).",
  ],
  [
    "a step-up that is neither on nor off",
    { auth: "token", environment: { ...tokens, VALIDATOR_MCP_AUTH_STEP_UP: "maybe" } },
    "invalid_setting",
    "Auth token: VALIDATOR_MCP_AUTH_STEP_UP must be 1 or 0.",
  ],
])("start-up is refused by %s", async (_, options, kind, message) => {
  const refused = createAuthenticator({ ...base, ...options });
  await expect(refused).rejects.toMatchObject({ name: "StartupError", kind, message });
});

test.each([
  ["token", "TOKEN_FILE"],
  ["jwt", "JWT_ISSUER"],
  ["azure", "AZURE_CLIENT_ID"],
  ["google", "GOOGLE_CLIENT_ID"],
  ["github", "GITHUB_CLIENT_ID"],
  ["keycloak", "KEYCLOAK_REALM_URL"],
  ["auth0", "AUTH0_CONFIG_URL"],
  ["workos", "WORKOS_AUTHKIT_DOMAIN"],
])("%s asks for its own material", async (auth, variable) => {
  const refused = createAuthenticator({ ...base, auth });
  await expect(refused).rejects.toThrow(`VALIDATOR_MCP_AUTH_${variable}`);
});

test("gateway needs nothing but the function it is in", async () => {
  const gateway = createAuthenticator({ ...base, auth: "gateway", serverless: true });
  await expect(gateway).resolves.toMatchObject({ provider: "gateway" });
});

test.each([
  ["1", true],
  [" true ", true],
  ["TRUE", true],
  ["0", false],
  ["False", false],
  [" ", false],
])("step-up %j is %s", async (value, on) => {
  expect((await withStepUp(value)).stepUp).toBe(on);
});

test("none has to be asked for in hosted mode only", async () => {
  const local = createAuthenticator({ ...base, mode: "local", explicit: false });
  await expect(local).resolves.toMatchObject({ provider: "none" });
});

test("time is the system's unless another is given", async () => {
  const present = async (now?: () => number) => {
    const expiring = { secret: { client_id: "ci", expires_at: 1 } };
    const authenticator = await createAuthenticator({
      ...base,
      auth: "token",
      environment: { VALIDATOR_MCP_AUTH_TOKENS: JSON.stringify(expiring) },
      ...(now && { now }),
    });
    const headers = new Headers({ authorization: "Bearer secret" });
    return authenticator.authenticate({ headers });
  };
  expect(await present()).toHaveProperty("refusal");
  expect(await present(() => 999)).toHaveProperty("caller");
});

test("pauses are measured by a clock that no one sets", async () => {
  const wall = vi.spyOn(Date, "now").mockReturnValue(1_800_000_000_000);
  const steady = vi.spyOn(performance, "now").mockReturnValue(5_000);
  await using issuer = await localServer((_, response) => sendJson(response, {}, 503));
  const authenticator = await createAuthenticator({
    ...base,
    auth: "jwt",
    environment: {
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer.url,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: "https://v.example/mcp",
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: issuer.url,
    },
  });
  const headers = new Headers({ authorization: `Bearer ${await signToken(testKey(), {})}` });
  await authenticator.authenticate({ headers });
  wall.mockReturnValue(1_700_000_000_000);
  await authenticator.authenticate({ headers });
  expect(issuer.requests).toHaveLength(1);
  steady.mockReturnValue(6_000);
  await authenticator.authenticate({ headers });
  expect(issuer.requests).toHaveLength(2);
});
