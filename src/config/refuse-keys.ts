import { StartupError } from "../errors.ts";
import { isRecord } from "../record.ts";
import type { ConfigText } from "./read.ts";
import { faultText } from "./resolve.ts";

/** The path of a key of the config, and why it is refused. */
export type RefusedKey = readonly [path: readonly string[], reason: string];

/**
 * Refuses keys that a config file may have and this config may not.
 * @param subject What is read, for messages.
 * @throws {StartupError} `config_invalid`: lists every such key on a separate line.
 */
export function refuseKeys(text: ConfigText, subject: string, keys: readonly RefusedKey[]): void {
  const given = keys.filter(([path]) => (valueAt(text.value, path) ?? null) !== null);
  if (given.length === 0) return;
  const faults = given.map(([path, message]) => `  ${faultText({ path, message }, text)}`);
  throw new StartupError("config_invalid", `${subject} is not valid:\n${faults.join("\n")}`);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}
