import { sensitiveActionIgnoringCase } from "./catalogue.ts";
import { actionGuidance, categoryGuidance, fallbackGuidance, type Guidance } from "./guidance.ts";
import type { SensitiveOptions } from "./options.ts";

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

/** @returns the most particular texts there are for the action, the operator's own first. */
export function guidanceFor(action: string, options: SensitiveOptions): Guidance {
  const lower = action.toLowerCase();
  const category = sensitiveActionIgnoringCase(action)?.category;
  const candidates: readonly (OwnGuidance | undefined)[] = [
    overridesOf(options).get(lower),
    actionGuidance.get(lower),
    category && options.category_suggestions[category],
    category && categoryGuidance[category],
  ];
  return {
    suggestion: first(candidates, "suggestion") ?? fallbackGuidance.suggestion,
    example: first(candidates, "example") ?? fallbackGuidance.example,
  };
}

function first(
  candidates: readonly (OwnGuidance | undefined)[],
  key: keyof OwnGuidance,
): string | null | undefined {
  return candidates.find((candidate) => candidate?.[key] != null)?.[key];
}
