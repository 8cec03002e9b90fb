import type { ConfigSettings } from "../../spec/config.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { ConfigException } from "../../spec/suppression.ts";

/** A check's section of the config, with defaults. */
export interface CheckSection {
  readonly enabled: boolean;
  /** Null: the check's default. */
  readonly severity: string | null;
  readonly [option: string]: unknown;
}

/** The configuration in effect: defaults merged with the file. Plain JSON, used unchanged for the digest. */
export interface ResolvedConfig {
  readonly settings: ConfigSettings;
  /** By check id, for every registered check. */
  readonly checks: Readonly<Record<string, CheckSection>>;
  readonly policy_types: readonly { readonly pattern: string; readonly type: PolicyType }[];
  readonly custom_instructions: string | null;
  readonly custom_checks: readonly { readonly module: string }[];
  readonly custom_checks_dir: string | null;
  /** Absent: none, so that the digest of a config without exceptions stays what it was. */
  readonly exceptions?: readonly ConfigException[];
}
