import type { ConditionEntry } from "../../../policy/model.ts";

/** Keys that tell the time of the request, or of the credentials, which are never newer. */
const timeKeys: ReadonlySet<string> = new Set([
  "aws:currenttime",
  "aws:epochtime",
  "aws:tokenissuetime",
]);

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
  if (!timeKeys.has(keyLower) || !operator || values.length === 0) return null;
  const earliest = Date.parse(`${dataDate}T00:00:00Z`);
  const times = values.map(({ text }) => timeOf(text));
  if (!times.every((time) => time < earliest)) return null;
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

/** @returns milliseconds since 1970; NaN for a text that is not a date, which is never earlier. */
function timeOf(text: string): number {
  // Both keys take ISO 8601 and seconds since 1970.
  return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}
