import type { LeanFinding } from "../../spec/finding.ts";
import type { AnalysisRequest } from "../access-analyzer/analyze.ts";
import { findingTypeOf, type IssueCode } from "../access-analyzer/codes.ts";
import type { Issue, ResourceType } from "../access-analyzer/types.ts";
import { type NodeRef, pointerOf, stepsOf } from "../json/node.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import type { ServiceLookup } from "../services/model.ts";
import type { CodePlace, Report } from "./check.ts";
import { isFull } from "./project.ts";
import type { RegisteredCheck } from "./registry.ts";

/** A finding of this run that carries one of AWS's codes or may adopt one, with what decides whether a code says the same. */
export interface CodedFinding<Shown extends LeanFinding> {
  readonly finding: Shown;
  /** Null: {@link mayAdopt} says so. */
  readonly code: string | null;
  readonly statement: Statement | null;
}

/** A code of AWS's that no finding carries yet, as a report of the check that has its subject. */
export interface UnclaimedIssue {
  readonly registered: RegisteredCheck;
  readonly statement: Statement | null;
  readonly report: Report;
}

/** Issue types whose findings say the same as a code, where both are about one place. */
const sameFault: Partial<Record<IssueCode, readonly string[]>> = {
  INVALID_ACTION: ["invalid_action"],
  INVALID_SERVICE_IN_ACTION: ["invalid_action"],
  VARIABLE_UNSUPPORTED_IN_ELEMENT: ["invalid_action", "invalid_condition_key"],
  INVALID_ARN_RESOURCE: ["resource_mismatch", "statement_never_applies"],
  MISMATCHED_ACTION_FOR_PRINCIPAL: ["invalid_principal_type_for_assume_action"],
  UNSUPPORTED_WILDCARD_IN_PRINCIPAL: ["service_principal_wildcard"],
  UNSUPPORTED_ACTION_IN_POLICY: ["unexpected_trust_action"],
  WILDCARD_USAGE_TOO_PERMISSIVE: ["condition_always_true"],
  REDUNDANT_KEY_DUE_TO_WILDCARD_IN_CONDITION: ["condition_always_true"],
};
const adopting: ReadonlySet<string> = new Set(Object.values(sameFault).flat());

/** Whether a finding without a code takes the code of an issue at its place. */
export function mayAdopt({ issue_type }: LeanFinding): boolean {
  return adopting.has(issue_type);
}

/** The request to the local analysis. */
export function analysisOf(
  { type }: Policy,
  resourceType: ResourceType | null = null,
): AnalysisRequest {
  const { policyType, validatePolicyResourceType } = policyTypeFacts[type].accessAnalyzer;
  switch (policyType) {
    case "SERVICE_CONTROL_POLICY":
      return { type: "scp" };
    case "RESOURCE_CONTROL_POLICY":
      return { type: "rcp" };
    case "RESOURCE_POLICY":
      return validatePolicyResourceType ? { type: "trust" } : { type: "resource", resourceType };
    case "IDENTITY_POLICY":
      return { type: "identity" };
  }
}

/**
 * Brings the findings of the checks and the issues of the local analysis together. A finding that
 * carries the code of an issue gets its place and its further places. An issue that no finding
 * carries is returned for the check that declares its code.
 * @param byAwsCode The check that declares each code.
 * @returns The unclaimed issues, as they are found; null where the caller may yield to the event loop.
 */
export function* mergeIssues<Shown extends LeanFinding>(
  issues: readonly Issue[],
  found: readonly CodedFinding<Shown>[],
  byAwsCode: ReadonlyMap<string, RegisteredCheck>,
  policy: Policy,
  services: ServiceLookup,
): Generator<UnclaimedIssue | null> {
  const adopters = new Adopters(found.filter(({ code }) => code === null));
  const byCode = Map.groupBy(found, ({ code, statement }) =>
    keyOf(code ?? "", statement?.index ?? -1),
  );
  const candidates = new Map<string, Candidates<Shown>>();
  const statements = new Map(policy.statements.map((statement) => [statement.index, statement]));
  const byDetails = new Map<string, Shown>();
  for (const issue of issues) {
    const statement = statementOf(issue.nodes, statements);
    const key = keyOf(issue.code, statement?.index ?? -1);
    const same = `${key} ${issue.details}`;
    const withCode = candidates.get(key) ?? new Candidates(byCode.get(key) ?? []);
    candidates.set(key, withCode);
    const match = withCode.take(issue);
    const before = byDetails.get(same);
    const shared = match ? [] : elsewhere(issue, byCode, statements);
    if (shared.length > 0) {
      for (const { finding, others } of shared) giveOthers(finding, others, issue.code, policy);
    } else if (match) {
      byDetails.set(same, match.finding);
      give(match.finding, issue.nodes, issue.code, policy);
    } else if (before) {
      // The same text twice in a list is one finding here and two in AWS's answer.
      relate(before, issue.nodes, policy);
    } else {
      const adopter = adopters.take(issue, statement);
      if (adopter) {
        give(adopter, issue.nodes, issue.code, policy);
        yield null;
        continue;
      }
      const registered = byAwsCode.get(issue.code);
      if (registered) {
        const report = reportOf({ issue, statement, policy, services }, registered);
        yield { registered, statement, report };
        continue;
      }
    }
    yield null;
  }
}

/**
 * The findings at further places of an issue, which may lie in other statements than the first, such as
 * repeated Sids; each with the other places.
 */
function elsewhere<Shown extends LeanFinding>(
  { code, nodes }: Issue,
  byCode: ReadonlyMap<string, readonly CodedFinding<Shown>[]>,
  statements: ReadonlyMap<number, Statement>,
): readonly { readonly finding: Shown; readonly others: readonly NodeRef[] }[] {
  if (nodes.length < 2) return [];
  const first = statementOf(nodes, statements)?.index ?? -1;
  return nodes.flatMap((node) => {
    const index = statementOf([node], statements)?.index ?? -1;
    if (index === first) return [];
    const path = pointerOf(node);
    const there = byCode.get(keyOf(code, index))?.find(({ finding }) => finding.path === path);
    return there ? [{ finding: there.finding, others: nodes.filter((one) => one !== node) }] : [];
  });
}

/** Findings without a code, by statement and path; each takes one code at most. */
class Adopters<Shown extends LeanFinding> {
  readonly #free: Map<string, CodedFinding<Shown>[]>;

  constructor(withoutCode: readonly CodedFinding<Shown>[]) {
    this.#free = Map.groupBy(withoutCode, ({ finding, statement }) =>
      keyOf(finding.path, statement?.index ?? -1),
    );
  }

  /** @returns the finding that says the same at a place of the issue. */
  take({ code, nodes }: Issue, statement: Statement | null): Shown | undefined {
    const types = sameFault[code];
    if (!types || this.#free.size === 0) return undefined;
    for (const node of nodes) {
      const there = this.#free.get(keyOf(pointerOf(node), statement?.index ?? -1)) ?? [];
      const at = there.findIndex(({ finding }) => types.includes(finding.issue_type));
      if (at >= 0) return there.splice(at, 1)[0]?.finding;
    }
    return undefined;
  }
}

const keyOf = (text: string, statementIndex: number) => `${text} ${statementIndex}`;

/** The statement that the first place of the issue lies in; null for the whole document. */
function statementOf(
  [node]: readonly NodeRef[],
  statements: ReadonlyMap<number, Statement>,
): Statement | null {
  const steps = node ? stepsOf(node) : [];
  if (steps[0] !== "Statement") return null;
  return statements.get(typeof steps[1] === "number" ? steps[1] : 0) ?? null;
}

/** Findings of one code and statement; an issue takes each of them once at most. */
class Candidates<Shown extends LeanFinding> {
  readonly #all: readonly CodedFinding<Shown>[];
  readonly #taken = new Set<number>();
  /** Those before it are taken. */
  #first = 0;
  #byPath: Map<string, number[]> | undefined;

  constructor(all: readonly CodedFinding<Shown>[]) {
    this.#all = all;
  }

  /** @returns the first free finding at a place of the issue, else the first that is free. */
  take({ nodes }: Issue): CodedFinding<Shown> | undefined {
    while (this.#taken.has(this.#first)) this.#first++;
    if (this.#first >= this.#all.length) return undefined;
    let best = Number.POSITIVE_INFINITY;
    for (const node of nodes) best = Math.min(best, this.#firstAt(pointerOf(node)));
    if (best === Number.POSITIVE_INFINITY) best = this.#first;
    this.#taken.add(best);
    return this.#all[best];
  }

  #firstAt(path: string): number {
    // The last place first, so that the first can be popped.
    this.#byPath ??= Map.groupBy([...this.#all.keys()].reverse(), (index) => {
      return this.#all[index]?.finding.path ?? "";
    });
    const there = this.#byPath.get(path) ?? [];
    for (;;) {
      const index = there.at(-1);
      if (index === undefined || !this.#taken.has(index)) return index ?? Number.POSITIVE_INFINITY;
      there.pop();
    }
  }
}

/** Puts the finding at AWS's first place; the others are related. The engine's own record, so it may change. */
function give(
  finding: LeanFinding,
  nodes: readonly NodeRef[],
  code: IssueCode,
  policy: Policy,
): void {
  const [first, ...others] = nodes;
  if (first) Object.assign(finding, placeOf(first, policy));
  if (!isFull(finding)) return;
  finding.aws_issue_code = code;
  finding.aws_finding_type = findingTypeOf(code) ?? null;
  finding.related = others.map((node) => placeOf(node, policy));
}

/** Leaves the finding where it is. */
function giveOthers(
  finding: LeanFinding,
  others: readonly NodeRef[],
  code: IssueCode,
  policy: Policy,
): void {
  if (!isFull(finding)) return;
  finding.aws_finding_type = findingTypeOf(code) ?? null;
  finding.related = others.map((node) => placeOf(node, policy));
}

function relate(finding: LeanFinding, nodes: readonly NodeRef[], policy: Policy): void {
  if (isFull(finding)) finding.related.push(...nodes.map((node) => placeOf(node, policy)));
}

function placeOf(node: NodeRef, { document }: Policy) {
  return { path: pointerOf(node), location: document.locate(node) };
}

const fields = {
  Action: "action",
  NotAction: "not_action",
  Resource: "resource",
  NotResource: "not_resource",
  Principal: "principal",
  NotPrincipal: "principal",
  Condition: "condition",
  Sid: "sid",
  Effect: "effect",
} as const;

function reportOf(place: CodePlace, { check }: RegisteredCheck): Report {
  const { issue } = place;
  const { issue_type = "", severity, fix } = check.aws_codes?.[issue.code] ?? {};
  const [node, ...related] = issue.nodes;
  const steps = node ? stepsOf(node) : [];
  const at = steps.findIndex((step) => typeof step === "string" && step in fields);
  const element = String(steps[at] ?? "");
  const key = element === "Condition" ? steps[at + 2] : undefined;
  const { message, suggestion } = sentences(issue.details);
  const own = typeof severity === "function" ? severity(place) : severity;
  return {
    issue_type,
    message,
    suggestion,
    ...(node ? { node } : {}),
    ...(own ? { severity: own } : {}),
    field_name: element in fields ? fields[element as keyof typeof fields] : null,
    condition_key: typeof key === "string" ? key : null,
    aws_issue_code: issue.code,
    related,
    identity: issue.details,
    ...(fix ? { fix: () => fix(place) } : {}),
  };
}

/** The last sentence of the details says how to fix it; a full stop inside back-ticks ends none. */
function sentences(details: string): { message: string; suggestion: string | null } {
  let quoted = false;
  let end = -1;
  for (let at = 0; at < details.length - 1; at++) {
    if (details[at] === "`") quoted = !quoted;
    else if (!quoted && details[at] === "." && details[at + 1] === " ") end = at;
  }
  return end < 0
    ? { message: details, suggestion: null }
    : { message: details.slice(0, end + 1), suggestion: details.slice(end + 2) };
}
