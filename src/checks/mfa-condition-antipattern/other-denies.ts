import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { switchValue } from "../shared/switch-value.ts";
import { sortedOnce } from "../shared/texts.ts";

export const mfaKey = "aws:multifactorauthpresent";
export const ageKey = "aws:multifactorauthage";

/** @returns whether another Deny of the same requests stops those without MFA that lack the keys. */
export function isDeniedWithoutKey(statement: Statement, { statements }: Policy): boolean {
  return statements.some(
    (other) =>
      other !== statement &&
      other.denies &&
      sameReach(other, statement) &&
      other.conditions.some(holdsWithoutKey) &&
      // A test that this Deny lacks would let requests pass that this one is about.
      other.conditions.every((entry) => holdsWithoutKey(entry) || tests(statement, entry)),
  );
}

function tests(
  { conditions }: Statement,
  { operatorText, keyLower, values }: ConditionEntry,
): boolean {
  return conditions.some(
    (own) =>
      own.keyLower === keyLower &&
      own.operatorText.toLowerCase() === operatorText.toLowerCase() &&
      textsOf(own.values) === textsOf(values),
  );
}

function holdsWithoutKey({ operator, keyLower, values }: ConditionEntry): boolean {
  if (keyLower !== mfaKey && keyLower !== ageKey) return false;
  if (operator?.base.name === "Null") return switchValue(values) === true;
  return operator?.base.name === "Bool" && operator.ifExists && switchValue(values) === false;
}

const actionElements = ["actions", "notActions"] as const;
const otherElements = ["resources", "notResources", "principals", "notPrincipals"] as const;

/** Letter case counts in ARNs, and not in actions. */
function sameReach(one: Statement, other: Statement): boolean {
  return (
    actionElements.every(
      (element) => textsOf(lower(one[element])) === textsOf(lower(other[element])),
    ) && otherElements.every((element) => textsOf(one[element]) === textsOf(other[element]))
  );
}

type Texts = readonly { readonly text: string }[];

function lower(entries: Texts): Texts {
  return entries.map(({ text }) => ({ text: text.toLowerCase() }));
}

function textsOf(entries: Texts): string {
  return sortedOnce(entries.map(({ text }) => text)).join("\n");
}
