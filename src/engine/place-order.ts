import type { LeanFinding } from "../../spec/finding.ts";
import { unescapedStep } from "../json/node.ts";

/**
 * Findings in the order in which people read the policy: by their place in the text, or by the same
 * order of members for a policy given as an object; at one place in the order of the checks.
 * @param raw The document.
 */
export function inPlaceOrder<Shown extends LeanFinding>(
  findings: readonly Shown[],
  raw: unknown,
): readonly Shown[] {
  if (findings.length < 2) return findings;
  if (findings.every(({ location }) => location)) {
    return findings.toSorted((a, b) => offsetOf(a) - offsetOf(b));
  }
  const rank = ranks(raw);
  return findings
    .map((finding) => ({ finding, rank: rank(finding.path) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ finding }) => finding);
}

function offsetOf({ location }: LeanFinding): number {
  return location?.start.offset ?? 0;
}

/** A node comes before what it contains. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const [depth, index] of a.entries()) {
    const other = b[depth] ?? index;
    if (index !== other) return index - other;
  }
  return a.length - b.length;
}

/** @returns A function from a JSON Pointer to the indexes of its members on the way from the root. */
function ranks(raw: unknown): (path: string) => number[] {
  const indexes = new Map<object, Map<string, number>>();
  const indexOf = (parent: object, name: string): number => {
    let known = indexes.get(parent);
    if (!known) {
      known = new Map(Object.keys(parent).map((key, index) => [key, index]));
      indexes.set(parent, known);
    }
    return known.get(name) ?? known.size;
  };
  return (path) => {
    let at = raw;
    return path
      .split("/")
      .slice(1)
      .map((token) => {
        const name = unescapedStep(token);
        if (typeof at !== "object" || at === null) return 0;
        const index = indexOf(at, name);
        at = Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
        return index;
      });
  };
}
