import { expect, test } from "vitest";
import { found, grant, isPublic, type Side, type Wanted } from "../../test/support/access.ts";
import type { Network } from "../policy/model.ts";

const anyone = (Condition?: object): Side => [grant("*", Condition)];
const denyUnless = (Condition: object): Side => [
  grant("*"),
  { ...grant("*", Condition), Effect: "Deny" },
];
const equals = (key: string, value: string) => ({ StringEquals: { [key]: value } });
const differs = (key: string, value: string) => ({ StringNotEquals: { [key]: value } });
const variable = "$" + "{aws:SourceVpce, 'none'}";

test.each<readonly [network: Network, why: string, policy: Side, wanted: Wanted]>([
  ["vpc", "everyone in the VPC", anyone(), "holds"],
  ["vpc", "every service", [grant({ Service: "*" })], "holds"],
  ["vpc_endpoints", "every endpoint", anyone(), "violated"],
  [
    "vpc_endpoints",
    "one endpoint",
    anyone(equals("aws:SourceVpce", "vpce-0123456789abcdef0")),
    "holds",
  ],
  [
    "vpc_endpoints",
    "a Deny of other VPCs",
    denyUnless(differs("aws:SourceVpc", "vpc-1a2b3c4d")),
    "holds",
  ],
  [
    "vpc_endpoints",
    "any endpoint is required",
    anyone({ Null: { "aws:SourceVpce": "false" } }),
    "violated",
  ],
  [
    "vpc_endpoints",
    "no endpoint is required",
    anyone({ Null: { "aws:SourceVpce": "true" } }),
    "holds",
  ],
  [
    "vpc_endpoints",
    "one that may be absent",
    anyone({ StringEqualsIfExists: { "aws:SourceVpce": "vpce-0123456789abcdef0" } }),
    "holds",
  ],
  [
    "vpc_endpoints",
    "a public address",
    anyone({ IpAddress: { "aws:SourceIp": "0.0.0.0/0" } }),
    "holds",
  ],
  [
    "vpc_endpoints",
    "a key with a default",
    anyone(equals("aws:PrincipalTag/a", variable)),
    "violated",
  ],
])("reached through %s: %s", (network, _why, policy, wanted) => {
  expect(found(isPublic(policy, "resource", [], network))).toEqual(wanted);
});

test("the example of a search domain is a call that its policy can grant", () => {
  const policy = [{ ...grant("*"), Action: "es:*", Resource: "*" }];
  const [violation] = isPublic(policy).violations;
  expect(violation?.witness.action).toMatch(/^es:ESHttp/);
});
