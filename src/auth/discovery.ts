import { authPrefix } from "../../spec/auth.ts";
import type { Authenticator } from "./caller.ts";
import type { AuthContext } from "./context.ts";

const baseUrlVariable = `${authPrefix}BASE_URL`;

/**
 * Decides whether clients are told where to get tokens (RFC 9728), and logs what the operator may want to change.
 * @param baseUrl public URL of this server, without a trailing slash.
 */
export function publish(
  context: AuthContext,
  baseUrl: string | undefined,
  authorizationServers: readonly string[],
): Authenticator["metadata"] {
  const { log } = context;
  if (baseUrl === undefined) {
    log.info(
      {},
      `${baseUrlVariable} is not set: no protected-resource metadata is published, and clients need to be told where to get tokens.`,
    );
    return undefined;
  }
  if (
    !authorizationServers.every((server) => /^https?:\/\//.test(server) && URL.canParse(server))
  ) {
    log.warn(
      {},
      "The issuer is not a URL: no protected-resource metadata is published, and clients need to be told where to get tokens.",
    );
    return undefined;
  }
  if (context.environment[baseUrlVariable]?.trim()) return { baseUrl, authorizationServers };
  log.info(
    { base_url: baseUrl },
    `${baseUrlVariable} is not set: clients are told that this server is reached at its own address.`,
  );
  return { baseUrl, authorizationServers };
}
