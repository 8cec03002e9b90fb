import { fillIn, listedPlain } from "../shared/texts.ts";
import type { SensitiveOptions } from "./options.ts";
import { categoryOf } from "./severity.ts";

interface OwnGuidance {
  readonly suggestion?: string | null | undefined;
  readonly example?: string | null | undefined;
}

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
 * @param actions The actions of the finding; the first one decides.
 * @returns the operator's own texts, the most particular ones; absent where there are none.
 */
export function ownGuidanceFor(
  actions: readonly [string, ...string[]],
  options: SensitiveOptions,
): { readonly suggestion?: string; readonly example?: string } {
  const [action] = actions;
  const category = categoryOf(action);
  const values = { action, actions: listedPlain(actions) };
  const general = {
    suggestion: options.suggestion === null ? null : fillIn(options.suggestion, values),
    example: options.example === null ? null : fillIn(options.example, values),
  };
  const candidates: readonly (OwnGuidance | undefined)[] = [
    overridesOf(options).get(action.toLowerCase()),
    category && options.category_suggestions[category],
    general,
  ];
  const suggestion = first(candidates, "suggestion");
  const example = first(candidates, "example");
  return {
    ...(suggestion == null ? {} : { suggestion }),
    ...(example == null ? {} : { example }),
  };
}

function first(
  candidates: readonly (OwnGuidance | undefined)[],
  key: keyof OwnGuidance,
): string | null | undefined {
  return candidates.find((candidate) => candidate?.[key] != null)?.[key];
}
