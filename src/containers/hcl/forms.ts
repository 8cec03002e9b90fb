import type { Alternative, Place } from "../types.ts";
import type { Outcome } from "./outcomes.ts";
import { sentence } from "./reasons.ts";

/** Each is a run of all checks. */
const maxForms = 10;

/** @returns one place with the forms that its document has for all outcomes; null if no outcome has a document. */
export function withForms(outcomes: Iterable<Outcome<Place | null>>): Place | null {
  let found: Place | null = null;
  const forms = new Map<string, Alternative>();
  for (const { value: place, choices } of outcomes) {
    if (!place) continue;
    if (!found || (found.state === "not_read" && place.state !== "not_read")) found = place;
    for (const one of place.alternatives) {
      const key = JSON.stringify([one.value ?? null, one.faults.map(({ kind }) => kind)]);
      const known = forms.get(key);
      const shared = known?.choices.filter((choice) => choices.includes(choice)) ?? choices;
      forms.set(key, { ...(known ?? one), choices: shared });
    }
  }
  if (!found) return null;
  const all = [...forms.values()];
  if (all.length <= maxForms) return { ...found, alternatives: all };
  const alternatives = all.toSorted((a, b) => wildcardsIn(b) - wildcardsIn(a)).slice(0, maxForms);
  const reason = sentence([`it has ${all.length} forms, of which ${maxForms} were read`]);
  const reasons = found.reason === null ? reason : `${found.reason} ${reason}`;
  return { ...found, alternatives, state: "partly_read", reason: reasons };
}

/** Those with the most wildcards are read first: they grant the most. */
function wildcardsIn({ value }: Alternative): number {
  return (JSON.stringify(value) ?? "").split('"*"').length;
}
