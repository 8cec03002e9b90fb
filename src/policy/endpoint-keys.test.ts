import { expect, test } from "vitest";
import { endpointKeySupport } from "./endpoint-keys.ts";

test.each([
  ["aws:vpceaccount", "s3:GetObject", true],
  ["aws:vpceaccount", "S3:*", true],
  ["aws:vpceaccount", "sqs:SendMessage", false],
  ["aws:vpceorgid", "sqs:SendMessage", true],
  ["aws:vpceorgpaths", "sqs:SendMessage", true],
  ["aws:vpceorgpaths", "s3:GetObject", true],
  ["aws:vpceorgid", "iam:CreateRole", true],
  ["aws:vpceorgid", "IAM:PassRole", false],
  ["aws:vpceorgid", "ec2:RunInstances", false],
  ["aws:vpceorgid", "*", false],
  ["aws:vpceorgid", ":s3", false],
  ["aws:vpceorgid", "s3*", false],
])("requests with %s for %s: %s", (key, action, expected) => {
  expect(endpointKeySupport(key)?.(action)).toBe(expected);
});

test.each(["aws:sourcevpce", "aws:VpceAccount", "s3:prefix"])("%s is another key", (key) => {
  expect(endpointKeySupport(key)).toBeNull();
});
