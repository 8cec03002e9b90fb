import type { EscalationPath } from "../../../spec/finding.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { grantCondition } from "../shared/grants/grant-conditions.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { fillIn, listed, listedPlain } from "../shared/texts.ts";
import { adviceFor } from "./advice.ts";
import { adviceAfterCaller, resourceAfterCaller, withCallerAlone } from "./after-caller.ts";
import { removesBoundary, testsBoundary } from "./boundary-removal.ts";
import { sensitiveCategories } from "./catalogue.ts";
import { correctionOf, limited } from "./correction.ts";
import { sensitiveEntries } from "./grants.ts";
import type { SensitiveOptions } from "./options.ts";
import { ownGuidanceFor } from "./own-guidance.ts";
import { pageOfPath } from "./path-table.ts";
import { pathsByAction } from "./paths.ts";
import { handedOver } from "./resource-policies.ts";
import { rulesOf } from "./rules.ts";
import { type Selected, selectionOf, worstOf } from "./selection.ts";
import { categoryOf, grantsRights } from "./severity.ts";

type Context = CheckContext<SensitiveOptions>;

/** @returns whether the statement may have such actions, as two in five statements of AWS's managed policies do. */
export function mayReport(statement: Statement, context: Context): boolean {
  return (
    statement.allows &&
    statement.actions.length > 0 &&
    sensitiveEntries(statement, rulesOf(context.options), context).length > 0
  );
}

/** The sensitive actions that a statement grants without a condition that counts, in one report. */
export function missingConditionReports(statement: Statement, context: Context): readonly Report[] {
  const selection = selectionOf(statement, context);
  const [first] = selection;
  return first ? [reportOf(selection, first, statement, context)] : nothing;
}

const nothing: readonly Report[] = [];

function reportOf(
  selection: readonly Selected[],
  first: Selected,
  statement: Statement,
  context: Context,
): Report {
  const names = selection.map(({ name }) => name);
  const own = ownGuidanceFor(first.name, names, context.options);
  const after = resourceAfterCaller(statement);
  const wider = after && first.breadth === "named" ? adviceAfterCaller(after) : null;
  // Rights that the caller gives itself are no better.
  const isFixed = wider !== null && !names.some(grantsRights);
  return {
    issue_type: "missing_condition",
    severity: worstOf(selection),
    node: first.entry.node,
    reasons: grantCondition(statement, context).entries.map(({ read }) => read.entry.keyNode),
    field_name: "action",
    action: selection.length === 1 ? first.name : null,
    message: `${messageOf(selection, first, names, statement, context)}${wider ? ` ${wider.why}` : ""}`,
    suggestion: own.suggestion ?? (wider && isFixed ? wider.how : adviceFor(selection)),
    example: own.example ?? null,
    correction: () =>
      isFixed ? withCallerAlone(statement) : correctionOf(statement, selection, context),
    fix: () => limited(statement, selection, context),
    escalation_paths: pathsOf(names, context),
  };
}

const none: readonly string[] = [];

/** The documented paths that one of the actions is by itself. */
function pathsOf(names: readonly string[], context: Context): EscalationPath[] {
  const byAction = pathsByAction(context);
  const ids = new Set<string>();
  if (byAction.size > 0) {
    for (const name of names) {
      for (const id of byAction.get(name.toLowerCase()) ?? none) ids.add(id);
    }
  }
  return ids.size === 0 ? [] : Array.from(ids, (id) => ({ id, url: pageOfPath(id) }));
}

function messageOf(
  selection: readonly Selected[],
  first: Selected,
  names: readonly string[],
  statement: Statement,
  context: Context,
): string {
  const { message_single, message_multiple } = context.options;
  const by = grantedBy(selection);
  const where = reachOf(selection);
  const lack = lackOf(selection, statement, context);
  if (selection.length > 1) {
    if (message_multiple) return fillIn(message_multiple, { actions: listedPlain(names) });
    return `${selection.length} sensitive actions are granted${by}${where} ${lack}: ${listed(names)}.`;
  }
  if (message_single) return fillIn(message_single, { action: first.name });
  return `The sensitive action ${quote(first.name)} is granted${by}${where} ${lack}. ${whySensitive(first)}`;
}

/** Says which entry it is, where one grants them all by a wildcard. */
function grantedBy(selection: readonly Selected[]): string {
  const texts = new Set(selection.map(({ entry }) => entry.text));
  const [text] = texts;
  return texts.size === 1 && text !== undefined && hasWildcard(text) ? ` by ${quote(text)}` : "";
}

function reachOf(selection: readonly Selected[]): string {
  const whole = selection.find(({ breadth }) => breadth === "self");
  if (whole) return ` to a whole ${whole.to}`;
  if (selection.every(({ breadth }) => breadth === "everything")) return " on every resource";
  return selection.every(({ breadth }) => breadth === "named") ? " on named resources" : "";
}

/** The most entries of a condition that a message explains. */
const mostReasons = 3;

function lackOf(selection: readonly Selected[], statement: Statement, context: Context): string {
  if (statement.conditions.length === 0) return "without any condition";
  const condition = grantCondition(statement, context);
  const reasons = condition.entries.flatMap(({ shortfall }) => shortfall ?? []);
  if (selection.some(({ to }) => to === "organization")) {
    reasons.push("every account of the organization is let in");
  }
  if (selection.some(({ name }) => removesBoundary(name)) && testsBoundary(condition)) {
    reasons.push("`iam:PermissionsBoundary` only says which boundary may be removed");
  }
  const left = Math.max(0, reasons.length - mostReasons);
  return `without a condition that limits who may use ${selection.length === 1 ? "it" : "them"}, or on what (${joinWords(reasons.slice(0, mostReasons), left)})`;
}

const meanings = new Map(sensitiveCategories.map(({ id, description }) => [id, description]));

function whySensitive({ name, breadth, to }: Selected): string {
  if (breadth === "self") {
    const who = to === "account" ? "that account" : "every account of the organization";
    return `With it ${who} ${handedOver(name)}.`;
  }
  const lower = name.toLowerCase();
  if (lower === "sts:assumerole") return "The caller can take any role whose trust policy lets it.";
  const category = categoryOf(name);
  if (
    category === "data_access" &&
    /:(?:put|delete|update|batchwrite|partiql(?!select))/.test(lower)
  ) {
    return "It changes business or customer data.";
  }
  const meaning = category && meanings.get(category);
  if (!meaning) return "The organisation's configuration names it as sensitive.";
  return `It is sensitive because it ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`;
}
