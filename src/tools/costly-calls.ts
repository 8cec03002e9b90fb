import { mayHoldPolicies } from "../containers/may-hold-policies.ts";
import type { ScannedMessage } from "../json/scan-message.ts";
import type { Runtime } from "../runtime.ts";

/** Calls of `validate_policies` with more than this may hold the event loop longer than one step may. */
const mostBytes = 6 * 1024;
const mostValues = 150;
/** Each pattern is matched against all actions of a service, or all formats of an ARN. */
const mostWildcards = 24;
const wildcards = [0x2a, 0x3f];

/** @returns whether a small call is worth a thread: what the main thread runs must be over within milliseconds. */
export function costlyCalls(
  { registry }: Runtime,
  serverless: boolean,
): (scanned: ScannedMessage, body: Uint8Array) => boolean {
  // Nothing ends a check on the main thread that computes; a thread can be ended.
  const hasCustomChecks = registry.checks.some(({ source }) => source !== "builtin");
  if (hasCustomChecks) return () => true;
  // A function answers one request at a time: no other caller waits for its event loop.
  if (serverless) return () => false;
  return ({ members, values }, body) =>
    body.byteLength > mostBytes ||
    values > mostValues ||
    hasMoreWildcards(body, mostWildcards) ||
    // The parser of Terraform files alone takes 60 ms to load.
    mayHoldPolicies(body) ||
    (members.format !== undefined && members.format !== '"json"');
}

function hasMoreWildcards(body: Uint8Array, most: number): boolean {
  let found = 0;
  for (const unit of body) if (wildcards.includes(unit) && ++found > most) return true;
  return false;
}
