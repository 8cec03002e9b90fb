import { isRecord } from "../record.ts";

/** @returns The value without null members, at every depth; null means "the default" in a config. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

/** Merges objects key by key at every depth; lists and scalars of `over` replace those of `base`. */
export function merge(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over === undefined ? base : over;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) merged.set(key, merge(merged.get(key), value));
  return Object.fromEntries(merged);
}
