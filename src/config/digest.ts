import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Registry } from "../engine/registry.ts";
import type { ResolvedConfig } from "./resolved.ts";

/**
 * Digest of everything that determines results: the resolved config, and the id, source, enabled state
 * and configured severity of each registered check. The config alone is not enough, because checks of
 * installed packages are registered without being named in it.
 * @returns 64 lower-case hex digits: SHA-256 of `{config, registry}` as canonical JSON (RFC 8785).
 * @throws {TypeError} When a value has no JSON form.
 */
export function digestOf(config: ResolvedConfig, registry: Registry): string {
  const rows = registry.checks
    .map(({ check, source, enabled, configuredSeverity }) => [
      check.check_id,
      source,
      enabled,
      configuredSeverity,
    ])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  // `canonicalize` returns undefined only for values without a JSON form, such as functions.
  return hash("sha256", String(canonicalize({ config, registry: rows })), "hex");
}
