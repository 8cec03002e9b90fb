import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, LeanFinding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { Severity, SeverityCounts } from "../../spec/severity.ts";
import type { ResourceType } from "../access-analyzer/types.ts";
import type { AttachedResource, Network, Policy, PolicyDocument } from "../policy/model.ts";
import type { TypeByLabel } from "../policy/type-globs.ts";
import type { ServiceData } from "../services/model.ts";
import type { VersionComparison } from "./comparison.ts";
import type { Exceptions, Suppressed } from "./exceptions.ts";
import type { Registry } from "./registry.ts";

/** The settings that the engine uses. */
export interface EngineSettings {
  readonly fail_on_severity: readonly Severity[];
  readonly suppress_superseded_findings: boolean;
  readonly on_check_error: "fail" | "warn";
  readonly allow_template_variables: boolean;
  /** Whether `filepath` ignore patterns apply to names of policies. */
  readonly trust_policy_names: boolean;
  readonly documentation: { readonly base_url: string | null; readonly include_aws_docs: boolean };
}

export interface Engine {
  readonly registry: Registry;
  readonly settings: EngineSettings;
  /** Policy type by name, from the config's `policy_types`. */
  readonly typeByConfig: TypeByLabel;
  /** Policy type by name, from the built-in patterns. */
  readonly typeByName: TypeByLabel;
  readonly services: ServiceData;
  readonly exceptions: Exceptions;
  /** The time in ms since 1970, which decides whether an exception has expired. */
  readonly now: () => number;
  /** Called if a check throws. It logs the id and the error's class, nothing of the policy. */
  readonly onCheckError: (checkId: string, error: unknown) => void;
}

export interface PolicyToValidate {
  readonly document: PolicyDocument;
  /** Name of the policy; also the file name in reports. */
  readonly name: string | null;
  /** Type declared by the caller. Null: detect it. */
  readonly declaredType: PolicyType | null;
  /** The name that `filepath` ignore patterns match. */
  readonly label: string;
  /** Policy type by the use of the policy's file in another file; null or absent: not known. */
  readonly usedAs?: PolicyType | null;
  /** How the declared type is known; default: the caller declared it. */
  readonly declaredBy?: PolicyTypeSource;
  /** The resource that the policy is attached to; null or absent: not known. */
  readonly attached?: AttachedResource | null;
  /** Action prefix of the service of that resource; null or absent: not known. */
  readonly service?: string | null;
  /** What alone reaches that resource; null or absent: the internet does, or it is not known. */
  readonly network?: Network | null;
  /** The document has every statement of that resource's policy. Absent: others may be elsewhere. */
  readonly isWhole?: boolean;
  /** The type of that resource, where Access Analyzer has checks for it; null or absent: not known. */
  readonly resourceType?: ResourceType | null;
  /** What to compare with; null or absent: nothing. */
  readonly baseline?: PolicyDocument | null;
  /** How the policy comes from its earlier version; null or absent: `baseline` is that version. */
  readonly comparison?: VersionComparison | null;
  /** False: no finding gets a fix, because none is shown. */
  readonly fixes?: boolean;
  /** False: no exception applies, because the caller merges findings first. */
  readonly exceptions?: boolean;
}

export interface ValidatedPolicy<Shown extends LeanFinding = Finding> {
  readonly policy: Policy;
  /** Findings about the policy first, then those of each statement. */
  readonly findings: readonly Shown[];
  /** Those of them that are about the name of a member, which has the path of its value. */
  readonly aboutNames: ReadonlySet<LeanFinding>;
  /** Findings that exceptions left out. */
  readonly suppressed: readonly Suppressed[];
  /** One for each question about access that was asked, in registry order. */
  readonly answers: readonly AccessAnswer[];
  readonly severity_counts: SeverityCounts;
  /** The document was read, and every check that applies to it completed. */
  readonly was_checked: boolean;
  /** The document was checked, and no finding has a severity in `fail_on_severity`. */
  readonly is_valid: boolean;
}
