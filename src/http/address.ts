import ipaddr from "ipaddr.js";

/**
 * The network that an address counts for where callers share a limit. An IPv6 network of 64 bits usually has one owner,
 * who could use each of its addresses once (RFC 6177; RFC 7421, 4.1). IPv4 counts by address, also where the server
 * listens for IPv6 and sees it mapped (RFC 4291, 2.5.5.2).
 */
export function networkOf(address = ""): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (!("parts" in ip)) return ip.toString();
  const groups = ip.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
