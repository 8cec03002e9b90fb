import ipaddr from "ipaddr.js";
import { isIpOrCidr } from "./condition-value.ts";

/** A run of addresses of one family, both ends included. */
export interface AddressRange {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Ranges that never reach AWS as a caller's address: private, loopback and link-local ones.
 * Sources: RFC 1918, RFC 1122, RFC 3927, RFC 4193, RFC 4291.
 */
export const privateRanges: readonly AddressRange[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "fc00::/7",
  "fe80::/10",
  "::1/128",
].flatMap((text) => addressRange(text) ?? []);

/** @returns the range of an address or CIDR block, or null for any other text. */
export function addressRange(text: string): AddressRange | null {
  if (!isIpOrCidr(text)) return null;
  const [address = "", length] = text.split("/");
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === "ipv4" ? 32 : 128;
  const value = parsed.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const open = BigInt(bits - Number(length ?? bits));
  const first = (value >> open) << open;
  return { bits, first, last: first + (1n << open) - 1n };
}

/** @returns ranges of both families that do not overlap, in order. */
export function unionOf(ranges: readonly AddressRange[]): AddressRange[] {
  const sorted = [...ranges].sort((a, b) =>
    a.bits === b.bits ? Number(a.first > b.first) - Number(a.first < b.first) : a.bits - b.bits,
  );
  const union: AddressRange[] = [];
  for (const range of sorted) {
    const previous = union.at(-1);
    if (previous && previous.bits === range.bits && range.first <= previous.last + 1n) {
      if (range.last > previous.last) union[union.length - 1] = { ...previous, last: range.last };
    } else {
      union.push(range);
    }
  }
  return union;
}

/** @returns how many public addresses of each family the ranges hold. */
export function publicAddresses(ranges: readonly AddressRange[]): { v4: bigint; v6: bigint } {
  const counts = { v4: 0n, v6: 0n };
  for (const range of unionOf(ranges)) {
    let count = range.last - range.first + 1n;
    for (const hidden of privateRanges) count -= overlap(range, hidden);
    counts[range.bits === 32 ? "v4" : "v6"] += count;
  }
  return counts;
}

function overlap(a: AddressRange, b: AddressRange): bigint {
  if (a.bits !== b.bits) return 0n;
  // Math.min and Math.max do not take a bigint.
  const first = sorted(a.first, b.first)[1];
  const last = sorted(a.last, b.last)[0];
  return last < first ? 0n : last - first + 1n;
}

function sorted(one: bigint, other: bigint): readonly [bigint, bigint] {
  return one < other ? [one, other] : [other, one];
}
