import { isRecord } from "../record.ts";
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
  // Without a list of the names, which takes longer to create than to go through.
  for (const name in raw) {
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
        if (!isTextOrTexts(value)) return false;
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

const plainConditions = new FactSlot<Statement, boolean>();

/**
 * Whether `Condition` has the form that nearly all have: operators, each with keys, each with a text or with a list of
 * texts. Rules about its form end here.
 */
export function hasPlainCondition(statement: Statement): boolean {
  let isPlain = plainConditions.get(statement);
  if (isPlain === undefined) {
    isPlain = isPlainCondition(statement.raw.Condition);
    plainConditions.set(statement, isPlain);
  }
  return isPlain;
}

function isPlainCondition(condition: unknown): boolean {
  return isFullRecord(condition, isPlainBlock);
}

function isPlainBlock(keys: unknown): boolean {
  return isFullRecord(keys, isTextOrTexts);
}

function isTextOrTexts(value: unknown): boolean {
  return typeof value === "string" || isListOfTexts(value);
}

/** Whether the value is an object with members, each of which is right. */
function isFullRecord(value: unknown, isRight: (member: unknown) => boolean): boolean {
  if (!isRecord(value)) return false;
  let isFull = false;
  for (const name in value) {
    if (!isRight(value[name])) return false;
    isFull = true;
  }
  return isFull;
}
