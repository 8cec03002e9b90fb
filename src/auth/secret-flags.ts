import { authPrefix } from "../../spec/auth.ts";
import { StartupError } from "../errors.ts";

/** Flags people try for secrets, beside all of `--auth-…`, and the variable that each means. */
const variables: Readonly<Record<string, string>> = {
  "--auth-token": "TOKEN_FILE",
  "--token": "TOKEN_FILE",
  "--tokens": "TOKEN_FILE",
  "--token-file": "TOKEN_FILE",
  "--bearer-token": "TOKEN_FILE",
  "--jwt-public-key": "JWT_PUBLIC_KEY",
  "--jwt-secret": "JWT_PUBLIC_KEY",
  "--public-key": "JWT_PUBLIC_KEY",
  "--jwt-issuer": "JWT_ISSUER",
  "--jwt-audience": "JWT_AUDIENCE",
  "--jwt-jwks-uri": "JWT_JWKS_URI",
  "--jwt-algorithm": "JWT_ALGORITHM",
};
/** Printed for a flag whose name may hold the secret itself. */
const unnamed = "--auth-…";
const secretWord = /(secret|password|passwd|credential|api-?key|private-?key|token)s?$/;

/**
 * Looks for a secret on the command line, where every user of the machine can read it.
 * @param argv arguments without interpreter and script.
 * @returns the name of the first flag that carries provider material; never a value.
 */
export function secretFlag(argv: readonly string[]): string | undefined {
  for (const argument of argv) {
    if (argument === "--") return undefined;
    if (!argument.startsWith("--")) continue;
    const flag = argument.replace(/=.*/s, "").toLowerCase().replaceAll("_", "-");
    if (flag.startsWith("--auth-") || Object.hasOwn(variables, flag) || secretWord.test(flag)) {
      // `--auth-token:<secret>` would show the secret in the name.
      return /^--[a-z-]{1,40}$/.test(flag) ? flag : unnamed;
    }
  }
  return undefined;
}

/** @throws {StartupError} `secret_in_flag`, naming flag and variable, if an argument carries a secret. */
export function refuseSecretFlags(argv: readonly string[]): void {
  const flag = secretFlag(argv);
  if (flag === undefined) return;
  const named = Object.hasOwn(variables, flag) ? variables[flag] : undefined;
  const guess =
    flag.startsWith("--auth-") && flag !== unnamed
      ? flag.slice("--auth-".length).replaceAll("-", "_").toUpperCase()
      : "";
  const variable = named ?? guess;
  const where = variable ? `set ${authPrefix}${variable}` : `set a variable ${authPrefix}*`;
  throw new StartupError(
    "secret_in_flag",
    `${flag}: flags are visible to every user of the machine and take no secrets; ${where}, or a variable that names a file.`,
  );
}
