import { expect, test } from "vitest";
import { namedResource, nounOf } from "./named-resource.ts";

const account = "eu-west-1:111122223333";

// The forms are those of the resource types in the service authorization reference.
test.each<[string, string, string]>([
  ["arn:aws:s3:::shop", "s3", "shop"],
  ["arn:aws:s3:::shop/orders/*", "s3", "shop"],
  ["arn:aws:s3:::shop*", "s3", "shop*"],
  ["arn:aws-cn:s3:::shop/a:b", "s3", "shop"],
  [`arn:aws:sqs:${account}:orders`, "sqs", "orders"],
  [`arn:aws:sns:${account}:news`, "sns", "news"],
  [`arn:aws:sns:${account}:news:0a1b2c`, "sns", "news"],
  [`arn:aws:dynamodb:${account}:table/orders`, "dynamodb", "orders"],
  [`arn:aws:dynamodb:${account}:table/orders/index/by-day`, "dynamodb", "orders"],
  [`arn:aws:kinesis:${account}:stream/clicks`, "kinesis", "clicks"],
  [`arn:aws:kinesis:${account}:stream/clicks/consumer/a:1`, "kinesis", "clicks"],
  [`arn:aws:ecr:${account}:repository/shop/web`, "ecr", "shop/web"],
  [`arn:aws:es:${account}:domain/logs/*`, "es", "logs"],
  [`arn:aws:events:${account}:event-bus/shop`, "events", "shop"],
  [`arn:aws:backup:${account}:backup-vault:daily`, "backup", "daily"],
])("%s belongs to %s %s", (arn, service, name) => {
  expect(namedResource(arn)).toEqual({ service, name });
});

test.each([
  "*",
  "shop",
  "arn:aws:s3:::",
  "arn:aws:s3:::/orders",
  "arn:aws:s3:::a:b",
  `arn:aws:sqs:${account}:`,
  `arn:aws:sqs:${account}:a/b`,
  `arn:aws:sqs:${account}:a:b`,
  `arn:aws:sns:${account}:a/b`,
  `arn:aws:dynamodb:${account}:x/table/orders`,
  `arn:aws:dynamodb:${account}:table/`,
  `arn:aws:dynamodb:${account}:global-table/orders`,
  `arn:aws:kinesis:${account}:astream/clicks`,
  `arn:aws:ecr:${account}:repository/`,
  `arn:aws:ecr:${account}:a-repository/x`,
  `arn:aws:es:${account}:domain/`,
  `arn:aws:es:${account}:subdomain/x`,
  `arn:aws:events:${account}:rule/shop`,
  `arn:aws:events:${account}:x-event-bus/shop`,
  `arn:aws:backup:${account}:recovery-point:1`,
  `arn:aws:backup:${account}:x-backup-vault:1`,
  // AWS gives these their names.
  `arn:aws:kms:${account}:key/1234abcd`,
  `arn:aws:elasticfilesystem:${account}:file-system/fs-1`,
  "arn:aws:constructor:::name",
])("%s is no resource with a name that its owner chose", (arn) => {
  expect(namedResource(arn)).toBeNull();
});

test("what people call the resources of a service", () => {
  const services = ["s3", "sqs", "sns", "dynamodb", "kinesis", "ecr", "es", "events", "backup"];
  expect(services.map(nounOf)).toEqual([
    "bucket",
    "queue",
    "topic",
    "table",
    "stream",
    "repository",
    "domain",
    "event bus",
    "backup vault",
  ]);
  expect(["kms", "", "S3", "constructor"].map(nounOf)).toEqual([null, null, null, null]);
});
