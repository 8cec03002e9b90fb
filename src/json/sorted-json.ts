import { isRecord } from "../record.ts";

/**
 * JSON with sorted member names: equal for values that differ in the order of members only. The library `canonicalize` refuses
 * half of a surrogate pair, which a caller's text may hold; a digest needs RFC 8785, a comparison does not.
 */
export function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return text ?? "";
}
