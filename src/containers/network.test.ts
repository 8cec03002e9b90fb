import { describe, expect, test } from "vitest";
import { failing, findingsOfFirst } from "../../test/support/place-findings.ts";
import { openText } from "./open.ts";

const open = (text: string, name = "main.tf") => openText({ text, name });

async function networkOf(text: string, name = "main.tf") {
  const places = (await open(text, name))?.places ?? [];
  expect(places).toHaveLength(1);
  return places[0]?.network;
}

const statement = (action: string, resource: string) =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: "*", Action: action, Resource: resource }],
  });
const search = statement("es:*", "arn:aws:es:eu-west-1:111122223333:domain/logs/*");
const invoke = statement("execute-api:Invoke", "execute-api:/*");

const domain = (settings: string, type = "opensearch") => `resource "aws_${type}_domain" "logs" {
  domain_name     = "logs"
  access_policies = ${JSON.stringify(search)}
  ${settings}
}`;
const api = (settings: string) => `resource "aws_api_gateway_rest_api" "orders" {
  name   = "orders"
  policy = ${JSON.stringify(invoke)}
  ${settings}
}`;

describe("a resource of a Terraform file", () => {
  test.each([
    [domain('vpc_options {\n subnet_ids = ["subnet-1"]\n }'), "vpc"],
    [domain('vpc_options {\n subnet_ids = ["subnet-1"]\n }', "elasticsearch"), "vpc"],
    [domain("vpc_options {\n subnet_ids = [aws_subnet.a.id]\n }"), "vpc"],
    [domain("vpc_options {\n subnet_ids = module.vpc.private_subnets\n }"), "vpc"],
    [domain("vpc_options {\n subnet_ids = slice(var.subnets, 0, 2)\n }"), "vpc"],
    [domain(""), null],
    [domain("vpc_options {\n subnet_ids = []\n }"), null],
    [domain("vpc_options {\n security_group_ids = [aws_security_group.a.id]\n }"), null],
    [domain("vpc_options {\n subnet_ids = var.in_vpc ? var.subnets : []\n }"), null],
    [domain("vpc_options {\n subnet_ids = compact(var.subnets)\n }"), null],
    [
      domain('dynamic "vpc_options" {\n for_each = var.v\n content {\n subnet_ids = ["a"]\n }\n }'),
      null,
    ],
    [api('endpoint_configuration {\n types = ["PRIVATE"]\n }'), "vpc_endpoints"],
    [api('endpoint_configuration {\n types = ["REGIONAL"]\n }'), null],
    [api("endpoint_configuration {\n types = [var.type]\n }"), null],
    [api("endpoint_configuration {\n types = var.types\n }"), null],
    [api(""), null],
  ])("%s", async (text, network) => {
    expect(await networkOf(text)).toBe(network);
  });

  const policyOf = (reference: string) => `resource "aws_opensearch_domain_policy" "logs" {
  domain_name     = ${reference}
  access_policies = data.aws_iam_policy_document.logs.json
}
data "aws_iam_policy_document" "logs" {
  statement {
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    actions   = ["es:ESHttp*"]
    resources = ["*"]
  }
}
`;
  const inVpc = 'vpc_options {\n subnet_ids = ["subnet-1"]\n }';
  const bare = (settings: string) =>
    `resource "aws_opensearch_domain" "logs" {\n ${settings}\n }\n`;

  test.each([
    ["aws_opensearch_domain.logs.domain_name", inVpc, "vpc"],
    ["aws_opensearch_domain.logs[0].domain_name", inVpc, "vpc"],
    ["aws_opensearch_domain.logs.domain_name", "", null],
    ["aws_opensearch_domain.other.domain_name", inVpc, null],
    ["var.name", inVpc, null],
  ])("the domain that a separate policy is attached to: %s %s", async (name, settings, network) => {
    expect(await networkOf(policyOf(name) + bare(settings))).toBe(network);
  });
});

const template = (type: string, properties: object, parameters = {}) =>
  JSON.stringify({
    Parameters: { Subnets: { Type: "List<AWS::EC2::Subnet::Id>" }, ...parameters },
    Conditions: { InVpc: { "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-west-1"] } },
    Resources: { Own: { Type: type, Properties: properties } },
  });
const searchType = "AWS::OpenSearchService::Domain";
const inSubnets = (SubnetIds: unknown) => ({
  AccessPolicies: JSON.parse(search),
  VPCOptions: { SubnetIds },
});
const withTypes = (EndpointConfiguration: object) => ({
  Policy: JSON.parse(invoke),
  EndpointConfiguration,
});
const none = { Ref: "AWS::NoValue" };

describe("a resource of a CloudFormation template", () => {
  test.each([
    [template(searchType, inSubnets(["subnet-1"])), "vpc"],
    [template("AWS::Elasticsearch::Domain", inSubnets([{ Ref: "Subnet" }])), "vpc"],
    [template(searchType, inSubnets({ Ref: "Subnets" })), "vpc"],
    [
      template(searchType, inSubnets({ "Fn::Split": [",", { "Fn::ImportValue": "subnets" }] })),
      "vpc",
    ],
    [template(searchType, inSubnets([])), null],
    [template(searchType, inSubnets({ "Fn::If": ["InVpc", none, ["subnet-1"]] })), null],
    [
      template(searchType, inSubnets({ Ref: "Own" }), {
        Own: { Type: "CommaDelimitedList", Default: "" },
      }),
      null,
    ],
    [
      template(searchType, {
        ...inSubnets([]),
        VPCOptions: { "Fn::If": ["InVpc", { SubnetIds: ["subnet-1"] }, none] },
      }),
      null,
    ],
    [template("AWS::ApiGateway::RestApi", withTypes({ Types: ["PRIVATE"] })), "vpc_endpoints"],
    [template("AWS::ApiGateway::RestApi", withTypes({ Types: ["EDGE"] })), null],
    [template("AWS::ApiGateway::RestApi", withTypes({ Types: [{ Ref: "Type" }] })), null],
    // Other accounts reach a private domain name only where its owner shares it.
    [template("AWS::ApiGateway::DomainNameV2", withTypes({ Types: ["PRIVATE"] })), null],
  ])("%s", async (text, network) => {
    expect(await networkOf(text, "template.json")).toBe(network);
  });
});

const plan = (type: string, after: object, unknown: object = {}) => ({
  address: `${type}.own`,
  mode: "managed",
  type,
  change: { actions: ["create"], after, after_unknown: unknown },
});
const planned = (changes: readonly object[], resources: readonly object[] = []) =>
  JSON.stringify({
    format_version: "1.2",
    resource_changes: changes,
    configuration: { root_module: { resources } },
  });
const domainType = "aws_opensearch_domain";

describe("a resource of a Terraform plan", () => {
  const planOf = (vpc_options: unknown) => ({ access_policies: search, vpc_options });

  test.each([
    [[plan(domainType, planOf([{ subnet_ids: ["subnet-1"] }]))], "vpc"],
    [[plan(domainType, planOf([{}]), { vpc_options: [{ subnet_ids: true }] })], "vpc"],
    [[plan(domainType, planOf([]))], null],
    [[plan(domainType, planOf([{ subnet_ids: [] }]))], null],
    [[plan(domainType, planOf([]), { vpc_options: true })], null],
    [
      [
        plan("aws_api_gateway_rest_api", {
          policy: invoke,
          endpoint_configuration: [{ types: ["PRIVATE"] }],
        }),
      ],
      "vpc_endpoints",
    ],
  ])("%j", async (changes, network) => {
    expect(await networkOf(planned(changes), "plan.json")).toBe(network);
  });

  test("the domain that a separate policy is attached to", async () => {
    const name = { references: [`${domainType}.own.domain_name`, `${domainType}.own`] };
    const type = "aws_opensearch_domain_policy";
    const resources = [{ address: `${type}.own`, expressions: { domain_name: name } }];
    const changes = (subnet_ids: unknown) => [
      plan(domainType, { vpc_options: [{ subnet_ids }] }),
      plan(type, { access_policies: search }),
    ];
    expect(await networkOf(planned(changes(["subnet-1"]), resources), "plan.json")).toBe("vpc");
    expect(await networkOf(planned(changes([]), resources), "plan.json")).toBeNull();
  });
});

test.each([
  [{ DomainStatus: { AccessPolicies: search, VPCOptions: { SubnetIds: ["subnet-1"] } } }, "vpc"],
  [{ DomainStatus: { AccessPolicies: search } }, null],
  [{ policy: invoke, endpointConfiguration: { types: ["PRIVATE"] } }, "vpc_endpoints"],
  [{ policy: invoke, endpointConfiguration: { types: ["EDGE"] } }, null],
  [{ items: [{ policy: invoke, endpointConfiguration: { types: ["PRIVATE"] } }] }, "vpc_endpoints"],
  [
    {
      apiVersion: "opensearchservice.services.k8s.aws/v1alpha1",
      kind: "Domain",
      spec: { accessPolicies: search, vpcOptions: { subnetIDs: ["subnet-1"] } },
    },
    "vpc",
  ],
  [
    {
      service: "orders",
      provider: {
        name: "aws",
        endpointType: "private",
        apiGateway: { resourcePolicy: JSON.parse(invoke).Statement },
      },
    },
    "vpc_endpoints",
  ],
])(
  "an answer of AWS, a manifest, a service of the Serverless Framework: %j",
  async (value, network) => {
    expect(await networkOf(JSON.stringify(value), "file.json")).toBe(network);
  },
);

const failures = async (text: string) => failing(await findingsOfFirst(text));

test("an open policy passes on a domain in a VPC alone", async () => {
  expect(await failures(domain('vpc_options {\n subnet_ids = ["subnet-1"]\n }'))).toEqual([]);
  expect(await failures(domain(""))).toContain("critical no_public_access");
});

test("an open policy of a private API lets in the endpoints of all accounts", async () => {
  expect(await failures(api('endpoint_configuration {\n types = ["PRIVATE"]\n }'))).toEqual([
    "high no_public_access",
  ]);
  expect(await failures(api(""))).toEqual(["critical no_public_access"]);
});
