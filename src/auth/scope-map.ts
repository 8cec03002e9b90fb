import { authPrefix, ScopeMap } from "../../spec/auth.ts";
import { Scope } from "../../spec/scopes.ts";
import { parseUniqueJson } from "../json/unique.ts";
import { type AuthContext, materialError } from "./context.ts";
import type { Identity } from "./identity.ts";

/** Gives the scopes of this server that the map adds to an identity. */
export type Grants = (identity: Identity) => readonly Scope[];

/**
 * Reads `VALIDATOR_MCP_AUTH_SCOPE_MAP`: a JSON object of names to lists of scopes of this server.
 *
 * A name is `*`, or a scope, group, role or login as the provider writes it, compared literally. A caller who can choose a
 * login could choose one that is also the name of a group, so a name may be tied to one kind: `login:`, `group:`,
 * `role:`, `scope:`, and `sub:` for the subject, which is never matched without its prefix.
 *
 * @throws {StartupError} `invalid_setting`.
 */
export function readScopeMap(text: string | undefined, context: AuthContext): Grants {
  if (text === undefined) return () => [];
  const fail = (problem: string) =>
    materialError("invalid_setting", context, `${authPrefix}SCOPE_MAP ${problem}.`);
  const json = parseUniqueJson(text);
  if ("problem" in json) throw fail(json.problem);
  const map = ScopeMap.safeParse(json.value);
  if (!map.success) {
    throw fail(
      `must be a JSON object of names to lists of scopes; scopes are ${Scope.options.join(", ")}`,
    );
  }
  const rules = new Map(Object.entries(map.data));
  return (identity) => {
    const granted = new Set<Scope>();
    for (const name of namesOf(identity)) {
      for (const scope of rules.get(name) ?? []) granted.add(scope);
    }
    return [...granted];
  };
}

function* namesOf(identity: Identity): Generator<string> {
  yield "*";
  const { scopes, groups, roles, login, subject } = identity;
  const kinds = { scope: scopes, group: groups, role: roles, login: login ? [login] : undefined };
  for (const [kind, names] of Object.entries(kinds)) {
    if (!names) continue;
    for (const name of names) {
      // A bare name with a prefix of ours would be taken for a name of another kind.
      if (!/^(scope|group|role|login|sub):/.test(name)) yield name;
      yield `${kind}:${name}`;
    }
  }
  if (subject !== "") yield `sub:${subject}`;
}
