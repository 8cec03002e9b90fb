import type { PolicyType } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity } from "../../spec/severity.ts";
import type { Check } from "./check.ts";
import type { IgnoreFilter } from "./ignore.ts";

/** Where a check came from. */
export type CheckSource = "builtin" | "entry_point" | "config_module" | "discovered";

/** A check with all that the config says about it. */
export interface RegisteredCheck {
  readonly check: Check;
  readonly source: CheckSource;
  readonly enabled: boolean;
  /** As configured; null: the check's default holds. */
  readonly configuredSeverity: ConfiguredSeverity | null;
  /** In force. */
  readonly severity: ConfiguredSeverity;
  readonly description: string;
  /** Parsed by the check's schema, defaults filled in. */
  readonly options: unknown;
  readonly ignore: IgnoreFilter;
  readonly hidden: ReadonlySet<Severity>;
}

/** All checks of this process, in run order. Built once at start-up. */
export interface Registry {
  readonly checks: readonly RegisteredCheck[];
  get(checkId: string): RegisteredCheck | undefined;
}

export function createRegistry(checks: readonly RegisteredCheck[]): Registry {
  const byId = new Map(checks.map((registered) => [registered.check.check_id, registered]));
  return { checks, get: (checkId) => byId.get(checkId) };
}

/** @returns whether the check is to run on a policy of this type. */
export function runsOn(registered: RegisteredCheck, type: PolicyType): boolean {
  const types = registered.check.applies_to_policy_types;
  return registered.enabled && (!types || types.includes(type));
}
