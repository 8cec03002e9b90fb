import { beforeAll, expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import { sampleArnOf, sampleArnOfKey, sampleArns } from "./sample-arn.ts";

const services = embeddedServices();
beforeAll(() => services.load(["bedrock", "dynamodb", "ec2", "ecs", "es", "iam", "rds", "s3"]));

test.each([
  ["ec2:StartInstances", "arn:aws:ec2:us-east-1:111122223333:instance/example-instance-id"],
  ["ec2:CreateTags", "arn:aws:ec2:us-east-1:111122223333:instance/example-instance-id"],
  ["dynamodb:Scan", "arn:aws:dynamodb:us-east-1:111122223333:table/example-table-name"],
  ["s3:GetObject", "arn:aws:s3:::example-bucket/example/*"],
  ["bedrock:InvokeModel", "arn:aws:bedrock:us-east-1::foundation-model/example-resource-id"],
  ["iam:TagRole", "arn:aws:iam::111122223333:role/example-role"],
])("the ARN for %s is of the type that its name has, else of the usual one", (name, arn) => {
  const [prefix = "", action = ""] = name.split(":");
  const service = services.get(prefix);
  const known = service?.action(action);
  if (!service || !known) throw new Error(`${name} is unknown`);
  expect(sampleArns(known, service, 1)).toEqual([arn]);
});

test.each([
  ["ec2", /./, "arn:aws:ec2:us-east-1:111122223333:instance/example-instance-id"],
  ["ec2", /^Describe/, "arn:aws:ec2:us-east-1:111122223333:instance/example-instance-id"],
  ["rds", /./, "arn:aws:rds:us-east-1:111122223333:db:example-db-instance-name"],
  ["s3", /./, "arn:aws:s3:::example-bucket"],
  ["s3", /Object$/, "arn:aws:s3:::example-bucket/example/*"],
  ["es", /^ESHttp/, "arn:aws:es:us-east-1:111122223333:domain/example-domain-name/*"],
  ["es", /./, "arn:aws:es:us-east-1:111122223333:domain/example-domain-name"],
] as const)(
  "the ARN for actions of %s like %s is of the type that most of them have",
  (prefix, like, arn) => {
    const service = services.get(prefix);
    if (!service) throw new Error(`${prefix} is unknown`);
    const actions = service.actions.filter(({ name }) => like.test(name));
    expect(sampleArnOf(actions, service)).toBe(arn);
  },
);

test.each([
  ["ecs", "cluster", "arn:aws:ecs:us-east-1:111122223333:cluster/example-cluster-name"],
  [
    "ecs",
    "Task-Definition",
    "arn:aws:ecs:us-east-1:111122223333:task-definition/example-task-definition-family-name:example-task-definition-revision-number",
  ],
  [
    "ec2",
    "LaunchTemplate",
    "arn:aws:ec2:us-east-1:111122223333:launch-template/example-launch-template-id",
  ],
  ["iam", "PolicyARN", "arn:aws:iam::111122223333:policy/example-policy"],
  ["s3", "prefix", undefined],
] as const)(
  "the ARN for the key %s:%s is of the type that the key is named after",
  (prefix, key, arn) => {
    const service = services.get(prefix);
    if (!service) throw new Error(`${prefix} is unknown`);
    expect(sampleArnOfKey(key, service)).toBe(arn);
  },
);

test("an action with several types has a form of each, the one in its name first", () => {
  const service = services.get("ec2");
  const action = service?.action("AttachVolume");
  if (!service || !action) throw new Error("ec2:AttachVolume is unknown");
  const arns = sampleArns(action, service, 5);
  expect(arns).toEqual([
    "arn:aws:ec2:us-east-1:111122223333:volume/example-volume-id",
    "arn:aws:ec2:us-east-1:111122223333:instance/example-instance-id",
  ]);
  expect(sampleArns(action, service, 1)).toEqual(arns.slice(0, 1));
  expect(sampleArns(action, service, 2)).toEqual(arns);
});
