import type { LeanFinding } from "../../spec/finding.ts";
import { severityRank } from "../../spec/severity.ts";
import { type NodeRef, pointerOf } from "../json/node.ts";
import type { Report } from "./check.ts";

/** A finding, with the entries of a condition that it is about or gives as its reason. */
export interface EntryFinding<Shown extends LeanFinding> {
  readonly finding: Shown;
  /** The entry that the finding is about; undefined: it is about something else. */
  readonly about: NodeRef | undefined;
  readonly reasons: readonly NodeRef[];
}

/** @returns what a report says of condition entries; null where it says nothing. */
export function entriesOf<Shown extends LeanFinding>(
  finding: Shown,
  { about, reasons = [] }: Report,
): EntryFinding<Shown> | null {
  return about !== undefined || reasons.length > 0 ? { finding, about, reasons } : null;
}

/**
 * One fact, one finding: where a finding is about a condition entry that another finding gives as its
 * reason, the one of higher severity stays, and of two equal ones the other. A finding with several
 * reasons says more than that, so it stays too.
 * @param entries Also of findings that are no longer among `findings`; those count for nothing.
 */
export function oncePerEntry<Shown extends LeanFinding>(
  findings: readonly Shown[],
  entries: readonly EntryFinding<Shown>[],
): readonly Shown[] {
  const left = new Set(findings);
  const current = entries.filter(({ finding }) => left.has(finding));
  const byReason = new Map<string, EntryFinding<Shown>[]>();
  for (const one of current) {
    for (const node of one.reasons) {
      const key = pointerOf(node);
      byReason.set(key, [...(byReason.get(key) ?? []), one]);
    }
  }
  if (byReason.size === 0) return findings;
  const dropped = new Set<Shown>();
  for (const { finding, about } of current) {
    const explained = about !== undefined ? byReason.get(pointerOf(about)) : undefined;
    if (!explained) continue;
    const rank = severityRank[finding.severity];
    if (explained.some((one) => severityRank[one.finding.severity] >= rank)) {
      dropped.add(finding);
      continue;
    }
    for (const one of explained) {
      if (one.reasons.length === 1) dropped.add(one.finding);
    }
  }
  return dropped.size === 0 ? findings : findings.filter((finding) => !dropped.has(finding));
}
