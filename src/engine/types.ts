import type { Finding, LeanFinding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { Severity, SeverityCounts } from "../../spec/severity.ts";
import type { Policy, PolicyDocument } from "../policy/model.ts";
import type { TypeByLabel } from "../policy/type-globs.ts";
import type { ServiceData } from "../services/model.ts";
import type { Registry } from "./registry.ts";

/** What the engine needs of the config. */
export interface EngineSettings {
  readonly fail_on_severity: readonly Severity[];
  readonly suppress_superseded_findings: boolean;
  readonly on_check_error: "fail" | "warn";
  readonly allow_template_variables: boolean;
  /** Whether `filepath` ignore patterns may look at labels. */
  readonly trust_policy_names: boolean;
  readonly documentation: { readonly base_url: string | null; readonly include_aws_docs: boolean };
}

export interface Engine {
  readonly registry: Registry;
  readonly settings: EngineSettings;
  /** Type by label, from the config's `policy_types` and the built-in patterns. */
  readonly typeByLabel: TypeByLabel;
  readonly services: ServiceData;
  /** A check threw; gets the check's id and the error's class, nothing of the policy. */
  readonly onCheckError: (checkId: string, error: unknown) => void;
}

export interface PolicyToValidate {
  readonly document: PolicyDocument;
  /** Label; also the file name in reports. */
  readonly name: string | null;
  /** Declared by the caller; null: find out. */
  readonly declaredType: PolicyType | null;
  /** Label that `filepath` ignore patterns see. */
  readonly label: string;
}

export interface ValidatedPolicy<Shown extends LeanFinding = Finding> {
  readonly policy: Policy;
  /** In engine order: policy level first, then statement by statement. */
  readonly findings: readonly Shown[];
  readonly severity_counts: SeverityCounts;
  /** The document was read, and every check that should run on it ran to its end. */
  readonly was_checked: boolean;
  /** It was checked, and no finding has a severity in `fail_on_severity`. */
  readonly is_valid: boolean;
}
