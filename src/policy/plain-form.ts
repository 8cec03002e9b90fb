import { FactSlot } from "./fact-slot.ts";
import type { Statement } from "./model.ts";

const known = new FactSlot<Statement, boolean>();

/**
 * Whether the statement has the form that nearly all have: `Effect`, `Action` and `Resource`, each well formed, with or
 * without a `Sid`, and no other member but `Condition`, of which this says nothing. Checks of form end here.
 */
export function hasPlainForm(statement: Statement): boolean {
  let isPlain = known.get(statement);
  if (isPlain === undefined) {
    isPlain = isPlainForm(statement.raw);
    known.set(statement, isPlain);
  }
  return isPlain;
}

function isPlainForm(raw: Statement["raw"]): boolean {
  let required = 0;
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    switch (name) {
      case "Sid":
        if (typeof value !== "string") return false;
        break;
      case "Effect":
        if (value !== "Allow" && value !== "Deny") return false;
        required++;
        break;
      case "Action":
      case "Resource":
        if (typeof value !== "string" && !isListOfTexts(value)) return false;
        required++;
        break;
      case "Condition":
        break;
      default:
        return false;
    }
  }
  return required === 3;
}

function isListOfTexts(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  for (const one of value) if (typeof one !== "string") return false;
  return true;
}
