import { expect, test } from "vitest";
import { objectDocument } from "./document.ts";
import { statementsOf } from "./normalise.ts";
import { onlyService } from "./only-service.ts";

test.each<[string, unknown, string | null]>([
  ["one action", "s3:GetObject", "s3"],
  ["several actions, in any letter case", ["s3:GetObject", "S3:PutObject"], "s3"],
  ["a pattern of one service", "s3:*", "s3"],
  ["two services", ["s3:GetObject", "sqs:SendMessage"], null],
  ["every action", ["s3:GetObject", "*"], null],
  ["no action", [], null],
])("the service of %s", (_, Action, service) => {
  const [statement] = statementsOf(objectDocument({ Statement: [{ Action }] }));
  expect(statement && onlyService(statement)).toBe(service);
});
