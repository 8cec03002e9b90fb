import {
  type AddressRange,
  addressRange,
  privateRanges,
  unionOf,
} from "../../policy/address-ranges.ts";

/** Values above this number are not added up; real policies stay below, and each costs time. */
const mostValues = 1000;

/** @returns the ranges of the texts; null when one of them is not a range, or there are too many. */
export function runsOf(texts: readonly string[]): readonly AddressRange[] | null {
  if (texts.length > mostValues) return null;
  const runs: AddressRange[] = [];
  for (const text of texts) {
    const run = addressRange(text);
    if (!run) return null;
    runs.push(run);
  }
  return runs;
}

/** @returns whether each of the runs lies in the union of the others. */
export function areCovered(runs: readonly AddressRange[], by: readonly AddressRange[]): boolean {
  const union = unionOf(by);
  return runs.every(({ bits, first, last }) =>
    union.some((one) => one.bits === bits && one.first <= first && last <= one.last),
  );
}

/** @returns whether the runs hold private addresses only. */
export function arePrivate(runs: readonly AddressRange[]): boolean {
  return runs.length > 0 && areCovered(runs, privateRanges);
}

const whole: readonly AddressRange[] = ["0.0.0.0/0", "::/0"].flatMap(
  (text) => addressRange(text) ?? [],
);

/**
 * The families that the texts cover completely, private addresses aside where those cannot occur.
 * @returns `IPv4`, `IPv6`, both or none.
 */
export function coveredFamilies(
  texts: readonly string[],
  publicOnly: boolean,
): readonly ("IPv4" | "IPv6")[] {
  const plain = whole.filter(({ bits }) => texts.includes(bits === 32 ? "0.0.0.0/0" : "::/0"));
  const runs = plain.length > 0 ? plain : runsOf(texts);
  if (!runs) return [];
  const all = publicOnly ? [...runs, ...privateRanges] : runs;
  return whole
    .filter((family) => runs.some(({ bits }) => bits === family.bits) && areCovered([family], all))
    .map(({ bits }) => (bits === 32 ? "IPv4" : "IPv6"));
}
