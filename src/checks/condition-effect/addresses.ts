import ipaddr from "ipaddr.js";
import { isIpOrCidr } from "../../policy/condition-value.ts";

/** A run of addresses of one family, ends included. */
interface Run {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

/** Values above this number are not added up; real policies stay below, and each costs time. */
const mostValues = 1000;

/**
 * Addresses that never come from the internet, so `aws:SourceIp` never has them.
 * Source: RFC 1918, RFC 1122 3.2.1.3, RFC 3927, RFC 4193, RFC 4291 2.5.6.
 */
const privateRuns: readonly Run[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "fc00::/7",
  "fe80::/10",
].flatMap((text) => runOf(text) ?? []);

/** @returns null when the text is not an address or range. */
function runOf(text: string): Run | null {
  if (!isIpOrCidr(text)) return null;
  const [address = "", length] = text.split("/");
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === "ipv4" ? 32 : 128;
  const value = parsed.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const free = BigInt(bits - Number(length ?? bits));
  const first = (value >> free) << free;
  return { bits, first, last: first + (1n << free) - 1n };
}

/** @returns the ranges of the texts; null when one of them is not a range, or there are too many. */
export function runsOf(texts: readonly string[]): readonly Run[] | null {
  if (texts.length > mostValues) return null;
  const runs: Run[] = [];
  for (const text of texts) {
    const run = runOf(text);
    if (!run) return null;
    runs.push(run);
  }
  return runs;
}

/** @returns whether each of the runs lies in the union of the others. */
export function areCovered(runs: readonly Run[], by: readonly Run[]): boolean {
  const union = merged(by);
  return runs.every(({ bits, first, last }) =>
    union.some((one) => one.bits === bits && one.first <= first && last <= one.last),
  );
}

/** @returns whether the runs hold private addresses only. */
export function arePrivate(runs: readonly Run[]): boolean {
  return runs.length > 0 && areCovered(runs, privateRuns);
}

const whole: readonly Run[] = ["0.0.0.0/0", "::/0"].flatMap((text) => runOf(text) ?? []);

/**
 * The families that the texts cover completely, private addresses aside where those cannot occur.
 * @returns `IPv4`, `IPv6`, both or none.
 */
export function coveredFamilies(
  texts: readonly string[],
  publicOnly: boolean,
): readonly ("IPv4" | "IPv6")[] {
  const plain = whole.filter(({ bits }) => texts.includes(bits === 32 ? "0.0.0.0/0" : "::/0"));
  const runs = plain.length > 0 ? plain : runsOf(texts);
  if (!runs) return [];
  const all = publicOnly ? [...runs, ...privateRuns] : runs;
  return whole
    .filter((family) => runs.some(({ bits }) => bits === family.bits) && areCovered([family], all))
    .map(({ bits }) => (bits === 32 ? "IPv4" : "IPv6"));
}

function merged(runs: readonly Run[]): readonly Run[] {
  const sorted = [...runs].sort((a, b) =>
    a.bits !== b.bits ? a.bits - b.bits : a.first < b.first ? -1 : a.first > b.first ? 1 : 0,
  );
  const union: Run[] = [];
  for (const run of sorted) {
    const last = union.at(-1);
    if (last && last.bits === run.bits && run.first <= last.last + 1n) {
      if (run.last > last.last) union[union.length - 1] = { ...last, last: run.last };
    } else {
      union.push(run);
    }
  }
  return union;
}
