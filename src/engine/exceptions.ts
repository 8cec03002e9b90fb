import type { Finding } from "../../spec/finding.ts";
import {
  type ConfigException,
  type ExceptionPattern,
  exceptionPatterns,
  type Suppression,
} from "../../spec/suppression.ts";
import { compileExpression } from "../policy/expression.ts";

/** An exception of the config, compiled. */
interface Exception {
  /** Index in the config's list. */
  readonly index: number;
  readonly suppression: Suppression;
  /** Ids of the checks that it names; null: it names fingerprints only. */
  readonly checks: readonly string[] | null;
  /** @param filepath Name of the policy; null: its caller chose it, so no pattern matches it. */
  matches(finding: Finding, filepath: string | null): boolean;
}

/** A finding that was left out. */
export interface Suppressed {
  readonly finding: Finding;
  readonly suppression: Suppression;
  /** Null: the baseline left it out. */
  readonly exception: Exception | null;
}

/** The exceptions of the config, compiled once at start-up. */
export interface Exceptions {
  readonly isActive: boolean;
  readonly all: readonly Exception[];
  /** @returns the exceptions that match a finding, expired ones too, in the order of the config. */
  matching(finding: Finding, filepath: string | null): readonly Exception[];
}

/** Longer texts match no expression: the time of a comparison grows with the text, which its caller chooses. */
const maxTextLength = 4096;

type Test = (finding: Finding, filepath: string | null) => boolean;

/** @throws {Error} If an expression does not compile. */
export function compileExceptions(given: readonly ConfigException[]): Exceptions {
  const all = given.map(compile);
  const byFingerprint = new Map<string, Exception[]>();
  const byCheck = new Map<string, Exception[]>();
  for (const [index, exception] of all.entries()) {
    const prints = listOf(given[index]?.fingerprint);
    const [table, keys] = prints ? [byFingerprint, prints] : [byCheck, exception.checks ?? []];
    for (const key of new Set(keys)) table.set(key, [...(table.get(key) ?? []), exception]);
  }
  return {
    isActive: all.length > 0,
    all,
    matching(finding, filepath) {
      const candidates = [
        ...(byFingerprint.get(finding.fingerprint) ?? []),
        ...(byCheck.get(finding.check_id) ?? []),
      ];
      return candidates
        .filter((one) => one.matches(finding, filepath))
        .sort((a, b) => a.index - b.index);
    },
  };
}

function compile(given: ConfigException, index: number): Exception {
  const { fingerprint, check, issue_type, reason, owner = null, expires = null } = given;
  const checks = listOf(check);
  const tests: Test[] = [
    ...oneOf(listOf(fingerprint), (finding) => finding.fingerprint),
    ...oneOf(checks, (finding) => finding.check_id),
    ...oneOf(listOf(issue_type), (finding) => finding.issue_type),
    ...exceptionPatterns.flatMap((field) => {
      const patterns = listOf(given[field]);
      return patterns ? [patternTest(field, patterns)] : [];
    }),
  ];
  return {
    index,
    suppression: { kind: "exception", reason, owner, expires },
    checks,
    matches: (finding, filepath) => tests.every((test) => test(finding, filepath)),
  };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === "string" ? [value] : value;
}

function oneOf(values: readonly string[] | null, textOf: (finding: Finding) => string): Test[] {
  if (!values) return [];
  const known = new Set(values);
  return [(finding) => known.has(textOf(finding))];
}

/** As in ignore patterns: a `sid` without `*` must equal the Sid, and a field that is null is an empty text. */
function patternTest(field: ExceptionPattern, patterns: readonly string[]): Test {
  const tests = patterns.map((pattern) => {
    if (field === "sid" && !pattern.includes("*")) return (text: string) => text === pattern;
    const compiled = compileExpression(pattern);
    return (text: string) => text.length <= maxTextLength && compiled.matchesAnywhere(text);
  });
  return (finding, filepath) => {
    const value = field === "filepath" ? filepath : fieldOf(finding, field);
    return value !== null && tests.some((matches) => matches(value));
  };
}

function fieldOf(finding: Finding, field: Exclude<ExceptionPattern, "filepath">): string {
  return (field === "sid" ? finding.statement_sid : finding[field]) ?? "";
}

/** @returns the day in UTC, YYYY-MM-DD. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** @param today YYYY-MM-DD. */
export function hasExpired({ expires }: Pick<Suppression, "expires">, today: string): boolean {
  return expires !== null && expires < today;
}
