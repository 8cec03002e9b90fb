import { expect, test } from "vitest";
import { AuthErrorBody, ProtectedResourceMetadata } from "../../spec/auth.ts";
import type { Authenticator, Refusal } from "./caller.ts";
import { buildChallenge } from "./challenge.ts";
import { resourceMetadata } from "./metadata.ts";
import { stepUpRefusal } from "./required-scopes.ts";

const bare = { challengeScopes: [] };
const full = {
  challengeScopes: ["openid", "iam:validate"],
  metadata: { baseUrl: "https://v.example", authorizationServers: ["https://as.example/"] },
};
const url = 'resource_metadata="https://v.example/.well-known/oauth-protected-resource/mcp"';
const scope = 'scope="openid iam:validate"';
const bad: Refusal = { kind: "invalid_token", description: "Expired." };
const broken: Refusal = { kind: "invalid_request", description: "Two tokens." };
const lacking: Refusal = { kind: "insufficient_scope", description: "Lacks.", scopes: ["a", "b"] };

test.each([
  ["no credentials", { kind: "missing" } as const, full, 401, `Bearer ${scope}, ${url}`],
  [
    "no credentials, nothing to say",
    { kind: "missing" } as const,
    bare,
    401,
    'Bearer realm="validator-mcp"',
  ],
  [
    "a bad token",
    bad,
    full,
    401,
    `Bearer error="invalid_token", error_description="Expired.", ${scope}, ${url}`,
  ],
  [
    "a bad token, nothing known",
    bad,
    bare,
    401,
    'Bearer error="invalid_token", error_description="Expired."',
  ],
  [
    "a malformed header",
    broken,
    full,
    400,
    `Bearer error="invalid_request", error_description="Two tokens.", ${url}`,
  ],
  [
    "lacking scopes",
    lacking,
    full,
    403,
    `Bearer error="insufficient_scope", error_description="Lacks.", scope="a b", ${url}`,
  ],
  [
    "step-up",
    stepUpRefusal("get_config", "iam:config", []),
    bare,
    403,
    'Bearer error="insufficient_scope", error_description="get_config needs the scope iam:config.", scope="iam:config"',
  ],
])("%s", (_, refusal, authenticator, status, header) => {
  const challenge = buildChallenge(refusal, authenticator);
  expect(challenge.status).toBe(status);
  expect(challenge.headers).toEqual({ "WWW-Authenticate": header, "Cache-Control": "no-store" });
  if (refusal.kind === "missing") expect(challenge.body).toBeUndefined();
  else {
    expect(AuthErrorBody.parse(challenge.body)).toEqual({
      error: refusal.kind,
      error_description: refusal.description,
    });
  }
});

test("quotes, backslashes and line ends cannot break out of a parameter", () => {
  const description = 'a"b\\c\r\nSet-Cookie: é';
  const { headers } = buildChallenge({ kind: "invalid_token", description }, bare);
  expect(headers["WWW-Authenticate"]).toBe(
    'Bearer error="invalid_token", error_description="a\\"b\\\\c??Set-Cookie: ?"',
  );
});

test("the metadata document names the endpoint, the issuers and the scopes", () => {
  const authenticator: Authenticator = {
    ...full,
    provider: "jwt",
    requiredScopes: [],
    stepUp: false,
    authenticate: async () => ({ refusal: { kind: "missing" } }),
  };
  expect(ProtectedResourceMetadata.parse(resourceMetadata(authenticator))).toEqual({
    resource: "https://v.example/mcp",
    authorization_servers: ["https://as.example/"],
    scopes_supported: ["openid", "iam:validate"],
    bearer_methods_supported: ["header"],
    resource_name: "IAM Policy Validator",
  });
  const { metadata: _, ...unpublished } = authenticator;
  expect(resourceMetadata(unpublished)).toBeUndefined();
  expect(resourceMetadata({ ...authenticator, challengeScopes: [] })).not.toHaveProperty(
    "scopes_supported",
  );
});
