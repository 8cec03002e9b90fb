import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { switchValue } from "../shared/switch-value.ts";
import { sortedOnce } from "../shared/texts.ts";

export const mfaKey = "aws:multifactorauthpresent";
export const ageKey = "aws:multifactorauthage";

/** @returns whether another Deny of the same actions and resources stops the requests without MFA that lack the keys. */
export function isDeniedWithoutKey(statement: Statement, { statements }: Policy): boolean {
  return statements.some(
    (other) =>
      other !== statement &&
      other.denies &&
      sameReach(other, statement) &&
      other.conditions.some(holdsWithoutKey),
  );
}

function holdsWithoutKey({ operator, keyLower, values }: ConditionEntry): boolean {
  if (keyLower !== mfaKey && keyLower !== ageKey) return false;
  if (operator?.base.name === "Null") return switchValue(values) === true;
  return operator?.base.name === "Bool" && operator.ifExists && switchValue(values) === false;
}

const reachElements = ["actions", "notActions", "resources", "notResources"] as const;

/** Letter case counts in ARNs, and not in actions. */
function sameReach(one: Statement, other: Statement): boolean {
  return reachElements.every((element) => {
    const isAction = element === "actions" || element === "notActions";
    const texts = (statement: Statement) =>
      sortedOnce(statement[element].map(({ text }) => (isAction ? text.toLowerCase() : text))).join(
        "\n",
      );
    return texts(one) === texts(other);
  });
}
