import { usualFirst } from "../services/domain-policy.ts";
import type { Action, Service, ServiceLookup } from "../services/model.ts";
import { actionPattern, isLiteralAction } from "./action-index.ts";
import type { Services } from "./answers.ts";
import type { Steps } from "./budget.ts";
import type { Kind, Leaf } from "./leaf.ts";
import type { Literal } from "./literals.ts";
import { literal, type Pattern, unitsOf } from "./patterns.ts";
import { fieldPattern, splitFields } from "./read-pattern.ts";
import { isUnit, noSlash, run, type Token, wildcardToken } from "./tokens.ts";
import { spellings, textMeets, tokensMeet } from "./words.ts";

/** An action for a witness, and where its resource should come from. */
export interface ActionChoice {
  readonly action: string;
  /** Form of the resource; null: as the leaf has it. */
  readonly form: Pattern | null;
  readonly kind: Kind;
}

/** Most known actions that are looked through for one leaf. */
const maxActions = 2_000;

/**
 * Actions to build a witness with, the best kinds first.
 * @param fits Whether the leaf has a resource of the form.
 * @returns null where control may be handed back.
 */
export function* actionChoices(
  leaf: Leaf,
  services: Services,
  writtenOut: readonly string[],
  fits: (form: Pattern) => Steps<boolean>,
): Generator<ActionChoice | null> {
  const { group } = leaf;
  let unfitting: string | null = null;
  let good = 0;
  for (const action of knownActions(leaf, services)) {
    if (!action) {
      yield null;
      continue;
    }
    unfitting ??= action.qualified;
    let form: Pattern | null = null;
    for (const one of formsOf(action, services)) {
      // A form whose texts are known takes no step.
      leaf.scope.budget.toil(1);
      if (leaf.scope.budget.pauseDue) yield null;
      if (yield* fits(one)) {
        form = one;
        break;
      }
    }
    if (!form) continue;
    yield { action: action.qualified, form, kind: "grants" };
    if (++good >= 4) break;
  }
  if (!group.pattern) {
    for (const entry of group.entries) {
      if (knownAction(entry, services)) continue;
      yield { action: entry, form: null, kind: "grants" };
    }
  } else {
    for (const text of writtenOut) {
      if (!isLiteralAction(text) || knownAction(text, services) || !text.includes(":")) continue;
      if (actionFits(leaf, text)) yield { action: text, form: null, kind: "grants" };
    }
  }
  if (unfitting !== null) yield { action: unfitting, form: null, kind: "unfitting" };
  if (group.pattern) {
    for (const action of newActions(leaf)) {
      yield action === null ? null : { action, form: null, kind: "unknown_action" };
    }
  }
}

function knownAction(text: string, services: Pick<ServiceLookup, "get">): Action | undefined {
  const colon = text.indexOf(":");
  return services.get(text.slice(0, colon))?.action(text.slice(colon + 1));
}

function literalsOf({ state, scope }: Leaf, name: "@action" | "@resource"): readonly Literal[] {
  const ids = state[scope.terms.dimension(name).index] ?? [];
  return ids.map((id) => scope.terms.get(id));
}

function actionFits(leaf: Leaf, text: string): boolean {
  return textMeets(text.toLowerCase(), literalsOf(leaf, "@action"), leaf.scope.budget);
}

function* knownActions(leaf: Leaf, services: Services): Generator<Action | null> {
  const { group, scope } = leaf;
  if (!group.pattern) {
    for (const entry of group.entries) {
      const action = knownAction(entry, services);
      if (action) yield action;
    }
    return;
  }
  const literals = literalsOf(leaf, "@action");
  const seen = new Set<string>();
  let count = 0;
  for (const prefix of servicesOf(leaf, services)) {
    if (seen.has(prefix)) continue;
    seen.add(prefix);
    scope.budget.spend(1);
    for (const action of actionsOf(services.get(prefix))) {
      if (++count > maxActions) return;
      const { tokens } = actionPattern(action.qualified);
      if (tokensMeet(tokens, literals, scope.budget)) yield action;
      else if (scope.budget.pauseDue) yield null;
    }
  }
}

const ordered = new WeakMap<Service, readonly Action[]>();

function actionsOf(service: Service | undefined): readonly Action[] {
  if (!service) return [];
  const actions = ordered.get(service) ?? usualFirst(service.actions);
  ordered.set(service, actions);
  return actions;
}

/** Services that the actions of a leaf may be of: those of its resources first. */
function* servicesOf(
  leaf: Leaf,
  { prefixes = [], usual = ["s3", "ec2", "iam"] }: Pick<Services, "prefixes" | "usual">,
): Generator<string> {
  const fixed: string[] = [];
  for (const { texts } of literalsOf(leaf, "@action")) {
    if (!texts || texts.negated) continue;
    const services = texts.patterns.map(({ tokens }) => fieldName(tokens, 0));
    if (services.every((service) => service !== null)) fixed.push(...services);
  }
  for (const { texts } of literalsOf(leaf, "@resource")) {
    if (!texts || texts.negated) continue;
    for (const { tokens } of texts.patterns) {
      const name = fieldName(tokens, 2);
      if (name !== null && (fixed.length === 0 || fixed.includes(name))) yield name;
    }
  }
  if (fixed.length > 0) yield* fixed;
  else {
    yield* usual;
    yield* prefixes;
  }
}

/** The service in a field of an action or of an ARN; null: it is open. */
function fieldName(tokens: readonly Token[], index: number): string | null {
  const name = splitFields(tokens)[index] ?? [];
  return name.length > 0 && name.every(isUnit) ? String.fromCharCode(...name) : null;
}

const formCache = new WeakMap<Action, readonly Pattern[]>();
const noResource: readonly Pattern[] = [literal("*")];

/**
 * What the resources of an action look like, those with the least fixed text first: others meet a wildcard as well, but are
 * less often meant by it (`/domainnames/${DomainName}` beside `${ApiId}/${Stage}/…`). `*` when it works on none.
 */
function formsOf(action: Action, services: Pick<ServiceLookup, "get">): readonly Pattern[] {
  let forms = formCache.get(action);
  if (!forms) {
    const service = services.get(action.service);
    const formats = action.resourceTypes.flatMap(
      (name) => service?.resourceType(name)?.arnFormats ?? [],
    );
    forms =
      action.resourceTypes.length === 0
        ? noResource
        : [...new Set(formats)]
            .sort((a, b) => fixedLength(a) - fixedLength(b) || a.length - b.length)
            .map(formPattern);
    formCache.set(action, forms);
  }
  return forms;
}

/** Characters of a format outside its placeholders. */
function fixedLength(format: string): number {
  return format.replaceAll(/\$\{[^}]*\}/g, "").length;
}

/** `arn:${Partition}:s3:::${BucketName}`, each placeholder any text. */
function formPattern(format: string): Pattern {
  const tokens: Token[] = [];
  for (const part of format.split(/(\$\{[^}]*\})/)) {
    // The name of a bucket ends before the slash of its objects.
    if (part === "${BucketName}") tokens.push(run + noSlash);
    else if (part.startsWith("${")) tokens.push(run);
    else tokens.push(...unitsOf(part).map(wildcardToken));
  }
  return fieldPattern(splitFields(tokens));
}

/** Actions that no data lists, where a pattern reaches further than names that exist. */
function* newActions(leaf: Leaf): Generator<string | null> {
  const { terms, feasibility } = leaf.scope;
  const wording = { fields: ["example"], words: ["NewAction", "OtherAction", "x1"] };
  let count = 0;
  const steps = feasibility.textSteps(terms.dimension("@action"), literalsOf(leaf, "@action"));
  for (const found of steps) {
    if (!found) {
      yield null;
      continue;
    }
    const meets = (text: string) => actionFits(leaf, text);
    for (const text of spellings(found, wording, () => "", meets)) {
      if (!text.startsWith(":")) yield text;
      if (++count > 2) return;
    }
  }
}
