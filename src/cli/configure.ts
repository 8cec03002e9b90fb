import type { Session } from "../local/session.ts";
import { didYouMean } from "../nearest.ts";
import { UsageError } from "./streams.ts";
import type { OutputOptions, ValidateOptions } from "./validate-options.ts";

/**
 * Sets what options of the command line override in the config, so that results, reports and digest
 * agree: the threshold, and the checks that run.
 * @throws {UsageError} for an unknown check.
 */
export function configure(
  session: Session,
  { select = [], ignore = [] }: Pick<ValidateOptions, "select" | "ignore">,
  { failOn }: Pick<OutputOptions, "failOn">,
): void {
  const ids = session.runtime.registry.checks.map(({ check }) => check.check_id);
  const selected = known("--select", select, ids);
  const ignored = known("--ignore", ignore, ids);
  const sections = ids.flatMap((id): [string, object][] => {
    if (ignored.has(id)) return [[id, { enabled: false }]];
    return selected.size === 0 ? [] : [[id, { enabled: selected.has(id) }]];
  });
  const settings =
    failOn === undefined || failOn === "none" ? {} : { settings: { fail_on_severity: failOn } };
  const value = { ...Object.fromEntries(sections), ...settings };
  if (Object.keys(value).length > 0) session.applyOverlay({ value, lineOf: () => null });
}

function known(option: string, given: readonly string[], ids: readonly string[]): Set<string> {
  for (const id of given) {
    if (ids.includes(id)) continue;
    const hint = didYouMean(id, ids) || "; validator-mcp checks lists them";
    throw new UsageError(`${option} ${id}: unknown check${hint}`);
  }
  return new Set(given);
}
