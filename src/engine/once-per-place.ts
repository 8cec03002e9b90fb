import type { Fix, LeanFinding } from "../../spec/finding.ts";

/** @returns a message without the numbers of statements, by which it names one that has no Sid. */
export function withoutNumbers(message: string): string {
  return message.replaceAll(/\b([Ss]tatement) [0-9]+/g, "$1");
}

/**
 * A YAML alias repeats a value, and with it every fault of it. A finding that has the place in the text and the words
 * of an earlier one is left out, and the fix of that one repairs both.
 */
export function oncePerPlace<Shown extends LeanFinding>(
  findings: readonly Shown[],
): readonly Shown[] {
  const paths = new Map<number, string>();
  const isRepeated = findings.some(({ location, path }) => {
    if (!location) return false;
    const { offset } = location.start;
    const known = paths.get(offset);
    if (known === undefined) paths.set(offset, path);
    return known !== undefined && known !== path;
  });
  if (!isRepeated) return findings;
  const first = new Map<string, Shown>();
  return findings.filter((finding) => {
    const key = keyOf(finding);
    if (key === null) return true;
    const known = first.get(key);
    if (known === undefined) first.set(key, finding);
    if (known === undefined || known.path === finding.path) return true;
    known.fix = both(known.fix, finding.fix);
    return false;
  });
}

function keyOf({ location, check_id, issue_type, severity, message }: LeanFinding): string | null {
  if (!location) return null;
  const { start, end } = location;
  const words = withoutNumbers(message);
  return JSON.stringify([start.offset, end.offset, check_id, issue_type, severity, words]);
}

/** The fix of all copies; null where their edits cannot be made one after the other. */
function both(one: Fix | null, other: Fix | null): Fix | null {
  if (!one || !other || one.title !== other.title) return null;
  const [test, ...edits] = other.patch;
  if (
    test?.op !== "test" ||
    ![...one.patch.slice(1), ...edits].every(({ op }) => op === "replace")
  ) {
    return null;
  }
  const effect = one.effect === other.effect ? one.effect : "changes";
  return { ...one, effect, patch: [...one.patch, ...edits] };
}
