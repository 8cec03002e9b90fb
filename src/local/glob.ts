import { globMatches } from "../policy/wildcard.ts";

/** Alternatives that the braces of one pattern may make. */
const maxAlternatives = 64;
const maxLength = 1024;

/** A compiled pattern. */
export interface Glob {
  /** Leading segments without a wildcard: no file outside that folder matches. */
  readonly base: string;
  /** @param path Relative, with `/` between its segments. */
  matches(path: string): boolean;
}

/** A pattern that is refused; the message says why. */
export class BadGlob extends Error {
  override name = "BadGlob";
}

/**
 * Compiles a pattern of paths: `*` is any run within a segment, `?` one character, `**` any number of
 * segments, `{a,b}` either. Takes time linear in the path for each alternative: no regular
 * expression is made of it.
 * @throws {BadGlob} When the pattern is absolute, climbs with `..`, or is too long.
 */
export function compileGlob(pattern: string): Glob {
  if (pattern.length > maxLength) {
    throw new BadGlob(`it has ${pattern.length} characters; the limit is ${maxLength}`);
  }
  const alternatives = expandBraces(pattern.replace(/^(\.\/)+/, "")).map((one) =>
    one.split("/").filter((segment) => segment !== "" && segment !== "."),
  );
  if (pattern.startsWith("/") || alternatives.some((segments) => segments.includes(".."))) {
    throw new BadGlob("it is relative to the root and stays below it: no leading /, no ..");
  }
  return {
    base: commonBase(alternatives),
    matches(path) {
      const segments = path.split("/");
      return alternatives.some((glob) => segmentsMatch(glob, segments));
    },
  };
}

/** @returns the patterns without braces that a pattern stands for; braces nest. */
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
      throw new BadGlob(`its braces stand for more than ${maxAlternatives} patterns`);
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

/** The two-pointer walk of `wildcard.ts`, over segments; `**` is the run. */
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
