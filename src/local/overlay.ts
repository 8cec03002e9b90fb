import { merge, withoutNulls } from "../config/merge.ts";
import type { ConfigText } from "../config/read.ts";
import { refuseKeys } from "../config/refuse-keys.ts";
import { type Resolution, resolveConfig } from "../config/resolve.ts";
import type { ConfigurableCheck } from "../config/sections.ts";
import { isRecord, type JsonObject } from "../record.ts";

/** The configuration at start-up, which the overlay overrides. */
export interface Base {
  readonly checks: readonly ConfigurableCheck[];
  readonly configValue: unknown;
  /** See `resolveConfig`. */
  readonly checksAreMissing: boolean;
  /** See `resolveConfig`. */
  readonly unknownNames: "error" | "warn";
}

/** Keys that only the config file can set, because they load code or name paths of this machine. */
const fixedKeys = ["custom_checks", "custom_checks_dir"];
const fixedSettings = ["aws_services_dir", "cache_directory", "cache_enabled", "cache_ttl_hours"];
const fixed = [
  ...fixedKeys.map((key) => [key]),
  ...["settings", "organization"].flatMap((top) => fixedSettings.map((key) => [top, key])),
].map((path) => [path, "can be set only at start-up, not in a session"] as const);

/**
 * Merges the overlay with the base config and validates the result like a config file.
 * @param over The overlay, with the lines of its keys for messages.
 * @throws {StartupError} Lists every fault of the overlay on a separate line.
 */
export function resolveOverlay(base: Base, over: ConfigText, name: string): Resolution {
  refuseKeys(over, `config ${name}`, fixed);
  const { checks, checksAreMissing, unknownNames } = base;
  const resolve = (text: ConfigText) =>
    resolveConfig(text, `config ${name}`, checks, checksAreMissing, unknownNames);
  // Validate the overlay alone first, so that faults have the lines of its text.
  const alone = resolve(over);
  const ids = new Set(checks.map(({ check }) => check.check_id));
  const value = merge(canonical(base.configValue, ids), canonical(over.value, ids));
  const merged = resolve({ value, lineOf: () => null });
  return { ...merged, warnings: alone.warnings };
}

/**
 * A config in canonical form, so that two configs can be merged key by key: `settings` (overridden by
 * its old name `organization`), and one section per check at the top level, which overrides
 * `<id>_check`, which overrides `checks.<id>`. `false` becomes `{enabled: false}`; nulls are removed.
 */
function canonical(value: unknown, ids: ReadonlySet<string>): JsonObject {
  if (!isRecord(value)) return {};
  const { organization, settings, checks, ...rest } = value;
  const nested = isRecord(checks) ? checks : {};
  const sections = [...ids].flatMap((id): [string, unknown][] => {
    const old = `${id}_check`;
    const given = [own(nested, id), ids.has(old) ? undefined : own(value, old), own(value, id)];
    const section = given.map(asSection).reduce(merge, undefined);
    return section === undefined ? [] : [[id, section]];
  });
  const others = Object.entries(rest).filter(([key]) => {
    const isOld = key.endsWith("_check") && ids.has(key.slice(0, -"_check".length));
    return !ids.has(key) && !isOld;
  });
  return Object.fromEntries(
    [...others, ["settings", merge(settings ?? {}, organization ?? undefined)], ...sections].map(
      ([key, member]) => [String(key), withoutNulls(member)],
    ),
  );
}

function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function asSection(section: unknown): unknown {
  if (section === false) return { enabled: false };
  return section === null ? undefined : section;
}
