import type { Scope } from "../../spec/scopes.ts";
import type { Caller, Refusal } from "./caller.ts";

/** How a required scope is compared with the scopes of a caller. */
export type ScopeTest = (caller: Caller, required: string) => boolean;

const literally: ScopeTest = (caller, required) => caller.scopes.includes(required);

/**
 * Checks the scopes that every request needs.
 * @returns a refusal that names all required scopes, or undefined if the caller has them all.
 */
export function lackingScopes(
  caller: Caller,
  required: readonly string[],
  test: ScopeTest = literally,
): Refusal | undefined {
  if (required.every((scope) => test(caller, scope))) return undefined;
  return {
    kind: "insufficient_scope",
    description: "The access token lacks a scope that every request needs.",
    scopes: required,
  };
}

/**
 * With step-up, the refusal of a call whose caller lacks the scope of the tool.
 * @returns a refusal that names every scope that the call needs, because clients request exactly these.
 */
export function stepUpRefusal(tool: string, scope: Scope, required: readonly string[]): Refusal {
  return {
    kind: "insufficient_scope",
    description: `${tool} needs the scope ${scope}.`,
    scopes: [...new Set([...required, scope])],
  };
}
