import { expect, test } from "vitest";
import { awsForm, meantPrincipal } from "./aws-principal.ts";

const account = "111122223333";

test.each([
  account,
  "AIDAJQABLZS4A3QDU576Q",
  "AROAEXAMPLEID1",
  `arn:aws:iam::${account}:root`,
  `arn:aws-cn:iam::${account}:root`,
  `arn:aws:iam::${account}:user/ops/alice`,
  `arn:aws:iam::${account}:role/app`,
  `arn:aws:sts::${account}:assumed-role/app/session`,
  `arn:aws:sts::${account}:federated-user/bob/x`,
  `arn:aws:sts::${account}:self`,
  "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1EXAMPLE",
  `arn:aws:iam::${account}:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Admin_0a1b`,
  `arn:aws:iam::${account}:role/a:b`,
])("AWS accepts %s", (text) => {
  expect(awsForm(text)).toBeNull();
});

test.each([
  ["1111", "an account id has 12 digits, this one has 4"],
  ["1111222233334", "an account id has 12 digits, this one has 13"],
  [`${account}x`, "it is neither an account id nor an ARN"],
  ["xAIDAJQABLZS4A3QDU576Q", "it is neither an account id nor an ARN"],
  ["AIDAJQABLZS4A3QDU576Q!", "it is neither an account id nor an ARN"],
  ["AI12JQABLZS4", "it is neither an account id nor an ARN"],
  ["AIDA1234567", "it is neither an account id nor an ARN"],
  ["app", "it is neither an account id nor an ARN"],
  ["", "it is neither an account id nor an ARN"],
  [`arn:aws:iam::${account}`, "it is neither an account id nor an ARN"],
  [`am:aws:iam::${account}:root`, "it is neither an account id nor an ARN"],
  [`arn:amazon:iam::${account}:root`, "no partition is called `amazon`"],
  [`arn:aws:iam:eu-west-1:${account}:root`, "the ARN of an IAM principal has no Region"],
  [
    "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity",
    "an origin access identity is `user/CloudFront Origin Access Identity ID`",
  ],
  [
    "arn:aws:iam::cloudfront:a/user/CloudFront Origin Access Identity E1",
    "an origin access identity is `user/CloudFront Origin Access Identity ID`",
  ],
  [
    "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1 E2",
    "an origin access identity is `user/CloudFront Origin Access Identity ID`",
  ],
  ["arn:aws:sts::cloudfront:self", "`cloudfront` is not an account id of 12 digits"],
  ["arn:aws:iam::1111:root", "`1111` is not an account id of 12 digits"],
  ["arn:aws:iam::1111222233334:root", "`1111222233334` is not an account id of 12 digits"],
  ["arn:aws:iam::x111122223333:root", "`x111122223333` is not an account id of 12 digits"],
  [
    `arn:aws:iam::${account}:role/a,arn:aws:iam::${account}:role/b`,
    "several principals are a list, not one text",
  ],
  [
    `arn:aws:iam::${account}:role/a,  arn:aws:iam::${account}:role/b`,
    "several principals are a list, not one text",
  ],
  [`arn:aws:iam::${account}:role/my app`, "names of IAM have no spaces"],
  [
    `arn:aws:iam::${account}:group/admins`,
    "a group cannot be a principal; AWS knows users and roles only",
  ],
  [`arn:aws:iam::${account}:role/`, "an IAM principal is `root`, `user/…` or `role/…`"],
  [`arn:aws:iam::${account}:my-role/app`, "an IAM principal is `root`, `user/…` or `role/…`"],
  [`arn:aws:iam::${account}:roots`, "an IAM principal is `root`, `user/…` or `role/…`"],
  [
    `arn:aws:iam::${account}:role/AWSReservedSSO_Admin_0a1b`,
    "a role of IAM Identity Center has the path `aws-reserved/sso.amazonaws.com/`, which ends with its Region unless that is `us-east-1`",
  ],
  ...[
    "assumed-role/app",
    "assumed-role/app/a/b",
    "x-assumed-role/app/a",
    "selfish",
    "user/app",
  ].map((resource) => [
    `arn:aws:sts::${account}:${resource}`,
    "an STS principal is `assumed-role/ROLE/SESSION` or `federated-user/NAME`",
  ]),
  [`arn:aws:s3::${account}:bucket`, "its service is neither IAM nor STS"],
])("AWS refuses %s", (text, why) => {
  expect(awsForm(text)).toBe(why);
});

test.each([
  [`  ${account} `, account],
  ["1111-2222-3333", account],
  [` 1111-2222-3333\n`, account],
  [`aws:iam::${account}:root`, `arn:aws:iam::${account}:root`],
  [`ARN:AWS-CN:IAM::${account}:ROOT`, `arn:aws-cn:iam::${account}:root`],
  [`arn:aws:iam:${account}:root`, `arn:aws:iam::${account}:root`],
  ["arn:aws:iam::1111-2222-3333:root", `arn:aws:iam::${account}:root`],
  [`arn:aws:iam:eu-west-1:${account}:root`, `arn:aws:iam::${account}:root`],
  [`arn:aws:iam::${account}:rooot`, `arn:aws:iam::${account}:root`],
  [`arn:aws:iam::${account}:root/`, `arn:aws:iam::${account}:root`],
  [`arn:aws:iam::${account}/role/app`, `arn:aws:iam::${account}:role/app`],
  [`arn:aws:iam::${account}:Roles/path/app`, `arn:aws:iam::${account}:role/path/app`],
  [`arn:aws:iam::${account}:user:alice`, `arn:aws:iam::${account}:user/alice`],
  [
    `arn:aws:iam::${account}:Assumed-Role/app/session`,
    `arn:aws:sts::${account}:assumed-role/app/session`,
  ],
])("%s means %s", (text, meant) => {
  expect(meantPrincipal(text)).toBe(meant);
});

test.each([
  "11112222333",
  "11-2222-3333",
  "1111-22-3333",
  "1111-2222-33",
  "aaaa-bbbb-cccc",
  "abcdefghijkl",
  "app",
  `arn:aws:iam::${account}:`,
  `arn:aws:iam::${account}:role/`,
  `arn:aws:iam::${account}:role/my app`,
  `arn:aws:iam::${account}:group/admins`,
  `arn:amazon:iam::${account}:root`,
  `arn:aws:s3::${account}:root`,
  `arn:aws:sts::${account}:assumed-role/app`,
  `arn:aws:iam::${account}:role/${"a".repeat(2_048)}`,
  `${" ".repeat(2_048)}${account}`,
])("it is not certain what is meant by %s", (text) => {
  expect(meantPrincipal(text)).toBeNull();
});
