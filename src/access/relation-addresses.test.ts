import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const none: Side = [];

const addresses: readonly Row[] = [
  [
    "an address of a block",
    when({ IpAddress: { "aws:SourceIp": "10.1.2.3" } }),
    "narrower",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
  ],
  [
    "host bits do not count",
    when({ IpAddress: { "aws:SourceIp": "10.1.2.3/8" } }),
    "equal",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
  ],
  [
    "two halves of a block",
    when({ IpAddress: { "aws:SourceIp": ["10.0.0.0/9", "10.128.0.0/9"] } }),
    "equal",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
  ],
  [
    "a hole in a block",
    when({
      IpAddress: { "aws:SourceIp": "10.0.0.0/8" },
      NotIpAddress: { "aws:SourceIp": "10.1.2.3/32" },
    }),
    "narrower",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
  ],
  [
    "all of IPv4 is not IPv6",
    when({ NotIpAddress: { "aws:SourceIp": "0.0.0.0/0" }, Null: { "aws:SourceIp": "false" } }),
    "equal",
    when({ IpAddress: { "aws:SourceIp": "::/0" } }),
  ],
  [
    "both families are every address",
    when({ IpAddress: { "aws:SourceIp": ["0.0.0.0/0", "::/0"] } }),
    "equal",
    when({ Null: { "aws:SourceIp": "false" } }),
  ],
  [
    "spellings of an IPv6 block",
    when({ IpAddress: { "aws:SourceIp": "2001:0DB8:0:0::/33" } }),
    "narrower",
    when({ IpAddress: { "aws:SourceIp": "2001:db8::/32" } }),
  ],
  [
    "one IPv6 address in two spellings",
    when({ IpAddress: { "aws:SourceIp": "2001:db8::1" } }),
    "equal",
    when({ IpAddress: { "aws:SourceIp": "2001:db8:0:0:0:0:0:1/128" } }),
  ],
  [
    "an IPv4 address inside IPv6 is IPv6",
    when({ IpAddress: { "aws:SourceIp": "::ffff:10.0.0.1" } }),
    "different",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
  ],
  [
    "negated blocks",
    when({ NotIpAddress: { "aws:SourceIp": ["10.0.0.0/8", "192.168.0.0/16"] } }),
    "narrower",
    when({ NotIpAddress: { "aws:SourceIp": "192.168.1.0/24" } }),
  ],
  [
    "no address beside a VPC endpoint",
    when({
      IpAddress: { "aws:SourceIp": "10.0.0.0/8" },
      StringEquals: { "aws:SourceVpce": "vpce-1a2b3c4d" },
    }),
    "equal",
    none,
  ],
  [
    "an address that may be missing goes with an endpoint",
    when({
      IpAddressIfExists: { "aws:SourceIp": "10.0.0.0/8" },
      StringEquals: { "aws:SourceVpce": "vpce-1a2b3c4d" },
    }),
    "equal",
    when({ StringEquals: { "aws:SourceVpce": "vpce-1a2b3c4d" } }),
  ],
  [
    "no such prefix length",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/33" } }),
    "undecided: invalid_value",
    none,
  ],
];

describe.each([["addresses", addresses]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
