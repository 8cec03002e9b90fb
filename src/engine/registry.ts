import type { PolicyType } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity } from "../../spec/severity.ts";
import type { Check } from "./check.ts";
import type { IgnoreFilter } from "./ignore.ts";

/** Source of a check. */
export type CheckSource = "builtin" | "entry_point" | "config_module" | "discovered";

/** A check with its configuration. */
export interface RegisteredCheck {
  readonly check: Check;
  readonly source: CheckSource;
  readonly enabled: boolean;
  /** As configured. Null: the check's default applies. */
  readonly configuredSeverity: ConfiguredSeverity | null;
  /** The configured severity, else the check's default. */
  readonly severity: ConfiguredSeverity;
  readonly description: string;
  /** Parsed by the check's schema, with defaults. */
  readonly options: unknown;
  readonly ignore: IgnoreFilter;
  readonly hidden: ReadonlySet<Severity>;
}

/** All checks of this process, in run order. Built once at start-up. */
export interface Registry {
  readonly checks: readonly RegisteredCheck[];
  get(checkId: string): RegisteredCheck | undefined;
}

/** The checks in the order in which they run. */
export function createRegistry(checks: readonly RegisteredCheck[]): Registry {
  const byId = new Map(checks.map((registered) => [registered.check.check_id, registered]));
  return { checks, get: (checkId) => byId.get(checkId) };
}

/** @returns Whether the check runs on policies of this type. */
export function runsOn(registered: RegisteredCheck, type: PolicyType): boolean {
  const types = registered.check.applies_to_policy_types;
  return registered.enabled && (!types || types.includes(type));
}
