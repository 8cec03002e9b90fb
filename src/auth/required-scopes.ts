import type { Scope } from "../../spec/scopes.ts";
import type { Caller, Refusal } from "./caller.ts";

/** How a required scope is compared with the scopes of a caller. */
export type ScopeTest = (caller: Caller, required: string) => boolean;

const literally: ScopeTest = (caller, required) => caller.scopes.includes(required);

/**
 * The floor below all gating: every request needs all of these scopes.
 * @returns a refusal that names all required scopes, or undefined when none is lacking.
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
 * The refusal of a caller who reaches for a tool without its scope, when step-up is on.
 * @returns a refusal that names all the call needs: a client that asks for just these must get in with them.
 */
export function stepUpRefusal(tool: string, scope: Scope, required: readonly string[]): Refusal {
  return {
    kind: "insufficient_scope",
    description: `${tool} needs the scope ${scope}.`,
    scopes: [...new Set([...required, scope])],
  };
}
