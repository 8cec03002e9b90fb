import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import type { ActionMatch } from "../../services/model.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import { deniesOf } from "../shared/grants/denies.ts";
import { grantsOf } from "../shared/grants/grants.ts";
import { coverEveryType } from "../shared/grants/type-cover.ts";
import { excusedBy } from "./allowed.ts";
import type { BroadEntry } from "./broad.ts";
import { needsStar } from "./needs-star.ts";

/** An action that a broad entry of `Resource` is too broad for. */
export interface KeptAction {
  readonly text: string;
  readonly meaning: ActionMatch;
  /** The config allows it on every resource. */
  readonly isExcused: boolean;
}

/** What severity, message and fix depend on, worked out once for each action: none of them looks a text up again. */
export interface KeptActions {
  /** Each text once, sorted. */
  readonly actions: readonly KeptAction[];
  /** In the order of the entries of `Action`; null for one that is not kept. */
  readonly byEntry: readonly (KeptAction | null)[];
}

/**
 * The service decides the name of the role, so a test of the service names the resource too.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/using-service-linked-roles.html
 */
const createsServiceRole = "iam:createservicelinkedrole";

/**
 * @param allowed The option `allowed_wildcards`.
 * @returns the actions that a broad entry is too broad for.
 */
export function keptActions(
  statement: Statement,
  broad: readonly BroadEntry[],
  allowed: readonly string[],
  context: Pick<CheckContext, "match" | "policy" | "services">,
): KeptActions {
  const services = broad.map(({ service }) => service);
  const confined = services.includes(null) ? null : new Set(services);
  const grants = grantsOf(statement, context);
  const denies = deniesOf(context.policy, context.services.date);
  const namesService = limitingEntries(statement).some(
    ({ keyLower }) => keyLower === "iam:awsservicename",
  );
  const isKept = ({ entry: { text }, meaning }: ReadAction): boolean => {
    if (meaning.kind === "action") {
      const { action, service } = meaning;
      if (needsStar(action)) return false;
      const denied = denies.ofKnown(action);
      if (denied.length > 0) {
        const resources = denied.flatMap((deny) => deny.resources);
        if (coverEveryType(resources, action, service)) return false;
      }
    }
    if (grants.breadthOfMatch(text, meaning) === "none") return false;
    if (namesService && text.toLowerCase() === createsServiceRole) return false;
    if (confined && meaning.kind !== "any" && meaning.kind !== "malformed") {
      const service = text.slice(0, text.indexOf(":")).toLowerCase();
      if (!hasWildcard(service) && !confined.has(service)) return false;
    }
    return true;
  };
  const isExcused = excusedBy(allowed, context);
  const actions: KeptAction[] = [];
  const byEntry = actionsOf(statement, context.match).read.map((read) => {
    if (!isKept(read)) return null;
    const { entry, meaning } = read;
    const kept = { text: entry.text, meaning, isExcused: isExcused(meaning) };
    actions.push(kept);
    return kept;
  });
  return { actions: sortedOnce(actions), byEntry };
}

/** By text, in code-point order. */
function sortedOnce(actions: readonly KeptAction[]): readonly KeptAction[] {
  // Authors sort most lists, and then nothing is left to do.
  if (actions.every(({ text }, at) => at === 0 || (actions[at - 1]?.text ?? "") < text)) {
    return actions;
  }
  const byText = new Map(actions.map((one) => [one.text, one]));
  return [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}
