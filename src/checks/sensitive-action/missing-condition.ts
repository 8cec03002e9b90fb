import { type ConfiguredSeverity, severityRank } from "../../../spec/severity.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import { Kept } from "../../policy/kept.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { requirementsInForce, takesCareOf } from "../action-condition-enforcement/in-force.ts";
import { enforcementOptions } from "../action-condition-enforcement/options.ts";
import type { ActionRequirement } from "../action-condition-enforcement/requirement.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { quote } from "../shared/quote.ts";
import { fillIn, listed, listedPlain } from "../shared/texts.ts";
import { sensitiveActionIgnoringCase, sensitiveCategories } from "./catalogue.ts";
import { type Granted, sensitiveGrants } from "./grants.ts";
import type { SensitiveOptions } from "./options.ts";
import { guidanceFor } from "./own-guidance.ts";
import { rulesOf } from "./rules.ts";

type Context = CheckContext<SensitiveOptions>;

/** The sensitive actions that a statement grants without a condition that counts, in one report. */
export function* missingConditionReports(
  statement: Statement,
  context: Context,
): Generator<Report> {
  const rules = rulesOf(context.options);
  if (!statement.allows || !rules.judgesStatements || readCondition(statement).counts) return;
  const granted = sensitiveGrants(statement, rules, context).filter(
    ({ name }) =>
      !context.ignoresAction({ action: name, statement }) && !isTakenCareOf(name, context),
  );
  const [first] = granted;
  if (!first) return;
  yield {
    issue_type: "missing_condition",
    severity: severityOf(granted, context),
    node: first.entry.node,
    field_name: "action",
    action: granted.length === 1 ? first.name : null,
    message: messageOf(granted, first, statement, context.options),
    ...guidanceFor(first.name, context.options),
  };
}

function severityOf(granted: readonly Granted[], context: Context): ConfiguredSeverity {
  let worst: ConfiguredSeverity = "none";
  for (const { name } of granted) {
    const category = sensitiveActionIgnoringCase(name)?.category;
    const severity = category ? context.options.category_severities[category] : context.severity;
    if (severityRank[severity] > severityRank[worst]) worst = severity;
  }
  return worst;
}

function messageOf(
  granted: readonly Granted[],
  first: Granted,
  { conditions }: Statement,
  { message_single, message_multiple }: SensitiveOptions,
): string {
  const names = granted.map(({ name }) => name);
  const lack =
    conditions.length > 0 ? "under a condition that every request meets" : "without any condition";
  const by = grantedBy(granted);
  if (granted.length > 1) {
    if (message_multiple) return fillIn(message_multiple, { actions: listedPlain(names) });
    return `${granted.length} sensitive actions are granted${by} ${lack}: ${listed(names)}.`;
  }
  if (message_single) return fillIn(message_single, { action: first.name });
  return `The sensitive action ${quote(first.name)} is granted${by} ${lack}. ${whySensitive(first.name)}`;
}

/** Says which entry it is, where one grants them all by a wildcard. */
function grantedBy(granted: readonly Granted[]): string {
  const texts = new Set(granted.map(({ entry }) => entry.text));
  const [text] = texts;
  return texts.size === 1 && text !== undefined && hasWildcard(text) ? ` by ${quote(text)}` : "";
}

const meanings = new Map(sensitiveCategories.map(({ id, description }) => [id, description]));

function whySensitive(name: string): string {
  const category = sensitiveActionIgnoringCase(name)?.category;
  const meaning = category && meanings.get(category);
  if (!meaning) return "The organisation's configuration names it as sensitive.";
  return `It is sensitive because it ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`;
}

/** Requirements of the other check, by policy: that check reports their actions itself. */
const careful = new Kept<Policy, readonly ActionRequirement[]>();

function isTakenCareOf(action: string, context: Context): boolean {
  let requirements = careful.get(context.policy);
  if (!requirements) {
    const peer = context.peer("action_condition_enforcement");
    requirements = peer ? requirementsInForce(enforcementOptionsOf(peer.options), context) : [];
    careful.set(context.policy, requirements);
  }
  return requirements.some((requirement) => takesCareOf(requirement, action));
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
