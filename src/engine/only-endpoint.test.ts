import { expect, test } from "vitest";
import { objectDocument } from "../policy/document.ts";
import { statementsOf } from "../policy/normalise.ts";
import { embeddedServices } from "../services/embedded.ts";
import { isOnlyForEndpoint, withoutResourcePolicies } from "./only-endpoint.ts";

/** Names of actions that write the policy of a resource, and of those that only sound like it. */
const writes =
  /^(?:Put|Set|Update|Add)(?:Resource|Access|Cluster|Repository|Domain|Project)?Polic(?:y|ies)$/;

test("no action of a service without resource policies writes one, RAM's of EC2 aside", async () => {
  const services = embeddedServices();
  await services.load(withoutResourcePolicies);
  const found = [...withoutResourcePolicies].flatMap((prefix) => {
    const service = services.get(prefix);
    if (!service) return [`${prefix} is unknown`];
    return service.actions.filter(({ name }) => writes.test(name)).map((one) => one.qualified);
  });
  expect(found).toEqual(["ec2:PutResourcePolicy"]);
});

const found = { type: "RESOURCE_POLICY", typeSource: "auto-detect" } as const;
const declared = { ...found, typeSource: "declared" } as const;
const ec2 = { Action: "ec2:RunInstances" };

test.each<[object, readonly object[], boolean]>([
  [found, [ec2], true],
  [found, [{ Action: ["EC2:*", "rds:Describe*"] }, ec2], true],
  // A bucket, a topic and any service may have such a policy.
  [found, [ec2, { Action: ["ec2:*", "s3:GetObject"] }], false],
  [found, [{ Action: "*" }], false],
  [found, [{ Action: ":ec2" }], false],
  [found, [{ NotAction: "ec2:*" }], false],
  [found, [{ Action: "ec2:*", NotAction: "ec2:*" }], false],
  [found, [], false],
  [declared, [ec2], false],
  [{ ...found, type: "TRUST_POLICY" }, [ec2], false],
])("a policy of %j with %j is only for an endpoint: %s", (about, Statement, expected) => {
  const statements = statementsOf(objectDocument({ Statement }));
  const policy = { ...about, statements } as Parameters<typeof isOnlyForEndpoint>[0];
  expect(isOnlyForEndpoint(policy)).toBe(expected);
});
