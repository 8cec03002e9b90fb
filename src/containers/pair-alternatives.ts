import type { Alternative } from "./types.ts";

/**
 * The forms of an earlier version that a form of the later one is compared with: those that the same choices lead to.
 * @returns A list for each case in which the document has the form. It has one form of the earlier version; several
 *     where the choices do not say which.
 */
export function earlierForms(
  { readings, choices }: Alternative,
  before: readonly Alternative[],
): readonly (readonly Alternative[])[] {
  const cases = before.flatMap((form) =>
    (form.readings ?? [form.choices]).map((reading): Case => ({ form, chosen: chosenIn(reading) })),
  );
  const byKey = new Map(cases.map(({ form, chosen }) => [keyOf(chosen), form]));
  const found = new Map<string, readonly Alternative[]>();
  for (const reading of readings ?? [choices]) {
    const chosen = chosenIn(reading);
    const same = byKey.get(keyOf(chosen));
    const forms = same ? [same] : nearest(chosen, cases);
    found.set(forms.map((form) => before.indexOf(form)).join(), forms);
  }
  return [...found.values()];
}

/** What is chosen, by its subject. */
type Chosen = ReadonlyMap<string, string>;

interface Case {
  readonly form: Alternative;
  readonly chosen: Chosen;
}

/** A form whose choices are a part of these, the one with most of them; else all that these do not exclude. */
function nearest(chosen: Chosen, cases: readonly Case[]): readonly Alternative[] {
  const fitting = cases.filter((one) => !contradict(chosen, one.chosen));
  const within = fitting.filter((one) => [...one.chosen.keys()].every((key) => chosen.has(key)));
  const most = Math.max(...within.map((one) => one.chosen.size));
  const nearestForms = new Set(
    within.filter((one) => one.chosen.size === most).map(({ form }) => form),
  );
  if (nearestForms.size === 1) return [...nearestForms];
  const possible = fitting.length > 0 ? fitting : cases;
  return [...new Set(possible.map(({ form }) => form))];
}

function contradict(one: Chosen, other: Chosen): boolean {
  return [...one].some(([subject, value]) => (other.get(subject) ?? value) !== value);
}

/** A choice as "`var.stage` is true"; the subject ends with its first quotation. */
function chosenIn(reading: readonly string[]): Chosen {
  return new Map(
    reading.map((choice) => {
      const end = choice.indexOf("`", choice.indexOf("`") + 1) + 1;
      return [choice.slice(0, end), choice.slice(end)];
    }),
  );
}

function keyOf(chosen: Chosen): string {
  return JSON.stringify([...chosen].sort(([a], [b]) => (a < b ? -1 : 1)));
}
