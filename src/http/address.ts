/**
 * Whom an address counts for where callers share something. An IPv6 network of 64 bits usually has one owner, who could
 * use each of its addresses once (RFC 6177; RFC 7421, 4.1); a client of IPv4 is its address, also where the server
 * listens for IPv6 and sees it mapped (RFC 4291, 2.5.5.2).
 */
export function networkOf(address = ""): string {
  const [ip = ""] = address.split("%");
  if (!ip.includes(":")) return ip;
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [left = "", right] = ip.split("::");
  const groups = left === "" ? [] : left.split(":");
  const rest = right ? right.split(":").length : 0;
  // What `::` leaves out are zeros.
  if (right !== undefined) while (groups.length + rest < 8) groups.push("0");
  while (groups.length < 4) groups.push(...(right ?? "").split(":").slice(0, 4 - groups.length));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
