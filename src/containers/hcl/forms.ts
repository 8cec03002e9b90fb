import type { Alternative, Place } from "../types.ts";
import type { Outcome } from "./outcomes.ts";
import { sentence } from "./reasons.ts";

/** Each is a run of all checks. */
const maxForms = 10;

/** Characters of all forms that are compared. Policies have a few thousand; 200 readings of 400 KB took 20 s. */
const mostCharacters = 4 * 1_048_576;

/** What a value is with each of the outcomes that are read. */
export interface ReadOutcomes<Value> {
  readonly all: Iterable<Outcome<Value>>;
  /** After the last of them: whether there are more, which were not read. */
  readonly isCut: () => boolean;
}

/** @returns one place with the forms that its document has for all outcomes; null if no outcome has a document. */
export function withForms({ all: outcomes, isCut }: ReadOutcomes<Place | null>): Place | null {
  let found: Place | null = null;
  const forms = new Map<string, Alternative>();
  let characters = 0;
  for (const { value: place, choices } of outcomes) {
    if (!place) continue;
    if (!found || (found.state === "not_read" && place.state !== "not_read")) found = place;
    for (const one of place.alternatives) {
      const key = JSON.stringify([one.value ?? null, one.faults.map(({ kind }) => kind)]);
      characters += key.length;
      const known = forms.get(key);
      const shared = known?.choices.filter((choice) => choices.includes(choice)) ?? choices;
      const readings = [...(known?.readings ?? []), choices];
      forms.set(key, { ...(known ?? one), choices: shared, readings });
    }
    if (characters > mostCharacters) break;
  }
  if (!found) return null;
  const all = [...forms.values()];
  const leavesOut = characters > mostCharacters || isCut();
  if (all.length <= maxForms && !leavesOut) return { ...found, alternatives: all };
  const alternatives = all.toSorted((a, b) => wildcardsIn(b) - wildcardsIn(a)).slice(0, maxForms);
  const count = leavesOut
    ? `more forms than the ${alternatives.length} that were read`
    : `${all.length} forms, of which ${maxForms} were read`;
  const reason = sentence([`it has ${count}`]);
  const reasons = found.reason === null ? reason : `${found.reason} ${reason}`;
  return { ...found, alternatives, state: "partly_read", reason: reasons };
}

/** Those with the most wildcards are read first: they grant the most. */
function wildcardsIn({ value }: Alternative): number {
  return (JSON.stringify(value) ?? "").split('"*"').length;
}
