import { type ActionIndex, actionPattern, isLiteralAction } from "./action-index.ts";
import type { Budget } from "./budget.ts";
import type { Group } from "./leaf.ts";
import type { Origin } from "./origin.ts";

/**
 * Groups of a statement's action entries; for literal ones with the elements that take them. Null where
 * control may be handed back.
 */
export function* groupsOf(
  { statement }: Origin,
  index: ActionIndex,
  budget: Budget,
): Generator<readonly [Group, readonly number[] | null] | null> {
  const { entries, negated } = statement.action;
  if (negated) {
    yield [{ entries, pattern: { patterns: entries.map(actionPattern), negated: true } }, null];
    return;
  }
  const alike = new Map<string, { entries: string[]; taking: readonly number[] }>();
  for (const entry of new Set(entries)) {
    if (!isLiteralAction(entry) || entry.split(":").length !== 2) continue;
    const taking = index.taking(entry);
    const key = taking.join();
    const group = alike.get(key);
    if (group) group.entries.push(entry);
    else alike.set(key, { entries: [entry], taking });
    if (budget.pauseDue) yield null;
  }
  for (const group of alike.values())
    yield [{ entries: group.entries, pattern: null }, group.taking];
  for (const entry of new Set(entries)) {
    if (isLiteralAction(entry)) continue;
    yield [
      { entries: [entry], pattern: { patterns: [actionPattern(entry)], negated: false } },
      null,
    ];
  }
}

/** Which elements a group's actions reach, worked out once for each. */
export class Reach {
  readonly #index: ActionIndex;
  readonly #group: Group;
  readonly #taking: ReadonlySet<number> | null;
  readonly #known = new Map<number, ReturnType<ActionIndex["overlap"]>>();

  constructor(index: ActionIndex, group: Group, taking: readonly number[] | null) {
    this.#index = index;
    this.#group = group;
    this.#taking = taking && new Set(taking);
  }

  of(element: number): ReturnType<ActionIndex["overlap"]> {
    if (this.#taking) return this.#taking.has(element) ? "all" : "none";
    let overlap = this.#known.get(element);
    if (!overlap) {
      const { pattern } = this.#group;
      const [entry] = pattern && !pattern.negated ? pattern.patterns : [];
      overlap = this.#index.overlap(element, entry ?? actionPattern("*"));
      this.#known.set(element, overlap);
    }
    return overlap;
  }
}
