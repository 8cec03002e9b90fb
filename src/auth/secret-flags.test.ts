import { expect, test } from "vitest";
import { refuseSecretFlags, secretFlag } from "./secret-flags.ts";

test.each([
  [["serve", "--auth-token", "s3cr3t"], "--auth-token", "VALIDATOR_MCP_AUTH_TOKEN_FILE"],
  [["serve", "--auth-tokens=s3cr3t"], "--auth-tokens", "VALIDATOR_MCP_AUTH_TOKENS"],
  [["--AUTH_TOKENS", "s3cr3t"], "--auth-tokens", "VALIDATOR_MCP_AUTH_TOKENS"],
  [["--token=s3cr3t"], "--token", "VALIDATOR_MCP_AUTH_TOKEN_FILE"],
  [["--jwt-public-key", "s3cr3t"], "--jwt-public-key", "VALIDATOR_MCP_AUTH_JWT_PUBLIC_KEY"],
  [["--client-secret", "s3cr3t"], "--client-secret", "VALIDATOR_MCP_AUTH_*"],
  [["--github-client-secret=s3cr3t"], "--github-client-secret", "VALIDATOR_MCP_AUTH_*"],
  [
    ["--auth-azure-client-secret", "s3cr3t"],
    "--auth-azure-client-secret",
    "VALIDATOR_MCP_AUTH_AZURE_CLIENT_SECRET",
  ],
  [["--password", "s3cr3t"], "--password", "VALIDATOR_MCP_AUTH_*"],
  [["--auth-token:s3cr3t"], "--auth-…", "VALIDATOR_MCP_AUTH_*"],
])("%s hands in a secret", (argv, flag, variable) => {
  expect(secretFlag(argv)).toBe(flag);
  let message = "";
  try {
    refuseSecretFlags(argv);
  } catch (error) {
    expect(error).toMatchObject({ name: "StartupError", kind: "secret_in_flag" });
    message = String(error);
  }
  expect(message).toContain(flag);
  expect(message).toContain(variable);
  expect(message).not.toContain("s3cr3t");
});

test.each([
  [["serve", "--auth", "jwt", "--config", "token.yaml"]],
  [["serve", "--auth=token", "--max-policy-bytes", "1"]],
  [["sync-services", "--output-dir", "secrets"]],
  [["serve", "--", "--token"]],
])("%s does not", (argv) => {
  expect(secretFlag(argv)).toBeUndefined();
  expect(() => refuseSecretFlags(argv)).not.toThrow();
});
