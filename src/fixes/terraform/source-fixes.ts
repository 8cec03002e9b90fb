import type { Fix, FixEffect, PatchOperation } from "../../../spec/finding.ts";
import type { Opened } from "../../containers/open.ts";
import type { Alternative } from "../../containers/types.ts";
import type { Unknowns } from "../../containers/unknowns.ts";
import { isRecord } from "../../record.ts";
import { isSameJson } from "../json.ts";
import type { Splice } from "../layout.ts";
import { fixWithin } from "../make.ts";
import { applyPatch } from "../patch.ts";
import { applyFixes, inDocumentOrder, isApplicable } from "../round.ts";
import type { SourcePolicy } from "./source-policy.ts";

/** A fix of a policy in a Terraform file: its patch is about the policy, and the file is edited. */
interface SourceFix {
  readonly alternative: Alternative;
  /** With tokens in place of unknown values. */
  readonly inner: Fix;
  readonly splices: readonly Splice[];
}

const sourceFixes = new WeakMap<Fix, SourceFix>();

/** @returns what the fix replaces in the Terraform file; null for other fixes. */
export function sourceEditsOf(fix: Fix): readonly Splice[] | null {
  return sourceFixes.get(fix)?.splices ?? null;
}

/**
 * The fix for the file: its patch shows unknown values as the file writes them.
 * @param operations Of the policy with tokens in place of unknown values.
 * @returns null if the place is decided by an expression.
 */
export function fixInSource(
  fix: Fix,
  operations: readonly PatchOperation[],
  path: string,
  about: {
    readonly alternative: Alternative;
    readonly policy: SourcePolicy;
    readonly unknowns: Unknowns;
  },
): Fix | null {
  const { alternative, policy, unknowns } = about;
  const { value } = alternative;
  const splices = policy.editsTo(applyPatch(value, operations));
  if (!splices || splices.length === 0) return null;
  const shown = operations.map((one) => shownIn(one, unknowns) as PatchOperation);
  const outer = fixWithin(fix, shown, shownIn(value, unknowns), path);
  const inner = fixWithin(fix, operations, value, path);
  if (!outer || !inner) return null;
  sourceFixes.set(outer, { alternative, inner, splices });
  return outer;
}

/** @returns the fixes that may be applied. Those of different policies can have the same patch. */
export function applicableInSource(
  fixes: Iterable<Fix | null>,
  effects: ReadonlySet<FixEffect>,
): readonly Fix[] {
  return [...new Set(fixes)].flatMap((fix) => (fix && isApplicable(fix, effects) ? [fix] : []));
}

/** A Terraform file after fixes. */
export interface EditedSource {
  readonly opened: Opened;
  readonly fixes: Set<Fix>;
}

interface Applying {
  /** Reads the edited text. */
  readonly open: (text: string) => Promise<Opened | null>;
  readonly pause: () => Promise<void>;
  /** Called with a fix whose edit of the text does not say what its patch says. */
  readonly lost: (fix: Fix) => void;
}

/**
 * Applies fixes of one validation to a Terraform file. The file is read again: each policy must be what the
 * patches make of it, and the others must be as they were.
 * @returns null if none could be applied.
 */
export async function applyToSource(
  opened: Opened,
  fixes: readonly Fix[],
  applying: Applying,
): Promise<EditedSource | null> {
  const { text } = opened.source;
  if (text === null || fixes.length === 0) return null;
  const chosen = await chosenOf(fixes, applying.pause);
  if (chosen.fixes.size === 0) return null;
  const after = await applying.open(withSplices(text, chosen.splices));
  if (after && isAsExpected(opened, after, chosen.values)) {
    return { opened: after, fixes: chosen.fixes };
  }
  const left = [...chosen.fixes];
  const [only] = left;
  if (only && left.length === 1) {
    applying.lost(only);
    return null;
  }
  const half = Math.ceil(left.length / 2);
  const first = await applyToSource(opened, left.slice(0, half), applying);
  return first ?? applyToSource(opened, left.slice(half), applying);
}

interface Chosen {
  readonly fixes: Set<Fix>;
  readonly splices: readonly Splice[];
  /** What each policy must be afterwards. */
  readonly values: ReadonlyMap<Alternative, unknown>;
}

/** Fixes of one round: each is compared with those before it. */
const mostFixes = 1000;

/** Those that touch no earlier one; the next validation has the others. */
async function chosenOf(fixes: readonly Fix[], pause: () => Promise<void>): Promise<Chosen> {
  const byPolicy = new Map<Alternative, Map<Fix, Fix>>();
  for (const outer of fixes.slice(0, mostFixes)) {
    const found = sourceFixes.get(outer);
    if (!found) continue;
    const known = byPolicy.get(found.alternative) ?? new Map<Fix, Fix>();
    byPolicy.set(found.alternative, known.set(found.inner, outer));
  }
  const chosen = new Set<Fix>();
  const splices: Splice[] = [];
  const values = new Map<Alternative, unknown>();
  for (const [alternative, outerByInner] of byPolicy) {
    const free = inDocumentOrder([...outerByInner.keys()]).filter((inner) => {
      const outer = outerByInner.get(inner);
      const own = (outer && sourceEditsOf(outer)) ?? [];
      const areApart = own.every((one) => splices.every((other) => isApart(one, other)));
      // A local that several policies have is edited once.
      const areKnown = own.every((one) => splices.some((other) => isSameJson(one, other)));
      if (areApart) splices.push(...own);
      return areApart || areKnown;
    });
    const round = await applyFixes(asValue(alternative.value), free, {
      parse: async (value) => asValue(value),
      pause,
      onLostEdit: () => {},
    });
    if (!round) continue;
    values.set(alternative, round.document.raw);
    for (const inner of round.applied) {
      const outer = outerByInner.get(inner);
      if (outer) chosen.add(outer);
    }
  }
  const kept = [...chosen].flatMap((fix) => sourceEditsOf(fix) ?? []);
  return { fixes: chosen, splices: withoutRepeated(kept), values };
}

const asValue = (raw: unknown) => ({ raw, text: null, isJsonText: false });

function isApart(left: Splice, right: Splice): boolean {
  return left.end < right.start || right.end < left.start;
}

function withoutRepeated(splices: readonly Splice[]): Splice[] {
  return [...new Map(splices.map((one) => [JSON.stringify(one), one])).values()];
}

/** @returns the text with pieces of it replaced; those at one place in their order. */
export function withSplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(at, splice.start), splice.text);
    at = Math.max(at, splice.end);
  }
  return pieces.join("") + text.slice(at);
}

function isAsExpected(
  before: Opened,
  after: Opened,
  values: ReadonlyMap<Alternative, unknown>,
): boolean {
  if (before.places.length !== after.places.length) return false;
  const edited = new Set(values.keys().map(placeOf));
  return before.places.every((place, index) => {
    const now = after.places[index];
    if (now?.address !== place.address || now.state !== place.state) return false;
    return place.alternatives.every((one, at) => {
      // A data source with several users is one text, and the policy of each of them.
      if (!values.has(one) && edited.has(placeOf(one))) return true;
      const expected = shownIn(values.get(one) ?? one.value, before.unknowns);
      const found = shownIn(now.alternatives[at]?.value, after.unknowns);
      return isSameJson(withoutSingleLists(expected), withoutSingleLists(found));
    });
  });
}

function placeOf({ root }: Alternative): string {
  return `${root?.start} ${root?.end}`;
}

/** Arguments of a data source are lists; a list of one value means the same as the value. */
function withoutSingleLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length === 1 ? withoutSingleLists(value[0]) : value.map(withoutSingleLists);
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutSingleLists(member)]),
  );
}

/** The value with `${source}` in place of each token of an unknown value. */
function shownIn(value: unknown, unknowns: Unknowns): unknown {
  if (typeof value === "string") return unknowns.shown(value);
  if (Array.isArray(value)) return value.map((item) => shownIn(item, unknowns));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      unknowns.shown(name),
      shownIn(member, unknowns),
    ]),
  );
}
