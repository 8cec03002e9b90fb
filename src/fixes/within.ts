import type { AccessStatement, Condition, Names, Principals } from "../access/document.ts";
import { globMatches } from "../policy/wildcard.ts";

/**
 * Whether each request that the left statement matches is matched by the right one, as far as their
 * text shows. Both have the same effect and the same policy version. False says nothing: the access
 * procedure may still prove it. This is here because most fixes add a test or take out covered entries,
 * and comparing texts costs a thousandth of a proof.
 */
export function isWithin(left: AccessStatement, right: AccessStatement): boolean {
  return (
    left.readable &&
    right.readable &&
    namesWithin(left.action, right.action, coversAction) &&
    resourcesWithin(left.resource, right.resource) &&
    principalsWithin(left.principal, right.principal) &&
    conditionsWithin(left.conditions, right.conditions)
  );
}

type Covers = (pattern: string, text: string) => boolean;

function namesWithin(left: Names, right: Names, covers: Covers): boolean {
  if (!right.negated && right.entries.includes("*")) return true;
  if (left.negated !== right.negated) return false;
  const [narrow, wide] = left.negated ? [right, left] : [left, right];
  if (isSubsequence(narrow.entries, wide.entries)) return true;
  const exact = new Set(wide.entries);
  const patterns = wide.entries.filter((entry) => entry.includes("*"));
  return narrow.entries.every(
    (entry) => exact.has(entry) || patterns.some((pattern) => covers(pattern, entry)),
  );
}

/** Most fixes leave the list as it is or take entries out of it, which needs no set to see. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const entry of whole) if (entry === part[found]) found++;
  return found === part.length;
}

function resourcesWithin(left: Names | null, right: Names | null): boolean {
  if (!right) return true;
  if (!left) return !right.negated && right.entries.includes("*");
  return namesWithin(left, right, coversResource);
}

function coversAction(pattern: string, entry: string): boolean {
  return covers(pattern, entry, true);
}

/** Each of the six fields covers the other's, so the pattern covers whatever the entry matches. */
function coversResource(pattern: string, entry: string): boolean {
  if (pattern.includes("${") || entry.includes("${")) return false;
  const [fields, others] = [fieldsOf(pattern), fieldsOf(entry)];
  return (
    fields !== null &&
    others !== null &&
    fields.every((field, index) => field === "*" || covers(field, others[index] ?? "", false))
  );
}

function fieldsOf(text: string): string[] | null {
  return /^([^:]*):([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/s.exec(text)?.slice(1) ?? null;
}

/** The pattern reads a wildcard of the entry as text, which is right but for `?`, which would match `*`. */
function covers(pattern: string, entry: string, ignoreCase: boolean): boolean {
  if (pattern.includes("?") && entry.includes("*")) return false;
  return globMatches(pattern, entry, { ignoreCase });
}

function principalsWithin(left: Principals | null, right: Principals | null): boolean {
  if (!left || !right) return left === right;
  if (left.negated !== right.negated) return false;
  const [narrow, wide] = left.negated ? [right, left] : [left, right];
  return narrow.entries.every(({ type, text }) =>
    wide.entries.some((other) => other.type === type && other.text === text),
  );
}

/** All tests of a condition must hold, so the left side may have more of them. */
function conditionsWithin(left: readonly Condition[], right: readonly Condition[]): boolean {
  if (right.length === 0) return true;
  const ours = left.map(plain);
  return right
    .map(plain)
    .every((test) =>
      ours.some(
        (other) =>
          other.keyLower === test.keyLower &&
          isAsStrict(other.operator, test.operator) &&
          sameValues(other.values, test.values),
      ),
    );
}

type PlainTest = Pick<Condition, "operator" | "keyLower" | "values">;

/** A test with a lone star asks whether the key is there. */
function plain({ operator, keyLower, values }: Condition): PlainTest {
  const name = operator.toLowerCase();
  const asksPresence = values.length === 1 && values[0] === "*" && !keyLower.includes("${");
  if (asksPresence && name === "stringlike")
    return { operator: "null", keyLower, values: ["false"] };
  if (asksPresence && name === "stringnotlike") {
    return { operator: "null", keyLower, values: ["true"] };
  }
  return { operator: name, keyLower, values };
}

/** Without `IfExists` the test also fails for an absent key. */
function isAsStrict(operator: string, than: string): boolean {
  return operator === than || `${operator}ifexists` === than;
}

function sameValues(left: readonly string[], right: readonly string[]): boolean {
  const [ours, theirs] = [new Set(left), new Set(right)];
  return ours.size === theirs.size && left.every((value) => theirs.has(value));
}
