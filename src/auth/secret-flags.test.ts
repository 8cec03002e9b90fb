import { expect, test } from "vitest";
import { refuseSecretFlags, secretFlag } from "./secret-flags.ts";

const any = "a variable VALIDATOR_MCP_AUTH_*";
const own = (name: string) => `VALIDATOR_MCP_AUTH_${name}`;
const long = (letters: number) => `--auth-${"x".repeat(letters - 5)}`;

test.each([
  [["serve", "--auth-token", "s3cr3t"], "--auth-token", own("TOKEN_FILE")],
  [["serve", "--auth-tokens=s3cr3t"], "--auth-tokens", own("TOKENS")],
  [["--AUTH_TOKENS", "s3cr3t"], "--auth-tokens", own("TOKENS")],
  [["--token=s3cr3t"], "--token", own("TOKEN_FILE")],
  [["--token=s3cr3t\n=s3cr3t"], "--token", own("TOKEN_FILE")],
  [["--tokens", "s3cr3t"], "--tokens", own("TOKEN_FILE")],
  [["--token-file", "s3cr3t"], "--token-file", own("TOKEN_FILE")],
  [["--bearer-token", "s3cr3t"], "--bearer-token", own("TOKEN_FILE")],
  [["--jwt-public-key", "s3cr3t"], "--jwt-public-key", own("JWT_PUBLIC_KEY")],
  [["--jwt-secret", "s3cr3t"], "--jwt-secret", own("JWT_PUBLIC_KEY")],
  [["--public-key", "s3cr3t"], "--public-key", own("JWT_PUBLIC_KEY")],
  [["--jwt-issuer", "s3cr3t"], "--jwt-issuer", own("JWT_ISSUER")],
  [["--jwt-audience", "s3cr3t"], "--jwt-audience", own("JWT_AUDIENCE")],
  [["--jwt-jwks-uri", "s3cr3t"], "--jwt-jwks-uri", own("JWT_JWKS_URI")],
  [["--jwt-algorithm", "s3cr3t"], "--jwt-algorithm", own("JWT_ALGORITHM")],
  [["--client-secret", "s3cr3t"], "--client-secret", any],
  [["--github-client-secret=s3cr3t"], "--github-client-secret", any],
  [["--credentials", "s3cr3t"], "--credentials", any],
  [["--passwd", "s3cr3t"], "--passwd", any],
  [["--apikey", "s3cr3t"], "--apikey", any],
  [["--api-key", "s3cr3t"], "--api-key", any],
  [["--privatekey", "s3cr3t"], "--privatekey", any],
  [["--private-key", "s3cr3t"], "--private-key", any],
  [
    ["--auth-azure-client-secret", "s3cr3t"],
    "--auth-azure-client-secret",
    own("AZURE_CLIENT_SECRET"),
  ],
  [["--password", "s3cr3t"], "--password", any],
  [["--auth-", "s3cr3t"], "--auth-", any],
  [["--auth-token:s3cr3t"], "--auth-…", any],
  [["--auth-token:s3cr3t--x"], "--auth-…", any],
  [[long(40), "s3cr3t"], long(40), own("X".repeat(35))],
  [[long(41), "s3cr3t"], "--auth-…", any],
  // The first that hands one in is named.
  [["--config", "x", "--token", "s3cr3t", "--password", "s3cr3t"], "--token", own("TOKEN_FILE")],
])("%s hands in a secret", (argv, flag, variable) => {
  expect(secretFlag(argv)).toBe(flag);
  expect(() => refuseSecretFlags(argv)).toThrow(
    expect.objectContaining({
      name: "StartupError",
      kind: "secret_in_flag",
      message: `${flag}: flags are visible to every user of the machine and take no secrets; set ${variable}, or a variable that names a file.`,
    }),
  );
});

test.each([
  [["serve", "--auth", "jwt", "--config", "token.yaml"]],
  [["serve", "--auth=token", "--max-policy-bytes", "1"]],
  [["sync-services", "--output-dir", "secrets"]],
  [["serve", "--config", "https://x.example/?a=--token"]],
  [["serve", "--token-bucket", "4"]],
  [["serve", "password"]],
  [["serve", "--", "--token"]],
])("%s does not", (argv) => {
  expect(secretFlag(argv)).toBeUndefined();
  expect(() => refuseSecretFlags(argv)).not.toThrow();
});
