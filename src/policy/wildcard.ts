const star = 42;
const mark = 63;

/** Lower-cases ASCII letters only, as IAM does. */
function fold(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

export interface GlobOptions {
  /** ASCII letters compare ignoring case. Default: false. */
  readonly ignoreCase?: boolean;
}

/**
 * Matches a whole text with an IAM pattern: `*` is any text, even empty, `?` one UTF-16 code unit,
 * everything else is literal. Takes at most pattern length × text length steps.
 */
export function globMatches(pattern: string, text: string, options?: GlobOptions): boolean {
  return walk(pattern, text, options?.ignoreCase === true, false);
}

/** @returns whether a pattern has nothing but wildcards, one of them a star: it sets a length at most. */
export function isOnlyWildcards(pattern: string): boolean {
  return pattern.includes("*") && /^[*?]+$/.test(pattern);
}

/** @returns Whether some text matches both patterns. Takes as many steps as {@link globMatches}. */
export function globsOverlap(a: string, b: string, options?: GlobOptions): boolean {
  if (a === b || a === "*" || b === "*") return true;
  const ignoreCase = options?.ignoreCase === true;
  const starInA = a.includes("*");
  const starInB = b.includes("*");
  if (!starInA && !starInB) {
    return a.length === b.length && agree(a, 0, b, 0, a.length, ignoreCase);
  }
  if (!starInA) return walk(b, a, ignoreCase, true);
  if (!starInB) return walk(a, b, ignoreCase, true);
  // With a star on both sides only the fixed ends can clash: past them one pattern starts with a
  // star and one ends with a star, so the rest of each can be laid out beside the other.
  const head = Math.min(a.indexOf("*"), b.indexOf("*"));
  const tail = Math.min(a.length - a.lastIndexOf("*"), b.length - b.lastIndexOf("*")) - 1;
  return (
    agree(a, 0, b, 0, head, ignoreCase) &&
    agree(a, a.length - tail, b, b.length - tail, tail, ignoreCase)
  );
}

/** @returns whether `length` characters agree pairwise; a `?` on either side agrees with anything. */
function agree(
  a: string,
  fromA: number,
  b: string,
  fromB: number,
  length: number,
  ignoreCase: boolean,
): boolean {
  for (let i = 0; i < length; i++) {
    if (!same(a.charCodeAt(fromA + i), b.charCodeAt(fromB + i), ignoreCase)) return false;
  }
  return true;
}

function same(x: number, y: number, ignoreCase: boolean): boolean {
  return x === y || x === mark || y === mark || (ignoreCase && fold(x) === fold(y));
}

/** With `openText` a `?` in the text is any character, as it does in the pattern. */
function walk(pattern: string, text: string, ignoreCase: boolean, openText: boolean): boolean {
  let p = 0;
  let t = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (t < text.length) {
    const wanted = p < pattern.length ? pattern.charCodeAt(p) : -1;
    const found = text.charCodeAt(t);
    if (wanted === star) {
      starAt = p++;
      resumeAt = t;
    } else if (
      wanted === found ||
      wanted === mark ||
      (ignoreCase && fold(wanted) === fold(found)) ||
      (openText && found === mark && wanted >= 0)
    ) {
      p++;
      t++;
    } else if (starAt >= 0) {
      // Only the latest star needs to give way: whatever an earlier one could take, this one can.
      p = starAt + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern.charCodeAt(p) === star) p++;
  return p === pattern.length;
}

/** @returns whether the text holds `*` or `?`. */
export function hasWildcard(text: string): boolean {
  return text.includes("*") || text.includes("?");
}

/** @returns whether an action means everything: `*`, `**`, `*:*`, runs of stars around one colon. */
export function isAnyAction(text: string): boolean {
  // Asked of every action by many checks, and nearly none begins with a star.
  return text.charCodeAt(0) === star && /^\*+(?::\*+)?$/.test(text);
}

/** @returns whether a resource means everything: one or more `*` and nothing else. */
export function isAnyResource(text: string): boolean {
  return text === "*" || (text.charCodeAt(0) === star && /^\*+$/.test(text));
}
