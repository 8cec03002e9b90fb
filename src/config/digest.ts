import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Registry } from "../engine/registry.ts";
import type { ResolvedConfig } from "./resolved.ts";

/**
 * Digest of all that decides a verdict: the resolved config, and each registered check's id, source,
 * enabled state and configured severity (a check can come from an installed package without the
 * config naming it).
 * @returns 64 lower-case hex digits: SHA-256 of the RFC 8785 form of `{config, registry}`.
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
  // An object always has a canonical text; undefined is the answer for a function and the like.
  return hash("sha256", String(canonicalize({ config, registry: rows })), "hex");
}
