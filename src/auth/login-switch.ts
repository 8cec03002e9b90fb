import { authPrefix } from "../../spec/auth.ts";
import { loginProviders } from "../../spec/login.ts";
import { type AuthContext, materialError, variable } from "./context.ts";

/**
 * Decides whether people log in through this server: `LOGIN`, and where that is unset, whether there are keys.
 * @throws {StartupError} `auth_login` for another word, and for `on` with a provider that has no login.
 */
export function isLoginOn(context: AuthContext): boolean {
  const word = variable(context, "LOGIN")?.trim().toLowerCase();
  if (word !== undefined && word !== "on" && word !== "off") {
    throw materialError("auth_login", context, `${authPrefix}LOGIN must be on or off.`);
  }
  const isPossible = loginProviders.some((provider) => provider === context.provider);
  if (word === "on" && !isPossible) {
    throw materialError(
      "auth_login",
      context,
      `${authPrefix}LOGIN is on, but login is for azure, google, github, auth0 and jwt.`,
    );
  }
  if (word !== undefined) return word === "on";
  const keys = variable(context, "OAUTH_KEYS") ?? variable(context, "OAUTH_KEYS_FILE");
  return isPossible && keys !== undefined;
}
