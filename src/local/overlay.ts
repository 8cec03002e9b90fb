import { isJsonObject, type JsonObject, merge, withoutNulls } from "../config/merge.ts";
import type { ConfigText } from "../config/read.ts";
import { faultText, type Resolution, resolveConfig } from "../config/resolve.ts";
import type { ConfigFault, ConfigurableCheck } from "../config/sections.ts";
import { StartupError } from "../errors.ts";

/** What the overlay is laid over. */
export interface Base {
  readonly checks: readonly ConfigurableCheck[];
  readonly configValue: unknown;
  /** See `resolveConfig`. */
  readonly checksAreMissing: boolean;
}

/** Decided when the process starts: they load code, or name places of this machine. */
const fixedKeys = ["custom_checks", "custom_checks_dir"];
const fixedSettings = ["aws_services_dir", "cache_directory", "cache_enabled", "cache_ttl_hours"];

/**
 * Lays a config over the base and validates the whole as a file is validated.
 * @param over With the lines of its keys, for messages.
 * @throws {StartupError} With every fault of the overlay on a line of its own.
 */
export function resolveOverlay(base: Base, over: ConfigText, name: string): Resolution {
  refuseFixed(over, name);
  const { checks, checksAreMissing } = base;
  // By itself first: faults then have the lines of the text they stand in.
  const own = resolveConfig(over, name, checks, checksAreMissing);
  const ids = new Set(checks.map(({ check }) => check.check_id));
  const value = merge(canonical(base.configValue, ids), canonical(over.value, ids));
  const merged = resolveConfig({ value, lineOf: () => null }, name, checks, checksAreMissing);
  return { ...merged, warnings: own.warnings };
}

function refuseFixed(over: ConfigText, name: string): void {
  const file = isJsonObject(over.value) ? over.value : {};
  const paths = [
    ...fixedKeys.map((key) => [key]),
    ...["settings", "organization"].flatMap((top) => fixedSettings.map((key) => [top, key])),
  ];
  const given = paths.filter((path) => valueAt(file, path) !== undefined);
  if (given.length === 0) return;
  const faults = given.map(
    (path): ConfigFault => ({
      path,
      message: "is decided when the server starts, not in a session",
    }),
  );
  throw new StartupError(
    "config_invalid",
    `config ${name} is not valid:\n${faults.map((fault) => `  ${faultText(fault, over)}`).join("\n")}`,
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/**
 * A config with each thing in one place, so that two of them can be merged key by key: `settings`
 * (its old name `organization` winning), and one section per check at the top level (`checks.<id>`
 * weakest, `<id>_check` above it). `false` becomes `{enabled: false}`, null goes.
 */
function canonical(value: unknown, ids: ReadonlySet<string>): JsonObject {
  if (!isJsonObject(value)) return {};
  const { organization, settings, checks, ...rest } = value;
  const nested = isJsonObject(checks) ? checks : {};
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
