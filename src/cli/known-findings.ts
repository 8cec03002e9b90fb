import { resolve } from "node:path";
import type { BaselineEntry } from "../../spec/baseline.ts";
import { dayOf, hasExpired } from "../engine/exceptions.ts";
import type { Session } from "../local/session.ts";
import { nameIn } from "../local/validate-files.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import {
  baselineName,
  compareWithBaseline,
  readBaseline,
  type Seen,
  updatedBaseline,
  writeBaseline,
} from "./baseline.ts";
import { UsageError } from "./streams.ts";
import type { Outcome } from "./validate-inputs.ts";
import type { ValidateOptions } from "./validate-options.ts";

/** The baseline of a run. */
export interface KnownFindings {
  /** Absolute path of its file, which is not validated. */
  readonly path: string;
  /** Leaves the known findings out; with `--update-baseline` writes them first. */
  apply(outcome: Outcome, session: Session): Promise<Outcome>;
}

/**
 * Reads the baseline, before anything is validated.
 * @returns null: the run has none.
 * @throws {UsageError} Says what to fix.
 */
export async function knownFindings({
  baseline: file,
  updateBaseline = false,
  diff = false,
}: ValidateOptions): Promise<KnownFindings | null> {
  if (file === undefined) {
    if (updateBaseline) throw new UsageError("--update-baseline needs --baseline FILE");
    return null;
  }
  if (updateBaseline && diff)
    throw new UsageError("--update-baseline and --diff contradict each other: use one of them");
  const before = await readBaseline(file, updateBaseline);
  return {
    path: resolve(file),
    async apply(outcome, session) {
      const seen = seenIn(outcome, session);
      const { documents } = outcome;
      const baseline = updateBaseline ? updatedBaseline(documents, before, seen) : before;
      if (updateBaseline) await writeBaseline(file, baseline);
      const { fail_on_severity } = session.runtime.config.settings;
      const compared = compareWithBaseline(documents, baseline, fail_on_severity, seen);
      return { ...outcome, ...compared };
    },
  };
}

function seenIn({ documents, skipped }: Outcome, { base, runtime }: Session): Seen {
  const names = [
    ...documents.map((document) => baselineName(document, base)),
    ...skipped.map(({ file }) => nameIn(base, resolve(file)) ?? file),
  ];
  const { registry } = runtime;
  return { base, names: new Set(names), ran: (id) => registry.get(id)?.enabled ?? true };
}

/** Entries that a line names at most. */
const maxNamed = 5;

/** @returns A line about findings of the baseline that are gone; undefined: none is. */
export function goneInWords(gone: readonly BaselineEntry[]): string | undefined {
  if (gone.length === 0) return undefined;
  const count = gone.reduce((sum, entry) => sum + entry.count, 0);
  const named = gone.slice(0, maxNamed).map(({ file, check_id }) => `${file} (${check_id})`);
  const more = gone.length > maxNamed ? `, and ${gone.length - maxNamed} more` : "";
  const what =
    count === 1 ? "1 finding of the baseline is" : `${count} findings of the baseline are`;
  return `${what} gone: ${escapeInvisible(named.join(", "))}${more}. Shrink it with --update-baseline.`;
}

/** @returns the indexes of the exceptions that apply and matched no finding of the run. */
export function unusedExceptions({ documents }: Outcome, { runtime }: Session): readonly number[] {
  if (documents.length === 0) return [];
  const { engine, registry } = runtime;
  const used = new Set(
    documents.flatMap(({ suppressed }) => suppressed.map(({ exception }) => exception)),
  );
  const today = dayOf(engine.now());
  return engine.exceptions.all
    .filter(
      (one) =>
        !used.has(one) &&
        !hasExpired(one.suppression, today) &&
        (one.checks?.some((id) => registry.get(id)?.enabled) ?? true),
    )
    .map(({ index }) => index);
}
