import { expect, test } from "vitest";
import { networkOf } from "./address.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::2:3:4:5:6:7", "0:0:2:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  [undefined, ""],
])("an address counts for its network: %s for %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
