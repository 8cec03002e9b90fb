import { expect, test } from "vitest";
import { isPolicyVariable } from "./placeholders.ts";

test.each([
  "aws:username",
  "aws:PrincipalTag/team",
  "aws:PrincipalTag/datazone:userId",
  "aws:PrincipalTag/a b+c=d@e",
  "aws:PrincipalTag/team, 'none'",
  "aws:PrincipalTag/équipe",
  "accounts.google.com:aud",
  "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE:sub",
  "*",
])("${%s} is filled in by AWS", (source) => {
  expect(isPolicyVariable(source)).toBe(true);
});

test.each(["bucket", "var.bucket", "AWS::AccountId", "is_prod ? a : b", "aws:", "a:b:c"])(
  "${%s} is filled in before AWS sees it",
  (source) => {
    expect(isPolicyVariable(source)).toBe(false);
  },
);
