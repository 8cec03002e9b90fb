import { type PlaceIn, pairPlaces } from "../containers/pair-places.ts";
import { Unknowns } from "../containers/unknowns.ts";
import type { EarlierText, MovedFrom } from "../local/earlier-text.ts";
import { mayHavePolicy } from "../local/may-have-policy.ts";
import { isPolicyShaped } from "../local/policy-shape.ts";
import { containersOf, partsOf, type ReadPart, readFileParts } from "../local/read-parts.ts";

/** A file of one of two folders that are compared. */
export interface Version {
  readonly label: string;
  /** Null: it cannot be read. */
  read(): Promise<EarlierText | null>;
}

/** Where the places of a file have come from, and which of its earlier ones are elsewhere. */
export type Moves = Required<Pick<EarlierText, "movedFrom" | "movedAway">>;

/**
 * Finds the policies that another file has than before: one file of each version has the place and has it alone, and
 * their formats call it the same.
 * @returns By the path of the file in its folder.
 */
export async function movesBetween(
  before: ReadonlyMap<string, Version>,
  now: ReadonlyMap<string, Version>,
  maxFileBytes: number,
): Promise<ReadonlyMap<string, Moves>> {
  const added = new Map<string, string[]>();
  const removed = new Map<string, string[]>();
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [old = null, changed = null] = [
      await before.get(path)?.read(),
      await now.get(path)?.read(),
    ];
    if (isSame(old, changed)) continue;
    const unknowns = new Unknowns();
    const read = (version: EarlierText | null, label: string) =>
      readVersion(version, label, { unknowns, maxFileBytes });
    const label = now.get(path)?.label ?? before.get(path)?.label ?? path;
    const pairs = pairPlaces(
      containersOf(await read(changed, label)),
      containersOf(await read(old, label)),
    );
    for (const { identity } of pairs.added) note(added, identity, path);
    for (const { identity } of pairs.removed) note(removed, identity, path);
  }
  return movesOf(added, removed, before);
}

async function movesOf(
  added: ReadonlyMap<string, string[]>,
  removed: ReadonlyMap<string, string[]>,
  before: ReadonlyMap<string, Version>,
): Promise<ReadonlyMap<string, Moves>> {
  const from = new Map<string, Map<string, Set<string>>>();
  const away = new Map<string, Set<string>>();
  for (const [identity, [to = "", ...others]] of added) {
    const [source = "", ...more] = removed.get(identity) ?? [];
    if (source === "" || others.length + more.length > 0) continue;
    const sources = from.get(to) ?? new Map<string, Set<string>>();
    from.set(to, sources.set(source, (sources.get(source) ?? new Set()).add(identity)));
    away.set(source, (away.get(source) ?? new Set()).add(identity));
  }
  const moves = new Map<string, Moves>();
  for (const path of new Set([...from.keys(), ...away.keys()])) {
    const movedFrom: MovedFrom[] = [];
    for (const [source, identities] of from.get(path) ?? []) {
      const version = before.get(source);
      const { text = null, neighbours = [] } = (await version?.read()) ?? {};
      if (!version || text === null) continue;
      movedFrom.push({ label: version.label, text, neighbours, identities });
    }
    moves.set(path, { movedFrom, movedAway: away.get(path) ?? new Set() });
  }
  return moves;
}

/** The policies of a file that is gone and that no other file has; `policy`: the file was one itself. */
export async function removedIn(
  version: Version,
  movedAway: ReadonlySet<string> | undefined,
  maxFileBytes: number,
): Promise<readonly PlaceIn[] | "policy"> {
  const { label } = version;
  const read = await readVersion(await version.read(), label, { maxFileBytes });
  if (read.some(({ document, container }) => !container && isPolicyShaped(document.raw))) {
    return "policy";
  }
  const { removed } = pairPlaces([], containersOf(read));
  return removed.filter(({ identity }) => !movedAway?.has(identity));
}

async function readVersion(
  version: EarlierText | null,
  label: string,
  about: { readonly unknowns?: Unknowns; readonly maxFileBytes: number },
): Promise<readonly ReadPart[]> {
  const { text = null, neighbours = [] } = version ?? {};
  if (text === null || !mayHavePolicy(text, label)) return [];
  return readFileParts(partsOf(label, text), { ...about, label, neighbours });
}

function isSame(one: EarlierText | null, other: EarlierText | null): boolean {
  return one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other);
}

function note(all: Map<string, string[]>, identity: string, path: string): void {
  const paths = all.get(identity);
  if (paths) paths.push(path);
  else all.set(identity, [path]);
}
