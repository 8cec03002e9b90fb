import type { Fix, FixEffect, LeanFinding } from "../../spec/finding.ts";
import { type Opened, openText, openValue } from "../containers/open.ts";
import { readFixable } from "../fixes/fixable.ts";
import { innerFixOf } from "../fixes/in-container.ts";
import { stepsIn, valueAt } from "../fixes/patch.ts";
import { applicable, applyFixes, inDocumentOrder } from "../fixes/round.ts";
import { applicableInSource, applyToSource } from "../fixes/terraform/source-fixes.ts";
import { isInSource } from "../fixes/terraform/source-policy.ts";
import { parseDocument } from "../policy/document.ts";
import { Yielder } from "../yielder.ts";
import { checksOf, EndlessFixes, type FixCounts, LostEdit, maxRounds } from "./fix-policy.ts";
import type { Engine } from "./types.ts";
import {
  type ContainerResult,
  type ContainerToValidate,
  validateContainer,
} from "./validate-container.ts";
import type { Validate } from "./validate-place.ts";

/** The results for a container with its fixes. */
export interface FixedContainer<Shown extends LeanFinding> {
  readonly results: readonly (ContainerResult<Shown> & { readonly counts: FixCounts })[];
  /** As the container was given: its text, or its value. Null: no fix was applied. */
  readonly fixed: { readonly text: string | null; readonly value: unknown } | null;
}

export interface FixContainerOptions<Shown extends LeanFinding> {
  /** Effects of the fixes to apply. */
  readonly effects: ReadonlySet<FixEffect>;
  readonly validate: Validate<Shown>;
  /** Whether a fixed text is still within the limits; the container stays as it was if not. */
  readonly fits: (text: string | null, value: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Validates the policies of a container, applies their fixes to a copy of it, and repeats both until
 * there is none left. Everything that is not the policies' literal text stays as it is.
 * @throws As `validatePolicy`.
 */
export async function fixContainer<Shown extends LeanFinding>(
  input: ContainerToValidate,
  engine: Engine,
  { effects, validate, fits, signal }: FixContainerOptions<Shown>,
): Promise<FixedContainer<Shown>> {
  const yielder = new Yielder(signal);
  const pause = async () => {
    if (yielder.shouldYield) await yielder.yieldNow();
  };
  const counts = new Map<string, FixCounts>();
  let opened = input.opened;
  for (let round = 0; ; round++) {
    const results: ContainerResult<Shown>[] = [];
    const whole = { ...input, opened, fixes: true };
    for await (const one of validateContainer(whole, engine, validate, signal)) results.push(one);
    const findings = results.flatMap(({ validated }) => validated.findings);
    const choose = isInSource(opened) ? applicableInSource : applicable;
    const fixes = choose(
      findings.map(({ fix }) => fix),
      effects,
    );
    const lost = (fix: Fix) => engine.onCheckError(checksOf(findings, [fix]), new LostEdit());
    const next = fixes.length > 0 ? await applied(opened, fixes, { pause, lost }) : null;
    const isEndless = next !== null && round === maxRounds;
    if (next && isEndless) {
      engine.onCheckError(checksOf(findings, [...next.fixes]), new EndlessFixes());
    }
    if (!next || isEndless || !fits(next.opened.source.text, next.opened.source.value)) {
      const { text, value } = opened.source;
      return {
        results: results.map((one) => ({
          ...one,
          counts: counts.get(one.unwrapped.address) ?? {},
        })),
        fixed: opened === input.opened ? null : { text, value },
      };
    }
    for (const { validated, unwrapped } of results) {
      for (const { fix } of validated.findings) {
        if (!fix || !next.fixes.delete(fix)) continue;
        const all = counts.get(unwrapped.address) ?? {};
        all[fix.effect] = (all[fix.effect] ?? 0) + 1;
        counts.set(unwrapped.address, all);
      }
    }
    opened = next.opened;
  }
}

/** What is called while fixes are applied. */
interface Watching {
  readonly pause: () => Promise<void>;
  /** With a fix that is left out, because its edit does not say what its patch says. */
  readonly lost: (fix: Fix) => void;
}

interface Next {
  readonly opened: Opened;
  /** Those that were applied. */
  readonly fixes: Set<Fix>;
}

/** @returns null if no fix could be applied, or the container does not have the same policies afterwards. */
async function applied(
  opened: Opened,
  fixes: readonly Fix[],
  { pause, lost }: Watching,
): Promise<Next | null> {
  const { value, text, name, origin, neighbours } = opened.source;
  if (isInSource(opened)) {
    const open = (edited: string) => openText({ name, text: edited, origin, neighbours });
    return applyToSource(opened, fixes, { open, pause, lost });
  }
  const { direct, within } = await inTexts(value, fixes, { pause, lost });
  const document = await readFixable(text ?? value);
  const round = await applyFixes(document, inDocumentOrder([...direct, ...within.keys()]), {
    parse: readFixable,
    pause,
    onLostEdit: (fix) => (within.get(fix) ?? [fix]).forEach(lost),
  });
  if (!round) return null;
  const after =
    round.document.text === null
      ? await openValue(round.document.raw)
      : await openText({ name, text: round.document.text, origin, neighbours });
  if (!after || !isSamePlaces(opened, after)) return null;
  return { opened: after, fixes: new Set(round.applied.flatMap((fix) => within.get(fix) ?? fix)) };
}

/**
 * Several fixes of a policy in a text are one edit of the container.
 * @returns the others, and each such edit with the fixes in it.
 */
async function inTexts(value: unknown, fixes: readonly Fix[], { pause, lost }: Watching) {
  const direct: Fix[] = [];
  const within = new Map<Fix, readonly Fix[]>();
  const byText = new Map<string, Map<Fix, Fix>>();
  for (const outer of fixes) {
    const inner = innerFixOf(outer);
    if (!inner) {
      direct.push(outer);
      continue;
    }
    const known = byText.get(inner.pointer) ?? new Map<Fix, Fix>();
    byText.set(inner.pointer, known.set(inner.fix, outer));
  }
  for (const [path, outerByInner] of byText) {
    const old = valueAt(value, stepsIn(path));
    const document = await parseDocument(old);
    const ordered = inDocumentOrder([...outerByInner.keys()]);
    const round = await applyFixes(document, ordered, {
      parse: parseDocument,
      pause,
      onLostEdit: (fix) => lost(outerByInner.get(fix) ?? fix),
    });
    const [first] = outerByInner.values();
    if (!round || !first) continue;
    const patch: Fix["patch"] = [
      { op: "test", path, value: old },
      { op: "replace", path, value: round.document.text },
    ];
    const outer = round.applied.flatMap((fix) => outerByInner.get(fix) ?? []);
    within.set({ ...first, patch }, outer);
  }
  return { direct, within };
}

function isSamePlaces(before: Opened, after: Opened): boolean {
  const named = ({ places }: Opened) => places.map(({ address, state }) => `${state} ${address}`);
  return (
    before.container.kind === after.container.kind &&
    named(before).join("\n") === named(after).join("\n")
  );
}
