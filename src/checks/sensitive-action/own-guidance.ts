import { fillIn, listedPlain } from "../shared/texts.ts";
import type { SensitiveOptions } from "./options.ts";
import { categoryOf } from "./severity.ts";

interface OwnGuidance {
  readonly suggestion?: string | null | undefined;
  readonly example?: string | null | undefined;
}

const nothing: OwnGuidance = {};

const overrides = new WeakMap<SensitiveOptions, ReadonlyMap<string, OwnGuidance>>();

/** Own texts by action in lower case, whatever the category they stand under. */
function overridesOf(options: SensitiveOptions): ReadonlyMap<string, OwnGuidance> {
  let known = overrides.get(options);
  if (!known) {
    known = new Map(
      Object.values(options.category_suggestions).flatMap((own) =>
        Object.entries(own?.action_overrides ?? {}).map(
          ([action, texts]) => [action.toLowerCase(), texts] as const,
        ),
      ),
    );
    overrides.set(options, known);
  }
  return known;
}

/**
 * @param action The first action of the finding, which decides.
 * @param actions All of them.
 * @returns the operator's own texts, the most particular ones; absent where there are none.
 */
export function ownGuidanceFor(
  action: string,
  actions: readonly string[],
  options: SensitiveOptions,
): OwnGuidance {
  const { suggestion, example, category_suggestions } = options;
  if (suggestion === null && example === null && isEmpty(category_suggestions)) return nothing;
  const category = categoryOf(action);
  const values = { action, actions: listedPlain(actions) };
  const general = {
    suggestion: suggestion === null ? null : fillIn(suggestion, values),
    example: example === null ? null : fillIn(example, values),
  };
  const candidates: readonly (OwnGuidance | undefined)[] = [
    overridesOf(options).get(action.toLowerCase()),
    category && category_suggestions[category],
    general,
  ];
  return { suggestion: first(candidates, "suggestion"), example: first(candidates, "example") };
}

function isEmpty(suggestions: SensitiveOptions["category_suggestions"]): boolean {
  for (const _ in suggestions) return false;
  return true;
}

function first(
  candidates: readonly (OwnGuidance | undefined)[],
  key: keyof OwnGuidance,
): string | null | undefined {
  return candidates.find((candidate) => candidate?.[key] != null)?.[key];
}
