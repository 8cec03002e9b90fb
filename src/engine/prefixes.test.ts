import { expect, test } from "vitest";
import { objectDocument } from "../policy/document.ts";
import { statementsOf } from "../policy/normalise.ts";
import { prefixesOf } from "./prefixes.ts";

test("the services of a policy are those of its actions and condition keys", () => {
  const Statement = [
    {
      Action: ["S3:Get*", "S3:Put*", "s3:List*", "sqs:*", "ec2:Run*", "*", ":x", "none"],
      Condition: { StringLike: { "AWS:SourceIp": "*", ":x": "*", plain: "*" } },
    },
    { NotAction: ["iam:*", "iam:PassRole"] },
  ];
  const statements = statementsOf(objectDocument({ Statement }));
  expect([...prefixesOf({ statements })]).toEqual(["s3", "sqs", "ec2", "aws", "iam"]);
});
