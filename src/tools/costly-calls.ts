import { mayHoldPolicies } from "../containers/may-hold-policies.ts";
import type { ScannedMessage } from "../json/scan-message.ts";
import type { Runtime } from "../runtime.ts";

/** Calls of `validate_policies` with more than this may hold the event loop longer than one step may. */
const mostBytes = 6 * 1024;
const mostValues = 150;

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
    // The parser of Terraform files alone takes 60 ms to load.
    mayHoldPolicies(body) ||
    (members.format !== undefined && members.format !== '"json"');
}
