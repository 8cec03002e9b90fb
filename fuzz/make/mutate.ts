import type { Random } from "../random.ts";
import { oddName, oddText, oddValue } from "./odd.ts";

/** Values with more places than this are not made larger. */
const mostPlaces = 1_500;

/** A place in a JSON value: what holds it, and under which name or index. */
interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly at: string | number;
}

function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return found;
  // Either kind of holder is read by what its own entries are called.
  const holder = value as Place["holder"];
  for (const at of Object.keys(holder)) {
    found.push({ holder, at: Array.isArray(holder) ? Number(at) : at });
    placesOf(get({ holder, at }), found);
  }
  return found;
}

function get({ holder, at }: Place): unknown {
  return holder[at as keyof typeof holder];
}

function set({ holder, at }: Place, value: unknown): void {
  // Not by assignment: `__proto__` is a member like any other.
  Object.defineProperty(holder, at, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function remove({ holder, at }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(at), 1);
  else delete holder[at];
}

/**
 * Changes a JSON value in place, here and there.
 * @param pool Values of the same kind, to take parts from.
 * @returns the value; another one when its root was replaced.
 */
export function mutate(value: unknown, random: Random, pool: readonly unknown[] = []): unknown {
  let root = value;
  for (let left = 1 + random.small(5); left > 0; left--) {
    const places = placesOf(root);
    if (places.length === 0 || random.chance(0.01)) {
      root = oddValue(random);
      continue;
    }
    if (places.length > mostPlaces) return root;
    change(random.pick(places), places, random, pool);
  }
  return root;
}

function change(
  place: Place,
  places: readonly Place[],
  random: Random,
  pool: readonly unknown[],
): void {
  const value = get(place);
  random.weighted<void>([
    [3, () => set(place, oddValue(random))],
    [4, () => set(place, typeof value === "string" ? mutateText(value, random) : oddText(random))],
    [3, () => remove(place)],
    [2, () => set(place, [value])],
    [1, () => set(place, Array.isArray(value) ? (value[0] ?? null) : { [oddName(random)]: value })],
    [3, () => rename(place, random)],
    [2, () => set(place, structuredClone(get(random.pick(places))))],
    [2, () => repeat(place, random)],
    [
      pool.length > 0 ? 3 : 0,
      () => {
        const others = placesOf(random.pick(pool));
        if (others.length > 0) set(place, structuredClone(get(random.pick(others))));
      },
    ],
  ]);
}

function rename(place: Place, random: Random): void {
  if (Array.isArray(place.holder)) return;
  const value = get(place);
  const name = String(place.at);
  remove(place);
  const changed = random.weighted([
    [2, () => oddName(random)],
    [1, () => name.toLowerCase()],
    [1, () => `${name} `],
    [1, () => mutateText(name, random)],
  ]);
  set({ ...place, at: changed }, value);
}

function repeat({ holder, at }: Place, random: Random): void {
  const value = get({ holder, at });
  const most = Math.floor(mostPlaces / (1 + placesOf(value).length));
  const copies = random.list(random.small(Math.min(20, most)), () => structuredClone(value));
  if (Array.isArray(holder)) holder.splice(Number(at), 0, ...copies);
  else set({ holder, at }, copies);
}

/** Pieces that mean something to a parser of JSON, YAML, HTTP or ARNs. */
const pieces: readonly string[] = [
  '"',
  "\\",
  "\\u0000",
  "\\ud800",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  " ",
  "\n",
  "\r",
  "\t",
  "\u0000",
  "\ufeff",
  "//",
  "/**/",
  "#",
  "- ",
  ": ",
  "&a ",
  "*a",
  "<<: ",
  "!!binary ",
  "!!set ",
  "? ",
  "| ",
  "%YAML 1.1\n---\n",
  "\n---\n",
  "\n...\n",
  "'",
  "0",
  "-",
  "1e999",
  ".nan",
  ".inf",
  "null",
  "~",
  "true",
  '"__proto__":',
  '"Statement":',
  '"Sid":"a",',
  '"Effect":"Allow",',
];

/** Changes a text in one to a few places. */
export function mutateText(text: string, random: Random): string {
  let changed = text;
  for (let left = 1 + random.small(4); left > 0; left--) {
    const from = random.below(changed.length + 1);
    const to = Math.min(changed.length, from + 1 + random.small(8));
    const [head, middle, tail] = [
      changed.slice(0, from),
      changed.slice(from, to),
      changed.slice(to),
    ];
    changed = random.weighted([
      [3, () => head + random.pick(pieces) + middle + tail],
      [3, () => head + tail],
      [2, () => head + middle + middle + tail],
      [2, () => head + random.pick(pieces) + tail],
      [1, () => head + oddText(random) + tail],
      [1, () => head],
      [1, () => head + middle.toUpperCase() + tail],
      [1, () => head + String.fromCharCode(random.below(0x250)) + tail],
    ]);
  }
  return changed;
}
