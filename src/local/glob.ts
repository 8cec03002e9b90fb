import { globMatches } from "../policy/wildcard.ts";

/** Maximum number of alternatives from the braces of one pattern. */
const maxAlternatives = 64;
const maxLength = 1024;

/** A compiled pattern. */
export interface Glob {
  /** Leading segments without a wildcard. No file outside this folder matches. */
  readonly base: string;
  /** @param path Relative, with `/` between its segments. */
  matches(path: string): boolean;
}

/** An invalid pattern; the message says why. */
export class BadGlob extends Error {
  override name = "BadGlob";
}

/**
 * Compiles a pattern of paths: `*` matches any characters within a segment, `?` one character, `**` any
 * number of segments, `{a,b}` either. Matching takes time linear in the path for each alternative,
 * because no regular expression is used.
 * @throws {BadGlob} If the pattern is absolute, contains `..`, or is too long.
 */
export function compileGlob(pattern: string): Glob {
  if (pattern.length > maxLength) {
    throw new BadGlob(`it has ${pattern.length} characters; the limit is ${maxLength}`);
  }
  const alternatives = expandBraces(pattern.replace(/^(\.\/)+/, "")).map((one) =>
    one.split("/").filter((segment) => segment !== "" && segment !== "."),
  );
  if (pattern.startsWith("/") || alternatives.some((segments) => segments.includes(".."))) {
    throw new BadGlob("it must be relative to the root and stay below it: no leading / and no ..");
  }
  return {
    base: commonBase(alternatives),
    matches(path) {
      const segments = path.split("/");
      return alternatives.some((glob) => segmentsMatch(glob, segments));
    },
  };
}

/** @returns The patterns without braces to which a pattern expands; braces may be nested. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = innermostGroup(next);
    if (!group) {
      done.push(next);
    } else {
      const [before, after] = [next.slice(0, group.start), next.slice(group.end + 1)];
      const choices = next.slice(group.start + 1, group.end).split(",");
      for (const choice of choices.reverse()) waiting.push(before + choice + after);
    }
    if (done.length + waiting.length > maxAlternatives) {
      throw new BadGlob(`its braces expand to more than ${maxAlternatives} patterns`);
    }
  }
  return done;
}

function innermostGroup(pattern: string): { start: number; end: number } | null {
  const end = pattern.indexOf("}");
  const start = pattern.lastIndexOf("{", end);
  return end < 0 || start < 0 ? null : { start, end };
}

function commonBase(alternatives: readonly (readonly string[])[]): string {
  const [first = []] = alternatives;
  const fixed = first.findIndex(
    (segment, at) =>
      at === first.length - 1 ||
      /[*?]/.test(segment) ||
      alternatives.some((other) => other[at] !== segment),
  );
  return first.slice(0, Math.max(0, fixed)).join("/");
}

/** The two-pointer algorithm of `wildcard.ts` on segments, with `**` as the wildcard. */
function segmentsMatch(glob: readonly string[], path: readonly string[]): boolean {
  let g = 0;
  let p = 0;
  let runAt = -1;
  let resumeAt = 0;
  while (p < path.length) {
    const segment = glob[g];
    if (segment === "**") {
      runAt = g++;
      resumeAt = p;
    } else if (segment !== undefined && globMatches(segment, path[p] ?? "")) {
      g++;
      p++;
    } else if (runAt >= 0) {
      g = runAt + 1;
      p = ++resumeAt;
    } else {
      return false;
    }
  }
  while (glob[g] === "**") g++;
  return g === glob.length;
}
