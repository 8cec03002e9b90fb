import type { ConditionEntry } from "../../../policy/model.ts";
import { epochSeconds, isTimeKey, startOfDay } from "../dates.ts";

/**
 * What a date test says about every request from now on. No request is older than the reference
 * data, so a test for an earlier time never holds, and one for a later time always does.
 * @param dataDate `YYYY-MM-DD`, the day of the reference data.
 * @returns null where it depends on the request.
 */
export function dateTest(entry: ConditionEntry, dataDate: string): "always" | "never" | null {
  const { operator, keyLower } = entry;
  if (!operator || !comparesWithPast(entry, dataDate)) return null;
  switch (operator.base.name) {
    case "DateLessThan":
    case "DateLessThanEquals":
    case "DateEquals":
    case "NumericLessThan":
    case "NumericLessThanEquals":
      // Credentials without an issue time pass an optional test.
      return keyLower === "aws:tokenissuetime" && operator.ifExists ? null : "never";
    case "DateGreaterThan":
    case "DateGreaterThanEquals":
    case "NumericGreaterThan":
    case "NumericGreaterThanEquals":
      // Old credentials and long-term keys fail it, so it limits.
      return keyLower === "aws:tokenissuetime" ? null : "always";
    default:
      return null;
  }
}

/**
 * Whether a test asks for a time after one that has passed. Old sessions and long-term keys fail it where the time is
 * that of the credentials, so it does not always hold; but everyone can sign in again, so it limits no grant.
 */
export function startHasPassed(entry: ConditionEntry, dataDate: string): boolean {
  const isStart = /^(?:Date|Numeric)GreaterThan/.test(entry.operator?.base.name ?? "");
  return isStart && comparesWithPast(entry, dataDate);
}

function comparesWithPast({ keyLower, values }: ConditionEntry, dataDate: string): boolean {
  if (!isTimeKey(keyLower) || values.length === 0) return false;
  const earliest = startOfDay(dataDate);
  return values.every(({ text }) => {
    const time = epochSeconds(text);
    return time !== null && time < earliest;
  });
}
