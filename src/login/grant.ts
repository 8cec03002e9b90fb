import { Scope } from "../../spec/scopes.ts";
import type { Identity } from "../auth/identity.ts";
import type { Grants } from "../auth/scope-map.ts";

/** @returns the scopes that a person may have: those the provider names, and what the scope map grants. */
export function entitledTo(identity: Identity, grants: Grants): readonly Scope[] {
  const names = new Set<string>([...identity.scopes, ...grants(identity)]);
  return Scope.options.filter((scope) => names.has(scope));
}

/**
 * @param requested empty: nothing in particular.
 * @param required scopes that every request to this server needs.
 * @returns the scopes of the token; undefined when the person may not use this server, or nothing of what was asked for.
 */
export function grantedScopes(
  requested: readonly Scope[],
  entitled: readonly Scope[],
  required: readonly Scope[],
): readonly Scope[] | undefined {
  if (entitled.length === 0 || !required.every((scope) => entitled.includes(scope))) {
    return undefined;
  }
  if (requested.length === 0) return entitled;
  const common = requested.filter((scope) => entitled.includes(scope));
  if (common.length === 0) return undefined;
  return Scope.options.filter((scope) => common.includes(scope) || required.includes(scope));
}

/** Scopes of OpenID Connect that clients ask for out of habit; they mean nothing here. */
export const oidcScopes: ReadonlySet<string> = new Set([
  "openid",
  "profile",
  "email",
  "offline_access",
  "address",
  "phone",
]);
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Names in a `scope` parameter (RFC 6749, 3.3), apart from those of OpenID Connect. */
export interface RequestedScopes {
  readonly known: readonly Scope[];
  readonly unknown: readonly string[];
}

/** @returns undefined when the text has a form that no scope has. */
export function readScopes(text: string): RequestedScopes | undefined {
  const written = text.split(" ").filter((name) => name !== "");
  if (!written.every((name) => scopeForm.test(name))) return undefined;
  const names = written.filter((name) => !oidcScopes.has(name));
  const known = Scope.options.filter((scope) => names.includes(scope));
  return { known, unknown: names.filter((name) => !known.some((scope) => scope === name)) };
}
