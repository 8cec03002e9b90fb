import { FactSlot } from "../../policy/fact-slot.ts";
import type { Statement } from "../../policy/model.ts";
import { switchValue } from "./switch-value.ts";

const known = new FactSlot<Statement, ReadonlySet<string>>();

/**
 * Keys that the statement's condition demands to be there: an operator `Null`, with or without a set
 * prefix, names them with the value `false` and no other.
 * @returns lower-case keys.
 */
export function nullCheckedKeys(statement: Statement): ReadonlySet<string> {
  let keys = known.get(statement);
  if (!keys) {
    keys = new Set(
      statement.conditions
        .filter(
          ({ operator, values }) =>
            operator?.base.name === "Null" && !operator.ifExists && switchValue(values) === false,
        )
        .map(({ keyLower }) => keyLower),
    );
    known.set(statement, keys);
  }
  return keys;
}
