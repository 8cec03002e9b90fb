/** A JSON object that is only read; {@link isRecord} recognises one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** @returns whether the value is an object that is not an array, as a JSON object is. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
