import { type ConfiguredSeverity, severityRank } from "../../../spec/severity.ts";
import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import type { Action } from "../../services/model.ts";
import { activeRequirements, takesCareOf } from "../action-condition-enforcement/active.ts";
import { isDefault } from "../action-condition-enforcement/defaults.ts";
import { enforcementOptions } from "../action-condition-enforcement/options.ts";
import type { ActionRequirement } from "../action-condition-enforcement/requirement.ts";
import { type ReadEntry, readCondition } from "../shared/condition-limits.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { type Breadth, grantsOf } from "../shared/grants/grants.ts";
import { underDenies } from "../shared/grants/under-denies.ts";
import { admitsOrganization } from "../shared/grants/whole-account.ts";
import { resourceAfterCaller } from "./after-caller.ts";
import { limitsAction, testsBoundary } from "./boundary-removal.ts";
import { type Granted, sensitiveGrants } from "./grants.ts";
import { limitedTogether } from "./limited-together.ts";
import type { SensitiveOptions } from "./options.ts";
import { handsOverToOrganization, handsOverToWholeAccount } from "./resource-policies.ts";
import { rulesOf } from "./rules.ts";
import type { Sensitive } from "./sensitive.ts";
import { severityOf } from "./severity.ts";

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
  const all = sensitiveGrants(statement, rules, context);
  if (all.length === 0) return nothing;
  const grants = grantsOf(statement, context);
  const tagKeys = readCondition(statement).of("aws:TagKeys").filter(limitsTagKeys);
  const reachesOthers = resourceAfterCaller(statement) !== undefined;
  const selected: Selected[] = [];
  for (const { name, entry, sensitive } of all) {
    const { known } = sensitive;
    const handsOver = isForAll && handsOverToOrganization(name, statement);
    if (!handsOver && limitsAction(name, condition)) continue;
    const owner = takenCareBy(sensitive, context);
    if (owner === "operator" || (owner === "default" && !sensitive.isWideOnly)) continue;
    const together = known && limitedTogether(statement, known, context);
    if (together === "condition") continue;
    const own = known ? grants.breadthOf(known.action, known.service) : grants.breadthOfEntry(name);
    const breadth = together && own === "everything" ? together : own;
    // In the policy of a resource, delegation to named principals is what the policy is for.
    if (breadth === "self") {
      if (!handsOver && !handsOverToWholeAccount(name, statement, context.policy)) continue;
    } else if (breadth !== "everything" && sensitive.countsOnlyWide) {
      continue;
    }
    // The default boundary for S3 is low and does not say that all customers' data is granted (5.16).
    if (owner === "default" && breadth !== "everything") continue;
    if (context.ignoresAction({ action: name, statement })) continue;
    const underAll = underDenies(statement, name, context);
    if (underAll !== statement && limitsAction(name, grantCondition(underAll, context))) continue;
    if (tagKeys.length > 0 && known && changesTags(known.action)) continue;
    const severity =
      breadth === "self"
        ? severityOfSelf(context)
        : severityOf(sensitive, breadth, context, reachesOthers);
    if (severity === "none") continue;
    selected.push({
      name,
      entry,
      sensitive,
      breadth,
      severity,
      to: handsOver ? "organization" : "account",
    });
  }
  return selected;
}

/** Whether the action sets or removes tags. */
function changesTags({ qualified }: Action): boolean {
  return /:(?:Tag|Untag)[A-Z]/.test(qualified);
}

/**
 * Whether a test of `aws:TagKeys` names the tag keys that may be set or removed. A request that carries no tag keys,
 * which `ForAllValues` lets pass, changes no tag.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_examples_iam-manage-tags.html
 */
function limitsTagKeys({ isNull, negated, entry }: ReadEntry): boolean {
  return !isNull && !negated && entry.values.every(({ text }) => !/^[*?]*$/.test(text));
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

/** The requirements of the other check, by policy: that check reports their actions itself. */
const requirements = new FactSlot<Policy, readonly ActionRequirement[]>();

function requirementsOf(context: Context): readonly ActionRequirement[] {
  let known = requirements.get(context.policy);
  if (!known) {
    const peer = context.peer("action_condition_enforcement");
    known = peer ? activeRequirements(enforcementOptionsOf(peer.options), context) : [];
    requirements.set(context.policy, known);
  }
  return known;
}

/** Whose requirement sees to it that an action is conditioned. */
type Owner = "operator" | "default" | "none";

/** Answers about sensitive actions, of which the reference and the configuration name a limited number. */
const owners = memo((_: readonly ActionRequirement[]) => new WeakMap<Sensitive, Owner>());

function takenCareBy(sensitive: Sensitive, context: Context): Owner {
  const all = requirementsOf(context);
  if (all.length === 0) return "none";
  const known = owners(all);
  let owner = known.get(sensitive);
  if (owner === undefined) {
    const active = all.filter((requirement) => takesCareOf(requirement, sensitive.name));
    const isOwn = active.some((requirement) => !isDefault(requirement));
    owner = isOwn ? "operator" : active.length > 0 ? "default" : "none";
    known.set(sensitive, owner);
  }
  return owner;
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
