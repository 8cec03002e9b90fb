import ipaddr from "ipaddr.js";
import { isIpOrCidr } from "../../policy/condition-value.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { listed, quoted } from "../text.ts";
import { type Issue, noIssues } from "../types.ts";
import { valuesNode } from "./condition-keys.ts";

/** Ranges of RFC 1918, RFC 3927 and RFC 4193, of loopback and link-local addresses. */
const privateKinds: ReadonlySet<string> = new Set([
  "private",
  "loopback",
  "linkLocal",
  "uniqueLocal",
]);

function parse(text: string): { address: ReturnType<typeof ipaddr.parse>; bits: number } | null {
  if (!isIpOrCidr(text)) return null;
  const [address = "", length] = text.split("/");
  const parsed = ipaddr.parse(address);
  const whole = parsed.kind() === "ipv4" ? 32 : 128;
  return { address: parsed, bits: length === undefined ? whole : Number(length) };
}

/** The first address of the range is private, and the range is no larger than the private one. */
function isPrivate(text: string): boolean {
  const range = parse(text);
  if (!range) return false;
  const least: Record<string, number> = { private: 8, loopback: 8, linkLocal: 10, uniqueLocal: 7 };
  const kind = range.address.range();
  return privateKinds.has(kind) && range.bits >= (least[kind] ?? 0);
}

/** Address ranges under IpAddress and NotIpAddress. */
export function addressRanges({ conditions }: Statement): Iterable<Issue> {
  return conditions.some(holdsAddresses) ? faultyRanges(conditions) : noIssues;
}

const holdsAddresses = ({ operator }: ConditionEntry) => operator?.base.type === "IPAddress";

function* faultyRanges(conditions: readonly ConditionEntry[]): Generator<Issue> {
  for (const entry of conditions) {
    if (!holdsAddresses(entry)) continue;
    yield* hostBits(entry);
    if (entry.keyLower === "aws:sourceip") yield* privateRanges(entry);
  }
}

function* hostBits({ values }: ConditionEntry): Generator<Issue> {
  for (const { text, node } of values) {
    const range = text.includes("/") ? parse(text) : null;
    if (!range) continue;
    const { address, bits } = range;
    const network =
      address.kind() === "ipv4"
        ? ipaddr.IPv4.networkAddressFromCIDR(text)
        : ipaddr.IPv6.networkAddressFromCIDR(text);
    if (network.toNormalizedString() === address.toNormalizedString()) continue;
    yield {
      code: "IMPROVE_IP_RANGE",
      details: `${quoted(text)} has bits set behind the mask. Write \`${network.toString()}/${bits}\`.`,
      nodes: [node],
    };
  }
}

function* privateRanges(entry: ConditionEntry): Generator<Issue> {
  const { operator, values } = entry;
  const hidden = values.filter(({ text }) => isPrivate(text));
  if (hidden.length === 0) return;
  const negated = operator?.base.negated === true;
  const one = hidden.length === 1;
  const ranges = listed(hidden.map(({ text }) => quoted(text)));
  if (hidden.length === values.length) {
    yield negated
      ? {
          code: "PRIVATE_NOT_IP_ADDRESS",
          details: `\`aws:SourceIp\` holds public addresses only, so excluding ${ranges} has no effect.`,
          nodes: [valuesNode(entry)],
        }
      : {
          code: "PRIVATE_IP_ADDRESS",
          details: `\`aws:SourceIp\` holds public addresses only, so ${ranges} never ${one ? "matches" : "match"}. Use \`aws:VpcSourceIp\`.`,
          nodes: [valuesNode(entry)],
        };
    return;
  }
  yield {
    code: negated ? "PRIVATE_NOT_IP_ADDRESS_SUBSET" : "PRIVATE_IP_ADDRESS_SUBSET",
    details: `\`aws:SourceIp\` holds public addresses only, so ${ranges} ${one ? "has" : "have"} no effect. Remove ${one ? "it" : "them"}.`,
    nodes: hidden.map(({ node }) => node),
  };
}
