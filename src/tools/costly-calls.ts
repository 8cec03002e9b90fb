import { mayHoldPolicies } from "../containers/may-hold-policies.ts";
import type { ScannedMessage } from "../json/scan-message.ts";
import type { Runtime } from "../runtime.ts";

/** Calls of `validate_policies` with more than this may hold the event loop longer than one step may. */
const mostBytes = 6 * 1024;
const mostValues = 150;
/**
 * Texts of `analyze_policy`, in UTF-16 code units: the comparison of every entry of a list with every other one would hold
 * the event loop, and so would the parser of YAML and writing thousands of findings.
 */
const mostTextLength = 2 * 1024;
/** Each pattern is matched against all actions of a service, or all formats of an ARN. */
const mostWildcards = 24;
const wildcards = [0x2a, 0x3f];

/** What separates the values of a text: a comma with the line end after it, or a line end. JSON writes line ends as `\n`. */
const separators = /,(?:\\r|\\n)?|\\r|\\n/g;
/** An anchor of YAML, whose aliases repeat all that it holds; a character that could be a wildcard or an anchor. */
const hidesParts = /&|\\[uUx]/;

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
    hasManyParts(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")) ||
    // The parser of Terraform files alone takes 60 ms to load.
    mayHoldPolicies(body) ||
    (members.format !== undefined && members.format !== '"json"');
}

/** @returns whether the text of a policy is worth a thread for `analyze_policy`. */
export function isCostlyText(text: string): boolean {
  return text.length > mostTextLength || hasManyParts(JSON.stringify(text));
}

/**
 * @param json Of a call, or of the text of a policy. Such a text is one value of its call, and may hold thousands.
 * @returns whether it and its texts may have more values than a small call.
 */
function hasManyParts(json: string): boolean {
  if (hidesParts.test(json)) return true;
  let found = 0;
  for (const _ of json.matchAll(separators)) if (++found > mostValues) return true;
  return false;
}

function hasMoreWildcards(body: Uint8Array, most: number): boolean {
  let found = 0;
  for (const unit of body) if (wildcards.includes(unit) && ++found > most) return true;
  return false;
}
