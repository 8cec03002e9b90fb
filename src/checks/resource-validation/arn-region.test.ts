import { expect, test } from "vitest";
import { regionDate } from "../../policy/regions.ts";
import { arnRegionReport } from "./arn-region.ts";

const arn = (region: string, partition = "aws") =>
  `arn:${partition}:sqs:${region}:111122223333:orders`;
const about = (text: string, region: string) =>
  `The resource \`${text}\` has the Region \`${region}\``;

test.each(["eu-west-1", "*", "", "eu-*", "${AWS::Region}", "eu-${n}", "{{region}}"])(
  "the Region %s of an ARN is in order",
  (region) => {
    expect(arnRegionReport(arn(region))).toBeNull();
  },
);

test("a text that is not an ARN has no Region", () => {
  expect(arnRegionReport("*")).toBeNull();
});

test("a misspelt Region is an error, with the one that is meant", () => {
  expect(arnRegionReport(arn("eu-wset-1"))).toEqual({
    issue_type: "invalid_region",
    severity: "error",
    message: `${about(arn("eu-wset-1"), "eu-wset-1")}, which is not an AWS Region known on ${regionDate}.`,
    suggestion: "Did you mean `eu-west-1`?",
    aws_issue_code: "INVALID_ARN_REGION",
    corrected: arn("eu-west-1"),
  });
});

test("a Region that is near no known one may be newer than the list", () => {
  expect(arnRegionReport(arn("zz-nowhere-9"))).toEqual({
    issue_type: "invalid_region",
    severity: "warning",
    message: `${about(arn("zz-nowhere-9"), "zz-nowhere-9")}, which is not an AWS Region known on ${regionDate}.`,
    suggestion: "Write the name of a Region. A Region that is newer than this list is in order.",
    aws_issue_code: "INVALID_ARN_REGION",
  });
});

test("a text that has not the form of a Region", () => {
  expect(arnRegionReport(arn("orders"))).toEqual({
    issue_type: "invalid_resource",
    message: `${about(arn("orders"), "orders")}, which is not the name of a Region.`,
    suggestion:
      "Write a Region such as `eu-west-1`, `*` for all, or nothing where the resource has none.",
    aws_issue_code: "INVALID_ARN_REGION",
  });
});

test("a pattern that matches no Region", () => {
  expect(arnRegionReport(arn("zz-*"))).toMatchObject({
    issue_type: "invalid_region",
    message: `${about(arn("zz-*"), "zz-*")}, which matches no AWS Region known on ${regionDate}.`,
  });
});

test("a Region of another partition", () => {
  expect(arnRegionReport(arn("cn-north-1"))).toEqual({
    issue_type: "invalid_region",
    severity: "error",
    message: `The resource \`${arn("cn-north-1")}\` has the partition \`aws\`, but the Region \`cn-north-1\` is in the partition \`aws-cn\`.`,
    suggestion: "Write `arn:aws-cn:` for resources in that Region.",
    aws_issue_code: "INVALID_ARN_REGION",
    corrected: arn("cn-north-1", "aws-cn"),
  });
});
