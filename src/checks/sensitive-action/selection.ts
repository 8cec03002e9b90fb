import { type ConfiguredSeverity, severityRank } from "../../../spec/severity.ts";
import type { CheckContext } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { activeRequirements, takesCareOf } from "../action-condition-enforcement/active.ts";
import { isDefault } from "../action-condition-enforcement/defaults.ts";
import { enforcementOptions } from "../action-condition-enforcement/options.ts";
import type { ActionRequirement } from "../action-condition-enforcement/requirement.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { type Breadth, grantsOf } from "../shared/grants/grants.ts";
import { underDenies } from "../shared/grants/under-denies.ts";
import { admitsOrganization } from "../shared/grants/whole-account.ts";
import { limitsAction, testsBoundary } from "./boundary-removal.ts";
import { countsOnlyWide, type Granted, sensitiveGrants } from "./grants.ts";
import type { SensitiveOptions } from "./options.ts";
import { handsOverToOrganization, handsOverToWholeAccount } from "./resource-policies.ts";
import { rulesOf } from "./rules.ts";
import { severityOf } from "./severity.ts";
import { wideOnlyCategory } from "./wide-only.ts";

type Context = CheckContext<SensitiveOptions>;

/** A sensitive action that is reported, how far it reaches and how severe that is. */
export interface Selected extends Granted {
  readonly breadth: Breadth;
  readonly severity: ConfiguredSeverity;
  /** Whom a grant on the resource itself (`self`) hands it over to. */
  readonly to: "account" | "organization";
}

const nothing: readonly Selected[] = [];

/** @returns the sensitive actions that the statement grants without a condition that limits them. */
export function selectionOf(statement: Statement, context: Context): readonly Selected[] {
  const rules = rulesOf(context.options);
  if (!statement.allows || !rules.checksStatements) return nothing;
  const condition = grantCondition(statement, context);
  const isForAll = context.policy.type === "RESOURCE_POLICY" && admitsOrganization(statement);
  if (condition.counts && !isForAll && !testsBoundary(condition)) return nothing;
  const grants = grantsOf(statement, context);
  return sensitiveGrants(statement, rules, context).flatMap((granted) => {
    const { name } = granted;
    const handsOver = isForAll && handsOverToOrganization(name, statement);
    if (!handsOver && limitsAction(name, condition)) return [];
    const breadth = grants.breadthOfEntry(name);
    // In the policy of a resource, delegation to named principals is what the policy is for.
    if (breadth === "self") {
      if (!handsOver && !handsOverToWholeAccount(name, statement, context.policy)) return [];
    } else if (breadth !== "everything" && countsOnlyWide(name, rules, context)) {
      return [];
    }
    if (context.ignoresAction({ action: name, statement })) return [];
    const underAll = underDenies(statement, name, context);
    if (underAll !== statement && limitsAction(name, grantCondition(underAll, context))) return [];
    if (isTakenCareOf(name, breadth, context)) return [];
    if (limitsTagKeys(statement, name, context)) return [];
    const severity =
      breadth === "self" ? severityOfSelf(context) : severityOf(name, breadth, context);
    const to = handsOver ? ("organization" as const) : ("account" as const);
    return severity === "none" ? [] : [{ ...granted, breadth, severity, to }];
  });
}

/**
 * Whether the action sets or removes tags and may do so with named tag keys only. A request that carries
 * no tag keys, which `ForAllValues` lets pass, changes no tag.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_iam-manage-tags.html
 */
function limitsTagKeys(statement: Statement, name: string, { match }: Context): boolean {
  const tests = readCondition(statement).of("aws:TagKeys");
  if (tests.length === 0) return false;
  const meaning = match(name);
  const tags = meaning.kind === "action" && /:(?:Tag|Untag)[A-Z]/.test(meaning.action.qualified);
  return (
    tags &&
    tests.some(
      ({ isNull, negated, entry }) =>
        !isNull && !negated && entry.values.every(({ text }) => !/^[*?]*$/.test(text)),
    )
  );
}

function severityOfSelf({ configuredSeverity }: Context): ConfiguredSeverity {
  return configuredSeverity ?? "high";
}

/** @returns the highest severity of the selected actions. */
export function worstOf(selection: readonly Selected[]): ConfiguredSeverity {
  let worst: ConfiguredSeverity = "none";
  for (const { severity } of selection) {
    if (severityRank[severity] > severityRank[worst]) worst = severity;
  }
  return worst;
}

/** Requirements of the other check, by policy: that check reports their actions itself. */
interface Careful {
  readonly requirements: readonly ActionRequirement[];
  /** Answers by action, with a mark for those that only an operator's requirement takes care of. */
  readonly answers: Map<string, boolean>;
}

const careful = new FactSlot<Policy, Careful>();

function isTakenCareOf(action: string, breadth: Breadth, context: Context): boolean {
  let known = careful.get(context.policy);
  if (!known) {
    const peer = context.peer("action_condition_enforcement");
    const requirements = peer
      ? activeRequirements(enforcementOptionsOf(peer.options), context)
      : [];
    known = { requirements, answers: new Map() };
    careful.set(context.policy, known);
  }
  // The default boundary for S3 is low and does not say that all customers' data is granted (5.16).
  const onlyOwn = breadth === "everything" && wideOnlyCategory(action) !== undefined;
  const key = onlyOwn ? `own ${action}` : action;
  let answer = known.answers.get(key);
  if (answer === undefined) {
    answer = known.requirements.some(
      (requirement) => !(onlyOwn && isDefault(requirement)) && takesCareOf(requirement, action),
    );
    known.answers.set(key, answer);
  }
  return answer;
}

type EnforcementOptions = ReturnType<typeof enforcementOptions.parse>;

const parsed = new WeakMap<object, EnforcementOptions>();

function enforcementOptionsOf(options: unknown): EnforcementOptions {
  if (typeof options !== "object" || options === null) return enforcementOptions.parse(options);
  let known = parsed.get(options);
  if (!known) {
    known = enforcementOptions.parse(options);
    parsed.set(options, known);
  }
  return known;
}
