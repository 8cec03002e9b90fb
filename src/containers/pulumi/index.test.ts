import { expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { failing, findingsByPlace } from "../../../test/support/place-findings.ts";
import { pulumi } from "./index.ts";

const program = (type: string, properties: string, more = "") => `name: jobs
runtime: yaml
${more}resources:
  main:
    type: ${type}
    properties:
${properties.replaceAll(/^/gm, "      ")}
`;
const read = async (text: string) => (await placesIn(pulumi, text, "Pulumi.yaml")) ?? [];

const statement = '{Effect: Allow, Action: s3:GetObject, Resource: "${bucket.arn}/*"}';
const document = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "${bucket.arn}/*" }],
};
const json = `{fn::toJSON: {Version: "2012-10-17", Statement: [${statement}]}}`;

it.each([
  ["aws:iam:Policy", `policy: ${json}`, "IDENTITY_POLICY", null],
  ["aws:iam/rolePolicy:RolePolicy", `policy: ${json}`, "IDENTITY_POLICY", null],
  ["aws:iam:Role", `assumeRolePolicy: ${json}`, "TRUST_POLICY", null],
  ["aws:iam:Role", `inlinePolicies: [{name: a, policy: ${json}}]`, "IDENTITY_POLICY", null],
  ["aws:s3:BucketPolicy", `policy: ${json}`, "RESOURCE_POLICY", "s3"],
  ["aws:sqs/queuePolicy:QueuePolicy", `policy: ${json}`, "RESOURCE_POLICY", "sqs"],
  ["aws:secretsmanager:SecretPolicy", `policy: ${json}`, "RESOURCE_POLICY", "secretsmanager"],
  ["aws:ec2:VpcEndpoint", `policy: ${json}`, "ENDPOINT_POLICY", null],
  [
    "aws:organizations:Policy",
    `{type: RESOURCE_CONTROL_POLICY, content: ${json}}`,
    "RESOURCE_CONTROL_POLICY",
    null,
  ],
])("the policy of %s: %s", async (type, properties, policyType, service) => {
  const places = await read(program(type, properties));
  expect(places.map((place) => [place.type, place.place.service, place.documents])).toEqual([
    [policyType, service, [document]],
  ]);
});

test("a text is read, and `$${` is a `${` for AWS", async () => {
  const text = '{"Version": "2012-10-17", "Statement": [{"Resource": "$${aws:username}/${b.id}"}]}';
  const [place] = await read(program("aws:iam:Policy", `policy: |\n  ${text}`));
  expect(place).toMatchObject({ state: "read", line: 7 });
  expect(place?.documents).toMatchObject([
    { Statement: [{ Resource: "${aws:username}/${b.id}" }] },
  ]);
});

const call = `
    fn::invoke:
      function: aws:iam:getPolicyDocument
      arguments:
        statements:
          - actions: ["*"]
            resources: ["*"]
            conditions: [{test: StringEquals, variable: aws:ResourceAccount, values: ["\${account}"]}]
      return: json
`;
test.each([
  ["in place", program("aws:iam:Policy", `policy:${call}`)],
  ["of a variable", program("aws:iam:Policy", "policy: ${doc}", `variables:\n  doc:${call}`)],
])("the document of a call of getPolicyDocument %s is read", async (_title, text) => {
  const [place] = await read(text);
  expect(place).toMatchObject({ type: "IDENTITY_POLICY", state: "read" });
  expect(place?.documents).toEqual([
    {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Action: ["*"],
          Resource: ["*"],
          Condition: { StringEquals: { "aws:ResourceAccount": ["${account}"] } },
        },
      ],
    },
  ]);
});

it.each(["{fn::readFile: p.json}", '"${other.policy}"'])("%s is not read", async (value) => {
  const [place] = await read(program("aws:iam:Policy", `policy: ${value}`));
  expect(place).toMatchObject({ state: "not_read" });
});

test("a function in a document is an unknown value", async () => {
  const policy = json.replace('"${bucket.arn}/*"', '{fn::join: ["", [a, b]]}');
  const [found] = await findingsByPlace(
    program("aws:iam:Policy", `policy: ${policy}`),
    "Pulumi.yaml",
  );
  expect(failing(found?.findings ?? [])).toEqual([]);
});

test("a function in the arguments of a call is an unknown value, and any name is a name", async () => {
  const text = program(
    "aws:iam:Policy",
    `policy:${call.replace('resources: ["*"]', 'resources: [{fn::join: ["", [a, b]]}]').replace("actions:", "constructor: x\n            actions:")}`,
  );
  const [found] = await findingsByPlace(text, "Pulumi.yaml");
  expect(found?.place.state).toBe("read");
  expect(failing(found?.findings ?? [])).toEqual([]);
});
