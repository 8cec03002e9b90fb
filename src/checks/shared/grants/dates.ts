import type { ConditionEntry } from "../../../policy/model.ts";
import { epochSeconds, isTimeKey, startOfDay } from "../dates.ts";

/**
 * What a date test says about every request from now on (V47). No request is older than the reference
 * data, so a test for an earlier time never holds, and one for a later time always does.
 * @param dataDate `YYYY-MM-DD`, the day of the reference data.
 * @returns null where it depends on the request.
 */
export function dateTest(
  { operator, keyLower, values }: ConditionEntry,
  dataDate: string,
): "always" | "never" | null {
  if (!isTimeKey(keyLower) || !operator || values.length === 0) return null;
  const earliest = startOfDay(dataDate);
  const times = values.map(({ text }) => epochSeconds(text));
  if (!times.every((time) => time !== null && time < earliest)) return null;
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
