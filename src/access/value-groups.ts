import { byQuantifier } from "./feasible.ts";
import type { Dimension, Literal, State } from "./literals.ts";

/** The state with other literals of a dimension. */
export function withIds(state: State, { index }: Dimension, ids: readonly number[]): State {
  const copy = [...state];
  copy[index] = ids;
  return copy;
}

/** The literals that each value of a dimension has to meet: one list for each value that is needed. */
export function groupsOf(
  dimension: Dimension,
  literals: readonly Literal[],
): readonly (readonly Literal[])[] {
  if (!dimension.isMultivalued) return [literals];
  const { every, some, plain } = byQuantifier(literals);
  if (plain.length > 0) return [literals];
  return some.length === 0 ? [every] : some.map((one) => [...every, one]);
}
