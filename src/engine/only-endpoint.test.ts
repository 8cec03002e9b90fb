import { expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { withoutResourcePolicies } from "./only-endpoint.ts";

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
