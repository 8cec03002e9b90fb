import { expect, test } from "vitest";
import { authUnderTest } from "../../test/support/auth.ts";

const token = "a-token-of-some-length";
const TOKENS = JSON.stringify({ [token]: { client_id: "ci", scopes: ["iam:validate"] } });

test("variables that the provider does not read are warned of by name, without their values", async () => {
  const { lines } = await authUnderTest("token", {
    TOKENS,
    STEP_UP: "0",
    SCOPE_MAP: "s3cr3t",
    JWT_ISSUER: "s3cr3t",
    GITHUB_CLIENT_SECRET: " ",
    AUTH0_CLIENT_SECRET: undefined,
  });
  const variables = ["VALIDATOR_MCP_AUTH_JWT_ISSUER", "VALIDATOR_MCP_AUTH_SCOPE_MAP"];
  expect(lines).toEqual([
    `These variables have no effect with --auth token. ${JSON.stringify({ variables })}`,
  ]);
});

test("a variable that is almost one of the provider's says which is meant", async () => {
  const { lines } = await authUnderTest("token", {
    TOKENS,
    REQUIRED_SCOPE: "s3cr3t",
    AUTH0_CLIENT_ID: "s3cr3t",
  });
  expect(lines[0]).toContain(
    "no effect with --auth token. For VALIDATOR_MCP_AUTH_REQUIRED_SCOPE, did you mean VALIDATOR_MCP_AUTH_REQUIRED_SCOPES? {",
  );
});

test("a required or advertised iam: scope that does not exist is warned of", async () => {
  const { lines } = await authUnderTest("token", {
    TOKENS,
    REQUIRED_SCOPES: "iam:valdate, team:x",
    ADVERTISED_SCOPES: "iam:validate",
  });
  expect(lines).toEqual([
    "VALIDATOR_MCP_AUTH_REQUIRED_SCOPES has unknown scopes: iam:valdate; did you mean iam:validate? {}",
  ]);
});

test("none reads no variable and warns of those that are set", async () => {
  const { lines } = await authUnderTest("none", { TOKENS, STEP_UP: "0" });
  const variables = ["VALIDATOR_MCP_AUTH_TOKENS"];
  expect(lines).toEqual([
    `These variables have no effect with --auth none. ${JSON.stringify({ variables })}`,
  ]);
});

test("variables of other programs are nothing to warn of", async () => {
  const { lines } = await authUnderTest("token", { TOKENS });
  expect(lines).toEqual([]);
});

test("all that is missing or wrong is named at once", async () => {
  await expect(authUnderTest("github", { BASE_URL: "s3cr3t" })).rejects.toMatchObject({
    kind: "auth_provider",
    message:
      "Auth github: VALIDATOR_MCP_AUTH_BASE_URL must be the public http(s) URL of this server, without credentials, query or fragment; " +
      "VALIDATOR_MCP_AUTH_GITHUB_CLIENT_ID is not set; set it to the client id of the OAuth app; " +
      "VALIDATOR_MCP_AUTH_GITHUB_CLIENT_SECRET is not set; set it to a client secret of the OAuth app.",
  });
});

test("lists are separated by commas; spaces, gaps and repetitions do not count", async () => {
  const { authenticator } = await authUnderTest("token", {
    TOKENS,
    REQUIRED_SCOPES: " iam:validate ,, team:x,iam:validate,",
    ADVERTISED_SCOPES: "team:x , iam:query",
  });
  expect(authenticator.requiredScopes).toEqual(["iam:validate", "team:x"]);
  expect(authenticator.challengeScopes).toEqual(["iam:validate", "team:x", "iam:query"]);
});
