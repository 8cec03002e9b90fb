import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const from = (value: unknown, key = "aws:SourceIp") => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition: { IpAddress: { [key]: value } },
});

describe("ranges that are no network", () => {
  const of = "address_ranges/host_bits_set";
  fixCases([
    {
      name: "are written by their first address",
      of,
      before: from("203.0.113.7/24"),
      after: from("203.0.113.0/24"),
      effect: "equivalent",
    },
    {
      name: "are written by their first address in IPv6",
      of,
      before: from("2001:db8::7/32"),
      after: from("2001:db8::/32"),
    },
    {
      name: "are found in a list",
      of,
      before: from(["198.51.100.0/24", "203.0.113.7/24"]),
      after: from(["198.51.100.0/24", "203.0.113.0/24"]),
    },
  ]);
});

describe("private ranges", () => {
  fixCases([
    {
      name: "are removed from public ones",
      of: "address_ranges/private_range",
      before: from(["10.0.0.0/8", "203.0.113.0/24", "192.168.0.0/16"]),
      after: from(["203.0.113.0/24"]),
      effect: "changes",
    },
  ]);
});
