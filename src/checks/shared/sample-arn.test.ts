import { beforeAll, expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import { sampleArnOf, sampleArns } from "./sample-arn.ts";

const services = embeddedServices();
beforeAll(() => services.load(["bedrock", "dynamodb", "ec2", "es", "iam", "rds", "s3"]));

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
