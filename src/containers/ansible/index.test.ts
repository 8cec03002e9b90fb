import { expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { failing, findingsByPlace } from "../../../test/support/place-findings.ts";
import { ansible } from "./index.ts";

const read = async (text: string) => (await placesIn(ansible, text, "site.yml")) ?? [];

const trust = `
              Version: "2012-10-17"
              Statement:
                - Effect: Allow
                  Principal: {AWS: "{{ account }}"}
                  Action: sts:AssumeRole`;

test("options of modules with a policy are found in plays, blocks and handlers", async () => {
  const places = await read(`- hosts: localhost
  tasks:
    - name: The role
      block:
        - amazon.aws.iam_role:
            name: r
            assume_role_policy_document:${trust}
      rescue:
        - community.aws.iam_managed_policy: {policy_name: p, policy: '{"Statement": []}'}
  handlers:
    - sqs_queue: {name: q, policy: {Statement: []}, redrive_policy: {maxReceiveCount: 5}}
`);
  expect(places.map(({ address, type, state, line }) => [address, type, state, line])).toEqual([
    [
      "[0].tasks[0].block[0].amazon.aws.iam_role.assume_role_policy_document",
      "TRUST_POLICY",
      "read",
      8,
    ],
    [
      "[0].tasks[0].rescue[0].community.aws.iam_managed_policy.policy",
      "IDENTITY_POLICY",
      "read",
      14,
    ],
    ["[0].handlers[0].sqs_queue.policy", "RESOURCE_POLICY", "read", 16],
  ]);
  expect(places[0]?.documents).toEqual([
    {
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Principal: { AWS: "{{ account }}" }, Action: "sts:AssumeRole" },
      ],
    },
  ]);
});

test("a value of Jinja is unknown in a document", async () => {
  const text = (resource: string) => `- iam_policy:
    policy_json:
      Version: "2012-10-17"
      Statement: {Effect: Allow, Action: "s3:*", Resource: "${resource}"}
`;
  const findings = async (resource: string) =>
    failing((await findingsByPlace(text(resource), "tasks.yml"))[0]?.findings ?? []);
  expect(await findings("arn:aws:s3:::{{ bucket }}/*")).toEqual([]);
  expect(await findings("*")).toContain("high service_wildcard");
});

it.each([
  ["{{ lookup('file', 'p.json') }}", "The document is in the file `p.json`."],
  [
    "{{ documents[item] | to_json }}",
    "The policy is the value of `{{ documents[item] | to_json }}`",
  ],
  ['{"Statement": [{% for x in y %}{% endfor %}]}', "The text has `{% %}` of Jinja"],
])("a policy that Ansible computes is not read: %s", async (policy, reason) => {
  const [place] = await read(
    `- amazon.aws.s3_bucket: {name: b, policy: ${JSON.stringify(policy)}}`,
  );
  expect(place).toMatchObject({ state: "not_read", type: "RESOURCE_POLICY" });
  expect(place?.reason).toContain(reason);
});

it.each([
  ["no policy", "- amazon.aws.s3_bucket: {name: b}"],
  ["a policy that is removed", '- amazon.aws.s3_bucket: {name: b, policy: "null"}'],
  ["other modules", "- ansible.builtin.copy: {policy: {Statement: []}}"],
])("tasks with %s are no container", async (_title, text) => {
  expect(await placesIn(ansible, text, "tasks.yml")).toBeNull();
});
