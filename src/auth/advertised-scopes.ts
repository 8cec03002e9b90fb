import { Scope } from "../../spec/scopes.ts";
import { commaList } from "./context.ts";

/** The variables that decide, as `readMaterial` gives them. */
interface ScopeMaterial {
  readonly ADVERTISED_SCOPES?: string | undefined;
  readonly SCOPE_MAP?: string | undefined;
}

/**
 * @param carried the scopes of this server as the provider's clients ask for them; empty where its tokens
 *   cannot carry them.
 * @returns the scopes that clients are told to ask for beside the required ones. By default those that the
 *   tokens can carry: a client asks for what it is told, and a token without any of them opens no tool. None
 *   with a scope map: it grants them, and an authorization server that does not define them would refuse
 *   the request (`invalid_scope`, RFC 6749 4.1.2.1).
 */
export function advertisedScopes(
  { ADVERTISED_SCOPES: chosen, SCOPE_MAP: map }: ScopeMaterial,
  carried: readonly string[] = Scope.options,
): readonly string[] {
  const named = commaList(chosen);
  if (named.length > 0) return named;
  return map === undefined ? carried : [];
}
