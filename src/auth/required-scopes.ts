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

/** @returns the refusal for a caller who reaches for a component that needs `scope`, when step-up is on. */
export function stepUpRefusal(scope: string): Refusal {
  return {
    kind: "insufficient_scope",
    description: "The access token lacks the scope of this operation.",
    scopes: [scope],
  };
}
