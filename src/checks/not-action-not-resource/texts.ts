import type { Statement } from "../../policy/model.ts";
import { broadServiceOf } from "../shared/grants/resource-reach.ts";
import { listed } from "../shared/texts.ts";

/** @returns the excluded actions and resources, as written. */
export function excludedTexts({ notActions, notResources }: Statement) {
  return {
    actions: notActions.map(({ text }) => text),
    resources: notResources.map(({ text }) => text),
  };
}

/** @returns what an Allow grants although it excludes these actions; one sentence. */
export function whatStaysGranted(excluded: readonly string[], { resources }: Statement): string {
  if (!resources.some(({ text }) => broadServiceOf(text) === null))
    return "Every other action that works on the resources of the statement stays granted.";
  const whole = new Set<string>();
  const partly = new Set<string>();
  for (const action of excluded) {
    const colon = action.indexOf(":");
    if (colon < 1) continue;
    const service = action.slice(0, colon).toLowerCase();
    (/^\*+$/.test(action.slice(colon + 1)) ? whole : partly).add(service);
  }
  if (whole.size > 0) return `Every service stays granted except ${listed([...whole], 5)}.`;
  if (partly.size > 0) {
    return `Every service stays granted, including every other action of ${listed([...partly], 3)}.`;
  }
  return "Every service stays granted.";
}
