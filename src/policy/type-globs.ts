import type { PolicyType } from "../../spec/policy.ts";
import type { TypeGlob } from "./default-type-globs.ts";

/**
 * Finds the type of a policy by its name; undefined if no pattern matches.
 * @param hasTrustForm Whether the policy can be a trust policy; called only if a pattern needs it.
 */
export type TypeByLabel = (label: string, hasTrustForm: () => boolean) => PolicyType | undefined;

/** First and last code point. */
type Range = readonly [number, number];

/** One part of a glob. */
type Part =
  | { readonly kind: "run" }
  | { readonly kind: "one"; readonly negated: boolean; readonly ranges: readonly Range[] };

/**
 * Compiles patterns over labels, such as those of the config's `policy_types`.
 * In a pattern, `*` matches any text (including `/`), `?` one character, `[a-z]` and `[!a-z]` one
 * character in or outside a set. Matching is case-sensitive. A pattern is tried on the name and on its
 * last path segment, as given and without a leading `**` and slash.
 * @returns The type of the first entry that matches, or undefined.
 */
export function typeByLabel(entries: readonly TypeGlob[]): TypeByLabel {
  const compiled = entries.map(({ pattern, type, needsTrustForm = false, isOfFile = false }) => ({
    type,
    needsTrustForm,
    isOfFile,
    globs: [pattern, ...(pattern.startsWith("**/") ? [pattern.slice(3)] : [])].map(compile),
  }));
  return (label, hasTrustForm) => {
    const points = pointsOf(label);
    const name = pointsOf(label.slice(label.lastIndexOf("/") + 1));
    return compiled.find(
      ({ globs, needsTrustForm, isOfFile }) =>
        globs.some((glob) => (!isOfFile && matches(glob, points)) || matches(glob, name)) &&
        (!needsTrustForm || hasTrustForm()),
    )?.type;
  };
}

function pointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

const anyOne: Part = { kind: "one", negated: true, ranges: [] };

function compile(pattern: string): Part[] {
  const points = [...pattern];
  const parts: Part[] = [];
  for (let at = 0; at < points.length; at++) {
    const point = points[at] ?? "";
    const end = point === "[" ? endOfSet(points, at) : -1;
    if (point === "*") {
      if (parts.at(-1)?.kind !== "run") parts.push({ kind: "run" });
    } else if (point === "?") {
      parts.push(anyOne);
    } else if (end > 0) {
      parts.push(setOf(points.slice(at + 1, end)));
      at = end;
    } else {
      parts.push({ kind: "one", negated: false, ranges: [rangeOf(point, point)] });
    }
  }
  return parts;
}

/** A leading `]` belongs to the set. @returns -1 if the set is not closed; then `[` is text. */
function endOfSet(points: readonly string[], from: number): number {
  const first = points[from + 1] === "!" ? from + 2 : from + 1;
  return points.indexOf("]", first + 1);
}

function setOf(points: readonly string[]): Part {
  const negated = points[0] === "!";
  const ranges: Range[] = [];
  for (let at = negated ? 1 : 0; at < points.length; at++) {
    const from = points[at] ?? "";
    const to = points[at + 1] === "-" ? points[at + 2] : undefined;
    ranges.push(rangeOf(from, to ?? from));
    if (to !== undefined) at += 2;
  }
  return { kind: "one", negated, ranges };
}

function rangeOf(from: string, to: string): Range {
  return [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
}

/** The two-pointer algorithm of `wildcard.ts` on parts. */
function matches(glob: readonly Part[], text: readonly number[]): boolean {
  let p = 0;
  let t = 0;
  let runAt = -1;
  let resumeAt = 0;
  while (t < text.length) {
    const part = glob[p];
    if (part?.kind === "run") {
      runAt = p++;
      resumeAt = t;
    } else if (part && takes(part, text[t] ?? 0)) {
      p++;
      t++;
    } else if (runAt >= 0) {
      p = runAt + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (glob[p]?.kind === "run") p++;
  return p === glob.length;
}

function takes(part: Part & { kind: "one" }, point: number): boolean {
  return part.ranges.some(([from, to]) => from <= point && point <= to) !== part.negated;
}
