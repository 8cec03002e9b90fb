import type { AccessLevel, ConditionKey, ResourceType } from "./model.ts";

/** What a source knows of one service, before it is compiled for look-ups. */
export interface ServiceFacts {
  /** Lower case. */
  readonly prefix: string;
  readonly actions: readonly ActionFacts[];
  readonly resourceTypes: readonly ResourceType[];
  readonly conditionKeys: readonly Omit<ConditionKey, "description">[];
  /** Called once at most, when the first description is asked for. */
  descriptions(): Descriptions;
}

export interface ActionFacts {
  readonly name: string;
  readonly accessLevel: AccessLevel;
  readonly resourceTypes: readonly string[];
  readonly conditionKeys: readonly string[];
}

/** In the order of `actions` and `conditionKeys` of the facts; absent or empty: none is known. */
export interface Descriptions {
  readonly actions: readonly (string | null)[];
  readonly conditionKeys: readonly (string | null)[];
}

export const noDescriptions: Descriptions = { actions: [], conditionKeys: [] };
