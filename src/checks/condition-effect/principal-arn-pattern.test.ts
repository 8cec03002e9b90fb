import { expect, test } from "vitest";
import { mayBePrincipalArn } from "./principal-arn-pattern.ts";

test.each([
  "arn:aws:iam::111122223333:root",
  "arn:aws:iam::111122223333:role/path/name",
  "arn:aws:iam::111122223333:user/alice",
  "arn:aws:iam::*:role/*",
  "arn:aws:iam::????????????:root",
  "arn:aws:iam::1111*:*",
  "arn:aws:iam::111122223333:*/alice",
  "arn:aws:sts::111122223333:federated-user/alice",
  "arn:aws:sts::*:federated-user/*",
  "arn:*:i*:::x",
  "ar?:aws:ec2::1:x",
  "*",
  "arn:aws:iam::111122223333",
])("%s may be a principal's ARN", (text) => {
  expect(mayBePrincipalArn(text)).toBe(true);
});

test.each([
  "arn:aws:iam::111122223333:group/admins",
  "arn:aws:iam::111122223333:root/x",
  "arn:aws:iam::11112222333:root",
  "arn:aws:iam::1111222233334*:root",
  "arn:aws:iam::account1*:root",
  "arn:aws:iam::*account:root",
  "arn:aws:iam:::root",
  "arn:aws:sts::111122223333:assumed-role/name/session",
  "arn:aws:sts::111122223333:role/name",
  "arn:aws:ec2:eu-west-1:111122223333:instance/i-1",
  "arn:aws:ec2::111122223333:role/name",
  "aws:aws:iam::111122223333:root",
])("%s is never a principal's ARN", (text) => {
  expect(mayBePrincipalArn(text)).toBe(false);
});
