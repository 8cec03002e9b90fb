import { Finding, type LeanFinding, type Location } from "../../spec/finding.ts";
import type { Severity } from "../../spec/severity.ts";
import { findingTypeOf } from "../access-analyzer/codes.ts";
import { type NodeRef, pointerOf } from "../json/node.ts";
import { FactSlot } from "../policy/fact-slot.ts";
import type { Policy, Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

/** A report that becomes a finding, with its check and statement. */
export interface Draft {
  readonly registered: RegisteredCheck;
  readonly statement: Statement | null;
  readonly report: Report;
  readonly severity: Severity;
}

/**
 * Creates the finding of a report, with all fields or only those that the caller will see. Its fix comes
 * last, when it is known that the finding is kept.
 */
export type Projection<Shown extends LeanFinding> = (
  draft: Draft,
  policy: Policy,
  engine: Engine,
) => Shown;

/** A finding with the fields of `detail: findings` only, because large policies have many findings. */
export const toLean: Projection<LeanFinding> = (draft, policy, engine) => {
  const { registered, statement, report, severity } = draft;
  const { path, location } = placeOf(report.node ?? statement?.node ?? policy.node, policy);
  return {
    severity,
    check_id: registered.check.check_id,
    issue_type: report.issue_type,
    message: report.message,
    suggestion: suggestionOf(draft, engine),
    statement_index: statement?.index ?? -1,
    statement_sid: statement?.sid ?? null,
    path,
    location,
    fix: null,
  };
};

/** A finding with all fields. */
export const toFull: Projection<Finding> = (draft, policy, engine) => {
  const { registered, statement, report } = draft;
  const { check } = registered;
  const { base_url } = engine.settings.documentation;
  const action = report.action ?? null;
  const resource = report.resource ?? null;
  const condition_key = report.condition_key ?? null;
  return {
    ...toLean(draft, policy, engine),
    action,
    resource,
    condition_key,
    field_name: report.field_name ?? null,
    ...exampleOf(report),
    risk_explanation: (report.risk_explanation ?? check.risk_explanation) || null,
    risk_category: check.risk_category || null,
    documentation_url: base_url
      ? `${base_url.replace(/\/$/, "")}/${check.check_id}`
      : check.documentation_url || null,
    // Shared by all findings of the check and never modified.
    remediation_steps: (report.remediation_steps ?? check.remediation_steps) as string[],
    aws_issue_code: report.aws_issue_code ?? null,
    aws_finding_type: findingTypeOf(report.aws_issue_code ?? "") ?? null,
    related: (report.related ?? []).map((node) => ({
      path: pointerOf(node),
      location: policy.document.locate(node),
    })),
    escalation_paths: report.escalation_paths?.length ? [...report.escalation_paths] : null,
    fingerprint: fingerprintOf(policy.name, statement, {
      check_id: check.check_id,
      issue_type: report.issue_type,
      action,
      resource,
      condition_key,
      ...(report.identity === undefined ? {} : { identity: report.identity }),
    }),
  };
};

/** @returns whether a finding was created with all fields. */
export function isFull(finding: LeanFinding): finding is Finding {
  return "fingerprint" in finding;
}

/** Longer examples are dropped, not cut, because a cut example cannot be pasted. */
const maxExampleLength = 8192;

function exampleOf({ example, correction }: Report): Pick<Finding, "example" | "example_path"> {
  const none = { example: example || null, example_path: null };
  if (example != null || !correction) return none;
  const corrected = correction();
  if (!corrected) return none;
  const text = JSON.stringify(corrected.value, null, 2);
  if (text.length > maxExampleLength) return none;
  return { example: text, example_path: pointerOf(corrected.node) };
}

interface Place {
  readonly node: NodeRef;
  readonly path: string;
  readonly location: Location | null;
}

const lastPlaces = new FactSlot<Policy, Place>();

/** The place of a node. Consecutive findings often have the same node, so the last place is cached. */
function placeOf(node: NodeRef, policy: Policy): Place {
  const last = lastPlaces.get(policy);
  if (last?.node === node) return last;
  const place = { node, path: pointerOf(node), location: policy.document.locate(node) };
  lastPlaces.set(policy, place);
  return place;
}

function suggestionOf({ registered, report }: Draft, { settings }: Engine): string | null {
  const { base_url, include_aws_docs } = settings.documentation;
  const { documentation_url } = registered.check;
  const suggestion = report.suggestion || null;
  if (!base_url || !include_aws_docs || !documentation_url) return suggestion;
  return `${suggestion ? `${suggestion}\n` : ""}AWS documentation: ${documentation_url}`;
}

/** @throws {z.ZodError} If a field of the report has the wrong type. */
export function requireFinding(draft: Draft, policy: Policy, engine: Engine): void {
  Finding.parse(toFull(draft, policy, engine));
}
