import { isRecord } from "../record.ts";

/** Whether two JSON values are the same; the order of members does not count. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameJson(item, right[index]))
    );
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

/** What `JSON.stringify` writes as more than one code unit: quotes, backslashes, controls, lone surrogates. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * @returns the length of the value as compact JSON in UTF-16 code units; more than `limit` as soon as
 * that is certain, so that a large value costs no more than a small one.
 */
export function jsonLength(value: unknown, limit: number): number {
  if (typeof value === "string") {
    if (value.length > limit) return value.length;
    return escaped.test(value) ? JSON.stringify(value).length : value.length + 2;
  }
  if (typeof value !== "object" || value === null) return String(value).length;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += 1 + jsonLength(item, limit - length);
      if (length > limit) return length;
    }
  } else {
    for (const [name, member] of Object.entries(value)) {
      length += 2 + jsonLength(name, limit - length);
      if (length > limit) return length;
      length += jsonLength(member, limit - length);
      if (length > limit) return length;
    }
  }
  return length;
}
