import { beforeAll, expect, test } from "vitest";
import { findingsOfFirst } from "../../test/support/place-findings.ts";
import { embeddedServices } from "../services/embedded.ts";
import { ownArnOf } from "./own-arn.ts";

const services = embeddedServices();
beforeAll(() => services.load(["acm-pca", "codeartifact", "kafka", "vpc-lattice-svcs", "xray"]));

const arn = (service: string, resource: string) =>
  `arn:{partition}:${service}:{region}:{account}:${resource}`;

test.each([
  [["sqs:SendMessage"], arn("sqs", "{name}")],
  [["acm-pca:IssueCertificate"], arn("acm-pca", "certificate-authority/{name}")],
  [["acm-pca:*"], arn("acm-pca", "certificate-authority/{name}")],
  [["kafka:CreateVpcConnection"], arn("kafka", "cluster/{name}/{name}")],
  // Of two types, the one that more of the actions work on.
  [["codeartifact:DescribeDomain"], arn("codeartifact", "domain/{name}")],
  [
    [
      "codeartifact:DescribeDomain",
      "codeartifact:ReadFromRepository",
      "codeartifact:DescribeRepository",
    ],
    arn("codeartifact", "repository/{name}/{name}"),
  ],
  // No resource, two services, a service that does not exist.
  [["xray:PutTraceSegments"], null],
  [["kafka:CreateVpcConnection", "acm-pca:IssueCertificate"], null],
  [["none:Some"], null],
])("the ARN of the resource whose policy grants %j: %s", (Action, form) => {
  expect(ownArnOf({ Principal: "*", Action }, services)).toBe(form);
  expect(ownArnOf({ Action }, services)).toBeNull();
});

test.each([
  ["aws_acmpca_policy", "policy", "acm-pca:IssueCertificate"],
  ["aws_msk_cluster_policy", "policy", "kafka:*"],
  ["aws_vpclattice_auth_policy", "policy", "vpc-lattice-svcs:Invoke"],
  ["aws_codeartifact_domain_permissions_policy", "policy_document", "codeartifact:DescribeDomain"],
])("an unknown resource of %s hides no public access", async (type, attribute, Action) => {
  expect(await findingsOf(type, attribute, Action, "var.arn")).toContainEqual(
    expect.objectContaining({ severity: "critical", issue_type: "public_access" }),
  );
});

test("where a policy grants everything, the example is an action on the resource that has it", async () => {
  const [found] = await findingsOf("aws_vpclattice_auth_policy", "policy", "*", '"*"');
  expect(found?.message).toMatch(/may call `vpc-lattice-svcs:\w+` on `arn:aws:vpc-lattice:/);
});

async function findingsOf(type: string, attribute: string, action: string, resource: string) {
  const text = `resource "${type}" "own" {
  ${attribute} = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = "${action}", Resource = ${resource} }]
  })
}
`;
  return findingsOfFirst(text);
}
