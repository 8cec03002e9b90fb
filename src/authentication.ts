import { AuthProvider } from "../spec/settings.ts";
import type { Authenticator } from "./auth/caller.ts";
import { type AuthOptions, contextOf, createAuthenticator, readStepUp } from "./auth/create.ts";
import { isLoginOn } from "./auth/login-switch.ts";
import { logDefect } from "./defect.ts";
import type { Log } from "./log.ts";
import type { LoginRoutes } from "./login/routes.ts";
import { type LoginObserver, silentObserver } from "./metrics/observer.ts";

/** Who may call, and where people log in. */
export interface Authentication {
  readonly authenticator: Authenticator;
  /** Absent: login is off. */
  readonly login?: LoginRoutes;
}

/**
 * Builds the authenticator of this process, and the login in front of it where that is on. The login's code is loaded
 * only then.
 * @throws {StartupError} for every misconfiguration.
 */
export async function createAuthentication(
  options: AuthOptions & { readonly log: Log; readonly observer?: LoginObserver },
): Promise<Authentication> {
  const { log, observer = silentObserver } = options;
  const provider = AuthProvider.safeParse(options.auth);
  const context = provider.success ? contextOf(options, provider.data) : undefined;
  if (!context || !isLoginOn(context)) {
    return { authenticator: await createAuthenticator(options) };
  }
  const { createLogin, readVariables } = await import("./login/create.ts");
  const { authenticator, routes } = await createLogin({
    context,
    stepUp: readStepUp(context),
    log,
    observer,
    defect: (error) => logDefect(log, error, { where: "login" }),
    providerAuthenticator: (environment) =>
      createAuthenticator({ ...options, environment, alsoRead: readVariables(context.provider) }),
  });
  return { authenticator, login: routes };
}
