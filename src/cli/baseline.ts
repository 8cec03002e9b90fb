import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Baseline, type BaselineEntry } from "../../spec/baseline.ts";
import type { Severity } from "../../spec/severity.ts";
import type { Suppression } from "../../spec/suppression.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import { countSeverities } from "../engine/verdict.ts";
import { codeOf } from "../local/collect-files.ts";
import { nameIn } from "../local/validate-files.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { problemsOf } from "../schema-problems.ts";
import { UsageError } from "./streams.ts";
import { writeNamedFile } from "./write-file.ts";

/** A larger file is not one of ours: an entry has about 200 bytes. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads a baseline.
 * @param mayBeMissing A file that does not exist is an empty baseline.
 * @throws {UsageError} Names the fault.
 */
export async function readBaseline(path: string, mayBeMissing: boolean): Promise<Baseline> {
  let text: string;
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new UsageError(`--baseline ${path} is not a regular file`);
    if (found.size > maxBytes) {
      throw new UsageError(`--baseline ${path} has more than ${maxBytes} bytes`);
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error);
    if (code !== "ENOENT") throw new UsageError(`--baseline ${path} cannot be read (${code})`);
    if (mayBeMissing) return { version: 1, findings: [] };
    throw new UsageError(
      `--baseline ${path} does not exist; write it with --baseline ${path} --update-baseline`,
    );
  }
  const parsed = Baseline.safeParse(jsonOf(text, path));
  if (parsed.success) return parsed.data;
  const [first] = problemsOf(parsed.error.issues);
  const at = first?.path.map(String).join(".") || "the file";
  throw new UsageError(
    `--baseline ${path} is not a baseline: ${at} ${first?.message}; write it again with --update-baseline`,
  );
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `--baseline ${path} is not JSON; write it again with --update-baseline, or resolve its merge conflict`,
    );
  }
}

/** What a run has seen, which decides which entries can be gone. */
export interface Seen {
  /** Absolute; names of files in the baseline are relative to it. */
  readonly base: string;
  /** Names of the files that were validated, or skipped because they are not policies. */
  readonly names: ReadonlySet<string>;
  /** @returns Whether the check ran. A check that does not exist any more counts as run. */
  ran(checkId: string): boolean;
}

/** @returns the name of a document's file in the baseline; no absolute path. */
export function baselineName(
  { label, place }: Pick<ValidatedDocument, "label" | "place">,
  base: string,
): string {
  return (place === null ? undefined : nameIn(base, place)) ?? label.replace(/^.*[\\/]/, "");
}

/** The documents of a run without the findings of the baseline. */
export interface Compared {
  readonly documents: readonly ValidatedDocument[];
  /** Entries of which fewer findings are left, with the number that is gone. */
  readonly gone: readonly BaselineEntry[];
}

const known: Suppression = { kind: "baseline", reason: null, owner: null, expires: null };

/**
 * Leaves the findings of the baseline out of the results; of equal fingerprints as many as it counts. A
 * document that could not be read or wholly checked keeps all its findings.
 */
export function compareWithBaseline(
  documents: readonly ValidatedDocument[],
  { findings: entries }: Baseline,
  failing: readonly Severity[],
  seen: Seen,
): Compared {
  const left = new Map<string, number>();
  for (const { fingerprint, count } of entries) {
    left.set(fingerprint, (left.get(fingerprint) ?? 0) + count);
  }
  const compared = documents.map((document) => {
    if (!canBeKnown(document)) return document;
    const suppressed: Suppressed[] = [];
    const findings = document.findings.filter((finding) => {
      const count = left.get(finding.fingerprint) ?? 0;
      if (count === 0) return true;
      left.set(finding.fingerprint, count - 1);
      suppressed.push({ finding, suppression: known, exception: null });
      return false;
    });
    if (suppressed.length === 0) return document;
    return {
      ...document,
      findings,
      suppressed: [...document.suppressed, ...suppressed],
      severity_counts: countSeverities(findings),
      is_valid: !findings.some(({ severity }) => failing.includes(severity)),
    };
  });
  const gone = entries.flatMap((entry) => {
    const rest = left.get(entry.fingerprint) ?? 0;
    if (rest === 0 || !wasSeen(entry, seen)) return [];
    const count = Math.min(rest, entry.count);
    left.set(entry.fingerprint, rest - count);
    return [{ ...entry, count }];
  });
  return { documents: compared, gone };
}

function canBeKnown({ was_checked, unwrapped }: ValidatedDocument): boolean {
  return was_checked && unwrapped?.state !== "not_read";
}

/** A run of a part of the files, or of some checks, says nothing about the others. */
function wasSeen({ file, check_id }: BaselineEntry, { base, names, ran }: Seen): boolean {
  return ran(check_id) && (names.has(file) || !existsSync(resolve(base, file)));
}

/**
 * The baseline that holds all findings of a run, and the entries that the run says nothing about.
 * @param documents As validated, before the comparison.
 */
export function updatedBaseline(
  documents: readonly ValidatedDocument[],
  before: Baseline,
  seen: Seen,
): Baseline {
  const entries = new Map<string, BaselineEntry>();
  const add = (entry: BaselineEntry) => {
    const key = JSON.stringify([entry.file, entry.fingerprint]);
    const count = (entries.get(key)?.count ?? 0) + entry.count;
    entries.set(key, { ...entry, count });
  };
  for (const entry of before.findings) if (!wasSeen(entry, seen)) add(entry);
  for (const document of documents.filter(canBeKnown)) {
    const file = baselineName(document, seen.base);
    for (const { check_id, issue_type, fingerprint } of document.findings) {
      add({ file, check_id, issue_type, fingerprint, count: 1 });
    }
  }
  const keyed = [...entries.values()].map((entry) => {
    const { file, check_id, issue_type, fingerprint } = entry;
    return { entry, key: [file, check_id, issue_type, fingerprint].join("\u0000") };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { version: 1, findings: keyed.map(({ entry }) => entry) };
}

/** @throws {UsageError} If the file cannot be written. */
export function writeBaseline(path: string, baseline: Baseline): Promise<void> {
  return writeNamedFile("--baseline", path, `${JSON.stringify(baseline, null, 2)}\n`);
}
