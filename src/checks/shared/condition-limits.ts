import { type Operator, parseOperator } from "../../policy/condition-operator.ts";
import { decimalText } from "../../policy/decimal.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { isTagTest, type Openness, opennessOf } from "./admits-everyone.ts";
import { nullCheckedKeys } from "./null-checked.ts";
import { switchValue } from "./switch-value.ts";

/** One key under one operator, and what it does to the statement. */
export interface ReadEntry {
  readonly entry: ConditionEntry;
  /** Base operator `Null`: it asks whether the key is there, not what it says. */
  readonly isNull: boolean;
  readonly negated: boolean;
  /** `ForAllValues` in an Allow without a guard against an absent key: true when the key is absent. */
  readonly passesWhenAbsent: boolean;
  /** Why its values let everyone pass; null when they do not. */
  readonly openness: Openness | null;
  /** It lets every request pass. */
  readonly vacuous: boolean;
  /** `IfExists` in an Allow on a key that a request may lack. */
  readonly optional: boolean;
  /** It narrows what the statement does. */
  readonly limiting: boolean;
}

/** The condition of a statement, read once. */
export interface ReadCondition {
  readonly entries: readonly ReadEntry[];
  /** @returns the entries of a key, any letter case. */
  of(key: string): readonly ReadEntry[];
  /** Some entry limits, or is neither `Null` nor vacuous; negated and optional ones count. */
  readonly counts: boolean;
}

const noEntries: readonly ReadEntry[] = [];
const noCondition: ReadCondition = { entries: noEntries, of: () => noEntries, counts: false };
const readings = new FactSlot<Statement, ReadCondition>();

/**
 * Reads a statement's condition. A statement that is neither Allow nor Deny reads as an Allow.
 * An operator that AWS does not know reads as one that compares: the policy is refused anyway.
 */
export function readCondition(statement: Statement): ReadCondition {
  if (statement.conditions.length === 0) return noCondition;
  let reading = readings.get(statement);
  if (!reading) {
    reading = read(statement);
    readings.set(statement, reading);
  }
  return reading;
}

/** @returns the limiting entries of a statement, in block order. */
export function limitingEntries(statement: Statement): readonly ConditionEntry[] {
  return readCondition(statement).entries.flatMap(({ limiting, entry }) =>
    limiting ? [entry] : [],
  );
}

function read(statement: Statement): ReadCondition {
  const guarded = nullCheckedKeys(statement);
  const entries = statement.conditions.map((entry) => readEntry(entry, statement, guarded));
  const byKey = Map.groupBy(entries, ({ entry }) => entry.keyLower);
  return {
    entries,
    of: (key) => byKey.get(key.toLowerCase()) ?? noEntries,
    counts: entries.some(({ isNull, vacuous, limiting }) => limiting || (!isNull && !vacuous)),
  };
}

function readEntry(
  entry: ConditionEntry,
  statement: Statement,
  guarded: ReadonlySet<string>,
): ReadEntry {
  const { operator, keyLower } = entry;
  const allows = !statement.denies;
  const isNull = operator?.base.name === "Null";
  const negated = operator?.base.negated === true;
  const passesWhenAbsent =
    allows && operator?.setPrefix === "ForAllValues" && !guarded.has(keyLower);
  const openness = opennessOf(entry, statement);
  const vacuous = passesWhenAbsent || openness !== null;
  const optional = allows && operator?.ifExists === true && mayBeAbsent(entry.key);
  return {
    entry,
    isNull,
    negated,
    passesWhenAbsent,
    openness,
    vacuous,
    optional,
    limiting: isNull
      ? isTagTest(keyLower) && keyLower !== "aws:tagkeys" && switchValue(entry.values) === false
      : !(negated && allows) && !vacuous && !optional,
  };
}

function mayBeAbsent(key: string): boolean {
  return globalConditionKey(key)?.alwaysPresent !== true;
}

/** What the config may demand, or forbid, of a statement's condition. */
export interface ConditionRequirement {
  readonly condition_key: string;
  readonly operator?: string | null | undefined;
  readonly expected_value?: ExpectedValue | readonly ExpectedValue[] | null | undefined;
}

type ExpectedValue = string | number | boolean;

/** @returns whether an entry of the statement's condition meets the requirement. */
export function meetsRequirement(statement: Statement, requirement: ConditionRequirement): boolean {
  const expected = expectedTexts(requirement);
  return readCondition(statement)
    .of(requirement.condition_key)
    .some((read) => {
      if (!operatorFits(read, requirement, statement) || read.passesWhenAbsent) return false;
      if (requirement.operator == null && read.optional) return false;
      if (!expected) return !read.vacuous;
      const { values } = read.entry;
      return values.length > 0 && values.every((value) => expected.has(comparable(value.text)));
    });
}

/** An entry that a requirement forbids, with the value meant when the requirement names values. */
export interface ForbiddenEntry {
  readonly entry: ConditionEntry;
  readonly value: ConditionValue | null;
}

/** @returns the first entry of the statement's condition that the requirement forbids. */
export function findForbidden(
  statement: Statement,
  requirement: ConditionRequirement,
): ForbiddenEntry | undefined {
  const expected = expectedTexts(requirement);
  for (const read of readCondition(statement).of(requirement.condition_key)) {
    if (!operatorFits(read, requirement, statement)) continue;
    if (!expected) return { entry: read.entry, value: null };
    const value = read.entry.values.find(({ text }) => expected.has(comparable(text)));
    if (value) return { entry: read.entry, value };
  }
  return undefined;
}

function operatorFits(
  { entry, isNull, negated }: ReadEntry,
  { operator }: ConditionRequirement,
  statement: Statement,
): boolean {
  if (operator == null) return !isNull && (!negated || statement.denies);
  const wanted = parseOperator(operator);
  if (!wanted || !entry.operator) {
    return entry.operatorText.toLowerCase() === operator.toLowerCase();
  }
  return sameOperator(wanted, entry.operator);
}

function sameOperator(wanted: Operator, found: Operator): boolean {
  return (
    wanted.base.name === found.base.name &&
    wanted.ifExists === found.ifExists &&
    (wanted.setPrefix === null || wanted.setPrefix === found.setPrefix)
  );
}

/** Null: any value is accepted. */
function expectedTexts({ expected_value }: ConditionRequirement): ReadonlySet<string> | null {
  if (expected_value == null) return null;
  const list = typeof expected_value === "object" ? expected_value : [expected_value];
  // A number of the config is written out as one of the policy is.
  const textOf = (value: ExpectedValue) =>
    typeof value === "number" ? decimalText(value) : String(value);
  return new Set(list.map((value) => comparable(textOf(value))));
}

/** Booleans compare ignoring case, everything else as exact text. */
function comparable(text: string): string {
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text;
}
