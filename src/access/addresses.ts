import ipaddr from "ipaddr.js";
import { lruCache } from "../lru-cache.ts";
import { complement, intersection, type Range, type Ranges, union } from "./intervals.ts";

/** Both families on one line of numbers: IPv6 begins where IPv4 cannot reach. */
const v6Start = 1n << 64n;
const v4Size = 1n << 32n;
const v6Size = 1n << 128n;

function block(first: bigint, size: bigint): Range {
  return { from: first * 2n, to: (first + size) * 2n };
}

export const everyAddress: Ranges = [block(0n, v4Size), block(v6Start, v6Size)];

/** Texts that were read lately: each of many proofs about a policy reads the same ones again. */
const known = lruCache<{ readonly ranges: Ranges | null }>(4_096);

/**
 * @param text An address or a block; bits below the prefix do not count.
 * @returns null for anything else.
 */
export function readAddresses(text: string): Ranges | null {
  const [found, address = "", length] =
    /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (found === undefined) return null;
  let read = known.get(found);
  if (!read) {
    read = { ranges: rangesOf(address, length) };
    known.set(found, read);
  }
  return read.ranges;
}

function rangesOf(address: string, length: string | undefined): Ranges | null {
  if (isFourParts(address)) {
    return blockOf(ipaddr.IPv4.parse(address).toByteArray(), length, 32, 0n);
  }
  const groups = inGroups(address);
  if (address.includes(":") && ipaddr.IPv6.isValid(groups)) {
    return blockOf(ipaddr.IPv6.parse(groups).toByteArray(), length, 128, v6Start);
  }
  return null;
}

const fourParts = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** For any other text ipaddr.js throws and catches an error, which takes ten times as long as reading an address. */
function isFourParts(text: string): boolean {
  return fourParts.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);
}

/**
 * Writes the dotted end of an IPv6 address as two groups. ipaddr.js 2.5 reads `::192.0.2.1` as
 * `::ffff:192.0.2.1`.
 * @see https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5
 */
function inGroups(address: string): string {
  const at = address.lastIndexOf(":") + 1;
  const end = address.slice(at);
  if (at === 0 || !isFourParts(end)) return address;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(end).toByteArray();
  return `${address.slice(0, at)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function blockOf(
  bytes: readonly number[],
  length: string | undefined,
  bits: number,
  start: bigint,
): Ranges | null {
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const size = 1n << BigInt(bits - prefix);
  return [block(start + (number / size) * size, size)];
}

/** @returns the text of an address on the line of both families. */
export function writeAddress(place: bigint): string {
  const isV6 = place >= v6Start;
  const number = isV6 ? place - v6Start : place;
  const bytes = Array.from({ length: isV6 ? 16 : 4 }, (_, index) =>
    Number((number >> BigInt(8 * ((isV6 ? 15 : 3) - index))) & 0xffn),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

/** Private, loopback, link-local and unique-local. */
const localNetworks = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
];

/** Addresses that requests come from over the internet. */
export const internetAddresses: Ranges = intersection(
  everyAddress,
  complement(union(localNetworks.map((text) => readAddresses(text) ?? []))),
);

/** @returns how many addresses of each family the ranges hold. */
export function countAddresses(ranges: Ranges): { readonly v4: bigint; readonly v6: bigint } {
  let v4 = 0n;
  let v6 = 0n;
  for (const { from, to } of ranges) {
    if (from === null || to === null) continue;
    const size = (to - from) / 2n;
    if (from >= v6Start * 2n) v6 += size;
    else v4 += size;
  }
  return { v4, v6 };
}
